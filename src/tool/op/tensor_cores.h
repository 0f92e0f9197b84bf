/* Whether a kernel uses Tensor Cores, and which numbers it multiplies, as far as its name says so. */
#ifndef STINT_OP_TENSOR_CORES_H
#define STINT_OP_TENSOR_CORES_H

#include "op/op_scan.h"

enum stint_op_tensor_cores {
    STINT_OP_TC_UNKNOWN,
    STINT_OP_TC_USED,
    STINT_OP_TC_UNUSED, /* it multiplies matrices without them */
    STINT_OP_TC_NONE    /* it does not multiply matrices */
};

/* What an operation is known to spend its time for. */
enum stint_op_work { STINT_OP_WORK_UNKNOWN, STINT_OP_WORK_MATRIX, STINT_OP_WORK_OTHER };

/* Returns what the kernel's name says, mangled or not; where it says nothing, what the operation says that launched
 * it. */
enum stint_op_tensor_cores stint_op_tensor_cores(const char *kernel, enum stint_op_work work);

/* Returns the type of the matrices that the kernel multiplies, if its name says so. */
enum stint_op_type stint_op_kernel_type(const char *kernel);

/* Returns "1", "0", "-" or "na". */
const char *stint_op_tensor_cores_word(enum stint_op_tensor_cores use);

#endif
