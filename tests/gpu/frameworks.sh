#!/bin/sh
# frameworks.sh FOLDER [NAME...] - runs the Python programs of the folder frameworks, or only those that are named, on a
# machine with an NVIDIA GPU and with a build of stint in FOLDER: alone, with a counter that uses CUPTI alone
# (counter.cpp), with stint injected, and under `stint run`. With stint, output and exit code have to be the same as alone,
# and stint's numbers the same as the counter's; what `stint run` prints has to fit a screen. Programs whose framework is
# not installed are skipped. Its output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks frameworks "${1-}"
[ $# -eq 0 ] || shift
# shellcheck source=tests/gpu/against_counter.sh
. "$here/against_counter.sh"

begin_injecting
build_counter

python=${STINT_PYTHON:-python3}
gpus=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)

# What compilers and tuners choose is kept, so that each run of a program launches the same kernels.
XLA_FLAGS=--xla_gpu_autotune_level=0
XLA_PYTHON_CLIENT_PREALLOCATE=false
TORCHINDUCTOR_CACHE_DIR=$checks/inductor
TRITON_CACHE_DIR=$checks/triton
CUPY_CACHE_DIR=$checks/cupy
export XLA_FLAGS XLA_PYTHON_CLIENT_PREALLOCATE TORCHINDUCTOR_CACHE_DIR TRITON_CACHE_DIR CUPY_CACHE_DIR

# check_screen NAME - checks what `stint run` printed by default.
check_screen()
{
    lines=$(wc -l <"$checks/$1.screen")
    widest=$(awk '{ if (length($0) > widest) widest = length($0) } END { print widest + 0 }' "$checks/$1.screen")
    if [ "$2" -eq "$alone" ] && cmp -s "$checks/$1.alone" "$checks/$1.run" && [ "$lines" -gt 0 ] && [ "$lines" -le 60 ]; then
        pass "screen_$1" "exit code $2, $lines lines of at most $widest columns"
    else
        fail "screen_$1" "exit code $2, alone $alone, $lines lines"
        show "$checks/$1.run.err"
        show "$checks/$1.screen"
    fi
}

# check_names NAME - checks that ranges of XLA are in that screen by their names, without the data in their texts.
check_names()
{
    [ -f "$checks/$1.screen" ] || return
    if grep -q 'XlaModule jit_step' "$checks/$1.screen" && ! grep -q '#[a-z_]*=' "$checks/$1.screen"; then
        pass "names_$1" "$(grep -c 'Xla\|Thunk' "$checks/$1.screen") rows of XLA"
    else
        fail "names_$1" "the ranges of XLA are not called by their names"
        show "$checks/$1.screen"
    fi
}

# check_collectives NAME - checks that NCCL's ranges end, and what they carry: of each of the two ranks, the bytes of its
# all-reduces.
check_collectives()
{
    [ -f "$checks/$1.screen" ] || return
    rows=$(cat "$checks/$1".report.* | grep -c '^ncclAllReduce,.*[Bb]ytes\|^ncclAllReduce,.*[Ss]ize')
    if [ "$rows" -eq 2 ] && ! grep -q 'still open\|still running' "$checks/$1.screen"; then
        pass "collectives_$1" "$(cat "$checks/$1".report.* | grep '^ncclAllReduce,.*[Bb]ytes\|^ncclAllReduce,.*[Ss]ize' | head -n 1)"
    else
        fail "collectives_$1" "$rows rows of all-reduces' bytes, expected 2; or a range never ended"
        show "$checks/$1.screen"
    fi
}

# try NAME MODULE COMMAND...
try()
{
    name=$1
    module=$2
    shift 2
    case $wanted in *" $name "*) ;; *) return ;; esac
    if ! "$python" -c "import importlib.util as u; raise SystemExit(u.find_spec('$module') is None)" 2>/dev/null; then
        skip "$name" "Python has no $module here"
        return
    fi
    # The first run may compile and tune, and so launches kernels that later runs do not.
    limit 120 "$build/bin/stint" run --log-file "$checks/$name.screen" "$@" >"$checks/$name.run" 2>"$checks/$name.run.err"
    under_stint=$?
    check "$name" "$@" # sets alone
    check_screen "$name" $under_stint
}

[ $# -gt 0 ] || set -- jax_step cupy_arrays numba_kernels triton_kernel autograd compiled_graphs loader_workers \
    spawned_processes generated_tokens data_parallel
wanted=" $* "

folder=$here/frameworks
try jax_step jax "$python" "$folder/jax_step.py"
check_names jax_step
try cupy_arrays cupy "$python" "$folder/cupy_arrays.py"
try numba_kernels numba "$python" "$folder/numba_kernels.py"
try triton_kernel triton "$python" "$folder/triton_kernel.py"
try autograd torch "$python" "$folder/autograd.py"
try compiled_graphs torch "$python" "$folder/compiled_graphs.py"
try loader_workers torch "$python" "$folder/loader_workers.py"
try spawned_processes torch "$python" "$folder/spawned_processes.py"
try generated_tokens transformers "$python" "$folder/generated_tokens.py"
if [ "$gpus" -ge 2 ]; then
    try data_parallel torch "$python" -m torch.distributed.run --standalone --nproc-per-node 2 "$folder/data_parallel.py"
    check_collectives data_parallel
else
    skip data_parallel "needs two GPUs"
fi

finish 0
