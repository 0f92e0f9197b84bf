#!/bin/sh
# Google Benchmark's compare.py (Debian: libbenchmark-tools, python3-scipy) compares two exports.
. "$(dirname -- "$0")/lib.sh"

compare=${STINT_COMPARE_PY:-/usr/share/benchmark/compare.py}
[ -r "$compare" ] || { echo "no compare.py"; exit 77; }
for python in /usr/bin/python3 python3; do
    $python -c 'import scipy' 2>/dev/null && break
    python=
done
[ -n "$python" ] || { echo "no scipy"; exit 77; }

"$STINT" export "$GOLDEN/report_json_gpu.json" --format gbench -o before.json
sed 's/"real_time": 2100000000\.000/"real_time": 3150000000.000/' before.json >after.json
$python "$compare" --no-color benchmarks before.json after.json >out 2>&1 || complain "compare.py: $(cat out)"
grep -q '^trainOnePass  *+0\.5000  *+0\.0000 ' out || complain "trainOnePass is not 50 % slower: $(cat out)"
grep -q '^GPU/\[CUDA memcpy HtoD\]  *+0\.0000 ' out || complain "there is no copy: $(cat out)"
exit $failed
