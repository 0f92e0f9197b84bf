/* Types of the elements of tensors, as PyTorch, PyProf and CUDA call them. */
#ifndef STINT_OP_OP_TYPE_H
#define STINT_OP_OP_TYPE_H

#include "base/annotation.h"

enum stint_op_type {
    STINT_OP_TYPE_UNKNOWN,
    STINT_OP_FP64,
    STINT_OP_FP32,
    STINT_OP_TF32, /* fp32 in memory */
    STINT_OP_FP16,
    STINT_OP_BF16,
    STINT_OP_FP8_E4M3,
    STINT_OP_FP8_E5M2,
    STINT_OP_INT64,
    STINT_OP_INT32,
    STINT_OP_INT16,
    STINT_OP_INT8,
    STINT_OP_UINT8,
    STINT_OP_BOOL,
    STINT_OP_COMPLEX64,
    STINT_OP_COMPLEX128
};

/* Returns the type of that name: "fp16", "float16", "torch.float16", "c10::Half", "Half". */
enum stint_op_type stint_op_type_of(struct stint_piece name);

/* Returns the short name, "fp16"; "na" if it is unknown. */
const char *stint_op_type_name(enum stint_op_type type);

/* Returns the bytes of one element; 0 if that is unknown. */
unsigned stint_op_type_bytes(enum stint_op_type type);

#endif
