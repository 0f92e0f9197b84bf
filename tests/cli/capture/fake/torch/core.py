"""Tensors, operations, and who listens to them."""
import ctypes
import json
import os
import threading

float32, float16 = "float", "c10::Half"
state = threading.local()
numbers = {"op": 100, "seq": 7}
wrong = {}
kernels = {}


class Kernel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("ns", ctypes.c_uint64)]


device = ctypes.CDLL(os.environ["DEVICE"])


class Nvtx:
    @staticmethod
    def rangePushA(text):
        device.fake_push(text.encode())

    @staticmethod
    def rangePop():
        device.fake_pop()


def begin(old, none, profiler, observer, damaged):
    wrong.update(old=old, none=none, profiler=profiler, observer=observer, damaged=damaged)
    device.fake_begin()
    if threading.current_thread() is threading.main_thread():
        import atexit
        atexit.register(device.fake_wait)


# -------------------------------------------------------------------------------------------------------- listeners


class Observer:
    """Writes as execution_trace_observer.cpp does: each node in lines of its own."""
    file, is_on = None, False

    @classmethod
    def open(cls, path):
        cls.file = open(path, "w")
        cls.file.write('{\n  "schema": "1.1.1-chakra.0.0.4", "pid": 1, "time": "", "start_ts": 1,\n  "nodes": [')

    @classmethod
    def close(cls):
        cls.file.write("\n  ],\n  \"finish_ts\": 2\n}")
        cls.file.close()
        cls.file = None

    @classmethod
    def write(cls, name, op_id, seq, arguments, more=()):
        if not cls.is_on:
            return
        shapes = [a.shape if isinstance(a, Tensor) else [] for a in arguments]
        types = ["Tensor(%s)" % a.dtype if isinstance(a, Tensor) else "Int" for a in arguments]
        values = [[3, 4, 0, 8, 4, "cuda:0"] if isinstance(a, Tensor) else a for a in arguments]
        strides = [[1] * len(shape) for shape in shapes]
        attributes = [("rf_id", "uint64", op_id), ("seq_id", "int64", seq),
                      ("op_schema", "string", "%s(Tensor self) -> Tensor" % name), *more]
        node = ('\n      {\n        "id": %d, "name": "%s", "ctrl_deps": 1,\n        "inputs": %s,\n        "outputs": {},\n'
                '        "attrs": %s\n      },' % (op_id, name, json.dumps(
                    {"values": values, "shapes": shapes, "types": types, "strides": strides}), json.dumps(
                        [{"name": a, "type": b, "value": c} for a, b, c in attributes])))
        cls.file.write(node[:-20] + "\n      }," if wrong["damaged"] and op_id % 2 else node)


def launch(name, ns):
    if name not in kernels:
        kernels[name] = Kernel(name.encode(), ns)
    device.fake_launch(ctypes.byref(kernels[name]))


class Operation:
    """A range, if the profiler is on, and a node of the observer."""

    def __init__(self, name, arguments, seq=None, more=()):
        self.name, self.arguments, self.seq, self.more = name, arguments, seq, more

    def __enter__(self):
        numbers["op"] += 1
        self.op_id = numbers["op"]
        self.is_pushed = getattr(state, "profiler", None) == "nvtx"
        if self.is_pushed:
            sizes = [a.shape if isinstance(a, Tensor) else [] for a in self.arguments]
            ids = "[%s]" % ", ".join("(%d,0)" % a.op_id if isinstance(a, Tensor) else "(0,-1)" for a in self.arguments)
            seq = "" if self.seq is None else ", seq = %d" % self.seq
            Nvtx.rangePushA("%s%s, op_id = %d, sizes = %s, input_op_ids = %s" % (self.name, seq, self.op_id, sizes, ids))
        return self

    def __exit__(self, *_):
        if self.is_pushed:
            Nvtx.rangePop()
        Observer.write(self.name, self.op_id, -1 if self.seq is None else self.seq, self.arguments, self.more)


# ------------------------------------------------------------------------------------------------------- operations


class Tensor:
    def __init__(self, shape, dtype=float32, op_id=0, made_by=None):
        self.shape, self.dtype, self.op_id, self.made_by = list(shape), dtype, op_id, made_by

    def neg_(self):
        with Operation("aten::neg_", [self]):
            return self

    def backward(self):
        """Runs the operations backwards that made this: the name, the number and the arguments of each."""
        at = self.made_by
        while at:
            name, seq, arguments, before = at
            with Operation("autograd::engine::evaluate_function: " + name, []):
                with Operation(name, [self], seq):
                    for argument in arguments:
                        with Operation("aten::mm" if name == "MmBackward0" else "aten::mul", arguments):
                            launch("kernel_backward", 3000)
                if name == "ReluBackward0":
                    with Operation("aten::add_", arguments):
                        launch("elementwise", 1000)
            at = before


def is_grad_enabled():
    return getattr(state, "grad", True)


class no_grad:
    def __enter__(self):
        self.before = is_grad_enabled()
        state.grad = False

    def __exit__(self, *_):
        state.grad = self.before


def called(function):
    """Functions that a TorchFunctionMode is told of."""

    def call(*arguments, **named):
        mode = getattr(state, "mode", None)
        if not mode:
            return function(*arguments, **named)
        state.mode = None
        try:
            return mode.__torch_function__(function, (), arguments, named)
        finally:
            state.mode = mode

    return call


def run(name, backward, arguments, shape, kernel, ns):
    seq = None
    if is_grad_enabled():
        numbers["seq"] += 1
        seq = numbers["seq"]
    with Operation(name, arguments, seq) as operation:
        launch(kernel, ns)
    tensors = [a for a in arguments if isinstance(a, Tensor)]
    made_by = (backward, seq, tensors, tensors[0].made_by) if seq is not None else None
    return Tensor(shape, tensors[0].dtype, operation.op_id, made_by)


@called
def mm(a, b):
    return run("aten::mm", "MmBackward0", [a, b], [a.shape[0], b.shape[1]], "sm90_xmma_gemm_f16f16", 2000)


@called
def mul(a, factor):
    return run("aten::mul", "MulBackward0", [a, factor], a.shape, "elementwise", 1000)


@called
def relu(a):
    return run("aten::relu", "ReluBackward0", [a], a.shape, "elementwise", 1000)


def all_reduce(a):
    """A collective of two ranks, which numbers its calls."""
    numbers["collective"] = numbers.get("collective", 0) + 1
    count = a.shape[0]
    more = [("collective_name", "string", "allreduce"), ("dtype", "string", "Float"), ("pg_size", "uint64", 2),
            ("in_msg_nelems", "uint64", count), ("out_msg_nelems", "uint64", count)]
    with Operation("record_param_comms", [a, numbers["collective"]], more=more):
        launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1000)


def zeros(*shape, dtype=float32, device=None):
    return Tensor(shape, dtype)
