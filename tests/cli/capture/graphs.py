"""Layers of what the code calls that TorchInductor writes: graphs.py FOLDER, with the folder that stint's Python is in."""
import json
import os
import sys
import tempfile
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from stint_ops import facts, fused  # noqa: E402

# As PyTorch 2.5 and 2.9 write it.
OLD = """
async_compile.wait(globals())
del async_compile

def call(args):
    primals_1, primals_2, primals_3 = args
    with torch.cuda._DeviceGuard(0):
        buf0 = empty_strided_cuda((16, 4), (4, 1), torch.float32)
        # Topologically Sorted Source Nodes: [linear], Original ATen: [aten.addmm]
        extern_kernels.addmm(primals_3, reinterpret_tensor(primals_1, (16, 4), (4, 1), 0), primals_2, alpha=1, beta=1, out=buf0)
        # Topologically Sorted Source Nodes: [gelu], Original ATen: [aten.gelu]
        stream0 = get_raw_stream(0)
        triton_poi_fused_gelu_0.run(buf0, 16, grid=grid(16), stream=stream0)
        # Topologically Sorted Source Nodes: [linear_1], Original ATen: [aten.addmm]
        extern_kernels.addmm(primals_3, buf0, primals_2, alpha=1, beta=1, out=buf1)
        # Topologically Sorted Source Nodes: [linear, linear_1, mm_1], Original ATen: [aten.mm]
        buf2 = extern_kernels.mm(buf1, primals_1)
        # Topologically Sorted Source Nodes: [linear, linear_1], Original ATen: [aten.view, aten._flash_attention_forward]
        buf3 = torch.ops.aten._flash_attention_forward.default(buf2, buf2, buf2)
        assert_size_stride(buf3, (16, 4), (4, 1), 'torch.ops.aten._flash_attention_forward.default')
    return (buf3, )
"""
NEW = """
class Runner:
    def call(self, args):
        with torch.cuda._DeviceGuard(0):
            # Topologically Sorted Source Nodes: [linear_2], Original ATen: [aten.t, aten.mm]
            # [Provenance debug handles] extern_kernels.mm:1
            extern_kernels.mm(buf1, arg3_1, out=buf2)
        return (buf2, )
"""


def node(name, path):
    return types.SimpleNamespace(name=name, meta={"nn_module_stack": {"0": (path, object)}} if path else {})


def known():
    found = fused.Fused(types.SimpleNamespace(network="net"))
    found.add_graph([node("x", None), node("linear", "L['self']._modules['mlp']._modules['0']"), node("linear_1", "L['self'].mlp.1"),
                     node("linear_2", "L['self'].head")])
    modules = []
    for code in (OLD, NEW):
        handle, path = tempfile.mkstemp()
        os.write(handle, code.encode())
        os.close(handle)
        modules.append(types.SimpleNamespace(__file__=path))
    sys.modules["torch._inductor.codecache"] = types.SimpleNamespace(PyCodeCache=types.SimpleNamespace(modules=modules))
    found.read_code()
    for module in modules:
        os.unlink(module.__file__)
    return found


def lines_of(names):
    """Each is an operation of the first, unless it is within the one before."""
    for number, name in enumerate(names, 1):
        parent = number - 1 if name.startswith(">") else 1
        written = {"id": number, "name": name.lstrip(">"), "ctrl_deps": parent, "inputs": {}, "attrs": []}
        yield from ["      {\n", "        %s\n" % json.dumps(written)[1:-1], "      },\n"]


def layers(*names):
    return facts.layers_in_graphs(lines_of(names), FUSED)


FUSED = known()
GRAPH = "## Call CompiledFxGraph fabc ##"
CALLS = ["aten::addmm", "triton_poi_fused_gelu_0", "aten::addmm", "aten::mm", "aten::_flash_attention_forward"]

EXPECTED = {2: "net.mlp.0", 4: "net.mlp.1", 5: "net.mlp", 6: "net.mlp.1"}
assert layers(GRAPH, *CALLS) == EXPECTED, layers(GRAPH, *CALLS)
assert layers(GRAPH, "aten::empty", *CALLS) == {number + 1: layer for number, layer in EXPECTED.items()}
assert layers(GRAPH, "aten::mm", ">cublas") == {2: "net.head", 3: "net.head"}
assert layers(GRAPH, *CALLS[1:]) == {}, "no graph calls these in this order"
assert layers("net", "aten::mm") == {}, "this is within no graph"

def text(name):
    attributes = {"rf_id": 7, "kernel_file": "/tmp/cabc.py", "op_schema": ""}
    inputs = {"types": [], "shapes": [], "values": []}
    return facts.text_of({"name": name, "inputs": inputs,
                          "attrs": [{"name": name, "value": value} for name, value in attributes.items()]}, FUSED, {})[1]


assert 'kernel_file = "/tmp/cabc.py"' in text("triton_poi_fused_gelu_0"), text("triton_poi_fused_gelu_0")
assert "kernel_file" not in text("aten::mm"), "PyTorch's observer leaves the file of the last kernel of Triton"
