"""heat.py LIBRARY - the same rod in Python, with ranges through LIBRARY, libheat_ranges.so."""
import contextlib
import ctypes
import sys

LIBRARY = ctypes.CDLL(sys.argv[1])


@contextlib.contextmanager
def annotate(name):
    LIBRARY.range_push(name.encode())
    try:
        yield
    finally:
        LIBRARY.range_pop()


def step(rod):
    inner = [b + 0.25 * (a - 2 * b + c) for a, b, c in zip(rod, rod[1:], rod[2:])]
    return [rod[0]] + inner + [rod[-1]]


rod = [100.0] + [0.0] * 99
with annotate("run"):
    for _ in range(200):
        with annotate("step"):
            rod = step(rod)
print(f"200 steps, {sum(rod):.1f} degrees in all")
