"""Has PyTorch's ExecutionTraceObserver write down the operations of a few iterations: of those that train, which end with
an optimizer's step, and of those that do not, which are calls of a network without gradients.

The observer is started where no operation runs on this thread. It is stopped at the end of the last iteration, and what
it wrote is read at the next boundary, when no other thread can be within an operation any more that began before."""
import os
import tempfile
import threading
import time

from stint_ops import start
from stint_ops.facts import Facts

MOST_TIMED = 20  # iterations after those that were watched
MOST_CALLS = 16  # of a network with gradients, for each iteration: then no optimizer's step is waited for


class _Kind:
    """Iterations that train, or those that do not."""

    def __init__(self, iterations):
        self.left = iterations
        self.calls_left = MOST_CALLS * iterations
        self.watched, self.later = [], []  # seconds that iterations took


class Watch:
    def __init__(self, torch, iterations, fused, push, pop):
        self.torch, self.fused, self.push, self.pop = torch, fused, push, pop
        self.kinds = {True: _Kind(iterations), False: _Kind(iterations)}
        self.thread = None  # the first one that calls a network: iterations are its own
        self.observer = self.file = None
        self.known = []  # what has been told
        self.is_on = False
        self.since = None  # when the iteration began
        self.operations = self.iterations = 0  # that were watched
        self.class_ = getattr(torch.profiler, "ExecutionTraceObserver", None)
        if self.class_:
            self._give_way()

    def _give_way(self):
        """A process can have one observer: the program's own comes first."""
        watch, register = self, self.class_.register_callback

        def register_callback(observer, *arguments, **named):
            if watch.observer is not None and observer is not watch.observer:
                watch.kinds[True].left = watch.kinds[False].left = 0
                watch.finish()
            return register(observer, *arguments, **named)

        self.class_.register_callback = register_callback

    # -------------------------------------------------------------------------------------------------- boundaries

    def call_begins(self):
        """The program calls a network."""
        self.thread = self.thread or threading.get_ident()
        if threading.get_ident() != self.thread:
            return
        trains = self.torch.is_grad_enabled()
        if self.observer and not self.is_on:
            self.finish()
        if self.class_ and not self.observer and self.kinds[trains].left > 0:
            self._begin()
        if self.since is None or not trains:
            self.since = time.perf_counter()

    def call_ends(self):
        if threading.get_ident() != self.thread:
            return
        if not self.torch.is_grad_enabled():
            self._iteration_ends(False)
            self.since = None
        elif self.is_on:
            self.kinds[True].calls_left -= 1
            if self.kinds[True].calls_left <= 0:
                self.kinds[True].left = 0
                self._stop()

    def step_ends(self):
        """An optimizer has made its step."""
        if threading.get_ident() == self.thread:
            self._iteration_ends(True)
            self.since = time.perf_counter()

    def _iteration_ends(self, trains):
        kind = self.kinds[trains]
        if self.since is not None:
            seconds = kind.watched if self.is_on else kind.later
            if len(seconds) < MOST_TIMED:
                seconds.append(time.perf_counter() - self.since)
        if not self.is_on:
            return
        self.iterations += 1
        kind.left -= 1
        if kind.left <= 0:
            self._stop()

    # ---------------------------------------------------------------------------------------------------- observer

    def _begin(self):
        """The file has no name any more when something is in it, so that nothing stays of a program that is killed."""
        handle, path = tempfile.mkstemp(prefix="stint-", suffix=".json")
        try:
            self.observer = self.class_()
            self.observer.register_callback(path)
            self.file = open(path, encoding="utf-8", errors="replace")
            self.observer.start()
            self.is_on = True
        except Exception as error:
            self.class_ = self.observer = None
            start.say("types and strides of operations are not recorded: %s" % error)
        finally:
            os.close(handle)
            os.unlink(path)

    def _stop(self):
        self.is_on = False
        self.observer.stop()

    def finish(self):
        """Reads what the observer wrote, and pushes it as ranges."""
        if not self.observer:
            return
        if self.is_on:
            self._stop()
        observer, self.observer = self.observer, None
        observer.unregister_callback()
        self.fused.read_code()
        with self.file:
            facts = Facts(self.file, self.fused)
        self.operations += facts.count
        if facts.unread:
            start.say("what PyTorch's observer wrote about %d operations cannot be read" % facts.unread)
        texts = list(facts.ranges())
        self.known += texts
        self.tell(texts)

    def tell(self, texts):
        for text in texts:
            self.push(text)
            self.pop()

    def end(self):
        """Nothing is watched from now on."""
        self.finish()
        self.class_, self.thread = None, 0

    def forked(self):
        """In a forked process, which has a copy of the observer, with the parent's file: what it writes goes nowhere."""
        if not self.observer:
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        own = os.fstat(self.file.fileno())
        for name in os.listdir("/proc/self/fd"):
            try:
                other = os.fstat(int(name))
                if (other.st_dev, other.st_ino) == (own.st_dev, own.st_ino):
                    os.dup2(nowhere, int(name))
            except (OSError, ValueError):
                pass
        os.close(nowhere)
        self.class_ = None
        if self.is_on:
            self._stop()
        self.observer, self.kept = None, self.observer  # its end would write to the file
