/* Frames: what ranges say that enclose launches, kept with what is found out about them later. */
#ifndef STINT_OP_OP_FRAME_H
#define STINT_OP_OP_FRAME_H

#include "op/op_join.h"

/* Adds a frame for the text on that thread. Returns its position, or that of the parent if the text says nothing of
 * operations; *failed is set if there is no memory. */
uint32_t stint_op_frame_add(struct stint_op_join *join, uint32_t parent, int64_t pid, int64_t tid, const char *text,
                            size_t length, int *failed);

/* Returns whether an operation of that name belongs to a backward pass. */
int stint_op_is_backward(struct stint_piece name);

/* Remembers a forward frame by the number that its backward one will have, too. Returns 0, or -1 without memory. */
int stint_op_frame_remember(struct stint_op_join *join, int64_t pid, uint32_t frame);

/* Looks at the inputs of the operation that was read last: they are results of others on its thread. */
int stint_op_frame_see_inputs(struct stint_op_join *join, int64_t pid, int64_t tid);

#endif
