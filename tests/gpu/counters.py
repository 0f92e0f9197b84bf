"""counters.py STINT.csv... -- NCU.csv... - compares counters of stint's report counters:csv with ncu --csv --page raw."""
import collections
import csv
import sys

EQUAL = ["smsp__sass_thread_inst_executed_op_%s_pred_on.sum" % op
         for op in ("dadd", "dmul", "dfma", "fadd", "fmul", "ffma", "hadd", "hmul", "hfma")]
EQUAL += ["sm__inst_executed_pipe_tensor.sum", "sm__ops_path_tensor_src_fp16.sum", "launch__grid_size",
          "launch__block_size", "launch__occupancy_limit_registers", "launch__occupancy_limit_warps",
          "launch__occupancy_limit_blocks", "sm__maximum_warps_per_active_cycle_pct"]
NEAR = ["sm__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__bytes_read.sum", "l1tex__t_bytes.sum", "lts__t_bytes.sum",
        "sm__warps_active.avg.pct_of_peak_sustained_active"]
LARGE = {"%": 10, "bytes": 1 << 26}  # what is smaller is noise, or what restoring memory left in the caches


def kernel_of(name):
    return name.split("(")[0]


def read_stint(path):
    values = collections.defaultdict(dict)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            values[kernel_of(row["kernel"])][row["metric"]] = float(row["avg"])
    return values


def read_ncu(path):
    rows = list(csv.reader(open(path, newline="")))
    first = next(i for i, row in enumerate(rows) if row and row[0] == "ID")
    name = rows[first].index("Kernel Name")
    sums = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows[first + 2:]:
        for metric, value in zip(rows[first], row):
            try:
                sums[kernel_of(row[name])][metric].append(float(value.replace(",", "")))
            except ValueError:
                pass
    return {kernel: {metric: sum(every) / len(every) for metric, every in metrics.items() if every}
            for kernel, metrics in sums.items()}


def tolerance(metric):
    """Of DRAM's share, too, as CUPTI leaves lines to write in the caches when it has restored memory."""
    return 1e-9 if metric in EQUAL else 0.03 if "dram_throughput" in metric else 0.02


def agrees(metric, own, theirs):
    """Whether there are values, of runs of ours, between those with full and with empty caches, or near one of them."""
    slack = tolerance(metric) * max(abs(value) for value in theirs)
    least, most = (max(own), min(own)) if metric in EQUAL else (min(own), max(own))
    return min(theirs) - slack <= most and least <= max(theirs) + slack


def main():
    middle = sys.argv.index("--")
    stint = [read_stint(path) for path in sys.argv[1:middle]]
    others = [read_ncu(path) for path in sys.argv[middle + 1:]]
    compared = failed = 0
    for kernel in sorted(others[0]):
        for metric in EQUAL + NEAR:
            own, theirs = [[each[kernel].get(metric) for each in every] for every in (stint, others)]
            if None in own + theirs:
                print("FAIL %s %s: stint %s, ncu %s" % (kernel, metric, own, theirs))
                failed += 1
                continue
            if metric in NEAR and max(theirs) < LARGE["bytes" if "bytes" in metric else "%"]:
                continue
            compared += 1
            if not agrees(metric, own, theirs):
                print("FAIL %s %s: stint %s, ncu %s" % (kernel, metric, own, theirs))
                failed += 1
    print("%d numbers compared, %d differ" % (compared, failed))
    return failed > 0 or compared < 100


sys.exit(main())
