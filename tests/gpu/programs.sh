#!/bin/sh
# programs.sh FOLDER - runs programs.cu, which does what real CUDA programs do, on a machine with an NVIDIA GPU: plain,
# with a counter that uses CUPTI alone (counter.cpp), and with libstint_inject.so from a build in FOLDER. With stint,
# output and exit code have to be the same as alone, and stint's numbers the same as the counter's. Its output and exit
# code are like those of run.sh; bench.sh says what launches cost.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# shellcheck source=tests/gpu/lib.sh
. "$here/lib.sh"
begin_checks programs "${1-}"
# shellcheck source=tests/gpu/against_counter.sh
. "$here/against_counter.sh"

begin_injecting
build_counter
build_programs
pass build "$(took) s"

for case in cooperative dynamic loop compile managed passes map ipc pool assert; do
    check "$case" "$program" "$case"
done
# Three times 64 MiB there and back, in a program that begins to use CUDA after stint: no byte more or less. Then it ends
# at once, although CUPTI takes two seconds to disable the records of unified memory in a program that uses none.
limit 60 env "CUDA_INJECTION64_PATH=$inject" STINT_GPU=on STINT_REPORT=nvprof "$program" passes >"$checks/bytes.log" 2>&1
code=$?
for direction in "Host To Device" "Device To Host"; do
    cp "$checks/bytes.log" "$checks/bytes_${direction%% *}.log"
    expect_line "bytes_${direction%% *}" $code "192\\.0*MB .*$direction"
done
expect_line bytes $code "Gpu page fault groups"
limit 60 env "CUDA_INJECTION64_PATH=$inject" STINT_GPU=on STINT_REPORT=summary "$program" passes >"$checks/screen.log" 2>&1
code=$?
cp "$checks/screen.log" "$checks/screen_back.log"
expect_line screen $code " 201\\.327 .*GPU 0 Host To Device"
expect_line screen_back $code " 201\\.327 .*GPU 0 Device To Host"
began_ms=$(date +%s%3N)
limit 60 "$program" loop >"$checks/end.log" 2>&1
alone_ms=$(($(date +%s%3N) - began_ms))
limit 60 env "CUDA_INJECTION64_PATH=$inject" STINT_GPU=on STINT_REPORT=summary "$program" loop >>"$checks/end.log" 2>&1
code=$?
stint_ms=$(($(date +%s%3N) - began_ms - alone_ms))
echo "ms alone, with stint: $alone_ms, $stint_ms" >>"$checks/end.log"
expect_line end $((code || stint_ms > alone_ms + 1500)) "^ms alone"

# The kernel whose assertion fails has no times, or no record, and what was launched before may not have one, either.
limit 60 env "CUDA_INJECTION64_PATH=$inject" STINT_GPU=on STINT_REPORT=gpu "$program" assert >"$checks/named.log" 2>&1
expect_line named $(($? != 7)) '^GPU: [1-3] launch.* not measured: .*[0-9] [^,]*expects\(int const\*, int\)'
check replay "$program" replay 100
for count in 1 4 8; do
    check "threads_$count" "$program" threads "$count"
done

# The kernels of programs.cu are static, and relocatable device code gives such kernels names with the file's in them.
# Reports have the mangled name beside the one that people read.
if sed 's/"mangled":"[^"]*"//' "$checks"/*.report.* | grep '__nv_static_\|_INTERNAL_\|_GLOBAL__N_' >"$checks/names.log"; then
    fail names "some are the compiler's: $(head -n 1 "$checks/names.log")"
else
    pass names "$(sed -n 's/.*,\([^,]*nothing()\)$/\1/p' "$checks/threads_1".report.* | head -n 1)"
fi

finish 0
