"""Makes processes of bench_torch.py, one for each mode, take turns, and prints what their steps took.

    bench_turns.py SECONDS FOLDER MODE...

A process is told what to do through FOLDER/MODE.in, and answers through FOLDER/MODE.out; both are FIFOs. All of them
live at once, and only one works at a time, so that a machine that is slower for a while is slower for all modes, not for
one. Modes take turns in the opposite order in every other round. Rounds go on for SECONDS, the same time for each case,
at least two. Prints a line for each turn: the round, the mode, the case, the minimum and the median of its steps in ns.
"""
import contextlib
import os
import statistics
import sys
import time

CASES = ("resnet50", "gpt2", "eager", "tokens")
TURN_SECONDS = 0.3
ROUNDS_LEAST = 2


class Mode:
    def __init__(self, folder, name, stack):
        self.name = name
        self.commands = stack.enter_context(open(os.path.join(folder, name + ".in"), "w", encoding="utf-8"))
        self.answers = stack.enter_context(open(os.path.join(folder, name + ".out"), encoding="utf-8"))

    def take_turn(self, case, seconds):
        """Returns the spans of its steps; the process has ended if there are none."""
        print(case, seconds, file=self.commands, flush=True)
        return [int(span) for span in self.answers.readline().split()]


def take_turns(modes, case, seconds):
    """Each process prepares the case in a first turn, which does not count."""
    for mode in modes:
        if not mode.take_turn(case, 0):
            raise SystemExit(f"{mode.name} failed in {case}")
    end = time.monotonic() + seconds
    rounds = 0
    while rounds < ROUNDS_LEAST or time.monotonic() < end:
        rounds += 1
        for mode in modes if rounds % 2 else reversed(modes):
            spans = mode.take_turn(case, TURN_SECONDS)
            if not spans:
                raise SystemExit(f"{mode.name} failed in {case}")
            print(rounds, mode.name, case, min(spans), round(statistics.median(spans)), flush=True)


def main():
    seconds, folder, names = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with contextlib.ExitStack() as stack:
        modes = [Mode(folder, name, stack) for name in names]
        for case in CASES:
            take_turns(modes, case, seconds / len(CASES))


if __name__ == "__main__":
    main()
