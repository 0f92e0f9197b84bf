"""What ranges and layers cost, measured at the end on the CPU: operations and calls with and without them, in turn. The
observer's cost is what iterations took longer in which it watched."""
import statistics
import time

ROUNDS, REPEATS = 9, 10


def _median(rounds):
    return statistics.median(rounds) / REPEATS


def _difference(first, second):
    """Returns how much longer the first one takes, in microseconds; each returns the seconds of its repetitions."""
    first(), second()
    rounds = [(first(), second()) for _ in range(ROUNDS)]
    return max(1e6 * (_median([each[0] for each in rounds]) - _median([each[1] for each in rounds])), 0)


def _repeat(function):
    began = time.perf_counter()
    for _ in range(REPEATS):
        function()
    return time.perf_counter() - began


class Cost:
    def __init__(self, torch, ranges, watch, push, pop):
        self.torch, self.ranges, self.watch, self.push, self.pop = torch, ranges, watch, push, pop

    def _of_operation(self):
        number = self.torch.zeros(1, device="cpu")

        def ranged():
            self.ranges.begin()
            return _repeat(number.neg_)

        def plain():
            self.ranges.end()
            return _repeat(number.neg_)

        return _difference(ranged, plain)

    def _of_call(self):
        module = self.torch.nn.Identity()
        return _difference(lambda: _repeat(lambda: module(None)), lambda: _repeat(lambda: module.forward(None)))

    def text(self):
        self.push("stint.cost")
        try:
            operation, call = self._of_operation(), self._of_call()
        finally:
            self.pop()
        text = "recording operations took %.1f us for each operation and %.1f us for each call of a module" % (
            operation, call)
        return text + self._of_observer()

    def _of_observer(self):
        watch = self.watch
        if not watch.iterations:
            return ""
        each = watch.operations / watch.iterations
        text = "; PyTorch's observer watched %d operations in %d iterations" % (watch.operations, watch.iterations)
        for kind in watch.kinds.values():
            if kind.watched and len(kind.later) > 1 and each:
                watched, later = min(kind.watched), statistics.median(kind.later)
                text += ", of which the shortest took %.2f ms, %.2f ms later: %.1f us for each operation" % (
                    1e3 * watched, 1e3 * later, max(1e6 * (watched - later) / each, 0))
                break
        return text
