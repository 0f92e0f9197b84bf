#!/bin/sh
# kinds.sh FOLDER - measures what each kind of CUPTI's records adds to the cost of a launch when kernel records are
# enabled, from one thread and from eight: a table for docs/overhead.md. Uses the programs that programs.sh has built in
# FOLDER; stint is not involved. Exits with 77 if these or a GPU are missing.
set -u

build=${1:-build/gpu}
program=$build/tests/gpu/programs
counter=$(readlink -f "$build/tests/gpu/libcounter.so") || exit 77
[ -x "$program" ] && ls /dev/nvidia[0-9]* >/dev/null 2>&1 || exit 77
rounds=${STINT_ROUNDS:-5}

# Number and name; 0 stands for kernels only, - for no CUPTI at all.
kinds='- plain
0 CONCURRENT_KERNEL
1 MEMCPY
2 MEMSET
22 MEMCPY2
8 DEVICE
12 CONTEXT
17 OVERHEAD
25 UNIFIED_MEMORY_COUNTER
37 STREAM
38 SYNCHRONIZATION
46 PCIE
49 MEMORY2
4 DRIVER
5 RUNTIME'

# ns_of NUMBER THREADS
ns_of()
{
    case $1 in
    -) "$program" threads "$2" ;;
    0) env "CUDA_INJECTION64_PATH=$counter" COUNTER_KINDS= "$program" threads "$2" ;;
    *) env "CUDA_INJECTION64_PATH=$counter" "COUNTER_KINDS=$1" "$program" threads "$2" ;;
    esac 2>&1 >/dev/null | sed -n 's/^\([0-9]*\) ns per launch$/\1/p'
}

# Kinds take turns, so that a noisy moment affects all of them.
for round in $(seq "$rounds"); do
    for threads in 1 8; do
        echo "$kinds" | while read -r number name; do
            echo "$name $threads $(ns_of "$number" "$threads")"
        done
    done
done | sort -k1,1 -k2,2n -k3,3n | awk '
    NF == 3 { key = $1 " " $2; count[key]++; value[key, count[key]] = $3; names[$1] = 1 }
    function cell(name, threads, key) {
        key = name " " threads
        return value[key, 1] " / " value[key, int((count[key] + 1) / 2)]
    }
    END {
        print "| records beside those of kernels | 1 thread, ns per launch, min / median | 8 threads |"
        print "|---|---|---|"
        for (name in names) printf "| %s | %s | %s |\n", name, cell(name, 1), cell(name, 8)
    }'
