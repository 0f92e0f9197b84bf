/* Frames: what ranges say that enclose launches, kept with what is found out about them later. */
#ifndef STINT_OP_OP_FRAME_H
#define STINT_OP_OP_FRAME_H

#include "op/op_join.h"

/* What a range says of which a frame may be made. */
struct stint_op_range {
    uint32_t text; /* in the texts */
    int has_seq;
    uint64_t seq;
    uint64_t op_id;
};

/* Keeps what the operation says that was read last, from that text. Returns 0, or -1 without memory. */
int stint_op_range_keep(struct stint_op_join *join, struct stint_op_range *range, const char *text, size_t length);

/* Adds a frame for the range on that thread. Returns its position; *failed is set if there is no memory. */
uint32_t stint_op_frame_add(struct stint_op_join *join, uint32_t parent, int64_t pid, int64_t tid,
                            const struct stint_op_range *range, int *failed);

/* Whether it is autograd, which runs one operation of the backward pass and then may add gradients up. */
int stint_op_is_engine(const struct stint_op_join *join, const struct stint_op_range *range);

/* Appends to an array that becomes large, and has the arena for itself: what is outgrown is given back. */
void *stint_op_add_to_large(struct stint_array *array, struct stint_arena *arena, size_t size);

/* Returns whether an operation of that name belongs to a backward pass. */
int stint_op_is_backward(struct stint_piece name);

/* Remembers a forward frame by the number that its backward one will have, too. Returns 0, or -1 without memory. */
int stint_op_frame_remember(struct stint_op_join *join, int64_t pid, uint32_t frame);

/* Looks at the inputs of the operation that was read last: they are results of others on its thread. */
int stint_op_frame_see_inputs(struct stint_op_join *join, int64_t pid, int64_t tid);

#endif
