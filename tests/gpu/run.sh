#!/bin/sh
# Shows on a machine with an NVIDIA GPU what tests elsewhere cannot: builds stint and sample 06 with the CUDA toolkit that
# is there, runs the tests labelled gpu, and has Nsight Compute select kernels by stint's ranges and windows.
#
# Prints a line per check, "PASS name: detail", and at the end "N passed, N failed, N skipped". Exits with 1 if anything
# failed, with 77 if there is no GPU or no toolkit; STINT_REQUIRE_GPU=1 makes these failures, too. Needs no network, no
# root, and neither CMake nor cmocka, which it uses if it finds them. Takes a minute or two, eight at most.
#
#     sh tests/gpu/run.sh [FOLDER]     # builds in FOLDER, build/gpu by default
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=${1:-$root/build/gpu}
mkdir -p "$build/checks" || exit 1
build=$(CDPATH='' cd -- "$build" && pwd)
checks=$build/checks
required=${STINT_REQUIRE_GPU-}
began=$(date +%s)
passed=0
failed=0
skipped=0

unset STINT_PROFILE_WINDOW STINT_NVTX STINT_ENABLE STINT_SIGNALS NVTX_INJECTION64_PATH
STINT_REPORT=off
export STINT_REPORT

pass()
{
    passed=$((passed + 1))
    echo "PASS $1: $2"
}

fail()
{
    failed=$((failed + 1))
    echo "FAIL $1: $2"
}

skip()
{
    skipped=$((skipped + 1))
    echo "SKIP $1: $2"
}

# For what the machine lacks.
lack()
{
    if [ "$required" = 1 ]; then
        fail "$@"
    else
        skip "$@"
    fi
}

finish()
{
    echo "took $(($(date +%s) - began)) s"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    exit "$1"
}

# limit SECONDS COMMAND... - at most these, and never beyond the eight minutes of the whole.
limit()
{
    seconds=$1
    shift
    left=$((460 - $(date +%s) + began))
    [ "$left" -ge "$seconds" ] || seconds=$left
    if [ "$seconds" -le 0 ]; then
        echo "no time left"
        return 124
    fi
    timeout -k 5 "$seconds" "$@"
}

# find_tool NAME PATTERN... - the path of a program: the one in PATH, else the last file that matches.
find_tool()
{
    command -v "$1" && return
    shift
    found=
    for file in "$@"; do
        [ ! -x "$file" ] || found=$file
    done
    [ -n "$found" ] && echo "$found"
}

# count PATTERN FILE - the lines that match the extended regex.
count()
{
    grep -Ec -e "$1" "$2" 2>/dev/null || true
}

# show FILE - the end of a log, for a failure.
show()
{
    tail -n "${2:-15}" "$1" 2>/dev/null | sed 's/^/    /'
}

# ---------------------------------------------------------------------------------------------------------------- machine

nvcc=$(find_tool nvcc /usr/local/cuda*/bin/nvcc)
ncu=$(find_tool ncu /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu /usr/local/NVIDIA-Nsight-Compute*/ncu)

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
    [ "$required" = 1 ] || finish 77
else
    pass gpu "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true) ($gpus)"
fi
if [ -z "$nvcc" ]; then
    lack nvcc "no CUDA toolkit: nvcc is neither in PATH nor in /usr/local/cuda*/bin"
    finish 77
fi
cuda=$(readlink -f "$nvcc")
cuda=${cuda%/bin/nvcc}
pass nvcc "$("$nvcc" --version | sed -n 's/.*release/release/p') in $cuda"

# ------------------------------------------------------------------------------------------------------------------ build

architectures="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90"
sample=$root/samples/06_gpu_profiler/gpu_profiler.cu

has_cmake()
{
    version=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$version" ] || return 1
    [ "${version%%.*}" -gt 3 ] || { [ "${version%%.*}" -eq 3 ] && [ "${version#*.}" -ge 25 ]; }
}

has_cmocka()
{
    echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
int main(void) { return 0; }' | cc -x c - -o "$checks/cmocka" -lcmocka >/dev/null 2>&1
}

# The release preset; with tests, if cmocka is there.
build_with_cmake()
{
    generator="Unix Makefiles"
    ! command -v ninja >/dev/null 2>&1 || generator=Ninja
    tests=OFF
    ! has_cmocka || tests=ON
    cd "$root" || return 1
    limit 120 env CUDACXX="$nvcc" cmake --preset release -B "$build" -G "$generator" -DSTINT_BUILD_TESTS=$tests \
        -DSTINT_BUILD_DOCS=OFF -DSTINT_WERROR=OFF -DWITH_TIMER=ON -DWITH_PROFILER=ON &&
        limit 240 cmake --build "$build" --parallel "$(nproc)"
}

# What CMake does with src, for the shared library alone: the stages' sources, but for those that stand in for what is
# switched off or not there.
build_by_hand()
{
    mkdir -p "$build/include/stint" "$build/objects" "$build/lib" "$build/bin" || return 1
    sed 's/@STINT_CONFIG_[A-Z_]*@/1/' "$root/include/stint/config.h.in" >"$build/include/stint/config.h" || return 1
    absent=nvtx_none.c
    [ -f "$cuda/include/nvtx3/nvToolsExt.h" ] || absent=nvtx.c
    stages=$(sed -n 's/^add_subdirectory(\([a-z]*\))$/\1/p' "$root/src/CMakeLists.txt")
    for stage in $stages; do
        grep -q stint_add_stage "$root/src/$stage/CMakeLists.txt" || continue
        for file in "$root/src/$stage"/*.c; do
            name=$(basename "$file")
            case $name in off.c | "$absent") continue ;; esac
            gcc -std=c11 -O2 -DNDEBUG -D_GNU_SOURCE -fPIC -fvisibility=hidden -I"$root/src" -I"$root/include" \
                -I"$build/include" -isystem "$cuda/include" -c "$file" -o "$build/objects/${stage}_$name.o" || return 1
        done
    done
    gcc -shared -Wl,-soname,libstint.so -Wl,-z,defs -Wl,-z,nodelete -o "$build/lib/libstint.so" "$build"/objects/*.o \
        -lpthread -ldl -lm || return 1
    build_sample static "$build/bin/gpu_profiler"
}

# build_sample static|shared OUT - the sample against that cudart.
build_sample()
{
    # shellcheck disable=SC2086 # several words
    "$nvcc" -std=c++17 -O2 $architectures -cudart "$1" -I"$root/include" -I"$build/include" "$sample" \
        "$root/samples/bilinear.c" -o "$2" -L"$build/lib" -lstint -Xlinker "-rpath=$build/lib" \
        -Xlinker "-rpath=$cuda/lib64"
}

if has_cmake; then
    how="CMake $version"
    build_with_cmake >"$build/build.log" 2>&1
    code=$?
else
    how="plain commands"
    build_by_hand >"$build/build.log" 2>&1
    code=$?
fi
if [ $code -ne 0 ] || [ ! -x "$build/bin/gpu_profiler" ]; then
    fail build "$how; the end of $build/build.log:"
    show "$build/build.log" 30
    finish 1
fi
pass build "$how, sm_80 and sm_90, $(($(date +%s) - began)) s"

# ----------------------------------------------------------------------------------------------------------------- sample

program=$build/bin/gpu_profiler

# number NAME FILE - what the sample says of its kernels.
number()
{
    sed -n "s/^kernels in $1: \([0-9]*\)\$/\1/p" "$2"
}

# check_run NAME PROGRAM PATTERN WARNINGS [ENV...] - the sample ends well, says PATTERN, and logs so many lines of why it is
# not profiled.
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

if build_sample shared "$checks/gpu_profiler_shared" >"$checks/shared.log" 2>&1; then
    pass build_shared_cudart "the same file against libcudart.so"
else
    fail build_shared_cudart "nvcc failed:"
    show "$checks/shared.log"
fi

# A file that is no library, found before the driver, hides it: dlopen gives up there.
mkdir -p "$checks/no_driver"
echo "not a library" >"$checks/no_driver/libcuda.so.1"
hidden="LD_LIBRARY_PATH=$checks/no_driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

for cudart in static shared; do
    binary=$program
    [ $cudart = static ] || binary=$checks/gpu_profiler_shared
    [ -x "$binary" ] || continue
    check_run "gpu_$cudart" "$binary" '^on the GPU: ' 0 STINT_REPORT=off
    check_run "no_gpu_visible_$cudart" "$binary" '^on the CPU: CUDA finds no device' 1 CUDA_VISIBLE_DEVICES=
    check_run "no_driver_$cudart" "$binary" '^on the CPU: CUDA finds no device .*driver' 1 "$hidden"
done

if [ "$(count '\] Enable GPU Profiler Stat: \[RecursiveProfilingTest\] "Recursive GPU Profiling Test"$' \
    "$checks/gpu_static.log")" -eq 1 ] && [ "$(count 'Enable GPU Profiler Stat' "$checks/gpu_static.log")" -eq 1 ]; then
    pass profiler_line "$(grep 'Enable GPU Profiler Stat' "$checks/gpu_static.log")"
else
    fail profiler_line "expected one line Enable GPU Profiler Stat, of the outermost window"
fi

# ----------------------------------------------------------------------------------------------------------------- ctest

if [ -f "$build/CTestTestfile.cmake" ] && [ -d "$build/tests" ]; then
    (cd "$build" && limit 120 env STINT_REQUIRE_GPU=1 ctest -L '^gpu$' --output-on-failure) >"$checks/ctest.log" 2>&1
    code=$?
    summary=$(grep 'tests passed' "$checks/ctest.log")
    if [ $code -eq 0 ] && [ -n "$summary" ]; then
        pass ctest "$summary"
    else
        fail ctest "exit code $code:"
        show "$checks/ctest.log" 40
    fi
else
    skip ctest "built without CMake or cmocka"
fi

# ------------------------------------------------------------------------------------------------------------------- ncu

# check_ncu NAME PROGRAM EXPECTED OPTION... - Nsight Compute profiles so many kernels, or as many as the sample says it
# launched in the part named. ENVIRONMENT, if set, is one more setting for the sample.
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
    # ncu may call it a failure that there is nothing to profile.
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

if [ -z "$ncu" ]; then
    lack ncu "Nsight Compute is neither in PATH nor in the toolkit"
    finish 0
fi
pass ncu "$("$ncu" --version | sed -n 's/^Version //p')"

range="stint@testBilinearFwdBwd/" # domain, then range; the slash says that it was pushed rather than started
outside=$(number all "$checks/gpu_static.log")
outside=$((${outside:-0} - $(number "the range testBilinearFwdBwd" "$checks/gpu_static.log")))
check_ncu ncu_range "$program" "the range testBilinearFwdBwd" --nvtx --nvtx-include "$range"
check_ncu ncu_window "$program" "the profiler's window" --profile-from-start off
# Without a window: cudaProfilerStop ends what ncu profiles, the kernel that comes after it included.
ENVIRONMENT=STINT_PROFILE_WINDOW=1
check_ncu ncu_everything "$program" all
check_ncu ncu_outside_range "$program" "$outside" --nvtx --nvtx-exclude "$range"
check_ncu ncu_window_warm_up "$program" 0 --profile-from-start off
ENVIRONMENT=
if [ -x "$checks/gpu_profiler_shared" ]; then
    check_ncu ncu_range_shared "$checks/gpu_profiler_shared" "the range testBilinearFwdBwd" --nvtx \
        --nvtx-include "$range"
    check_ncu ncu_window_shared "$checks/gpu_profiler_shared" "the profiler's window" --profile-from-start off
fi

finish 0
