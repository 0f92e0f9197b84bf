"""The profiler: a thread has room for one."""
import types

from torch import core


def _enable_profiler(config, activities):
    if core.wrong["profiler"]:
        raise RuntimeError("the profiler refuses")
    if getattr(core.state, "profiler", None):
        raise RuntimeError("Profiler is already enabled on this thread.")
    core.state.profiler = config.state


def _disable_profiler():
    if not getattr(core.state, "profiler", None):
        raise RuntimeError("Can't disable profiler when it's not running.")
    core.state.profiler = None


class ProfilerConfig:
    def __init__(self, kind, shapes, memory, stack, flops, modules, experimental):
        assert (memory, stack, flops, modules) == (False, False, False, False)
        self.state, self.shapes = kind, shapes


profiler = types.ModuleType("torch.autograd.profiler")
profiler.ProfilerConfig = ProfilerConfig
profiler.ProfilerState = types.SimpleNamespace(NVTX="nvtx", KINETO="kineto")
profiler._ExperimentalConfig = object
profiler._enable_profiler, profiler._disable_profiler = _enable_profiler, _disable_profiler
profiler._is_profiler_enabled = False


def _start():
    profiler._is_profiler_enabled = True


def _stop():
    profiler._is_profiler_enabled = False


profiler._run_on_profiler_start, profiler._run_on_profiler_stop = _start, _stop


class _Context:
    kind = None

    def __init__(self, activities=(), **options):
        self.activities = set(activities)

    def __enter__(self):
        profiler._run_on_profiler_start()
        profiler._enable_profiler(ProfilerConfig(self.kind, True, False, False, False, False, None), self.activities)

    def __exit__(self, *_):
        profiler._disable_profiler()
        profiler._run_on_profiler_stop()


class emit_nvtx(_Context):
    kind = "nvtx"


class profile(_Context):
    kind = "kineto"


profiler.emit_nvtx, profiler.profile = emit_nvtx, profile
