/* What texts of traces by torch.profiler say about operations, and those of emit_nvtx do not (kineto/kineto_event.h):
 *
 *     aten::conv2d, seq = 0, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], []], types = ["float", "float",
 *     "", "ScalarList"], strides = [[588, 1, 42, 3], [27, 1, 9, 3], [], []], inputs = ["", "", "", "[1, 1]"] */
#ifndef STINT_OP_OP_FACTS_H
#define STINT_OP_OP_FACTS_H

#include "op/op_scan.h"
#include "op/operation.h"

/* Take the lists behind `types = ` and `inputs = `, one text for each argument: the types of tensors, and the values of
 * all other arguments, which become those of the operation. Return 0, or -1 if that is no such list. */
int stint_op_facts_types(struct stint_operation *operation, struct stint_op_scan *scan);
int stint_op_facts_inputs(struct stint_operation *operation, struct stint_op_scan *scan);

/* Returns what PyTorch's declaration calls the argument, which is counted from 0: "dim0" of
 * "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"; empty if there is none. */
struct stint_piece stint_op_facts_name(struct stint_piece schema, size_t argument);

/* Passes over a list of numbers and lists. */
int stint_op_facts_skip(struct stint_op_scan *scan);

#endif
