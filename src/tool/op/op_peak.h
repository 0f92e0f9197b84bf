/* How fast devices can be at best, as far as their numbers are known. */
#ifndef STINT_OP_OP_PEAK_H
#define STINT_OP_OP_PEAK_H

#include "op/op_type.h"
#include "op/tensor_cores.h"
#include "stint/gpu_stats.h"

/* Returns the FLOPs for each second with numbers of that type, without sparsity, at the clock that the device has at
 * most; 0 if the device, the type or the use of Tensor Cores is not known. With Tensor Cores fp32 means tf32. */
double stint_op_peak(const struct stint_gpu_device *device, enum stint_op_type type, enum stint_op_tensor_cores use);

#endif
