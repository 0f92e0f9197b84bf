/* stint/op.h - operations of neural networks and of other numerics: what a block computes, so that its FLOPs and bytes,
 * its layer and its direction are known when the recording is read.
 *
 *     #include <stint/op.h>
 *
 *     void forward(const struct layer *layer, uint64_t step)
 *     {
 *         STINT_OP("conv2d", STINT_FPROP, layer->name, step,
 *                  STINT_TENSOR(STINT_FP32, 64, 6, 14, 14),      // input: images, channels, height, width
 *                  STINT_TENSOR(STINT_FP32, 16, 6, 5, 5),        // weights
 *                  STINT_TENSOR(STINT_FP32, 16));                // bias
 *         convolve<<<grid, block>>>(...);
 *     }
 *
 *     void backward(const struct layer *layer, uint64_t step)
 *     {
 *         STINT_OP_BACKWARD("conv2d", step);                    // the gradients of what `step` was, going forward
 *         ...
 *     }
 *
 * An operation is a scope of that name like any other (timer.h): it has its row, its place in the tree, and its time.
 * In a recording (STINT_TRACE, `stint run --store`) it has, in addition, what the macro says. `stint ops` reads it: for
 * each kernel that was launched in the block it prints the operation, layer, direction, parameters, FLOPs, bytes and
 * how close to the device's peak that is, and sums of them (docs/operations.md). Nothing is computed in the program.
 *
 * A tool that listens to NVTX gets each operation as a range of the domain "stint", with a payload of the schema
 * "stint::op": sequence, pass, layer and operands; if it does not know payloads, with all of it as the range's text.
 *
 * Cost (docs/overhead.md): without a recording and without a tool that of a scope, and a load; arguments are not
 * evaluated then, except the kind. With a recording the operands are copied. Switched off at run time: one load and one
 * predictable branch more than that. Compiled out (STINT_WITH_TIMER=0): nothing; the arguments are type-checked but not
 * evaluated.
 *
 * Threads: any. The sequence joins a backward operation to the last forward one of the process that has the same,
 * whichever threads ran them.
 */
#ifndef STINT_OP_H
#define STINT_OP_H

#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/op.h"

/** The types of a tensor's elements. */
enum stint_element {
    STINT_FP64 = 1,
    STINT_FP32,
    STINT_TF32, /* FP32 in memory, multiplied as TF32 */
    STINT_FP16,
    STINT_BF16,
    STINT_FP8_E4M3,
    STINT_FP8_E5M2,
    STINT_INT64,
    STINT_INT32,
    STINT_INT16,
    STINT_INT8,
    STINT_UINT8,
    STINT_BOOL
};

/** Directions. */
enum stint_pass {
    STINT_FPROP, /* forward: inference, or the first part of a step of training */
    STINT_BPROP, /* backward: gradients */
    STINT_OPTIM  /* the update of parameters */
};

/** STINT_OP(kind, pass, layer, sequence, operand...) - an operation, from here to the end of the enclosing block. A
 *  declaration: it needs a block, which may contain any number of them.
 *
 *  kind      const char *, best a literal: the name of the operation and of the scope. `stint ops` knows those of
 *            PyTorch, without "aten::" - "mm", "addmm", "linear", "conv2d", "max_pool2d", "relu", "softmax",
 *            "layer_norm", "scaled_dot_product_attention", "convolution_backward", "all_reduce" - and those in the
 *            tables of docs/operations.md. Any other kind is an operation without FLOPs and bytes.
 *  pass      enum stint_pass. A kind with STINT_BPROP that does not itself end in "backward" means the gradients of
 *            the operation of that kind with these operands.
 *  layer     const char *: the name of the layer or module, "encoder.conv1"; NULL: none. A backward operation without
 *            one has that of its forward operation. Read at the beginning of the block.
 *  sequence  uint64_t, a number that you choose for the forward operation, the same in the backward pass; 0: none.
 *  operand   STINT_TENSOR, STINT_NUMBERS or STINT_NONE, one to twelve of them, in the order of the arguments of the
 *            function of PyTorch with that name. Trailing ones may be left out.
 *
 *  The name of an operation in reports is its kind, whatever its layer. */
#define STINT_OP(kind, pass, layer, sequence, ...) STINT_I_OP(__COUNTER__, kind, pass, layer, sequence, __VA_ARGS__)

/** STINT_OP_BACKWARD(kind, sequence) - the backward pass of the last forward operation with that sequence, which says
 *  its layer and operands: an operation from here to the end of the enclosing block. */
#define STINT_OP_BACKWARD(kind, sequence)                                                                              \
    STINT_I_OP(__COUNTER__, kind, STINT_BPROP, STINT_I_NULL, sequence, STINT_I_NO_OPERAND)

/** STINT_TENSOR(element, dimension...) - a tensor with one to six dimensions, integers of any type, outermost first:
 *  images, channels, height, width. */
#define STINT_TENSOR(element, ...) STINT_I_OPERAND(element, __VA_ARGS__)

/** STINT_NUMBERS(number...) - a number, or a list of two to six numbers: a stride, a padding, the number of groups. */
#define STINT_NUMBERS(...) STINT_I_OPERAND(STINT_I_NUMBERS, __VA_ARGS__)

/** STINT_NONE() - an operand that there is not, such as a bias, in front of others. */
#define STINT_NONE() stint_i_make_operand(STINT_I_NONE, 0, 0, 0, 0, 0, 0, 0)

#endif
