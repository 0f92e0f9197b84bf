"""What is in TorchInductor's cache is not compiled."""
import os
import tempfile

from torch import _inductor, core
from torch._inductor import codecache, utils


def compile_fx(graph, inputs, is_cached=False):
    handle, path = tempfile.mkstemp()
    os.write(handle, _inductor.CODE.encode())
    os.close(handle)
    codecache.PyCodeCache.modules.append(type("module", (), {"__file__": path}))
    if not is_cached:
        from torch._inductor.codegen import triton
        utils.NODES = graph.graph.nodes
        triton.TritonScheduling().define_kernel("", [], None)
    with core.Operation("triton_poi_fused_gelu_0", inputs, more=[("kernel_file", "string", "c0.py")]):
        core.launch("triton_poi_fused_gelu_0", 1000)
    return inputs[0]
