"""Says for each of its functions which share of the CPU time it has used, as it has measured itself."""
import hashlib
import threading
import time
import zlib

own = {}
lock = threading.Lock()


class Span:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.begin = time.thread_time()

    def __exit__(self, *unused):
        with lock:
            own[self.name] = own.get(self.name, 0) + time.thread_time() - self.begin


def arithmetic(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def numbers(n):
    for i in range(n):
        yield i * 3


def generators(n):
    return sum(numbers(n))


def compress(data):
    return zlib.compress(data, 9)


def digest(data):
    return hashlib.sha256(data).digest()


class Model:
    def step(self, n):
        words = {}
        for i in range(n):
            words[str(i % 1000)] = words.get(str(i), 0) + 1
        return words


def deep(n, work):
    return deep(n - 1, work) if n else at_the_end(work)


def at_the_end(n):
    total = 0
    for i in range(n):
        total ^= i << 1
    return total


def short_lived(count):
    for i in range(count):
        space = {}
        exec("def made_%d(x):\n    return x + %d\n" % (i, i), space)
        assert space["made_%d" % i](1) == i + 1


def python(end):
    while time.process_time() < end:
        with Span("arithmetic"):
            arithmetic(300000)
        with Span("generators"):
            generators(200000)
        with Span("step"):
            Model().step(40000)
        with Span("deep"):
            deep(100, 300000)
        with Span("short_lived"):
            short_lived(200)


def native(end):
    data = bytes(i * i % 251 for i in range(1 << 16)) * 8
    while time.process_time() < end:
        with Span("compress"):
            compress(data)
        with Span("digest"):
            for _ in range(10):
                digest(data)
        time.sleep(0.1)


end = time.process_time() + 4
thread = threading.Thread(target=native, args=(end,))
thread.start()
python(end)
thread.join()
whole = time.process_time()
for name, used in own.items():
    print(name, 100 * used / whole)
