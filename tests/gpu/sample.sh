#!/bin/sh
# sample.sh PROGRAM [ON|OFF] - PROGRAM, sample 06, computes on the GPU, and opens one profiler window if this is
# compiled in. Exits with 77 if it finds no GPU, unless STINT_REQUIRE_GPU=1.
set -u

output=$("$1" 2>&1)
code=$?
printf '%s\n' "$output"
if [ "$code" -eq 0 ] && printf '%s\n' "$output" | grep -q '^on the CPU'; then
    [ "${STINT_REQUIRE_GPU-}" = 1 ] && exit 1
    exit 77
fi

expected=1
case ${2-ON} in OFF | 0 | FALSE) expected=0 ;; esac
lines=$(printf '%s\n' "$output" |
    grep -c '\] Enable GPU Profiler Stat: \[RecursiveProfilingTest\] "Recursive GPU Profiling Test"$')
all=$(printf '%s\n' "$output" | grep -c '\] Enable GPU Profiler Stat: ')
[ "$code" -eq 0 ] && [ "$lines" -eq "$expected" ] && [ "$all" -eq "$expected" ]
