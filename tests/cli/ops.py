"""Writes a database as nvprof's with a training step, in which each kernel is launched within the ranges that it names:

    ops.py FILE [COPIES]

Ranges are those of emit_nvtx of PyTorch 2, of pyprof.init() with PyTorch 1.7, and a program's own. With COPIES, the step is
repeated so often, each time with other numbers."""
import sqlite3
import struct
import sys

PID, MAIN, AUTOGRAD = 815, 815, 816
SIZES = "[[8, 3, 32, 32], [16, 3, 3, 3], [], [], [], [], [], [], []]"
MARKER = ("{'mod': 'torch.nn.functional', 'op': 'linear', 'args': [{'name': '', 'type': 'tensor', 'shape': (32, 512), "
          "'dtype': 'float16'}, {'name': '', 'type': 'tensor', 'shape': (1000, 512), 'dtype': 'float16'}, {'name': 'bias', "
          "'type': 'NoneType', 'value': None}]}")


def step(first, seq):
    """The ranges and launches of a step on each thread: a text begins a range, None ends it, a pair is a kernel of that
    name and duration."""
    forward = [
        "train", "layer:net.conv", f"aten::conv2d, seq = {seq}, op_id = {first}, sizes = {SIZES}",
        f"aten::convolution, seq = {seq}, op_id = {first + 1}, sizes = {SIZES}",
        f"aten::cudnn_convolution, op_id = {first + 2}, sizes = [[8, 3, 32, 32], [16, 3, 3, 3], [], [], [], [], [], [], []]",
        ("void cudnn::ops::nchwToNhwcKernel<float, float>(int)", 900),
        ("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x64x32", 800), None, None, None, None,
        f"aten::relu, seq = {seq + 1}, op_id = {first + 3}, sizes = [[8, 16, 30, 30]], input_op_ids = [({first},0)]",
        ("void at::native::(anonymous namespace)::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)",
         100), None,
        "layer:net", "layer:head", "{'traceMarker': ['/usr/lib/torch/nn/functional.py:1', '/home/me/net.py:10', "
        "'/home/me/train.py:33']}", MARKER, f"linear, seq = {seq + 2}", ("volta_h884gemm_128x64_ldg8_tn", 700), None, None,
        None, None, None,
        "loss", "aten::sum, op_id = 9, sizes = [[8, 16", ("reduce_kernel", 50), None, None,
        "{'mod': 'x', 'op': ", ("plain_kernel", 10), None,
        "Optimizer.step#SGD.step, op_id = 77", "aten::_foreach_add_, op_id = 78, sizes = [[16, 3, 3, 3], [16, 3, 3, 3], []]",
        ("multi_tensor_apply_kernel", 60), None, None, None]
    backward = [
        f"LinearBackward, seq = {seq + 2}", ("volta_h884gemm_128x64_ldg8_nn", 600), ("volta_sgemm_128x64_nt", 650), None,
        f"autograd::engine::evaluate_function: ReluBackward0, op_id = {first + 10}",
        f"ReluBackward0, seq = {seq + 1}, op_id = {first + 11}, sizes = [[8, 16, 30, 30]]",
        f"aten::threshold_backward, op_id = {first + 12}, sizes = [[8, 16, 30, 30], [8, 16, 30, 30], []]",
        ("vectorized_elementwise_kernel", 120), None, None, None,
        f"ConvolutionBackward0, seq = {seq}, op_id = {first + 13}, sizes = [[8, 16, 30, 30]]",
        f"aten::convolution_backward, op_id = {first + 14}, sizes = [[8, 16, 30, 30], [8, 3, 32, 32], [16, 3, 3, 3], []]",
        ("cutlass_tensorop_s1688wgrad_optimized_tf32_128x64_16x6_nhwc_align4", 1500),
        ("sm80_xmma_dgrad_implicit_gemm_f32f32_f32f32_f32_ffma_nhwckrsc_nhwc", 1400), None, None]
    return (MAIN, forward), (AUTOGRAD, backward)


class Recording:
    def __init__(self, path):
        self.database = sqlite3.connect(path)
        self.strings, self.ranges, self.time, self.busy = {}, 0, 1500000000000000000, 0
        for table, columns in (
                ("StringTable", "_id_ INTEGER PRIMARY KEY, value TEXT"),
                ("CUPTI_ACTIVITY_KIND_MARKER", "_id_ INTEGER PRIMARY KEY, flags INT, timestamp INT, id INT, objectKind INT, "
                 "objectId BLOB, name INT, domain INT"),
                ("CUPTI_ACTIVITY_KIND_RUNTIME", "_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, processId INT, "
                 "threadId INT, correlationId INT, returnValue INT"),
                ("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "_id_ INTEGER PRIMARY KEY, registersPerThread INT, start INT, "
                 "end INT, deviceId INT, contextId INT, streamId INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY "
                 "INT, blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT, correlationId INT, gridId INT, name INT")):
            self.database.execute(f"CREATE TABLE {table} ({columns})")

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.database.execute("INSERT INTO StringTable VALUES (?, ?)", (self.strings[text], text))
        return self.strings[text]

    def marker(self, flags, of, thread, text):
        self.database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (NULL, ?, ?, ?, 2, ?, ?, 0)",
                              (flags, self.time, of, struct.pack("<iq", PID, thread), self.string(text) if text else 0))

    def kernel(self, thread, name, ns, correlation):
        start = max(self.time + 1000, self.busy)
        self.busy = start + ns
        self.database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (NULL, 211, ?, ?, ?, ?, ?, 0)",
                              (self.time, self.time + 5, PID, thread, correlation))
        self.database.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (NULL, 32, ?, ?, 0, 1, 7, 64, 2, 1, 256, 1, 1, 0, 0, ?, "
            "?, ?)", (start, self.busy, correlation, correlation, self.string(name)))

    def play(self, thread, items):
        opened = []
        for item in items:
            self.time += 200
            if item is None:
                self.marker(4, opened.pop(), thread, None)
            elif isinstance(item, str):
                self.ranges += 1
                opened.append(self.ranges)
                self.marker(2, self.ranges, thread, item)
            else:
                self.ranges += 1
                self.kernel(thread, *item, self.ranges)
        assert not opened


if __name__ == "__main__":
    recording = Recording(sys.argv[1])
    recording.play(MAIN, [("before_all_ranges", 40)])
    for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        for thread, items in step(100 + 100 * number, 50 + 10 * number):
            recording.play(thread, items)
    recording.database.commit()
