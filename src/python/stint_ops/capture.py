"""Turns everything on, once the program has imported torch."""
import atexit
import os
import sys
import warnings

from stint_ops import layers, start
from stint_ops.calls import Calls
from stint_ops.cost import Cost
from stint_ops.fused import Fused
from stint_ops.ranges import Ranges
from stint_ops.watch import Watch


def _is_pytorch(torch):
    return hasattr(torch, "nn") and hasattr(torch, "_C")


def _has_nvtx(torch):
    """Whether there is a GPU is not asked, because that may begin to use it."""
    return hasattr(torch._C, "_nvtx")


class Capture:
    def __init__(self, torch, options):
        self.options = options
        push, pop = torch._C._nvtx.rangePushA, torch._C._nvtx.rangePop
        self.ranges = Ranges(torch, None if options["quiet"] else start.say)
        self.ranges.begin()
        self.calls = Calls(torch, options["calls"]) if options["calls"] else None
        self.layers = layers.begin(torch, self.call_begins, self.call_ends)
        self.watch = Watch(torch, options["iterations"], Fused(self.layers), push, pop)
        warnings.filterwarnings("ignore", "Using `torch.compile.* when there are global hooks")  # which do nothing there
        self.cost = Cost(torch, self.ranges, self.watch, push, pop)
        self.pid = os.getpid()
        self._watch_steps()
        self._tell_later(torch)
        if self.calls:
            self.calls.begin()
        atexit.register(self.end)
        os.register_at_fork(after_in_child=self.watch.forked)

    def call_begins(self):
        """Threads other than the one that imported torch begin here."""
        self.ranges.begin()
        if self.calls:
            self.calls.begin()
        self.watch.call_begins()

    def call_ends(self):
        self.watch.call_ends()

    def _tell_later(self, torch):
        """Ranges are lost while stint does not record: what they said is said again when it begins to."""
        profiler = getattr(torch.cuda, "profiler", None)
        if os.environ.get("STINT_FROM_START") != "off" or not profiler:
            return
        plain = profiler.start

        def begin():
            plain()
            self.watch.tell(self.watch.known)

        profiler.start = begin

    def _watch_steps(self):
        optimizer = sys.modules.get("torch.optim.optimizer")  # torch.optim does not have it as an attribute
        register = getattr(optimizer, "register_optimizer_step_post_hook", None)
        if not register:  # before PyTorch 2.0
            return

        def step_ends(optimizer, arguments, named):
            if not layers.is_compiling():
                self.watch.step_ends()

        register(step_ends)

    def end(self):
        try:
            self.watch.end()
            if os.environ.get("STINT_DELAY"):
                self.watch.tell(self.watch.known)
            is_first = os.environ.get("RANK", "0") == "0" and os.getpid() == self.pid
            if self.layers.is_used and is_first and not self.options["quiet"]:
                start.say(self.cost.text())
            self.ranges.end()
        except Exception as error:
            start.say("what operations cost is not known: %s: %s" % (type(error).__name__, error))


def begin(torch):
    options = start.options()
    if not _is_pytorch(torch):
        return
    if _has_nvtx(torch):
        Capture(torch, options)
    elif not options["quiet"]:
        start.say("operations are not recorded: this PyTorch was built without CUDA")
