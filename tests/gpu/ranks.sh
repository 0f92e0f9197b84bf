#!/bin/sh
# ranks.sh FOLDER - two ranks on two GPUs, with a build of stint in FOLDER: data-parallel training of PyTorch under
# torchrun, and a program that uses NCCL itself (nccl.c), each under `stint run` with a recording for each rank. Rank 1
# is slow on purpose. Checks that output is that of the programs alone, that `stint merge` has one table of both ranks,
# that most of the all-reduces' time is waiting, of rank 0, and that their kernels end together on the merged timeline.
# Its output and exit code are like those of run.sh.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks ranks "${1-}"

begin_injecting
python=${STINT_PYTHON:-python3}
stint=$build/bin/stint
NCCL_NVLS_ENABLE=0 # multicast over NVLink needs rights that containers may not have
export NCCL_NVLS_ENABLE
if [ "$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)" -lt 2 ]; then
    lack gpus "needs two GPUs"
    finish 77
fi

# check_ranks NAME - checks the recordings NAME.*.sqlite.
check_ranks()
{
    "$stint" merge "$checks/$1".*.sqlite >"$checks/$1.log" 2>&1
    expect_line "$1" $? '^stint: .*2 ranks, '
    waiting=$(sed -n 's/^waiting: ncclDevKernel_AllReduce[^,]*, \([0-9]*\)[.0-9]* % of .*; rank 0 most.*/\1/p' "$checks/$1.log")
    if [ "${waiting:-0}" -ge 60 ]; then
        pass "waits_$1" "$(grep '^waiting: ncclDevKernel_AllReduce' "$checks/$1.log")"
    else
        fail "waits_$1" "rank 0 does not wait for most of its all-reduces"
        show "$checks/$1.log" 30
    fi
    "$stint" merge "$checks/$1".*.sqlite -o "$checks/$1-all.sqlite" >"$checks/$1.merged" 2>&1
    "$python" "$here/ranks.py" "$checks/$1-all.sqlite" >"$checks/timeline_$1.log" 2>&1
    expect_line "timeline_$1" $? '^[0-9]+ collectives of both ranks end '
}

if "$python" -c 'import torch' 2>/dev/null; then
    train="$python -m torch.distributed.run --standalone --nproc-per-node 2 $here/frameworks/data_parallel.py slow"
    limit 60 $train >"$checks/ddp.alone" 2>"$checks/ddp.alone.err"
    limit 90 "$stint" run --ops --report off --store "$checks/ddp.%p.sqlite" $train >"$checks/ddp.run" 2>"$checks/ddp.err"
    if [ $? -eq 0 ] && [ -s "$checks/ddp.run" ] && cmp -s "$checks/ddp.alone" "$checks/ddp.run"; then
        pass alone_ddp "it prints $(cat "$checks/ddp.run"), as alone"
    else
        fail alone_ddp "its output or exit code is not that of the program alone"
        show "$checks/ddp.err"
    fi
    check_ranks ddp
else
    skip ddp "Python has no torch here"
fi

if "$nvcc" -o "$checks/nccl" "$here/nccl.c" -lnccl 2>"$checks/nccl.build"; then
    for rank in 0 1; do
        RANK=$rank WORLD_SIZE=2 limit 60 "$stint" run --report off --store "$checks/nccl.%p.sqlite" \
            "$checks/nccl" "$checks/id" >"$checks/nccl.$rank" 2>"$checks/nccl.$rank.err" &
    done
    wait
    if [ "$(cat "$checks/nccl.0" "$checks/nccl.1" | grep -c '^rank [01]: 40 rounds, ')" -eq 2 ]; then
        pass alone_nccl "both ranks end"
    else
        fail alone_nccl "a rank did not end"
        show "$checks/nccl.0.err"
        show "$checks/nccl.1.err"
    fi
    check_ranks nccl
else
    skip nccl "there is no NCCL to compile with"
fi

finish 0
