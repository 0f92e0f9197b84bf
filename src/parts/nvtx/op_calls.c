/* The functions behind the macros of op.h: a scope that has something to say at its end. */
#include "nvtx/handler.h"
#include "nvtx/outgoing.h"
#include "record/note.h"
#include "record/scope.h"
#include "runtime/start.h"
#include "stint/op.h"
#include "support/operation_note.h"

/* Until the library has started, somebody may want to know. */
uint32_t stint_i_op_wanted = 1;

void stint_nvtx_op_start(void)
{
    STINT_I_STORE(&stint_i_op_wanted, (uint32_t)(stint_notes_are_on || stint_scope_has_listener()));
}

struct stint_i_node *stint_i_op_begin(struct stint_i_op *op, struct stint_i_site *site, const char *kind, int pass,
                                      const char *layer, uint64_t sequence, const struct stint_i_operand *operands,
                                      size_t count)
{
    struct stint_operation_note note = {sequence, pass, layer, operands, count};
    int is_cut;

    op->used = 0;
    if (stint_runtime_start() || !stint_registry_enabled())
        return NULL;
    if (!STINT_I_LOAD(&stint_i_op_wanted))
        return stint_i_enter(site, kind, NULL);
    op->used = stint_operation_write(op->bytes, &note, &is_cut);
    if (is_cut)
        stint_count_dropped(&stint_dropped.truncated);
    stint_nvtx_operation = op;
    struct stint_i_node *node = stint_i_enter(site, kind, NULL);
    stint_nvtx_operation = NULL;
    return node;
}

void stint_i_op_end(struct stint_i_op *op)
{
    uint64_t now = stint_i_end_ticks(stint_i_self);
    struct stint_note_more more = {.length = op->used, .text = (const char *)op->bytes};

    if (op->node)
        (void)stint_scope_leave_more(op->node, now, STINT_NOTE_SCOPE | STINT_NOTE_OPERATION, &more);
}
