# Sourced by programs.sh, frameworks.sh and bench.sh, after lib.sh: runs programs alone, with a counter that uses CUPTI alone
# (counter.cpp), and with libstint_inject.so, and compares. POSIX sh. Expects `build`, a folder with a build of stint.
# shellcheck shell=sh disable=SC2154

counter=$build/tests/gpu/libcounter.so
program=$build/tests/gpu/programs
inject=$build/lib/libstint_inject.so

# build_counter - compiles the counter into the build's folder; ends the script if there is nothing to inject.
build_counter()
{
    if [ ! -f "$inject" ]; then
        fail build "there is no $inject; run.sh builds it"
        finish 1
    fi
    limit 60 c++ -std=c++17 -O2 -shared -fPIC -I"$cuda/include" -I"$cuda/extras/CUPTI/include" "$here/counter.cpp" \
        -o "$counter" -L"$cuda/lib64" -L"$cuda/extras/CUPTI/lib64" -lcupti "-Wl,-rpath,$cuda/lib64" \
        "-Wl,-rpath,$cuda/extras/CUPTI/lib64" >"$checks/counter.log" 2>&1 && return
    fail build "the counter did not compile:"
    show "$checks/counter.log"
    finish 1
}

# build_programs - compiles programs.cu into the build's folder; ends the script if that fails.
build_programs()
{
    limit 200 "$nvcc" -std=c++17 -O2 -rdc=true -gencode arch=compute_90,code=sm_90 "$here/programs.cu" -o "$program" \
        -lcuda -lnvrtc -lcudadevrt -L"$cuda/lib64/stubs" -Xlinker "-rpath=$cuda/lib64" >"$checks/build.log" 2>&1 && return
    fail build "a compiler failed:"
    show "$checks/build.log"
    finish 1
}

# sums NAME - prints the sums over the reports of all processes of the case: kernels, their time, copies and sets.
sums()
{
    for report in "$checks/$1".report.*; do
        "$build/bin/stint" stats "$report" --quiet --format csv --report cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,nvtx_values
    done 2>/dev/null | awk -F, '
        /^Time \(%\),Total Time \(ns\),Instances/ { what = "kernels"; next }
        /^Time \(%\),Total Time \(ns\),Count/ { what = "copies"; next }
        /^Range or counter,/ { what = "values"; next }
        /Unified/ { next } # CUDA moves that itself
        /^[0-9]/ { time[what] += $2; count[what] += $3 }
        END { printf "%d %d %d\n", count["kernels"], time["kernels"], count["copies"] }'
}

# counted NAME - prints the counter's sums of the same.
counted()
{
    cat "$checks/$1".counted.* 2>/dev/null | awk '{ kernels += $1; time += $2; copies += $3 + $4 }
        END { printf "%d %d %d\n", kernels, time, copies }'
}

# with_counter NAME COMMAND... - runs the program with the counter.
with_counter()
{
    name=$1
    shift
    limit 120 env "CUDA_INJECTION64_PATH=$counter" "COUNTER_OUTPUT=$checks/$name.counted" "$@"
}

# with_stint NAME MODE COMMAND... - runs the program with stint injected.
with_stint()
{
    name=$1
    mode=$2
    shift 2
    limit 120 env "CUDA_INJECTION64_PATH=$inject" "NVTX_INJECTION64_PATH=$inject" "STINT_GPU=$mode" \
        STINT_REPORT=json "STINT_OUTPUT=$checks/$name.report.%p" "$@"
}

# Programs whose kernels wait for something that varies from run to run, pages that migrate or another process, or whose
# kernels leave no records: their kernel times, or for the latter their counts, are not compared.
waits=" managed passes data_parallel "
unrecorded=" assert "

# check NAME COMMAND... - kernel times come from two runs, so they may differ by 3 % plus a microsecond per kernel.
check()
{
    name=$1
    shift
    limit 120 "$@" >"$checks/$name.alone" 2>"$checks/$name.alone.err"
    alone=$?
    with_counter "$name" "$@" >"$checks/$name.counter" 2>&1
    with_stint "$name" on "$@" >"$checks/$name.out" 2>"$checks/$name.err"
    code=$?
    expected=$(counted "$name")
    got=$(sums "$name")
    times=1
    case $waits in *" $name "*) times=0 ;; esac
    counts=1
    case $unrecorded in *" $name "*) counts=0 ;; esac
    if [ $code -eq $alone ] && cmp -s "$checks/$name.alone" "$checks/$name.out" &&
        echo "$expected $got" | awk -v counts=$counts -v times=$times '{ apart = $5 - $2; if (apart < 0) apart = -apart
            same = $1 > 0 && $1 == $4 && $3 == $6
            close_by = apart <= 0.03 * $2 + 1000 * $1
            exit !(!counts || (same && (!times || close_by))) }'; then
        pass "$name" "exit code $code; kernels, ns, copies: $got, counter $expected"
    else
        fail "$name" "exit code $code, alone $alone; kernels, ns, copies: $got, counter $expected"
        show "$checks/$name.alone.err"
        show "$checks/$name.out"
        show "$checks/$name.err"
    fi
}
