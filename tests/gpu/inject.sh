#!/bin/sh
# inject.sh FOLDER - shows on a machine with an NVIDIA GPU, with the real driver, that libstint_inject.so from a build
# in FOLDER records programs that were not built for it, whether it is loaded by CUDA, loaded by NVTX, or preloaded. Its
# output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
build=$(CDPATH='' cd -- "${1:-$root/build/gpu}" && pwd) || exit 2
checks=$build/checks/inject
programs=$build/tests/gpu
inject=$build/lib/libstint_inject.so
required=${STINT_REQUIRE_GPU-}
mkdir -p "$checks" "$programs"

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"

begin_injecting

# compile PROGRAM static|shared [ARGUMENT...]
compile()
{
    program=$programs/$1
    cudart=$2
    shift 2
    limit 200 "$nvcc" -std=c++17 -O2 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
        -cudart "$cudart" "$here/plain.cu" -o "$program" "$@" -Xlinker "-rpath=$cuda/lib64" \
        -Xlinker "-rpath=$build/lib" >"$checks/build.log" 2>&1 && return
    fail build "nvcc failed:"
    show "$checks/build.log"
    finish 1
}

includes="-I$root/include -I$build/include"
compile plain_static static
compile plain_shared shared
# shellcheck disable=SC2086 # two words
compile plain_with_shared_stint static -DWITH_STINT -DSTINT_WITH_TIMER=1 $includes -L"$build/lib" -lstint
# shellcheck disable=SC2086
compile plain_with_static_stint static -DWITH_STINT -DSTINT_WITH_TIMER=1 $includes "$build/lib/libstint.a" -ldl -lpthread

# check NAME PROGRAM END CODE EXPECTED NAME=VALUE... - the program, which ends in this way, behaves and prints as it
# does alone; the only report has the kernels in their ranges, and the row EXPECTED. The shell's own message about a
# terminated program is ignored.
check()
{
    name=$1
    program=$programs/$2
    end=$3
    code=$4
    expected=$5
    shift 5
    rm -f "$checks/$name".report.*
    STINT_REPORT=off limit 60 "$program" "$end" >"$checks/$name.alone" 2>"$checks/$name.alone.err"
    alone=$?
    limit 60 env STINT_REPORT=csv "STINT_OUTPUT=$checks/$name.report.%p" "$@" "$program" "$end" \
        >"$checks/$name.out" 2>"$checks/$name.err"
    got=$?
    cat "$checks/$name".report.* >"$checks/$name.csv" 2>/dev/null
    rows=$(count '^NVTX,step,10,.*,10,0,0,[0-9]+$' "$checks/$name.csv")
    if [ $got -eq "$code" ] && [ $alone -eq "$code" ] && cmp -s "$checks/$name.alone" "$checks/$name.out" &&
        [ "$(grep -cv Terminated "$checks/$name.err")" -eq 0 ] && [ "$rows" -eq 1 ] &&
        [ "$(count "$expected" "$checks/$name.csv")" -eq 1 ] && [ "$(count '^set,name,' "$checks/$name.csv")" -eq 1 ]; then
        pass "$name" "$(cat "$checks/$name.out"), exit code $got; $(grep '^NVTX,step' "$checks/$name.csv")"
    else
        fail "$name" "exit code $got, alone $alone, expected $code; a row $expected, and 10 kernels in $(grep '^NVTX,step' \
            "$checks/$name.csv")"
        show "$checks/$name.out"
        show "$checks/$name.err"
        show "$checks/$name.csv"
    fi
}

both="CUDA_INJECTION64_PATH=$inject NVTX_INJECTION64_PATH=$inject"
launches='^CUDA API,cu(da)?LaunchKernel,10,'
for kind in static shared; do
    # shellcheck disable=SC2086 # two settings
    {
        check "variables_$kind" "plain_$kind" returns 3 "$launches" $both
        check "forks_$kind" "plain_$kind" forks 3 "$launches" $both
        check "killed_$kind" "plain_$kind" killed 143 "$launches" $both
        check "stint_$kind" "plain_with_${kind}_stint" returns 3 '^GlobalStatInfo,work,1,' $both
        check "stint_exits_$kind" "plain_with_${kind}_stint" exits 3 '^GlobalStatInfo,work,1,' "LD_PRELOAD=$inject"
    }
    check "preloaded_$kind" "plain_$kind" returns 3 "$launches" "LD_PRELOAD=$inject"
    check "exits_$kind" "plain_$kind" exits 3 "$launches" "LD_PRELOAD=$inject"
done

# Without a device, a program fails as it does alone, with at most one line from stint.
# shellcheck disable=SC2086
limit 60 env CUDA_VISIBLE_DEVICES= STINT_REPORT=csv $both "$programs/plain_static" >"$checks/none.out" 2>"$checks/none.err"
code=$?
if [ $code -eq 4 ] && [ "$(cat "$checks/none.out")" = "no CUDA" ] && [ "$(wc -l <"$checks/none.err")" -le 1 ]; then
    pass no_gpu_visible "$(wc -l <"$checks/none.err") lines: $(cat "$checks/none.err")"
else
    fail no_gpu_visible "exit code $code, expected 4, and at most one line:"
    show "$checks/none.err"
fi

finish 0
