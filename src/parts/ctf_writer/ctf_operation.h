/* Operations: activations whose texts are taken apart (ctf_writer/instance_text.h), so that what they have in common is
 * in a recording once. */
#ifndef STINT_CTF_WRITER_CTF_OPERATION_H
#define STINT_CTF_WRITER_CTF_OPERATION_H

#include "ctf_writer/ctf_format.h"
#include "ctf_writer/instance_text.h"

/* What a writer knows of them. Zero it to begin; free the table's arena at the end. */
struct stint_ctf_operations {
    struct stint_instance_table table;
    struct stint_instance_room room;
};

/* Fills in the row of the event, and in `data` what has to be defined before it; its id is 0 if there is nothing.
 * Returns 0 if the event is not that of an operation, or if there is no room for its data. */
int stint_ctf_operation_of(struct stint_ctf_operations *operations, const struct stint_event *event,
                           struct stint_ctf_operation *row, struct stint_ctf_data *data);

#endif
