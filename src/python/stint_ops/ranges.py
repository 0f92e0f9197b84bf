"""The ranges that PyTorch pushes for its operations, as torch.autograd.profiler.emit_nvtx(record_shapes=True) has it do.

They belong to a thread, from which autograd's threads have them. PyTorch has room for one profiler on a thread: when the
program begins one, these ranges end, and begin again after it. emit_nvtx itself is not used because it waits for the
GPU, which begins to use it: a program may want to fork before, or to choose another one.
"""
import os
import threading

NO_GPU = ("torch.profiler sees nothing of the GPU here: CUPTI serves one tool at a time, and stint has it "
          "(stint run --gpu off leaves it to torch.profiler)")


class Ranges:
    def __init__(self, torch, say):
        """say(text) tells the user something; None: nothing is to be said."""
        self.profiler, self.cuda, self.say = torch.autograd.profiler, torch.cuda, say
        self.local = threading.local()
        self.enable, self.disable = self.profiler._enable_profiler, self.profiler._disable_profiler
        self.flag, self.unflag = self.profiler._run_on_profiler_start, self.profiler._run_on_profiler_stop
        self._give_way_in(self.profiler, "_enable_profiler", "_disable_profiler")
        self.profiler._run_on_profiler_stop = self._keep_flag
        legacy = getattr(torch.autograd, "profiler_legacy", None)
        if legacy:
            self._give_way_in(legacy, "_enable_profiler_legacy", "_disable_profiler_legacy")

    def _config(self):
        profiler = self.profiler
        with_shapes = [True, False, False, False, False]  # neither memory, stacks, FLOPs nor modules
        return profiler.ProfilerConfig(profiler.ProfilerState.NVTX, *with_shapes, profiler._ExperimentalConfig())

    def begin(self):
        """Begins on this thread, unless it has begun, or the program's profiler is on."""
        if getattr(self.local, "begun", False) or getattr(self.local, "others", 0):
            return
        self.local.begun = True  # also if it fails: it would fail again
        self.enable(self._config(), set())
        self.flag()  # kernels of Triton are operations only with this

    def end(self):
        if getattr(self.local, "begun", False):
            self.local.begun = False
            self.disable()

    def _keep_flag(self):
        """The program's profilers call this at their end."""
        self.unflag()
        if getattr(self.local, "begun", False):
            self.flag()

    def _tell_who_has_cupti(self, activities):
        """Once, where the program's profiler asks CUPTI in vain for what the GPU does."""
        asks = any(getattr(each, "name", "") == "CUDA" for each in activities)
        if asks and self.say and os.environ.get("STINT_GPU") != "off" and self.cuda.is_initialized():
            self.say(NO_GPU)
            self.say = None

    def _give_way_in(self, module, enable_name, disable_name):
        """Replaces the functions by which the module's profilers begin and end."""
        enable, disable = getattr(module, enable_name, None), getattr(module, disable_name, None)
        if not enable or not disable:
            return

        def begin_other(*arguments, **named):
            self.end()
            self._tell_who_has_cupti(arguments[1] if len(arguments) > 1 else ())
            self.local.others = getattr(self.local, "others", 0) + 1
            try:
                return enable(*arguments, **named)
            except BaseException:
                self._end_other()
                raise

        def end_other(*arguments, **named):
            try:
                return disable(*arguments, **named)
            finally:
                self._end_other()

        setattr(module, enable_name, begin_other)
        setattr(module, disable_name, end_other)

    def _end_other(self):
        self.local.others = max(getattr(self.local, "others", 0) - 1, 0)
        self.begin()
