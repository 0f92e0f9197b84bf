#!/bin/sh
# run.sh [SECONDS|INPUTSx [TARGET...]] - has libFuzzer look for inputs that break what reads files, this long, or with this
# many inputs, as 1000000x, for each target (60 seconds; all targets). Needs clang. What it finds interesting stays in build/fuzz/corpus/TARGET, so that the next
# run continues there; an input that breaks something is written to build/fuzz/found, and the exit status is 1.
seconds=${1:-60}
inputs=
case $seconds in *x) inputs=${seconds%x} seconds=1000000000 ;; esac
[ $# -gt 0 ] && shift
cd "$(dirname -- "$0")/../.." || exit 1
command -v clang >/dev/null || { echo "run.sh: clang is not installed: apt-get install clang" >&2; exit 77; }
if [ $# = 0 ]; then
    set -- $(sed -n 's/^ *\(stint_add_fuzz(\)\{0,1\}NAME \([a-z_]*\).*/\2/p' tests/fuzz/CMakeLists.txt)
fi
cmake --preset fuzz >/dev/null || exit 1
cmake --build build/fuzz --target $(printf 'fuzz_%s ' "$@") >build/fuzz/build.log || { tail -20 build/fuzz/build.log; exit 1; }

# What targets print to stdout, as programs do, is not of interest.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
mkdir -p build/fuzz/found
failed=0

# count LOG - how many inputs its target was given.
count()
{
    awk '/^stat::number_of_executed_units:/ { sum += $2 } END { printf "%d", sum }' "$1"
}

# Runs a target for at most five minutes at a time, because some of what stint allocates lives as long as the process.
search()
{
    left=$seconds
    while [ "$left" -gt 0 ]; do
        "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time=$((left < 300 ? left : 300)) -timeout=20 \
            ${inputs:+-runs=$((inputs - $(count "$log")))} -rss_limit_mb=2048 -close_fd_mask=1 -print_final_stats=1 \
            -artifact_prefix="build/fuzz/found/$target-" "$corpus" || return
        left=$((left - 300))
        [ -z "$inputs" ] || [ "$(count "$log")" -lt "$inputs" ] || return 0
    done
}

for target; do
    corpus=build/fuzz/corpus/$target
    mkdir -p "$corpus"
    xargs -a "build/fuzz/tests/fuzz/fuzz_$target.seeds" cp -t "$corpus"
    log=build/fuzz/found/$target.log
    begun=$(date +%s)
    if search >"$log" 2>&1; then
        took=$(($(date +%s) - begun))
        echo "$target: $(count "$log") inputs, $(($(count "$log") / (took + (took == 0)))) a second," \
            "$(ls "$corpus" | wc -l) kept, nothing found"
    else
        failed=1
        echo "$target: FAILED"
        grep -E '^(==[0-9]+==ERROR|SUMMARY|fuzz_|.*runtime error)' "$log" | head -5
        sed -n 's/^.*Test unit written to /    /p' "$log"
    fi
done
exit $failed
