#!/bin/sh
# ops.sh FOLDER [PART...] - operations of PyTorch, on a machine with an NVIDIA GPU and PyTorch, with a build of stint in FOLDER:
# records training steps of ResNet-50 and of a GPT in fp32, tf32, fp16 and bf16 under `stint run --ops`, and checks that
#
#     covered    99 % of the GPU's time have an operation, a layer and a direction
#     same       a trace that torch.profiler wrote of the same program has the same roll-up
#     tensor     Tensor Cores were used where Nsight Compute counted their instructions, for 95 % of the time
#     gemm       products of bf16 matrices took as long as CUDA events say, within 3 %
#     flops      FLOPs of operations whose formulas are difficult are those computed by hand
#     layers     products of the forward pass that torch.compile compiled are in the layers of the network, also where
#                TorchInductor takes the code from its cache
#     programs   programs that compile, capture graphs, fork, and use PyTorch's profilers print what they print alone
#
#     jax        products of a program of JAX, which XLA compiles, have the FLOPs computed by hand, also where it takes
#                them from its cache, and where recording begins when they are compiled
#
# or only the parts that are named. OPS_CASES are the cases, "resnet50:fp32 gpt:bf16", and OPS_SAME those that are compared
# with torch.profiler; all by default. OPS_NCU_SECONDS are what Nsight Compute may take for a case, 150. Recordings stay in FOLDER/checks/ops. Its output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks ops "${1-}"
[ $# -eq 0 ] || shift

begin_injecting
python=${STINT_PYTHON:-python3}
stint=$build/bin/stint
ncu=$(find_tool ncu /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu)
[ $# -gt 0 ] || set -- covered same tensor gemm flops layers programs jax
parts=" $* "
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

wanted()
{
    case $parts in *" $1 "*) true ;; *) false ;; esac
}

# record NAME ARGUMENTS... - runs the program under stint, and keeps the recording as NAME.sqlite.
record()
{
    name=$1
    shift
    limit 120 "$stint" run --ops --report off ${options-} --store "$checks/$name.sqlite" "$python" \
        "$here/${program_file-ops_torch.py}" "$@" \
        >"$checks/$name.out" 2>"$checks/$name.err"
    code=$?
    sed 's/^/    /' "$checks/$name.err" | cut -c 1-300 | tail -n 8
    [ $code -eq 0 ] || fail "record_$name" "exit code $code"
    return $code
}

# judge NAME CHECK ARGUMENTS... - one of ops_check.py's.
judge()
{
    name=$1
    shift
    if "$python" "$here/ops_check.py" "$stint" "$@" >"$checks/$name.log" 2>&1; then
        pass "$name" "$(head -n 1 "$checks/$name.log")"
    else
        fail "$name" "$(head -n 1 "$checks/$name.log")"
    fi
    sed 1d "$checks/$name.log" | cut -c 1-260
}

if wanted tensor; then
    if [ -z "$ncu" ]; then
        lack ncu "Nsight Compute is not here"
        parts=$(echo "$parts" | sed 's/ tensor / /')
    else
        chip=$("$python" -c 'import torch
print({8: "ga100", 9: "gh100"}.get(torch.cuda.get_device_capability()[0], ""))')
        "$ncu" --query-metrics ${chip:+--chip "$chip"} >"$checks/metrics" 2>&1
        counters=$(awk '/^sm__inst_executed_pipe_tensor(_op_hmma_type_hfma2)? / { print $1 ".sum" }' "$checks/metrics" |
            paste -s -d ,)
        echo "    counters: $counters"
    fi
fi

all=
for model in resnet50 gpt; do
    for type in fp32 tf32 fp16 bf16; do
        all="$all $model:$type"
    done
done
for case in ${OPS_CASES-$all}; do
    name=${case%:*}_${case#*:}
    record "$name" "$case" && wanted covered && judge "covered_$name" covered "$checks/$name.sqlite"
done

for case in ${OPS_SAME-$all}; do
    name=${case%:*}_${case#*:}
    wanted same && [ -f "$checks/$name.sqlite" ] || continue
    limit 120 "$python" "$here/ops_torch.py" "$case" --trace "$checks/$name.json.gz" \
        >"$checks/$name.trace.log" 2>&1 || show "$checks/$name.trace.log"
    judge "same_$name" same "$checks/$name.sqlite" "$checks/$name.json.gz"
done

if wanted gemm && record gemm gemm:bf16 --steps 2; then
    judge gemm events "$checks/gemm.sqlite" "$checks/gemm.out"
fi

if wanted flops; then
    program_file=flops.py
    record flops && judge flops flops "$checks/flops.sqlite" "$checks/flops.out"
    unset program_file
fi

if wanted layers; then
    TORCHINDUCTOR_CACHE_DIR=$checks/inductor
    export TORCHINDUCTOR_CACHE_DIR
    rm -rf "$TORCHINDUCTOR_CACHE_DIR"
    record layers compiled --steps 5 && judge layers layers "$checks/layers.sqlite" 0
    record layers_cached compiled --steps 5 && judge layers_cached layers "$checks/layers_cached.sqlite" 99
    unset TORCHINDUCTOR_CACHE_DIR
fi

if wanted programs; then
    for program in compiled graphs loader; do
        "$python" "$here/ops_torch.py" "$program" --steps 5 >"$checks/$program.alone" 2>"$checks/$program.alone.err"
        alone=$?
        record "$program" "$program" --steps 5
        if [ $code -eq $alone ] && cmp -s "$checks/$program.alone" "$checks/$program.out"; then
            pass "alone_$program" "exit code $code, $(wc -l <"$checks/$program.out") lines"
        else
            fail "alone_$program" "exit code $code, alone $alone"
            show "$checks/$program.alone.err"
            diff "$checks/$program.alone" "$checks/$program.out"
        fi
        if [ "$program" = loader ]; then # the only one that begins torch.profiler, once for each step
            told=$(grep -c "^stint: torch.profiler sees nothing of the GPU here" "$checks/$program.err")
            [ "$told" -eq 1 ] && pass profiler "told once" || fail profiler "told $told times that CUPTI is taken"
        fi
        "$stint" ops "$checks/$program.sqlite" --by op 2>&1 | cut -c 1-200 | head -n 12
        "$stint" ops "$checks/$program.sqlite" -c layer,dir,op,kernel,params,tc,sil 2>/dev/null | sort | uniq -c | sort -rn |
            cut -c 1-260 | head -n 25
    done
fi

# Without CUDA graphs, whose nodes for cuBLAS cannot be told.
if wanted jax && "$python" -c 'import jax' 2>/dev/null; then
    XLA_FLAGS=--xla_gpu_enable_command_buffer=
    program_file=frameworks/jax_step.py
    export XLA_FLAGS
    record jax && judge jax jax "$checks/jax.sqlite"
    options='--from-start off'
    record jax_late --window && judge jax_late jax "$checks/jax_late.sqlite" 10
    unset options
    JAX_COMPILATION_CACHE_DIR=$checks/jax_cache
    JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0
    JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES=-1
    export JAX_COMPILATION_CACHE_DIR JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES
    rm -rf "$JAX_COMPILATION_CACHE_DIR"
    "$python" "$here/$program_file" >"$checks/jax_fill.out" 2>&1
    record jax_cached && judge jax_cached jax "$checks/jax_cached.sqlite"
    unset XLA_FLAGS program_file JAX_COMPILATION_CACHE_DIR
fi

# Kernels are known by their names. A case that takes too long takes no other with it.
if wanted tensor; then
    for case in ${OPS_CASES-$all}; do
        name=${case%:*}_${case#*:}
        [ -f "$checks/$name.sqlite" ] || continue
        limit "${OPS_NCU_SECONDS-150}" "$ncu" --csv --metrics "$counters" --clock-control none --cache-control none \
            --profile-from-start off --print-kernel-base mangled --log-file "$checks/counted_$name.csv" \
            "$python" "$here/ops_torch.py" "$case" --steps 2 --window >"$checks/ncu_$name.log" 2>&1 ||
            show "$checks/ncu_$name.log" 5
        judge "tensor_$name" tensor "$checks/$name.sqlite" "$checks/counted_$name.csv"
    done
fi

finish 0
