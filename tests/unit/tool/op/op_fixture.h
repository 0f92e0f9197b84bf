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

/* What an operation costs, worked out by hand; OP_SOME stands for "not known", OP_FULL for "no room in 64 bits". */
#define OP_SOME UINT64_MAX
#define OP_FULL (UINT64_MAX - 1)

struct op_expected {
    const char *name, *type, *arguments;
    uint64_t flops, bytes;
};

void assert_op_amount(struct stint_op_amount amount, uint64_t expected, const char *name, const char *what);
void assert_op_costs(const struct op_expected *expected, size_t count, int is_backward);

/* What was read last, and reading it. */
extern struct stint_operation op_read;
enum stint_op_kind op_read_text(const char *text);

/* Returns its values as text: "name:[64 16]fp16<783.0" for a tensor by output 0 of 783, "?" for what is unknown. */
const char *op_values(void);
void assert_op_name(const char *name);
void assert_op_module(const char *name);

/* Forgets it; a teardown. */
int op_read_forget(void **state);

#endif
