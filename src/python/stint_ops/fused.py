"""What TorchInductor says of the kernels that it makes of several operations: which nodes of the program's graph each one
stands for, and which of PyTorch's operations, in comments of the code that it writes. The nodes' layers are in the graph
while it is compiled. Code that comes from TorchInductor's cache is not compiled again: then layers are those of nodes with
these names in the graphs that TorchDynamo had made for it, which have no backward pass."""
import functools
import re
import sys

from stint_ops import start

_COMMENT = re.compile(r"^# kernel path: (?:.*/)?(.+)\n# .*Source Nodes: \[(.*?)\], Original ATen: \[(.*?)\](?:\n#.*)*\n(\w*)",
                      re.M)
_CALL = re.compile(r"^ +# .*Source Nodes: \[(.*?)\], Original ATen"
                   r"|^ +[^#\n]*?(?:\bextern_kernels\.(\w+)\(|\btorch\.ops\.aten\.(\w+)\.\w+\("
                   r"|\b(triton_\w+)(?:\.run\(|\[))", re.M)
_CELL = re.compile(r"\.?__closure__\[\d+\]\.cell_contents")
_OWN_WORDS = ("L", "G", "self", "fn", "_modules")  # TorchDynamo calls a module of PyTorch's own that it compiles fn


def _words_of(node):
    """"L['self']._modules['blocks']._modules['0'].norm" is blocks, 0, norm; None if the node is in no module."""
    modules = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
    if not modules:
        return None
    path = list(modules.values())[-1]
    path = path[0] if isinstance(path, tuple) else path
    return [word for word in re.findall(r"\w+", _CELL.sub("", path)) if word not in _OWN_WORDS]


def _calls_in(code):
    """What the code of a graph calls is below the comment that says for which nodes, of which the last is the call's own."""
    calls, nodes = [], []
    begin = re.search(r"^ *def call\(", code, re.M)
    for named, extern, dispatched, triton in _CALL.findall(code, begin.end()) if begin else ():
        if extern or dispatched or triton:
            calls.append((triton or "aten::" + (extern or dispatched), nodes))
        else:
            nodes = named.split(", ")
    return calls


def _common(first, second):
    count = next((i for i, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))
    return first[:count]


class Fused:
    def __init__(self, layers):
        self.layers = layers
        self.sources = {}  # by the kernel's file: nodes, and PyTorch's operations
        self.calls = []  # of each file, what its code calls in order: the operation, and the names of its nodes
        self.read = set()  # files that were read
        self.within = {}  # by the kernel's name: the words of the innermost layer that all of its nodes are in
        self.compiled = set()  # names of kernels that were compiled
        self.named = {}  # by the node's name: the words of the innermost layer that all nodes of that name are in
        start.wait_for("torch._inductor.codegen.triton", self._follow)
        start.wait_for("torch._inductor.compile_fx", self._follow_graphs)

    # ----------------------------------------------------------------------------------------------------- comments

    def read_code(self):
        cache = getattr(sys.modules.get("torch._inductor.codecache"), "PyCodeCache", None)
        files = {getattr(module, "__file__", None) for module in list(getattr(cache, "modules", None) or ())}
        for path in files - self.read - {None}:
            self.read.add(path)
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    code = file.read()
            except OSError:
                continue
            found = _COMMENT.findall(code)
            self.calls.append(_calls_in(code))
            for name, nodes, operations, kernel in found:
                self.sources[name] = nodes.replace(", ", ","), operations.replace(", ", ",")
                if kernel not in self.compiled:
                    for words in filter(None, map(self.named.get, nodes.split(", "))):
                        self.within[kernel] = _common(self.within.get(kernel, words), words)

    # ------------------------------------------------------------------------------------------------------- layers

    def _follow(self, module):
        """Each kernel that is scheduled gets a name, which several nodes may share."""
        scheduling, fused = module.TritonScheduling, self
        plain = scheduling.define_kernel

        @functools.wraps(plain)
        def define_kernel(own, source, nodes, *arguments, **named):
            name = plain(own, source, nodes, *arguments, **named)
            try:
                fused.add(name, sys.modules["torch._inductor.utils"].aggregate_origins(nodes))
            except Exception as error:
                scheduling.define_kernel = plain
                start.say("layers of fused kernels are no longer recorded: %s: %s" % (type(error).__name__, error))
            return name

        scheduling.define_kernel = define_kernel

    def _follow_graphs(self, module):
        """What is compiled, or found in the cache, is a graph of TorchDynamo's first."""
        plain, fused = module.compile_fx, self

        @functools.wraps(plain)
        def compile_fx(graph, *arguments, **named):
            try:
                fused.add_graph(graph.graph.nodes)
            except Exception:  # without TorchDynamo it is no such graph
                pass
            return plain(graph, *arguments, **named)

        module.compile_fx = compile_fx

    def _paths_of(self, nodes):
        network = (self.layers.network or "").split(".")
        return [(node, network + words) for node, words in ((node, _words_of(node)) for node in nodes) if words is not None]

    def add_graph(self, nodes):
        for node, words in self._paths_of(nodes):
            self.named[node.name] = _common(self.named.get(node.name, words), words)

    def add(self, name, nodes):
        self.compiled.add(name)
        for _, words in self._paths_of(nodes):
            self.within[name] = _common(self.within.get(name, words), words)

    def layer_of(self, name):
        return ".".join(self.within.get(name, ()))

    def layers_of_calls(self, names):
        """Of what one call of a graph called, in order: the layer of each, "" if it is not known; None if the names are those
        of no graph."""
        found = None
        for calls in self.calls:
            if [name for name, _ in calls] != names:
                continue
            words = [self._within(nodes) for _, nodes in calls]
            found = words if found is None else list(map(_common, found, words))
        return found and [".".join(words) for words in found]

    def _within(self, nodes):
        """That of the call's own node; in the backward pass, which has nodes of its own, the innermost one that all nodes of
        the forward pass are in that the comment names."""
        known = [self.named.get(node) for node in nodes]
        if known and known[-1] is not None:
            return known[-1]
        known = [words for words in known if words is not None]
        return functools.reduce(_common, known) if known else []
