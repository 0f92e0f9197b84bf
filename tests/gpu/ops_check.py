"""Looks at what stint ops says of recordings, for ops.sh:

    ops_check.py STINT covered RECORDING [PERCENT]        which GPU time has an operation, a layer and a direction
    ops_check.py STINT same RECORDING TRACE [PERCENT]     whether a trace of torch.profiler has the same roll-up
    ops_check.py STINT tensor RECORDING COUNTERS [PERCENT]  whether Tensor Cores were used where ncu counted that
    ops_check.py STINT events RECORDING OUTPUT [PERCENT]  whether products took as long as CUDA events say
    ops_check.py STINT flops RECORDING OUTPUT             whether FLOPs are those that flops.py computed by hand
    ops_check.py STINT layers RECORDING PERCENT           whether products of the compiled network are in its inner layers
    ops_check.py STINT jax RECORDING                      whether those of jax_step.py's products are, and nothing is lost

Prints a line with the result, and what is behind it; the exit code is 1 if the percentage is not reached."""
import collections
import csv
import io
import sqlite3
import statistics
import subprocess
import sys

STINT = sys.argv[1]


def rows_of(recording):
    out = subprocess.run([STINT, "ops", recording, "--csv", "-c", "idx,layer,dir,op,kernel,sil,tc,flops,bytes"], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    rows = list(csv.reader(io.StringIO(out)))
    names = ["idx", "layer", "dir", "op", "kernel", "sil", "tc", "flops", "bytes"]
    return [dict(zip(names, row)) for row in rows[1:]]


def time_of(rows):
    return sum(int(row["sil"]) for row in rows)


def show(rows, keys, most=12):
    times = collections.Counter()
    counts = collections.Counter()
    for row in rows:
        key = tuple(row[k] for k in keys)
        times[key] += int(row["sil"])
        counts[key] += 1
    for key, ns in times.most_common(most):
        print("    %9.3f ms %5d times  %s" % (ns / 1e6, counts[key], "  ".join(key)))


def covered(recording, percent=99):
    rows = rows_of(recording)
    lacking = [row for row in rows if row["op"] in ("na", "-", "") or row["dir"] == "na" or row["layer"] == "-"]
    share = 100 * (1 - time_of(lacking) / time_of(rows))
    print("%.2f %% of %.1f ms of %d kernels have an operation, a layer and a direction" % (share, time_of(rows) / 1e6,
                                                                                       len(rows)))
    for direction in ("fprop", "bprop", "optim"):
        print("    %s: %.1f %%" % (direction, 100 * time_of(r for r in rows if r["dir"] == direction) / time_of(rows)))
    for key in ("flops", "bytes"):
        unknown = time_of(row for row in rows if row[key] == "na")
        print("    %s known in %.2f %% of the time" % (key, 100 * (1 - unknown / time_of(rows))))
    show(lacking, ("layer", "dir", "op", "kernel"))
    print("  unknown FLOPs or bytes:")
    show([row for row in rows if "na" in (row["flops"], row["bytes"])], ("dir", "op", "kernel", "flops", "bytes"))
    print("  by direction and operation:")
    show(rows, ("dir", "op"), 25)
    return share >= percent


def flops_of(rows):
    """By direction and operation; and those of which they are not known every time."""
    found, unknown = collections.Counter(), set()
    for row in rows:
        key = row["dir"], row["op"]
        if row["flops"] == "na":
            unknown.add(key)
        else:
            found[key] += int(row["flops"])
    return found, unknown


def same(recording, trace, percent=2):
    ours, theirs = rows_of(recording), rows_of(trace)
    difference = 100 * abs(time_of(ours) / time_of(theirs) - 1)
    (flops, unknown), (others, others_unknown) = flops_of(ours), flops_of(theirs)
    known = (flops.keys() | others.keys()) - unknown - others_unknown
    wrong = {key for key in known if flops[key] != others[key]}
    print("%.1f and %.1f ms of %d and %d kernels, %.2f %% apart; FLOPs of %d operations known to both, %.4e and %.4e, "
          "differ in %d" % (time_of(ours) / 1e6, time_of(theirs) / 1e6, len(ours), len(theirs), difference, len(known),
                            sum(flops[key] for key in known), sum(others[key] for key in known), len(wrong)))
    for key in sorted(unknown | others_unknown):
        print("    not known of %s %s: %s" % (key + ("the trace" if key in others_unknown else "the recording",)))
    for key in sorted(wrong):
        print("    %s %s: %d and %d" % (key + (flops[key], others[key])))
    mine, other = collections.Counter(), collections.Counter()
    for rows, times in ((ours, mine), (theirs, other)):
        for row in rows:
            times[row["dir"], row["op"]] += int(row["sil"])
    for key in (mine | other).keys():
        if abs(mine[key] - other[key]) > 0.02 * max(mine[key], other[key]) and max(mine[key], other[key]) > 0.002 * sum(
                mine.values()):
            print("    %s %s: %.3f and %.3f ms" % (key + (mine[key] / 1e6, other[key] / 1e6)))
    return difference <= percent and not wrong


def names_of(recording):
    """The mangled names of the recording's kernels, in their order."""
    database = sqlite3.connect(recording)
    mangled = dict(database.execute("SELECT name, mangled FROM stint_gpu_activities WHERE kind = 'kernel'"))
    return [mangled.get(name) or name for name, in database.execute(
        "SELECT s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName ORDER BY k.start")]


def counters_of(path):
    """What ncu counted, by name of kernels, and how often it saw them: instructions of Tensor Cores' pipe without those
    that add and multiply pairs of fp16 (HFMA2), which are no products of matrices, but go through it, too."""
    lines = [line for line in open(path) if line.startswith('"')]
    counted, seen = collections.Counter(), collections.Counter()
    for row in csv.DictReader(lines):
        name = row["Kernel Name"].split("(")[0] if row["Kernel Name"].startswith("_Z") else row["Kernel Name"]
        value = float((row["Metric Value"] or "0").replace(",", ""))
        counted[name] += -value if "hfma2" in row["Metric Name"] else value
        seen[name] += 1
    return counted, seen


def tensor(recording, counters, percent=95):
    rows, names = rows_of(recording), names_of(recording)
    counted, seen = counters_of(counters)
    right = wrong = unseen = unknown = 0
    shown = collections.Counter()
    for row, name in zip(rows, names):
        ns = int(row["sil"])
        if name not in seen:
            unseen += ns
            shown["not seen by ncu", name[:150], row["tc"]] += ns
        elif row["tc"] == "na":
            unknown += ns
            shown["unknown, counted %g" % counted[name], name[:150], row["tc"]] += ns
        elif (row["tc"] == "1") == (counted[name] > 0):
            right += ns
        else:
            wrong += ns
            shown["wrong, counted %g" % counted[name], name[:150], row["tc"]] += ns
    whole = right + wrong + unknown
    share = 100 * right / whole if whole else 0
    used = time_of(row for row in rows if row["tc"] == "1")
    print("%.2f %% of %.1f ms right, %.2f %% wrong, %.2f %% unknown; ncu has not seen %.1f ms; Tensor Cores in %.1f ms" % (
        share, whole / 1e6, 100 * wrong / max(whole, 1), 100 * unknown / max(whole, 1), unseen / 1e6, used / 1e6))
    for (what, name, tc), ns in shown.most_common(12):
        print("    %9.3f ms  tc %s, %s: %s" % (ns / 1e6, tc, what, name))
    return share >= percent


def events(recording, output, percent=3):
    """The last 20 products of each step, of 30, are between events; clocks change from step to step."""
    times = [int(row["sil"]) / 1e6 for row in rows_of(recording) if row["op"] == "aten::mm"]
    measured = [float(line.split()[1]) for line in open(output) if line.startswith("events ")]
    means = [statistics.mean(times[30 * step + 10:30 * step + 30]) for step in range(len(measured))]
    apart = max(100 * abs(ours / theirs - 1) for ours, theirs in zip(means, measured))
    print("products took %s ms, by CUDA events %s, %.2f %% apart: %.1f TFLOP/s" % (
        " and ".join("%.4f" % each for each in means), " and ".join("%.4f" % each for each in measured), apart,
        2 * 8192**3 / min(means) / 1e9))
    return apart <= percent


def flops(recording, output):
    """In the layers that are called as the cases are; sums and copies around them are no part of a case."""
    found = collections.Counter()
    for row in rows_of(recording):
        if any(part in row["op"] for part in ("attention", "_mm", "convolution", "rnn", "embedding_bag")):
            found[row["layer"].split(":")[0], row["dir"]] += int(row["flops"]) if row["flops"] != "na" else float("nan")
    cases = [line.split() for line in open(output) if line.startswith("case ")]
    lines, wrong = [], 0
    for _, name, _, counter, _, forward, _, backward in cases:
        ours = [found[name, direction] for direction in ("fprop", "bprop")]
        is_right = ours == [int(forward), int(backward)]
        wrong += not is_right
        lines.append("    %s: the counter says %s, stint %s + %s, by hand %s + %s%s" % (
            name, counter, *ours, forward, backward, "" if is_right else ": WRONG"))
    print("%d of %d cases have the FLOPs computed by hand" % (len(cases) - wrong, len(cases)))
    print("\n".join(lines))
    return cases and not wrong


def layers(recording, percent):
    """The network that is compiled is ops_torch.py's Small: each layer that multiplies does so in the forward pass. Where
    code is compiled, products run also to find out which are fast."""
    names = ("conv1", "conv2", "block.attention.qkv", "block.attention.out", "block.mlp.0", "block.mlp.2", "head")
    products = [row for row in rows_of(recording) if row["op"].startswith("aten::") and any(
        part in row["op"] for part in ("mm", "convolution"))]
    forward = [row for row in products if row["dir"] == "fprop"]
    inner = [row for row in forward if any(row["layer"] == "net." + name for name in names)]
    lacking = {"net." + name for name in names} - {row["layer"] for row in inner}
    share = 100 * time_of(inner) / max(time_of(forward), 1)
    print("%.2f %% of the time of %d products of the forward pass are in inner layers; without: %s" % (
        share, len(forward), " ".join(sorted(lacking)) or "none"))
    show(products, ("layer", "dir", "op"), 30)
    return share >= percent and not lacking


def jax(recording, steps=20):
    """Steps with five products: rows and weights, forward, and for the gradients. What XLA has fused to them, and adds up
    of their parts, are at most 5 % more."""
    step = 2 * 128 * 256 * 512 * 2 + 2 * 128 * 512 * 64 * 3
    rows = [row for row in rows_of(recording) if row["layer"].startswith("jit(step)")]
    found = sum(int(row["flops"]) for row in rows if row["op"] == "dot_general" and row["flops"] != "na")
    unknown = [row for row in rows if row["flops"] == "na" or row["bytes"] == "na"]
    directions = {row["dir"] for row in rows}
    print("products of %d steps have %d FLOPs, by hand %d; %d of %d kernels without; %s" % (
        steps, found, steps * step, len(unknown), len(rows), " ".join(sorted(directions))))
    show(rows, ("layer", "dir", "op"))
    return steps * step <= found <= 1.05 * steps * step and not unknown and directions == {"fprop", "bprop"}


CHECKS = {"covered": covered, "same": same, "tensor": tensor, "events": events, "flops": flops, "layers": layers,
          "jax": jax}
arguments = sys.argv[3:]
if arguments[-1].replace(".", "").isdigit():
    arguments[-1] = float(arguments[-1])
sys.exit(0 if CHECKS[sys.argv[2]](*arguments) else 1)
