"""What the instructions of a module cost that XLA has compiled, from the text that XLA prints of it.

Formulas are those of docs/operations.md: a fused multiply-add is 2 FLOPs, functions such as exp are 20, and each operand
and result is read or written once. What an instruction is not known to compute is None.
"""
import json
import math
import re

_BITS = {"pred": 8, "token": 0}
_NAME = re.compile(r"%([\w.\-]+)(?:#(\d+))?")
_ARRAY = re.compile(r"([a-z]\w*)\[([\d,<=]*)\]")
_BEGIN = re.compile(r"(?:ENTRY )?%?([\w.\-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"\s+(ROOT )?%?([\w.\-]+) = ")

_FREE = frozenset("""after-all add-dependency bitcast bitcast-convert broadcast concatenate constant convert copy
    copy-done copy-start dynamic-reshape dynamic-slice dynamic-update-slice gather get-tuple-element iota opt-barrier
    pad parameter partition-id replica-id reshape reverse scatter slice transpose tuple""".split())
_FUNCTIONS = frozenset("""acos acosh asin asinh atan2 atanh cbrt cosh cosine erf exponential exponential-minus-one log
    log-plus-one logistic power rsqrt sine sinh sqrt tan tanh""".split())
_EACH = frozenset("""abs add and ceil clamp clz compare complex count-leading-zeros divide floor imag is-finite maximum
    minimum multiply negate not or popcnt real reduce-precision remainder round-nearest-afz round-nearest-even select
    shift-left shift-right-arithmetic shift-right-logical sign stochastic-convert subtract xor""".split())
_COLLECTIVES = ("all-gather", "all-reduce", "all-to-all", "collective-broadcast", "collective-permute",
                "ragged-all-to-all", "reduce-scatter")
_SILENT = frozenset("""after-all add-dependency bitcast call conditional constant get-tuple-element opt-barrier
    parameter partition-id replica-id tuple while""".split())  # launch nothing themselves
_PICKS = ("dynamic-slice", "gather", "slice")  # read as much as they make
_PRIMITIVES = {"dot": "dot_general", "convolution": "conv_general_dilated", "attention": "dot_product_attention"}


def _elements(array):
    return math.prod(array[1])


def _bytes(array):
    """ "f8e4m3fn" has 8 bits."""
    digits = re.search(r"\d+", array[0])
    bits = _BITS.get(array[0], int(digits.group()) if digits else 0)
    return (_elements(array) * bits + 7) // 8


def _close(text, at):
    """Returns where the bracket at this place is closed."""
    depth = 0
    for place in range(at, len(text)):
        depth += text[place] in "([{"
        depth -= text[place] in ")]}"
        if not depth:
            return place
    raise ValueError("a bracket is not closed")


def _arrays(shape):
    """The arrays of a shape, those of a tuple in their order."""
    return [(kind, tuple(int(size.strip("<=")) for size in sizes.split(",") if size))
            for kind, sizes in _ARRAY.findall(shape)]


class Instruction:
    def __init__(self, name, is_root, text):
        end = _close(text, 0) + 1 if text[0] == "(" else text.index(" ")
        self.name, self.is_root, self.results = name, is_root, _arrays(text[:end])
        opens = text.index("(", end)
        closes = _close(text, opens)
        self.opcode, inside = text[end:opens].strip(), text[opens + 1:closes]
        self.number = int(inside) if self.opcode == "parameter" else None
        self.operands = _NAME.findall(inside)
        self.text = text[closes + 1:]

    def _match(self, pattern):
        found = re.search(pattern, self.text)
        return found.group(1) if found else None

    def numbers(self, key):
        found = re.search(key + r"=\{([\d,]*)\}", self.text)
        return [int(number) for number in found.group(1).split(",") if number] if found else []

    def called(self, key):
        return self._match(key + r"=%?([\w.\-]+)")

    def window(self, key):
        """The sizes in window={size=3x3 lhs_dilate=2x2}."""
        sizes = self._match(r"window=\{[^}]*\b" + key + r"=([\dx]+)")
        return math.prod(map(int, sizes.split("x"))) if sizes else 1

    def config(self, key):
        at = self.text.find("backend_config={")
        if at < 0:
            return {}
        at += len("backend_config=")
        return json.loads(self.text[at:_close(self.text, at) + 1]).get(key, {})

    @property
    def target(self):
        return self._match(r'custom_call_target="([^"]*)"') or ""

    @property
    def path(self):
        return self._match(r'op_name="((?:[^"\\]|\\.)*)"') or ""


class Module:
    """The computations of a text, each a dictionary of its instructions."""

    def __init__(self, text, name):
        self.name = name
        self.computations, self.inner = {}, set()
        current = None
        for line in text.splitlines():
            begins, instruction = _BEGIN.match(line), _INSTRUCTION.match(line)
            if begins:
                current = self.computations.setdefault(begins.group(1), {})
            elif instruction and current is not None:
                is_root, name = instruction.groups()
                self._add(current, Instruction(name, bool(is_root), line[instruction.end():]))

    def _add(self, computation, instruction):
        computation[instruction.name] = instruction
        inner = instruction.called("to_apply") if instruction.opcode != "call" else None
        if instruction.opcode == "fusion":
            inner = instruction.called("calls")
        if inner:
            self.inner.add(inner)

    def root(self):
        """What the paths of the program begin with."""
        paths = (each.path for computation in self.computations.values() for each in computation.values())
        return next((path.split("/")[0] for path in paths if re.match(r"\w+\([^/]*\)/", path)), "")

    def launched(self):
        """The instructions that XLA may launch something for, each with its computation."""
        for name, computation in self.computations.items():
            if name not in self.inner:
                for instruction in computation.values():
                    if instruction.opcode not in _SILENT and not instruction.opcode.endswith("-done"):
                        yield computation, instruction

    def operands(self, computation, instruction):
        """The arrays of each operand."""
        found = []
        for name, index in instruction.operands:
            results = computation[name].results if name in computation else []
            found.append(results[int(index):int(index) + 1] if index else results)
        return found

    # -------------------------------------------------------------------------------------------------- FLOPs

    def flops(self, computation, instruction):
        opcode = instruction.opcode
        if opcode == "fusion":
            inner = self.computations[instruction.called("calls")]
            return _sum(self.flops(inner, each) for each in inner.values())
        if opcode in _FREE or opcode.startswith(_COLLECTIVES):
            return 0
        elements = _elements(instruction.results[0]) if instruction.results else 0
        if opcode in _EACH:
            return elements
        if opcode in _FUNCTIONS:
            return 20 * elements
        return self._flops_of(instruction, [each[0] for each in self.operands(computation, instruction) if each],
                              elements)

    def _flops_of(self, instruction, operands, elements):
        opcode = instruction.opcode
        if opcode == "reduce":
            return _elements(operands[0])
        if opcode == "reduce-window":
            return elements * instruction.window("size")
        if opcode == "sort":
            count = operands[0][1][(instruction.numbers("dimensions") or [-1])[0]]
            return int(_elements(operands[0]) * math.log2(max(count, 1)))
        if opcode == "dot":
            return _dot(elements, operands[0], instruction.numbers("lhs_contracting_dims"))
        if opcode == "convolution":
            return _convolution(instruction, elements, operands[1]) // instruction.window("lhs_dilate")
        return _custom(instruction, operands) if opcode == "custom-call" else None

    # -------------------------------------------------------------------------------------------------- bytes

    def bytes(self, computation, instruction):
        operands = [sum(map(_bytes, each)) for each in self.operands(computation, instruction)]
        results = sum(map(_bytes, _without_workspace(instruction)))
        if instruction.opcode == "fusion":
            return self._fused_bytes(self.computations[instruction.called("calls")], operands, results)
        if instruction.opcode in _PICKS:
            return 2 * results + sum(operands[1:])
        if instruction.opcode == "dynamic-update-slice":
            return 2 * operands[1] + sum(operands[2:])
        return sum(operands) + results

    def _fused_bytes(self, inner, operands, results):
        """Of what is only sliced, the slices; of what is updated in place, the update."""
        uses = {}
        for each in inner.values():
            for at, (name, _) in enumerate(each.operands):
                uses.setdefault(name, []).append((at, each))
            if each.is_root and each.opcode == "dynamic-update-slice":
                results = sum(map(_bytes, self.operands(inner, each)[1]))
        return results + sum(_read_bytes(uses.get(each.name, []), operands[each.number])
                             for each in inner.values() if each.number is not None)

    # --------------------------------------------------------------------------------------------------- name

    def product(self, computation, instruction):
        """Returns what multiplies matrices in it, and the path of that; two times None if nothing does."""
        if instruction.opcode == "fusion":
            inner = self.computations[instruction.called("calls")]
            found = (self.product(inner, each) for each in inner.values())
            return next((each for each in found if each[0]), (None, None))
        target, kind = instruction.target, instruction.opcode
        if target.startswith("__cublas$"):
            kind = "dot"
        elif target.startswith("__cudnn$"):
            kind = "attention" if "fmha" in target else "convolution"
        return (kind, instruction.path) if kind in _PRIMITIVES else (None, None)


def _read_bytes(uses, whole):
    if uses and all(at == 0 and each.opcode in _PICKS for at, each in uses):
        return sum(_bytes(array) for _, each in uses for array in each.results)
    if uses and all(at == 0 and each.opcode == "dynamic-update-slice" and each.is_root for at, each in uses):
        return 0
    return whole


def _without_workspace(instruction):
    """cuBLAS and cuDNN have memory of their own, which is their last result; what is started has its operands first."""
    results, count = instruction.results, len(instruction.operands)
    if instruction.opcode.endswith("-start") and len(results) > count:
        return results[count:2 * count]
    is_library = instruction.target.startswith(("__cublas$", "__cudnn$"))
    return results[:-1] if is_library and len(results) > 1 and results[-1][0] in ("s8", "u8") else results


def _sum(numbers):
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total


def _dot(elements, lhs, contracted):
    return 2 * elements * math.prod(lhs[1][int(dimension)] for dimension in contracted)


def _convolution(instruction, elements, kernel):
    """The kernel's dimensions but that of its results, for each result: in dim_labels=b01f_01io->b01f that is "o"."""
    labels = re.search(r"dim_labels=[^_]*_([^-]*)->", instruction.text).group(1)
    return 2 * elements * math.prod(size for label, size in zip(labels, kernel[1]) if label != "o")


def _attention(instruction, operands):
    """XLA says how large the scores are; a causal mask leaves half of them, and the diagonal."""
    config = instruction.config("cudnn_fmha_backend_config")
    batch, heads, queries, keys = map(int, config["intermediate_tensor_shape"]["dimensions"])
    mask = config.get("mask_type", "NO_MASK")
    if mask not in ("NO_MASK", "CAUSAL") or int(config.get("sliding_window_length", 0)) > 0:
        return None
    pairs = queries * keys
    if mask == "CAUSAL":
        pairs = sum(min(at + 1, keys) for at in range(queries))
    is_backward = "Backward" in instruction.target
    query = instruction.results[0] if is_backward else operands[0]
    depth = _elements(query) // (batch * heads * queries)
    if is_backward:
        value = depth * _elements(instruction.results[2]) // _elements(instruction.results[1])
    else:
        value = _elements(instruction.results[0]) // (batch * heads * queries)
    return (4 if is_backward else 2) * batch * heads * pairs * (depth + value)


def _custom(instruction, operands):
    target, results = instruction.target, instruction.results
    if target.startswith("__cublas$"):
        numbers = instruction.config("gemm_backend_config")["dot_dimension_numbers"]
        return _dot(_elements(results[0]), operands[0], numbers["lhs_contracting_dimensions"])
    if "fmha" in target:
        return _attention(instruction, operands)
    if target == "__cudnn$convBackwardFilter":
        return _convolution(instruction, _elements(operands[1]), results[0])
    if target == "__cudnn$convBackwardInput":
        return _convolution(instruction, _elements(operands[0]), operands[1])
    if target.startswith("__cudnn$conv"):
        return _convolution(instruction, _elements(results[0]), operands[1])
    return None


# ---------------------------------------------------------------------------------------------------------------- texts

_TYPES = {"pred": "bool", "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
          "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "c64": "complex64", "c128": "complex128",
          "s64": "int64", "s32": "int32", "s16": "int16", "s8": "int8", "u8": "uint8"}


def _quoted(text):
    return '"%s"' % re.sub(r'([\\"])', r"\\\1", text)


def _path_of(kind, path, instruction, root):
    """A product is called after what it is, though its path may end with what is left of a transposed one. What has no
    path is in the program."""
    if kind and "/" in path:
        return "%s/%s" % (path.split(";")[0].rpartition("/")[0], _PRIMITIVES[kind])
    return instruction.path if "/" in instruction.path else root


def _text_of(module, root, program, computation, instruction):
    kind, path = module.product(computation, instruction)
    flops = module.flops(computation, instruction)
    arrays = [each[0] for each in module.operands(computation, instruction) if each]
    return "stint.xla, op_id = %d, module = %s, op = %s, name = %s%s, bytes = %d, matrix = %d, sizes = [%s], types = [%s]" % (
        program, _quoted(module.name), _quoted(instruction.name), _quoted(_path_of(kind, path or "", instruction, root)),
        "" if flops is None else ", flops = %d" % flops, module.bytes(computation, instruction), kind is not None,
        ", ".join("[%s]" % ", ".join(map(str, sizes)) for _, sizes in arrays),
        ", ".join(_quoted(_TYPES.get(array[0], "")) for array in arrays))


def texts_of(text, name, program):
    """Yields a text of a range for each instruction that may launch something, and None for one that cannot be read:

        stint.xla, op_id = 5, module = "jit_step", op = "gemm_fusion_dot.2", name = "jit(step)/jvp(second)/dot_general",
        flops = 536870912, bytes = 10485760, matrix = 1, sizes = [[512, 8, 256], [8, 256, 256]], types = ["float32",
        "float32"]

    The number is that of the module; where XLA is a plugin of JAX, its own ranges have another one."""
    module = Module(text, name)
    root = module.root()
    for computation, instruction in module.launched():
        try:
            yield _text_of(module, root, program, computation, instruction)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            yield None
