#!/bin/sh
# profiler_nvcc.sh static|shared SOURCE LIBRARY OUT NVCC [FLAG...] - a program that nvcc builds with this cudart finds
# it, and runs to its end without a device, and also without a driver.
set -eu

cudart=$1
source=$2
library=$3
out=$4
shift 4

compiler=$(readlink -f "$(command -v "$1")")
libraries=${compiler%/bin/*}/lib64
"$@" -c "$source" -o "$out.o"
"$1" -cudart "$cudart" "$out.o" "$library" -o "$out" -lpthread -ldl -lm

output=$(CUDA_VISIBLE_DEVICES='' STINT_REPORT=off LD_LIBRARY_PATH="$libraries:${LD_LIBRARY_PATH-}" "$out" 2>&1)
printf '%s\n' "$output"
lines=$(printf '%s\n' "$output" | grep -c 'GPU Profiler Stat: .* CUDA finds no driver or no device (code [0-9]*)')
[ "$lines" -eq 1 ] || { echo "profiler_nvcc.sh: expected one line that says why nothing is profiled"; exit 1; }
