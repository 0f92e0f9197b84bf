/* Operations for tests, written as their arguments. */
#ifndef STINT_TESTS_OP_FIXTURE_H
#define STINT_TESTS_OP_FIXTURE_H

#include "op/op_cost.h"

/* Makes the marker of an operation, whose tensors have this type if it is not NULL, from arguments that are separated
 * by blanks: "[64,16]" is a tensor, "(2,2)" a list, "3" a number, "-" None, and "stride=(2,2)" has a name. Returns the
 * text, valid until the next call. */
const char *op_marker(const char *name, const char *type, const char *arguments);

/* Returns what the operation costs. There has to be a rule for it. */
struct stint_op_cost op_cost(const char *text, enum stint_op_type type, int is_backward);

/* The same, for one whose result has a known shape. */
struct stint_op_cost op_cost_with(const char *text, enum stint_op_type type, const int64_t *output, size_t dims);

#endif
