"""As jax where stint looks at it: a program that XLA has compiled, and the ranges and kernels of a run."""
import atexit
import ctypes
import os

from jax._src import compiler

device = ctypes.CDLL(os.environ["DEVICE"])
device.fake_begin()
atexit.register(device.fake_wait)


class Kernel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("ns", ctypes.c_uint64)]


_kernels = []


def jit(text, program):
    return compiler.compile_or_get_cached("backend", text, program)


def run(module, thunks):
    """Pushes the ranges of XLA, and launches a kernel in each."""
    device.fake_push(("XlaModule:#hlo_module=%s#" % module).encode())
    for thunk, kernel in thunks:
        _kernels.append(Kernel(kernel.encode(), 1000))
        device.fake_push(("Thunk:#%s#" % thunk).encode())
        device.fake_launch(ctypes.byref(_kernels[-1]))
        device.fake_pop()
    device.fake_pop()
