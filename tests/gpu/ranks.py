"""ranks.py RECORDING - of a merged recording of two ranks, compares when NCCL's kernels end: an all-reduce ends on both
ranks together. Fails if they did not run the same ones, or if half of them end more than 50 us apart."""
import collections
import sqlite3
import statistics
import sys

LIMIT_NS = 50_000

rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT globalPid, end FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
    "WHERE s.value LIKE 'ncclDevKernel_AllReduce%' ORDER BY start")
ends = collections.defaultdict(list)
for rank, end in rows:
    ends[rank].append(end)
if len(ends) != 2 or len({len(each) for each in ends.values()}) != 1:
    sys.exit("collectives of the ranks: %s" % {rank: len(each) for rank, each in ends.items()})
apart = sorted(abs(a - b) for a, b in zip(*ends.values()))
print("%d collectives of both ranks end %.1f us apart in the median, %.1f at most" % (
    len(apart), statistics.median(apart) / 1e3, apart[-1] / 1e3))
sys.exit(statistics.median(apart) > LIMIT_NS)
