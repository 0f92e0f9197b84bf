#!/bin/sh
# counters.sh FOLDER - compares hardware counters of stint run --counters with those of Nsight Compute, for the kernels
# of counted.cu, and checks what is said of kernels that cannot be counted. FOLDER is a build. Exits with 77 if a GPU or
# ncu is missing. Takes about a minute.
#
# Counts of instructions have to be equal. Shares and bytes depend on the caches, and differ from run to run: those of
# two runs have to be between those of ncu --cache-control all, which empties them before each pass, and none, or one
# within 2 % of one.
set -u

lack()
{
    echo "counters.sh: skipped: $*"
    [ "${STINT_REQUIRE_GPU-}" = 1 ] && exit 1
    exit 77
}

build=$(readlink -f "${1:-build/gpu}") || lack "there is no folder ${1:-build/gpu}"
stint=$build/bin/stint
counted=$build/tests/gpu/counted
here=$(dirname "$(readlink -f "$0")")
ncu=$(command -v ncu || ls /usr/local/cuda*/bin/ncu 2>/dev/null | head -n 1)
[ -x "$stint" ] || lack "there is no $stint"
[ -n "$ncu" ] || lack "Nsight Compute (ncu) is not here"
ls /dev/nvidia[0-9]* >/dev/null 2>&1 || lack "there is no GPU"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if [ ! -x "$counted" ]; then
    counted=$work/counted
    nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | head -n 1)
    [ -n "$nvcc" ] || lack "$build has no counted, and there is no nvcc"
    "$nvcc" -arch=native -lineinfo -o "$counted" "$here/counted.cu" >nvcc.log 2>&1 ||
        lack "counted.cu cannot be linked: $(tail -n 2 nvcc.log)"
fi
failed=0

complain()
{
    echo "counters.sh: $*"
    failed=1
}

has()
{
    grep -Fq -e "$2" "$1" || complain "no '$2' in: $(cat "$1")"
}

"$counted" >plain || lack "$counted failed with $?"
for turn in 1 2; do
    "$stint" run --counters all --report counters:csv --log-file "stint.$turn.csv" "$counted" >replayed ||
        complain "stint run failed with $?"
done
# The last number depends on the order of additions.
[ "$(cut -d ' ' -f 1-3 plain)" = "$(cut -d ' ' -f 1-3 replayed)" ] || complain "replays change results: $(cat plain replayed)"
metrics=$(cut -d , -f 2- stint.1.csv | grep -o '[a-z0-9]*__[a-z0-9_.]*' | grep -v -e '^launch__' -e '^profiler__' | sort -u)
metrics=$(echo "$metrics" | grep '[.]' | paste -sd , -)
for caches in all none; do
    "$ncu" --cache-control "$caches" --clock-control none --set full --csv --page raw --metrics "$metrics" \
        "$counted" >"ncu.$caches.csv" 2>ncu.log || complain "ncu failed: $(tail -n 3 ncu.log)"
done
python3 "$here/counters.py" stint.1.csv stint.2.csv -- ncu.all.csv ncu.none.csv || failed=1

"$stint" run --counters flops "$counted" graph 2>graph
[ $? -eq 4 ] || complain "a graph was counted"
has graph "kernels of CUDA graphs are not replayed one by one"
"$stint" run --counters speed-of-light --kernels '!spin*' "$counted" wait 2>wait
has wait "nothing()"
exit $failed
