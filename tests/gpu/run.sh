#!/bin/sh
# Tests on a machine with an NVIDIA GPU what other tests cannot: builds stint, its CUDA samples and the programs of this
# folder with the installed toolkit, and runs these parts in this order, or only those that are named:
#
#     samples    samples 06 and 08, with the static and the shared CUDA runtime, with and without a device
#     ctest      the tests labelled gpu, if cmocka is installed
#     collector  what stint collects, how it ends with the program, and how it leaves CUPTI to other tools (collector.sh)
#     sanitizer  compute-sanitizer finds no errors
#     bench      what a launch costs (FOLDER/tests/gpu/bench_launch)
#     soak       STINT_SOAK_KERNELS kernels, a million by default: nothing is lost, memory is bounded
#     ncu        Nsight Compute selects kernels by stint's ranges and windows
#
# Prints a line per check, "PASS name: detail", and at the end "N passed, N failed, N skipped". Exits with 1 if anything
# failed, with 77 if there is no GPU or no toolkit; STINT_REQUIRE_GPU=1 makes these failures, too. Needs CMake 3.25, but
# no network, no root, and no cmocka, which it uses if it finds it. Takes about four minutes, at most nine and a half.
#
#     sh tests/gpu/run.sh [FOLDER [PART...]]     # builds in FOLDER, build/gpu by default
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
build=${1:-$root/build/gpu}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- samples ctest collector sanitizer bench soak ncu
for part in "$@"; do
    case $part in
    samples | ctest | collector | sanitizer | bench | soak | ncu) ;;
    *)
        echo "run.sh: there is no part called $part" >&2
        exit 2
        ;;
    esac
done
parts=" $* "

mkdir -p "$build/checks" "$build/tests/gpu" || exit 1
build=$(CDPATH='' cd -- "$build" && pwd)
checks=$build/checks      # for logs
programs=$build/tests/gpu # the build's folder for this one
required=${STINT_REQUIRE_GPU-}

unset STINT_PROFILE_WINDOW STINT_NVTX STINT_ENABLE STINT_SIGNALS STINT_GPU STINT_GPU_TRACE STINT_CUPTI_PATH STINT_OUTPUT \
    NVTX_INJECTION64_PATH
STINT_REPORT=off
export STINT_REPORT

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
# shellcheck source=tests/gpu/collector.sh
. "$here/collector.sh"

wanted()
{
    case $parts in *" $1 "*) true ;; *) false ;; esac
}

# ---------------------------------------------------------------------------------------------------------------- machine

nvcc=$(find_tool nvcc /usr/local/cuda*/bin/nvcc)
ncu=$(find_tool ncu /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu /usr/local/NVIDIA-Nsight-Compute*/ncu)
sanitizer=$(find_tool compute-sanitizer /usr/local/cuda*/bin/compute-sanitizer)

gpus=0
if command -v nvidia-smi >/dev/null 2>&1; then
    gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')
fi
if [ "$gpus" -eq 0 ]; then
    for device in /dev/nvidia[0-9]*; do
        [ ! -e "$device" ] || gpus=$((gpus + 1))
    done
fi
if [ "$gpus" -eq 0 ]; then
    lack gpu "no NVIDIA GPU here"
    finish 77
fi
pass gpu "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1) ($gpus)"

if [ -z "$nvcc" ]; then
    lack nvcc "no CUDA toolkit: nvcc is neither in PATH nor in /usr/local/cuda*/bin"
    finish 77
fi
cuda=$(readlink -f "$nvcc")
cuda=${cuda%/bin/nvcc}
pass nvcc "$("$nvcc" --version | sed -n 's/.*release/release/p') in $cuda"

# ------------------------------------------------------------------------------------------------------------------ build

architectures="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90"

has_cmocka()
{
    echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int main(void) { return 0; }' | cc -x c - -o "$checks/cmocka" -lcmocka >/dev/null 2>&1
}

has_sqlite()
{
    echo '#include <sqlite3.h>
int main(void) { return sqlite3_libversion_number() == 0; }' | cc -x c - -o "$checks/sqlite" -lsqlite3 >/dev/null 2>&1
}

# Builds the release preset; with tests if cmocka is installed, and with the program stint if SQLite is.
build_with_cmake()
{
    generator="Unix Makefiles"
    ! command -v ninja >/dev/null 2>&1 || generator=Ninja
    tests=OFF
    ! has_cmocka || tests=ON
    program=OFF
    ! has_sqlite || program=ON
    cd "$root" || return 1
    limit 120 env CUDACXX="$nvcc" cmake --preset release -B "$build" -G "$generator" -DSTINT_BUILD_TESTS=$tests \
        -DSTINT_BUILD_CLI=$program -DSTINT_BUILD_DOCS=OFF -DSTINT_WERROR=OFF -DWITH_TIMER=ON -DWITH_PROFILER=ON &&
        limit 240 cmake --build "$build" --parallel "$(nproc)"
}

# compile PROGRAM static|shared SOURCE [ARGUMENT...] - compiles with nvcc for that CUDA runtime, in the background.
compile()
{
    program=$1
    cudart=$2
    shift 2
    rm -f "$programs/$program"
    # shellcheck disable=SC2086 # several words
    limit 200 "$nvcc" -std=c++17 -O2 $architectures -cudart "$cudart" -I"$root/include" -I"$build/include" \
        -I"$cuda/extras/CUPTI/include" "$@" -o "$programs/$program" -L"$build/lib" -lstint -L"$cuda/lib" \
        -L"$cuda/lib64" -L"$cuda/extras/CUPTI/lib64" -Xlinker "-rpath=$build/lib" -Xlinker "-rpath=$cuda/lib" \
        -Xlinker "-rpath=$cuda/lib64" -Xlinker "-rpath=$cuda/extras/CUPTI/lib64" >"$checks/$program.build.log" 2>&1 &
}

# Waits until everything is compiled.
compiled()
{
    wait
    for program in "$@"; do
        if [ -x "$programs/$program" ]; then
            pass "build_$program" "$(grep -ci warning "$checks/$program.build.log") warnings"
        else
            fail "build_$program" "nvcc failed:"
            show "$checks/$program.build.log" 30
        fi
    done
}

build_with_cmake >"$build/build.log" 2>&1
code=$?
if [ $code -ne 0 ] || [ ! -x "$build/bin/gpu_profiler" ]; then
    fail build "exit code $code, $(cmake --version 2>&1 | head -n 1); the end of $build/build.log:"
    show "$build/build.log" 40
    finish 1
fi
pass build "$(cmake --version | head -n 1), $(took) s"

# The toolkit's CUPTI is linked only if the test itself uses it.
compile gpu_profiler_shared shared "$root/samples/06_gpu_profiler/gpu_profiler.cu" "$root/samples/bilinear.c"
compile gpu_summary_shared shared "$root/samples/08_gpu_summary/gpu_summary.cu"
compile cases_static static "$here/cases.cu"
compile cases_shared shared "$here/cases.cu"
compile soak static "$here/soak.cu"
compile spans static "$here/spans.cu"
compile taken static "$here/taken.cu" -lcupti
compile bench_launch static "$here/bench_launch.cu" -lcupti
compiled gpu_profiler_shared gpu_summary_shared cases_static cases_shared soak spans taken bench_launch

# ---------------------------------------------------------------------------------------------------------------- samples

# number NAME FILE - prints a number of kernels from the output of sample 06.
number()
{
    sed -n "s/^kernels in $1: \([0-9]*\)\$/\1/p" "$2"
}

# check_run NAME PROGRAM PATTERN WARNINGS [ENV...] - the sample succeeds, prints PATTERN, and logs this many lines that
# say why it is not profiled.
check_run()
{
    name=$1
    binary=$2
    pattern=$3
    warnings=$4
    shift 4
    limit 60 env "$@" "$binary" >"$checks/$name.log" 2>&1
    code=$?
    warned=$(count 'GPU Profiler Stat: .* is not profiled' "$checks/$name.log")
    if [ $code -eq 0 ] && [ "$(count '^all good$' "$checks/$name.log")" -eq 1 ] &&
        [ "$(count "$pattern" "$checks/$name.log")" -eq 1 ] && [ "$warned" -eq "$warnings" ]; then
        pass "$name" "$(grep -E -e "$pattern" "$checks/$name.log"); exit code 0, $warned warnings"
    else
        fail "$name" "exit code $code, $warned warnings, expected 0 and $warnings, and a line: $pattern"
        show "$checks/$name.log"
    fi
}

# A file that is not a library, found before the driver, hides the driver, because dlopen fails there.
mkdir -p "$checks/no_driver"
echo "not a library" >"$checks/no_driver/libcuda.so.1"
hidden="LD_LIBRARY_PATH=$checks/no_driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

check_sample_06()
{
    check_run "gpu_$1" "$2" '^on the GPU: ' 0 STINT_REPORT=off
    check_run "no_gpu_visible_$1" "$2" '^on the CPU: CUDA finds no device' 1 CUDA_VISIBLE_DEVICES=
    check_run "no_driver_$1" "$2" '^on the CPU: CUDA finds no device .*driver' 1 "$hidden"
    check_one_warning "no_gpu_visible_$1"
    check_one_warning "no_driver_$1"
    check_four_rows "gpu_$1"
}

check_sample_08()
{
    check_program "summary_$1" 60 '^all good$' "$2"
    check_groups "summary_nvprof_$1" "$2"
    check_program "summary_no_gpu_visible_$1" 60 '^all good$' CUDA_VISIBLE_DEVICES= "$2"
    check_program "summary_no_driver_$1" 60 '^all good$' "$hidden" "$2"
    check_one_warning "summary_no_gpu_visible_$1"
    check_one_warning "summary_no_driver_$1"
}

if wanted samples; then
    check_sample_06 static "$build/bin/gpu_profiler"
    check_sample_06 shared "$programs/gpu_profiler_shared"
    check_sample_08 static "$build/bin/gpu_summary"
    check_sample_08 shared "$programs/gpu_summary_shared"
    if [ "$(count '\] Enable GPU Profiler Stat: \[RecursiveProfilingTest\] "Recursive GPU Profiling Test"$' \
        "$checks/gpu_static.log")" -eq 1 ] && [ "$(count 'Enable GPU Profiler Stat' "$checks/gpu_static.log")" -eq 1 ]; then
        pass profiler_line "$(grep 'Enable GPU Profiler Stat' "$checks/gpu_static.log")"
    else
        fail profiler_line "expected one line Enable GPU Profiler Stat, of the outermost window"
    fi
fi

# ------------------------------------------------------------------------------------------------------------------ ctest

if wanted ctest; then
    if [ -f "$build/CTestTestfile.cmake" ] && [ -f "$build/tests/CTestTestfile.cmake" ]; then
        (cd "$build" && limit 240 env STINT_REQUIRE_GPU=1 ctest -L '^gpu$' --output-on-failure) >"$checks/ctest.log" 2>&1
        code=$?
        summary=$(grep 'tests passed' "$checks/ctest.log")
        if [ $code -eq 0 ] && [ -n "$summary" ]; then
            pass ctest "$summary"
        else
            fail ctest "exit code $code:"
            show "$checks/ctest.log" 40
        fi
    else
        skip ctest "no cmocka to build tests with"
    fi
fi

# ----------------------------------------------------------------------------------- collector, sanitizer, bench and soak

! wanted collector || check_collector
! wanted sanitizer || check_sanitizer
! wanted bench || check_bench
! wanted soak || check_soak

# -------------------------------------------------------------------------------------------------------------------- ncu

# check_ncu NAME PROGRAM EXPECTED OPTION... - Nsight Compute profiles this many kernels, or as many as the sample prints
# for the part named. ENVIRONMENT, if set, is an additional setting for the sample.
check_ncu()
{
    name=$1
    binary=$2
    part=$3
    shift 3
    csv=$checks/$name.csv
    out=$checks/$name.log
    rm -f "$csv"
    limit 90 env ${ENVIRONMENT:+"$ENVIRONMENT"} "$ncu" --csv --metrics gpu__time_duration.sum --clock-control none \
        --log-file "$csv" "$@" "$binary" >"$out" 2>&1
    code=$?
    case $part in
    [0-9]*) expected=$part ;;
    *) expected=$(number "$part" "$out") ;;
    esac
    all=$(number all "$out")
    kernels=$(count '^"[0-9]+",.*(KeFill|KeBilinearInterp[FB]w)' "$csv")
    rows=$(count '^"[0-9]+",' "$csv")
    forward=$(count '^"[0-9]+",.*KeBilinearInterpFw' "$csv")
    backward=$(count '^"[0-9]+",.*KeBilinearInterpBw' "$csv")
    detail="ncu $* profiled $kernels of ${all:-?} kernels, $forward forward and $backward backward"
    # ncu may treat it as a failure if there is nothing to profile.
    [ "$expected" != 0 ] || [ "$(count 'No kernels were profiled' "$csv")" -eq 0 ] || code=0
    if [ $code -eq 0 ] && [ -n "$expected" ] && [ "$kernels" -eq "$expected" ] && [ "$rows" -eq "$expected" ] &&
        [ "${all:-0}" -gt 0 ] && [ "$(count '^all good$' "$out")" -eq 1 ]; then
        pass "$name" "$detail"
    else
        fail "$name" "$detail; expected ${expected:-?} ($part), exit code $code"
        show "$out"
        show "$csv"
    fi
}

wanted ncu || finish 0
if [ -z "$ncu" ]; then
    lack ncu "Nsight Compute is neither in PATH nor in the toolkit"
    finish 0
fi
pass ncu "$("$ncu" --version | sed -n 's/^Version //p')"

program=$build/bin/gpu_profiler
shared=$programs/gpu_profiler_shared
range="stint@testBilinearFwdBwd/" # domain, then range; the slash means that the range was pushed, not started
check_ncu ncu_range "$program" "the range testBilinearFwdBwd" --nvtx --nvtx-include "$range"
check_ncu ncu_window "$program" "the profiler's window" --profile-from-start off
# Without a window, because cudaProfilerStop ends ncu's profiling, including the kernel that comes after it.
ENVIRONMENT=STINT_PROFILE_WINDOW=1
check_ncu ncu_everything "$program" all
inside=$(number "the range testBilinearFwdBwd" "$checks/ncu_everything.log")
check_ncu ncu_outside_range "$program" $((${all:-0} - ${inside:-0})) --nvtx --nvtx-exclude "$range"
check_ncu ncu_window_warm_up "$program" 0 --profile-from-start off
ENVIRONMENT=
if [ -x "$shared" ]; then
    check_ncu ncu_range_shared "$shared" "the range testBilinearFwdBwd" --nvtx --nvtx-include "$range"
    check_ncu ncu_window_shared "$shared" "the profiler's window" --profile-from-start off
fi

finish 0
