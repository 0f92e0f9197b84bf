"""What PyTorch's observer wrote about operations, as texts of ranges, each with the numbers of all operations of which it
is true:

    stint.facts, op_id = 783, op_ids = [783, 901], text = aten::mm, op_id = 0, schema = "aten::mm(Tensor self, Tensor mat2)
    -> Tensor", sizes = [[64, 16], [16, 10]], types = ["float", "float"], strides = [[16, 1], [10, 1]], inputs = ["", ""]

What follows `text =` reads as what stint makes of traces of torch.profiler; kernels of Triton also have `kernel_file`, and
what fused.py knows of them: `nodes`, `aten`, and at the end `layer`. The observer's `rf_id` is the number that emit_nvtx
calls op_id.
"""
import json
import re

MOST_IDS = 512  # in a text
MOST_STRIDES = 64  # tensors of a list: the strides of more are left out


def _type_of(type_text):
    """ "Tensor(c10::Half)" has "c10::Half"; a list, what all its tensors have. A tensor may be none."""
    if type_text.startswith("Tensor("):
        return "" if "(nullptr" in type_text else type_text[len("Tensor("):-1]
    if type_text.startswith("GenericList[Tensor("):
        types = {_type_of(part) for part in type_text[len("GenericList["):-1].split(",") if part.startswith("Tensor(")}
        return types.pop() if len(types) == 1 else ""
    return ""


def _is_tensors(type_text):
    return type_text.startswith(("Tensor(", "GenericList[Tensor("))


def _value_of(type_text, value):
    """As Python writes it; nothing of tensors, and of what has no value."""
    if _is_tensors(type_text) or value == "<None>":
        return ""
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(str, value)) if all(isinstance(v, (bool, int, float)) for v in value) else ""
    return str(value)


def _list(parts):
    return "[%s]" % ", ".join(parts)


def _numbers(shape):
    return _list(_numbers(part) if isinstance(part, list) else str(part) for part in shape)


def _quoted(text):
    return json.dumps(text, ensure_ascii=False)


_OWN = (("op_schema", "schema"), ("kernel_file", "kernel_file"), ("nodes", "nodes"), ("aten", "aten"))
_COLLECTIVE = (("collective_name", "collective"), ("dtype", "dtype"), ("pg_size", "group_size"),
               ("in_msg_nelems", "in_elements"), ("out_msg_nelems", "out_elements"))


def _words(attributes, fused):
    """What an operation says of itself besides its arguments."""
    parts = []
    nodes, operations = fused.sources.get(attributes.get("kernel_file"), ("", ""))
    attributes = dict(attributes, nodes=nodes, aten=operations)
    for name, key in _OWN + _COLLECTIVE:
        value = attributes.get(name)
        if value not in (None, ""):
            parts.append(", %s = %s" % (key, value if key.endswith(("size", "elements")) else _quoted(str(value))))
    return "".join(parts)


def text_of(node, fused, layers):
    """Returns the operation's number and text; None if the node is no operation."""
    attributes = {each["name"]: each["value"] for each in node["attrs"]}
    if "::" in node["name"]:  # the observer says here what the last kernel of Triton said
        attributes.pop("kernel_file", None)
    if not attributes.get("rf_id"):
        return None
    inputs = node["inputs"]
    types, shapes, values = inputs["types"], inputs["shapes"], inputs["values"]
    strides = inputs.get("strides") or [[] for _ in types]
    sizes = [_numbers(shape if _is_tensors(type_text) else []) for type_text, shape in zip(types, shapes)]
    steps = [_numbers(stride if _is_tensors(type_text) and len(stride) <= MOST_STRIDES else [])
             for type_text, stride in zip(types, strides)]
    if attributes.get("collective_name"):
        values = [""] * len(types)  # among them is a number that is another one at each call
    layer = fused.layer_of(node["name"]) if attributes.get("kernel_file") else layers.get(node.get("id"), "")
    return attributes["rf_id"], "%s, op_id = 0%s, sizes = %s, types = %s, strides = %s, inputs = %s%s" % (
        node["name"], _words(attributes, fused), _list(sizes), _list(_quoted(_type_of(each)) for each in types),
        _list(steps), _list(_quoted(_value_of(each, value)) for each, value in zip(types, values)),
        ", layer = " + _quoted(layer) if layer else "")


def nodes_of(lines):
    """Reads the nodes one by one: each is in lines of its own, between brackets that are alone in a line."""
    node = None
    for line in lines:
        line = line.rstrip("\r\n")
        if node is None and line.strip() == "{" and line[0] == " ":
            node, end = [], line.replace("{", "}")
        if node is None:
            continue
        node.append(line)
        if line in (end, end + ","):
            try:
                yield json.loads("".join(node).rstrip(","))
            except ValueError:
                yield None
            node = None


_GRAPH = re.compile("CompiledFxGraph|Torch-Compiled Region|CompiledFunction|inductor_wrapper_call")


def layers_in_graphs(lines, fused):
    """The layers of what the code of compiled graphs calls, and of all within that, by the numbers of nodes."""
    names, below, layers = {}, {}, {}
    called = {name for calls in fused.calls for name, _ in calls}
    for node in nodes_of(lines):
        if node and "id" in node:
            names[node["id"]] = node.get("name", "")
            below.setdefault(node.get("ctrl_deps", node.get("parent")), []).append(node["id"])
    for graph in (number for number, name in names.items() if _GRAPH.search(name)):
        calls = [number for number in below.get(graph, ()) if names[number] in called]
        for number, layer in zip(calls, fused.layers_of_calls([names[each] for each in calls]) or ()):
            within = [number] if layer else []
            while within:
                number = within.pop()
                layers[number] = layer
                within += below.get(number, ())
    return layers


class Facts:
    """The texts of a file, and how many operations it has."""

    def __init__(self, lines, fused):
        self.texts = {}  # the numbers of operations, by text
        self.count = 0
        self.unread = 0
        if fused.calls:
            lines = list(lines)
        layers = layers_in_graphs(lines, fused) if fused.calls else {}
        for node in nodes_of(lines):
            try:
                found = text_of(node, fused, layers)
            except (KeyError, TypeError, AttributeError, ValueError):
                self.unread += 1
                continue
            if found:
                self.texts.setdefault(found[1], []).append(found[0])
                self.count += 1

    def ranges(self):
        for text, numbers in self.texts.items():
            for first in range(0, len(numbers), MOST_IDS):
                some = numbers[first:first + MOST_IDS]
                yield "stint.facts, op_id = %d, op_ids = %s, text = %s" % (some[0], _numbers(some), text)
