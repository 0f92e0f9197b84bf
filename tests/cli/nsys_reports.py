"""nsys_reports.py STINT SEEDS - the reports of nsys on single ranges, against sums over the same files by other code.

Makes databases as `nsys export --type sqlite` does, with ranges, calls and work at random, reads them back with
Python's sqlite3, compares every pair of a range and a call, and expects the CSV that stint prints to be the same.
"""

import csv
import io
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile

STINT, SEEDS = sys.argv[1], int(sys.argv[2])
PUSH_POP, START_END, DOMAIN = 59, 60, 75
STYLES = {PUSH_POP: "PushPop", START_END: "StartEnd"}

TABLES = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
    globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, gridX INTEGER, gridY INTEGER,
    gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL);
"""
# Functions that launch, by names that say so and by one that does not.
STRINGS = {
    1: "cudaLaunchKernel_v7000", 2: "cuSomethingNew_v2", 3: "cudaGraphLaunch_v10000",
    10: "void ns::gemm<float, (ns::mode)2>(float const*, int)", 11: "gemm",
    12: "_ZN2ns4gemmIfLNS_4modeE2EEEvPKfi", 13: "relu(float*)", 14: "relu", 15: "_Z4reluPf", 20: "step",
}


# ---------------------------------------------------------------------------------------------------------- databases
class Maker:
    """A program of several processes and threads. No two times are equal, but for some ranges without a duration."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.times = list(range(0, 4000))
        self.correlation = 0
        self.database = None

    def add(self, table, *values):
        self.database.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)

    def launch(self, begin, end, tid):
        """A call, and in most cases what it launches, which begins as early as clocks that differ allow."""
        self.correlation += 1
        pid = tid & ~0xFFFFFF
        self.add("CUPTI_ACTIVITY_KIND_RUNTIME", begin, end, tid, self.correlation, self.random.choice([1, 2, 3]))
        for _ in range(self.random.choice([0, 1, 1, 1, 3])):
            start = max(begin + self.random.randrange(-5, 900), 0)
            finish = start + self.random.randrange(1, 400)
            if self.random.random() < 0.7:
                name = self.random.choice([10, 13])
                self.add("CUPTI_ACTIVITY_KIND_KERNEL", start, finish, 0, 1, 7, self.correlation, pid, name,
                         name + 1, name + 2, 1, 1, 1, 32, 1, 1)
            else:
                self.add("CUPTI_ACTIVITY_KIND_MEMCPY", start, finish, 0, 1, 7, self.correlation, pid, 4096, 1)

    def nest(self, first, last, tid, depth):
        """Fills a time of a thread with ranges one within another, and calls."""
        at = first
        while at + 4 < last:
            begin = at + self.random.randrange(0, 20)
            end = begin + self.random.randrange(2, 2 + max((last - first) // 2, 2))
            if end >= last:
                return
            if depth and self.random.random() < 0.6:
                text, number = self.random.choice([("train", None), ("eval", None), (None, 20)])
                self.add("NVTX_EVENTS", begin, end, PUSH_POP, text, tid, None, number, self.random.choice([0, 1]))
                self.nest(begin + 1, end, tid, depth - 1)
            else:
                self.launch(begin, min(begin + 3, end), tid)
            at = end + 1

    def make(self, path):
        self.database = sqlite3.connect(path)
        self.database.executescript(TABLES)
        self.database.executemany("INSERT INTO StringIds VALUES (?, ?)", STRINGS.items())
        for pid in (100, 200):
            base = 1 << 48 | pid << 24
            self.add("NVTX_EVENTS", 0, None, DOMAIN, "lib", base + pid, None, None, 1)
            self.correlation = 0  # each process counts for itself
            for tid in (pid, pid + 1):
                self.nest(0 if tid == 100 else self.random.randrange(0, 9), 3000, base + tid, 5)
                for _ in range(6):
                    begin = self.random.randrange(0, 2500)
                    other = base + pid + 7 if self.random.random() < 0.2 else None
                    self.add("NVTX_EVENTS", begin, begin + self.random.randrange(1, 900), START_END,
                             self.random.choice(["epoch", "train"]), base + tid, other, None, 0)
        self.database.commit()
        self.database.close()


# ---------------------------------------------------------------------------------------------------- what is expected
class Range:
    def __init__(self, row, name):
        self.start, self.end, self.kind, self.tid, self.has_moved = row
        self.name, self.style = name, STYLES[self.kind]
        self.parent, self.children, self.launches = None, [], []

    def holds(self, start, end, tid):
        return self.start <= start and end <= self.end and self.tid == tid

    def stack(self):
        return (self.parent.stack() if self.parent else []) + [self]


def read(path):
    """Returns the ranges, by start, and the launches: lists of (kernel or None, start, end)."""
    database = sqlite3.connect(path)
    strings = dict(database.execute("SELECT id, value FROM StringIds"))
    domains = {}
    for tid, number, text in database.execute(
            f"SELECT globalTid, domainId, text FROM NVTX_EVENTS WHERE eventType = {DOMAIN}"):
        domains[tid >> 24, number] = text
    ranges = []
    for start, end, kind, text, tid, other, number, domain in database.execute(
            "SELECT * FROM NVTX_EVENTS WHERE eventType IN (59, 60)"):
        name = domains.get((tid >> 24, domain), "") + ":" + (strings[number] if text is None else text)
        ranges.append(Range((start, end, kind, tid, other is not None), name))
    ranges.sort(key=lambda r: (r.start, -r.end))
    work = {}
    for start, end, correlation, pid, name in database.execute(
            "SELECT start, end, correlationId, globalPid, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        work.setdefault((pid >> 24, correlation), []).append((strings[name], start, end))
    for start, end, correlation, pid in database.execute(
            "SELECT start, end, correlationId, globalPid FROM CUPTI_ACTIVITY_KIND_MEMCPY"):
        work.setdefault((pid >> 24, correlation), []).append((None, start, end))
    calls = list(database.execute("SELECT start, end, globalTid, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME"))
    launches = [(start, end, tid, work[tid >> 24, correlation]) for start, end, tid, correlation in calls
                if (tid >> 24, correlation) in work]
    return ranges, launches


def link(ranges):
    """The parent is the shortest range around, on the same thread; of equal ones, the one that comes last."""
    for i, child in enumerate(ranges):
        child.parent, child.children = None, []
        around = [r for r in ranges[:i] if r.holds(child.start, child.end, child.tid)]
        if around:
            child.parent = min(reversed(around), key=lambda r: r.end - r.start)
            child.parent.children.append(child)


def number(value):
    return f"{value:.1f}"


def spread(values):
    deviation = statistics.stdev(values) if len(values) > 1 else 0
    return [number(sum(values) / len(values)), number(statistics.median(values)), str(min(values)), str(max(values)),
            number(deviation)]


def place(r):
    return [str(r.tid >> 24 & 0xFFFFFF), str(r.tid & 0xFFFFFF)]


def ids(r, every):
    numbers = [str(every.index(around) + 1) for around in r.stack()]
    return [numbers[-1], numbers[-2] if len(numbers) > 1 else "", ":" + ":".join(numbers)]


def pushpop_trace(every, _):
    pushed = [r for r in every if r.kind == PUSH_POP]
    link(pushed)
    rows = []
    for r in pushed:
        inner = sum(child.end - child.start for child in r.children)
        rows.append([str(n) for n in (r.start, r.end, r.end - r.start, inner, r.end - r.start - inner)] + [r.name] +
                    place(r) + [str(len(r.stack()) - 1), str(len(r.children))] + ids(r, every) +
                    ["--" * (len(r.stack()) - 1) + r.name])
    return rows


def startend_trace(every, _):
    return [[str(r.start), str(r.end), str(r.end - r.start), r.name] + place(r) + [str(every.index(r) + 1)]
            for r in every if r.kind == START_END]


def project(every, launches):
    """Returns the ranges that launched something, on one thread."""
    still = [r for r in every if not r.has_moved]
    link(still)
    for r in still:
        r.launches = [work for start, end, tid, work in launches if r.holds(start, end, tid)]
    found = [r for r in still if r.launches]
    for r in found:
        r.first = min(start for work in r.launches for _, start, _ in work)
        r.last = max(end for work in r.launches for _, _, end in work)
        r.busy_children = sum(child in found for child in r.children)
    return found


def proj_trace(every, launches):
    rows = sorted(project(every, launches), key=lambda r: (r.first, -r.last))
    return [[r.name, str(r.first), str(r.last - r.first), str(r.start), str(r.end - r.start), r.style] + place(r) +
            [str(len(r.launches)), str(len(r.stack()) - 1), str(r.busy_children)] + ids(r, every) for r in rows]


def proj_sum(every, launches):
    groups, rows = {}, []
    for r in project(every, launches):
        groups.setdefault((r.name, r.style), []).append(r)
    for (name, style), group in groups.items():
        times, work = [r.last - r.first for r in group], sum(len(r.launches) for r in group)
        rows.append([name, style, str(sum(times)), str(sum(r.end - r.start for r in group)), str(len(group))] +
                    spread(times) + [str(work), number(work / len(group)),
                                     number(sum(len(r.stack()) - 1 for r in group) / len(group)),
                                     number(sum(r.busy_children for r in group) / len(group))])
    return rows


def kern_sum(every, launches):
    groups, rows = {}, []
    for r in project(every, launches):
        for work in r.launches:
            for at, (kernel, start, end) in enumerate(work):
                if kernel:
                    key = (r.name, r.style, *place(r), kernel)
                    groups.setdefault(key, []).append((id(r), (id(work), at), end - start))
    for key, group in groups.items():
        times = [ns for _, _, ns in group]
        rows.append([*key[:4], str(len({r for r, _, _ in group})), str(len({k for _, k, _ in group})),
                     str(sum(times))] + spread(times) + [key[4]])
    return rows


# ------------------------------------------------------------------------------------------------------ what stint says
def printed(path, report, *options):
    text = subprocess.run([STINT, "stats", path, "--quiet", "--report", report, "--format", "csv", *options],
                          check=True, capture_output=True, text=True).stdout
    # an apostrophe comes before what a spreadsheet would compute
    return [[cell[1:] if cell.startswith("'-") else cell for cell in row]
            for row in list(csv.reader(io.StringIO(text)))[1:]]


def same(what, actual, expected):
    # Halves are rounded in one way by C and in another by Python.
    if len(actual) == len(expected) and all(equal(a, b) for a, b in zip(actual, expected)):
        return True
    print(f"{what}: {len(actual)} rows, {len(expected)} expected")
    for row in [row for row in actual if row not in expected][:5]:
        print("  printed ", row)
    for row in [row for row in expected if row not in actual][:5]:
        print("  expected", row)
    return False


def equal(a, b):
    return len(a) == len(b) and all(
        x == y or ("." in x and "." in y and abs(float(x) - float(y)) < 0.11) for x, y in zip(a, b))


ORDERED = {"nvtx_pushpop_trace": pushpop_trace, "nvtx_startend_trace": startend_trace,
           "nvtx_gpu_proj_trace": proj_trace}
SUMS = {"nvtx_gpu_proj_sum": proj_sum, "nvtx_kern_sum": kern_sum}


# What else a kernel is called.
NAMES = {STRINGS[plain]: {"": STRINGS[plain], ":base": STRINGS[plain + 1], ":mangled": STRINGS[plain + 2]}
         for plain in (10, 13)}


def named(launches, names):
    return [(start, end, tid, [(kernel and NAMES[kernel][names], *times) for kernel, *times in work])
            for start, end, tid, work in launches]


def kernel_counts(path, names):
    _, launches = read(path)
    every = [kernel for *_, work in named(launches, names) for kernel, *_ in work if kernel]
    return sorted([str(every.count(kernel)), kernel] for kernel in set(every))


def check_names(seed, path):
    good = True
    for names in ":base", ":mangled":
        ranges, launches = read(path)
        counts = kernel_counts(path, names)
        good &= same(f"seed {seed}, nvtx_kern_sum{names}", sorted(printed(path, "nvtx_kern_sum" + names)),
                     sorted(kern_sum(ranges, named(launches, names))))
        for report in "cuda_gpu_kern_sum", "cuda_gpu_sum", "cuda_api_gpu_sum":
            rows = [[row[2], row[-1]] for row in printed(path, report + names)]
            good &= same(f"seed {seed}, {report}{names}", [row for row in counts if row in rows], counts)
        trace = [row[-1] for row in printed(path, "cuda_gpu_trace:csv" + names)]
        good &= same(f"seed {seed}, cuda_gpu_trace{names}",
                     [[str(trace.count(name)), name] for _, name in counts], counts)
    return good


# ------------------------------------------------------------------------------------------------------ unified memory
UNIFIED_TABLES = """
ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN virtualAddress INTEGER;
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER NOT NULL, globalPid INTEGER NOT NULL,
    address INTEGER NOT NULL, CpuInstruction INTEGER NOT NULL);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, globalPid INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, address INTEGER NOT NULL, numberOfPageFaults INTEGER NOT NULL);
"""
HTOD, DTOH, DTOD = 11, 12, 13


def add_unified(seed, path):
    """Adds moves and faults. Returns for each address the bytes moved each way, faults of both kinds and the time."""
    maker = Maker(seed)
    maker.database = sqlite3.connect(path)
    maker.database.executescript(UNIFIED_TABLES)
    pages, pid = {}, 1 << 48 | 100 << 24
    for _ in range(300):
        address = 0x7F0000000000 + (maker.random.randrange(40) << 16)
        start, ns = maker.random.randrange(1, 2000), maker.random.randrange(1, 900)
        number, kind = maker.random.randrange(1, 9), maker.random.choice([HTOD, DTOH, DTOD, "CPU", "GPU"])
        page = pages.setdefault(address, [0, 0, 0, 0, 0]) if kind != DTOD else [0] * 5
        if kind == "CPU":
            maker.add("CUDA_UM_CPU_PAGE_FAULT_EVENTS", start, pid, address, 20)
            page[2] += 1
        elif kind == "GPU":
            maker.add("CUDA_UM_GPU_PAGE_FAULT_EVENTS", start, start + ns, pid, 0, address, number)
            page[3] += number
        else:
            maker.add("CUPTI_ACTIVITY_KIND_MEMCPY", start, start + ns, 0, 1, 7, None, pid, number * 1000, kind, address)
            page[kind == DTOH] += number * 1000
            page[4] += ns
    maker.database.commit()
    maker.database.close()
    return pages


def check_unified(seed, path):
    pages = add_unified(seed, path)
    rows = {}
    for address, (to_device, to_host, cpu, gpu, ns) in pages.items():
        rate = (to_device + to_host) * 1000 / ns if ns else 0
        moved = [f"{size / 1e6:.3f}" if size else "" for size in (to_device, to_host)]
        rows[f"0x{address:X}"] = [*moved, str(cpu or ""), str(gpu or ""), rate]
    sums = [sum(page[i] for page in pages.values()) for i in range(4)]
    total = [f"{sums[0] / 1e6:.3f}", f"{sums[1] / 1e6:.3f}", str(sums[2]), str(sums[3]), f"0x{min(pages):X}",
             f"0x{max(pages):X}"]
    store = path + ".store.sqlite"
    subprocess.run([STINT, "export", path, "-o", store], check=True, capture_output=True)
    good = True
    for file in path, store:
        printed_rows = printed(file, "um_sum")
        rates = [float(row[5] or 0) for row in printed_rows]
        good &= (len(printed_rows) == len(rows) and rates == sorted(rates, reverse=True) and
                 all(row[1:5] == rows[row[0]][:4] and abs(float(row[5] or 0) - rows[row[0]][4]) < 0.001
                     for row in printed_rows) and printed(file, "um_total_sum") == [total])
    if not good:
        print(f"seed {seed}: um_sum or um_total_sum differs")
    return good


def check(seed, path):
    Maker(seed).make(path)
    good = True
    for report, expect in {**ORDERED, **SUMS}.items():
        for options in [], ["--filter-process", "100"]:
            ranges, launches = read(path)
            if options:
                ranges = [r for r in ranges if place(r)[0] == "100"]
            actual, expected = printed(path, report, *options), expect(ranges, launches)
            if report in SUMS:
                actual, expected = sorted(actual), sorted(expected)
            good &= bool(expected) and same(f"seed {seed}, {report} {options}", actual, expected)
    return good & check_names(seed, path) & check_unified(seed, path)


def main():
    good = True
    for seed in range(SEEDS):
        with tempfile.TemporaryDirectory() as folder:
            good &= check(seed, folder + "/made.sqlite")
    return 0 if good else 1


sys.exit(main())
