/* Turns the activation of an operation into its numbers and the number of its text, which is defined when it is new. */
#include "ctf_writer/ctf_operation.h"

int stint_ctf_operation_of(struct stint_ctf_operations *operations, const struct stint_event *event,
                           struct stint_ctf_operation *row, struct stint_ctf_data *data)
{
    struct stint_instance instance;
    int is_new = 0;
    if (!event->text || event->color || event->category ||
        !stint_instance_split(&instance, &operations->room, event->name, event->text))
        return 0;
    *row = (struct stint_ctf_operation){.path = (uint32_t)event->context,
                                        .start = event->start_ns,
                                        .end = event->end_ns,
                                        .kind = (int)event->kind,
                                        .seq = instance.has_seq ? (int64_t)instance.seq : -1,
                                        .op_id = instance.op_id};
    if (instance.length)
        row->data = stint_instance_number(&operations->table, &instance, &is_new);
    *data = (struct stint_ctf_data){is_new ? row->data : 0, instance.data};
    return row->data || !instance.length;
}
