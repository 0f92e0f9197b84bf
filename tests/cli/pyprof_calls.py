"""Writes a database as nvprof's with calls that pyprof.init() describes, within ranges of emit_nvtx of PyTorch 1.7:

    pyprof_calls.py FILE [TYPE]

For each function that PyProf knows there is a call, for some a backward pass, and kernels as libraries had them then. PyProf
itself reads the file: golden/ops_pyprof.txt is what it prints. With TYPE, there is only a product of matrices of that type."""
import sys

import ops


def tensor(*shape, dtype="float16", name=""):
    return f"{{'name': '{name}', 'type': 'tensor', 'shape': {shape}, 'dtype': '{dtype}'}}"


def scalar(value, name=""):
    return f"{{'name': '{name}', 'type': '{type(value).__name__}', 'value': {value!r}}}"


F, TORCH, TENSOR = "torch.nn.functional", "torch", "Tensor"
EACH = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)"
WIDE, NARROW = "volta_sgemm_128x64_nn", "volta_fp16_s884gemm_fp16_64x128_ldg8_f2f_nn"
IMAGE, FILTER = tensor(32, 64, 56, 56), tensor(64, 64, 3, 3)
CONV, CONV32 = "volta_fp16_s884cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1", "volta_scudnn_128x64_relu_medium_nn_v1"

# module, function, arguments, kernels of the forward pass, kernels of the backward pass
CALLS = [
    (F, "linear", [tensor(32, 512, dtype="float32"), tensor(1000, 512, dtype="float32"), tensor(1000, dtype="float32")],
     [WIDE, "void at::native::elementwise_kernel<128>(int)"], [WIDE, "volta_sgemm_128x64_nt", "void splitKreduce_kernel<float>(int)"]),
    (F, "linear", [tensor(8, 16, 64), tensor(32, 64)], [NARROW], [NARROW, NARROW]),
    (F, "conv2d", [IMAGE, FILTER, scalar(None), scalar((1, 1)), scalar((1, 1)), scalar((1, 1)), scalar(1)],
     ["void nchwToNhwcKernel<__half>(int)", CONV], [CONV, CONV, "void calc_bias_diff<2>(int)"]),
    (F, "conv2d", [tensor(8, 32, 10, 12, dtype="float32"), tensor(64, 8, 3, 5, dtype="float32"), scalar((2, 1), "stride"),
                   scalar(2, "padding"), scalar(4, "groups")], [CONV32, "void cudnn::detail::2d_grouped_direct_kernel(int)"], []),
    (F, "conv1d", [tensor(8, 16, 100, dtype="float32"), tensor(32, 16, 5, dtype="float32"), scalar(None), scalar((2,)),
                   scalar((3,))], [CONV32, "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc"], []),
    (TORCH, "mm", [tensor(64, 128), tensor(128, 32)], [NARROW], []),
    (TORCH, "bmm", [tensor(5, 64, 128), tensor(5, 128, 32)], [NARROW], []),
    (TORCH, "addmm", [tensor(64, 32, dtype="float32"), tensor(64, 128, dtype="float32"), tensor(128, 32, dtype="float32"),
                      scalar(0.5, "alpha")], [WIDE], []),
    (TENSOR, "__matmul__", [tensor(4, 1, 64, 128, dtype="float32"), tensor(5, 128, 32, dtype="float32")], [WIDE], []),
    (TORCH, "matmul", [tensor(128), tensor(128)], ["void dot_kernel<float>(int)", "void reduce_1Block_kernel<float>(int)"], []),
    (TORCH, "matmul", [tensor(7, 64, 128), tensor(128)], ["void gemv2T_kernel_val<int>(int)"], []),
    (F, "relu", [tensor(32, 64)], [EACH], [EACH]),
    (TORCH, "sigmoid", [tensor(32, 64)], [EACH], [EACH]),
    (TENSOR, "__neg__", [tensor(32, 64, dtype="float64")], [EACH], []),
    (TORCH, "clamp", [tensor(32, 64), scalar(0), scalar(1.5)], [EACH], []),
    (TENSOR, "__add__", [tensor(32, 1), tensor(64, dtype="float32")], [EACH], [EACH]),
    (TENSOR, "__mul__", [tensor(32, 64), scalar(2.5)], [EACH], [EACH]),
    (TENSOR, "__rsub__", [scalar(2), tensor(32, 64, dtype="int64")], [EACH], []),
    (TENSOR, "__lt__", [tensor(32, 64), tensor(32, 64)], [EACH], []),
    (TENSOR, "__and__", [tensor(32, 64, dtype="bool"), tensor(32, 64, dtype="bool")], [EACH], []),
    (TORCH, "pow", [tensor(32, 64), scalar(2)], [EACH], []),
    (TORCH, "addcmul", [tensor(32, 64), scalar(0.5), tensor(32, 64), tensor(32, 1)], [EACH], []),
    (TENSOR, "float", [tensor(18, 104, 160, dtype="bool")], [EACH], []),
    (TENSOR, "to", [tensor(18, 104)], [EACH], []),
    (TENSOR, "copy_", [tensor(18, 104), tensor(18, 104, dtype="float32")], [EACH], []),
    (TENSOR, "clone", [tensor(18, 4, 416, 640, dtype="float32")], [EACH], []),
    (F, "embedding", [tensor(8, 16, dtype="int64"), tensor(1000, 64)], [EACH], [EACH, "sort"]),
    (TENSOR, "sum", [tensor(32, 64), scalar(1, "dim")], ["void at::native::reduce_kernel<512>(int)", "second"], []),
    (TENSOR, "mean", [tensor(32, 64)], ["void at::native::reduce_kernel<512>(int)", "second"], []),
    (TENSOR, "norm", [tensor(32, 64), scalar(2)], ["void at::native::reduce_kernel<512>(int)", "second"], []),
    (F, "dropout", [tensor(32, 64), scalar(0.1)], [EACH], []),
    (TORCH, "cat", [tensor(32, 64), tensor(16, 64), scalar(0, "dim")], [EACH, "second"], []),
    (TENSOR, "reshape", [tensor(32, 64), scalar((64, 32))], [EACH], []),
    (TENSOR, "gather", [tensor(32, 64), scalar(0), tensor(2, 64, dtype="int64")], [EACH], []),
    (TENSOR, "masked_scatter_", [tensor(32, 64), tensor(32, 64, dtype="uint8"), tensor(32, 64)], [EACH, "second"], []),
    (TENSOR, "masked_select", [tensor(32, 64), tensor(64, dtype="uint8")], [EACH, "second"], []),
    (TENSOR, "nonzero", [tensor(32, 64)], [EACH, "second"], []),
    (TENSOR, "index_select", [tensor(32, 64), scalar(1), tensor(5, dtype="int64")], [EACH], []),
    (F, "softmax", [tensor(32, 64), scalar(1)], [EACH], [EACH]),
    (F, "log_softmax", [tensor(32, 64), scalar(1)], [EACH], [EACH]),
    (F, "mse_loss", [tensor(32, 64), tensor(32, 64), scalar("mean", "reduction")], [EACH], [EACH]),
    (F, "mse_loss", [tensor(32, 64), tensor(32, 64), scalar("none", "reduction")], [EACH], [EACH]),
    (F, "batch_norm", [IMAGE, tensor(64), tensor(64)], [EACH, "second"], [EACH]),
    (TORCH, "randperm", [scalar(1000)], [EACH], []),
    (TORCH, "zeros", [scalar(8), scalar(16)], [EACH], []),
    (TORCH, "ones", [scalar((8, 16))], [EACH], []),
    (TENSOR, "zero_", [tensor(32, 64)], [EACH], []),
    (TENSOR, "fill_", [tensor(32, 64), scalar(1)], [EACH], []),
    (TORCH, "full", [scalar((8, 16)), scalar(1.5)], [EACH], []),
    (TENSOR, "any", [tensor(32, 64, dtype="bool")], [EACH], []),
    ("LSTMCell", "forward", [tensor(8, 64, dtype="float32"), tensor(8, 128, dtype="float32")], [WIDE, WIDE, EACH],
     [EACH, "volta_sgemm_128x64_nn", "volta_sgemm_64x512_nt"]),
    ("fused_adam_cuda", "adam", [tensor(1000, dtype="float32"), tensor(1000), tensor(1000, dtype="float32"),
                                 tensor(1000, dtype="float32"), tensor(1000)] + 7 * [scalar(1)], [EACH], []),
    (F, "max_pool2d", [IMAGE, scalar(3)], [EACH], []),
]

PLAIN = ["aten::addmm, seq = 500", (WIDE, 10), None, "SumBackward0, seq = 501", (EACH, 10), None]


if len(sys.argv) > 2:
    CALLS = [(TORCH, "mm", [tensor(64, 128, dtype=sys.argv[2]), tensor(128, 32, dtype=sys.argv[2])], ["nvjet_tst_64x32"], [])]


def play(recording):
    forward, backward = ["layer:net"], []
    for seq, (module, function, arguments, kernels, back) in enumerate(CALLS):
        call = f"{{'mod': '{module}', 'op': '{function}', 'args': [{', '.join(arguments)}]}}"
        forward += [call, f"{function}, seq = {seq}"] + [(kernel, 10 + seq) for kernel in kernels] + [None, None]
        if back:
            backward[:0] = [f"{function.capitalize()}Backward, seq = {seq}"] + [(kernel, 100 + seq) for kernel in back] + [None]
    recording.play(ops.MAIN, forward + [None])
    recording.play(ops.AUTOGRAD, backward)
    recording.play(ops.MAIN, PLAIN)


recording = ops.Recording(sys.argv[1])
recording.database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, "
                           "processId INT, threadId INT, correlationId INT, returnValue INT)")
play(recording)
recording.database.commit()
