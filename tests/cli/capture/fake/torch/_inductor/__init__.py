"""As much of TorchInductor: code with comments, and the graph's nodes, whose modules each has a stack of."""
import os
import tempfile

from torch import core

CODE = '''# kernel path: /tmp/torchinductor/c0/c0.py
# Topologically Sorted Source Nodes: [x, gelu], Original ATen: [aten.view, aten.gelu]
# Source node to ATen node mapping:
#   gelu => erf, mul_3
triton_poi_fused_gelu_0 = async_compile.triton('triton_poi_fused_gelu_0', \\'\\'\\'
\\'\\'\\')
'''


class _Node:
    def __init__(self, *modules):
        self.meta = {"nn_module_stack": {str(i): (path, object) for i, path in enumerate(modules)}} if modules else {}


def fuse(model, x):
    from torch._inductor import codecache, utils
    from torch._inductor.codegen import triton
    utils.NODES = [_Node(), _Node("L['self']", "L['self']._modules['mlp']", "L['self']._modules['mlp']._modules['0']"),
                   _Node("L['self'].mlp", "L['self'].mlp.1.act")]
    handle, path = tempfile.mkstemp()
    os.write(handle, CODE.encode())
    os.close(handle)
    codecache.PyCodeCache.modules.append(type("module", (), {"__file__": path}))
    name = triton.TritonScheduling().define_kernel("", [], None)
    with core.Operation(name, [x], more=[("kernel_file", "string", "c0.py")]):
        core.launch(name, 1000)
    return x
