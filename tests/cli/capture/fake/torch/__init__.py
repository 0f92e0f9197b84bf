"""As much of PyTorch as stint run --ops uses of it, without PyTorch: modules with global hooks, a few operations, the
profiler that pushes ranges, and the observer that writes operations down. Texts are those that PyTorch 2.11 pushes and
writes. DEVICE is the library made of device.c.

FAKE_TORCH has words for what is to go wrong: nothing of NVTX is there (none), it is an old version (old), the profiler or
the observer refuses (profiler, observer), or what the observer writes is damaged (damaged)."""
import os

from torch import core

WRONG = os.environ.get("FAKE_TORCH", "").split(",")
core.begin("old" in WRONG, "none" in WRONG, "profiler" in WRONG, "observer" in WRONG, "damaged" in WRONG)

from torch import autograd, compiler, nn, optim, overrides, profiler  # noqa: E402
from torch.core import Tensor, all_reduce, float16, float32, is_grad_enabled, mm, mul, no_grad, relu, zeros  # noqa: E402


class _C:
    pass


if "none" not in WRONG:
    _C._nvtx = core.Nvtx


class _CudaProfiler:
    start = core.device.fake_profiler_start


class cuda:
    profiler = _CudaProfiler

    @staticmethod
    def is_initialized():
        return True


def compile(model=None, **options):
    """What it returns for a function is a function; `torch.compile` may have been replaced meanwhile."""
    if model is None:
        return lambda model: compile(model, **options)
    if isinstance(model, nn.Module):
        return model

    def compiled(*arguments, **named):
        if options.get("backend") == "inductor":
            from torch import _inductor
            return _inductor.fuse(model, *arguments, options.get("cached"))
        return model(*arguments, **named)

    compiled.made_of = model
    return compiled
