/* What is known of operations besides their own ranges: PyTorch's observer watches a few iterations of a program that
 * runs under `stint run --ops`, and what it wrote is in the recording, as ranges that stand for themselves
 * (src/python/stint_ops/facts.py):
 *
 *     stint.facts, op_id = 783, op_ids = [783, 901], text = aten::mm, op_id = 0, sizes = [[64, 16], [16, 10]], types =
 *     ["float", "float"], strides = [[16, 1], [10, 1]], inputs = ["", ""]
 *
 * They are joined by these numbers. Operations of other iterations have none of them: what was seen of one is true of
 * those with the same shapes in the same place, unless different things were seen. */
#ifndef STINT_OP_OP_KNOWN_H
#define STINT_OP_OP_KNOWN_H

#include "op/op_join.h"

/* Whether the text is such a range's. */
int stint_op_is_known(const char *text, size_t length);

/* Keeps what it says. Returns 0, or -1 without memory. */
int stint_op_known_add(struct stint_op_join *join, int64_t pid, const char *text, size_t length);

/* Gives all frames the texts that say more. Returns 0, or -1 without memory. */
int stint_op_known_apply(struct stint_op_join *join);

#endif
