/* What the roofs of a device are: measured, if that was done, or computed from its clocks and units. */
#ifndef STINT_OP_ROOF_DEVICE_H
#define STINT_OP_ROOF_DEVICE_H

#include "ceiling/ceilings.h"
#include "op/op_type.h"
#include "op/roof_plot.h"
#include "op/tensor_cores.h"
#include "stint/snapshot.h"

/* Returns the FLOPs for each second with numbers of that type, without sparsity, at the clock that the device has at
 * most; 0 if the device, the type or the use of Tensor Cores is not known. With Tensor Cores fp32 means tf32. */
double stint_op_peak(const struct stint_gpu_device *device, enum stint_op_type type, enum stint_op_tensor_cores use);

struct stint_roof_device {
    struct stint_gpu_device device;
    struct stint_ceilings ceilings;
};

struct stint_roof_device stint_roof_device(const struct stint_gpu_device *device);

/* The roof of a type, without units if it is not known. */
struct stint_roof stint_roof_of(const struct stint_roof_device *device, enum stint_op_type type,
                                enum stint_op_tensor_cores use);

/* Adds it, unless the plot has it, or it is not known. */
void stint_roof_add(struct stint_roof_plot *plot, const struct stint_roof *roof);

/* Sets the bandwidth. */
void stint_roof_memory(struct stint_roof_plot *plot, const struct stint_roof_device *device);

#endif
