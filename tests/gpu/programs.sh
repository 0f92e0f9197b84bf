#!/bin/sh
# programs.sh FOLDER - runs programs.cu, which does what real CUDA programs do, on a machine with an NVIDIA GPU: plain,
# with a counter that uses CUPTI alone (counter.cpp), and with libstint_inject.so from a build in FOLDER. With stint,
# output and exit code have to be the same as alone, and stint's numbers the same as the counter's. Then it times
# launches from several threads. Its output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
build=$(CDPATH='' cd -- "${1:-$root/build/gpu}" && pwd) || exit 2
checks=$build/checks/programs
program=$build/tests/gpu/programs
counter=$build/tests/gpu/libcounter.so
inject=$build/lib/libstint_inject.so
required=${STINT_REQUIRE_GPU-}
rm -rf "$checks"
mkdir -p "$checks" "$build/tests/gpu"

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"

begin_injecting
if [ ! -f "$inject" ]; then
    fail build "there is no $inject; run.sh builds it"
    finish 1
fi

if limit 200 "$nvcc" -std=c++17 -O2 -rdc=true -gencode arch=compute_90,code=sm_90 "$here/programs.cu" -o "$program" \
    -lcuda -lnvrtc -lcudadevrt -L"$cuda/lib64/stubs" -Xlinker "-rpath=$cuda/lib64" >"$checks/build.log" 2>&1 &&
    limit 60 c++ -std=c++17 -O2 -shared -fPIC -I"$cuda/include" -I"$cuda/extras/CUPTI/include" "$here/counter.cpp" \
        -o "$counter" -L"$cuda/lib64" -L"$cuda/extras/CUPTI/lib64" -lcupti "-Wl,-rpath,$cuda/lib64" \
        "-Wl,-rpath,$cuda/extras/CUPTI/lib64" >>"$checks/build.log" 2>&1; then
    pass build "$(took) s"
else
    fail build "a compiler failed:"
    show "$checks/build.log"
    finish 1
fi

# sums NAME - prints the sums over the reports of all processes of the case: kernels, their time, copies and sets.
sums()
{
    cat "$checks/$1".report.* 2>/dev/null | awk -F, '
        /^Time \(%\),Total Time \(ns\),Instances/ { what = "kernels"; next }
        /^Time \(%\),Total Time \(ns\),Count/ { what = "copies"; next }
        /^[0-9]/ { time[what] += $2; count[what] += $3 }
        END { printf "%d %d %d\n", count["kernels"], time["kernels"], count["copies"] }'
}

# counted NAME - prints the counter's sums of the same.
counted()
{
    cat "$checks/$1".counted.* 2>/dev/null | awk '{ kernels += $1; time += $2; copies += $3 + $4 }
        END { printf "%d %d %d\n", kernels, time, copies }'
}

# with_stint NAME MODE ARGUMENT... - runs the program with stint injected.
with_stint()
{
    name=$1
    mode=$2
    shift 2
    limit 120 env "CUDA_INJECTION64_PATH=$inject" "STINT_GPU=$mode" \
        STINT_REPORT=cuda_gpu_kern_sum:csv,cuda_gpu_mem_time_sum:csv "STINT_OUTPUT=$checks/$name.report.%p" \
        "$program" "$@"
}

# check NAME ARGUMENT... - kernel times come from two runs, so they may differ by 3 % plus a microsecond per kernel. The
# time that a kernel waits for pages to migrate varies from run to run, and after an assertion there are no records to
# compare.
check()
{
    name=$1
    shift
    limit 60 "$program" "$@" >"$checks/$name.alone" 2>"$checks/$name.alone.err"
    alone=$?
    limit 60 env "CUDA_INJECTION64_PATH=$counter" "COUNTER_OUTPUT=$checks/$name.counted" "$program" "$@" \
        >"$checks/$name.counter" 2>&1
    with_stint "$name" on "$@" >"$checks/$name.out" 2>"$checks/$name.err"
    code=$?
    expected=$(counted "$name")
    got=$(sums "$name")
    if [ $code -eq $alone ] && cmp -s "$checks/$name.alone" "$checks/$name.out" &&
        echo "$name $expected $got" | awk '{ apart = $6 - $3; if (apart < 0) apart = -apart
            same = $2 == $5 && $4 == $7
            close_by = $1 == "managed" || apart <= 0.03 * $3 + 1000 * $2
            exit !($1 == "assert" || (same && close_by)) }'; then
        pass "$name" "exit code $code; kernels, ns, copies: $got, counter $expected"
    else
        fail "$name" "exit code $code, alone $alone; kernels, ns, copies: $got, counter $expected"
        show "$checks/$name.alone.err"
        show "$checks/$name.out"
        show "$checks/$name.err"
    fi
}

for case in cooperative dynamic loop compile managed map ipc pool assert; do
    check "$case" "$case"
done
for count in 1 4 8; do
    check "threads_$count" threads "$count"
done

# ------------------------------------------------------------------------------------------------------------------- launches

# ns_of MODE COUNT - prints the time of a launch, which the program writes to stderr.
ns_of()
{
    case $1 in
    plain) "$program" threads "$2" ;;
    cupti) env "CUDA_INJECTION64_PATH=$counter" "$program" threads "$2" ;;
    *) with_stint "rate_$1" "$1" threads "$2" ;;
    esac 2>&1 >/dev/null | sed -n 's/^\([0-9]*\) ns per launch$/\1/p'
}

# Modes take turns, so that a noisy moment affects all of them; the minimum counts.
rounds=${STINT_ROUNDS:-5}
for count in 1 4 8; do
    for round in $(seq "$rounds"); do
        for mode in plain cupti kernels on; do
            echo "$mode $(ns_of "$mode" "$count")"
        done
    done | awk -v threads="$count" '
        NF == 2 { all[$1] = all[$1] " " $2; if (!($1 in least) || $2 + 0 < least[$1]) least[$1] = $2 + 0 }
        END {
            printf "%d threads, ns per launch, the least of:", threads
            split("plain cupti kernels on", modes, " ")
            for (i = 1; i <= 4; i++) printf "  %s %d (%s )", modes[i], least[modes[i]], all[modes[i]]
            printf "\n"
            exit !(least["cupti"] > 0 && least["kernels"] > 0 && least["kernels"] <= 1.25 * least["cupti"])
        }' >"$checks/launches_$count.log"
    if [ $? -eq 0 ]; then
        pass "launches_$count" "$(cat "$checks/launches_$count.log")"
    else
        fail "launches_$count" "kernels more than 1.25 of cupti: $(cat "$checks/launches_$count.log")"
    fi
done

finish 0
