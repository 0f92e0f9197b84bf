#!/bin/sh
# stint nvprof: nvprof's command lines, and its lines on stderr.
. "$(dirname -- "$0")/lib.sh"

# recorded NAME... - a program that leaves these reports of the golden files as those of its processes: the first as its
# own, the others as they are.
recorded()
{
    echo "folder=\$(dirname \"\$STINT_OUTPUT\")"
    # shellcheck disable=SC2016
    echo 'sed "s/\"pid\":4711,/\"pid\":$$,/"' "'$GOLDEN/report_json_$1.json' >\"\$folder/1.json\""
    shift
    for name in "$@"; do
        echo "cp '$GOLDEN/report_json_$name.json' \"\$folder/$name.json\""
    done
}

# same_but_pid FILE GOLDEN - compares, whatever the process id.
same_but_pid()
{
    sed -E 's/==[0-9]{2,}==/==PID==/; s/process [0-9]+,/process PID,/' "$1" >masked
    if [ "${STINT_RECORD_GOLDEN-}" = 1 ]; then
        cp masked "$GOLDEN/$2"
    fi
    diff "$GOLDEN/$2" masked || complain "$1 differs from tests/golden/$2"
}

# ------------------------------------------------------------------------------------------------------------- programs

lines_are_nvprofs()
{
    recorded gpu >script
    stint nvprof sh ./script 2>err
    same "the exit code" $? 0
    same_but_pid err cli_nvprof.txt
}

program_without_cuda_is_one_warning()
{
    STINT_GPU=off stint nvprof "$SUBJECT" a 1 told >out 2>err
    same "the exit code" $? 3
    same "stdout" "$(cat out)" "told"
    same "the number of lines" "$(wc -l <err)" 3
    grep -Eqx '==([0-9]+)== NVPROF is profiling process \1, command: .*subject a 1 told' err || complain "$(cat err)"
    has err "======== Warning: No CUDA application was profiled, exiting"
    has err "======== Error: Application returned non-zero code 3"
}

signal_is_told_and_the_programs()
{
    # shellcheck disable=SC2016
    "$SUBJECT" end "$STINT" nvprof sh -c 'kill -TERM $$' >out 2>err
    same "its end" "$(cat out)" "signal 15"
    has err "======== Error: Application received signal 143"
}

program_that_cannot_be_run_is_not_profiled()
{
    stint nvprof ./nothing 2>err
    same "the exit code" $? 127
    has err "======== cannot run ./nothing: No such file or directory"
    lacks err "NVPROF is profiling"
}

link_named_nvprof_is_nvprof()
{
    ln -s "$STINT" nvprof
    ./nvprof --csv sh -c 'exit 5' 2>err
    same "the exit code" $? 5
    has err "NVPROF is profiling process"
    ./nvprof --metrix x 2>err
    has err "======== Error: there is no option --metrix; did you mean --metrics?"
    ./nvprof --version >out
    has out "stint "
}

children_are_profiled_only_when_asked_for()
{
    recorded training gpu >script
    stint nvprof sh ./script 2>err
    has err "======== Warning: No CUDA application was profiled, exiting"
    has err "======== Warning: 1 more process used CUDA: add --profile-child-processes"
    lacks err "Profiling result"
    stint nvprof --profile-child-processes sh ./script 2>err
    has err "==4711== NVPROF is profiling process 4711, command: ./train --gpus 2"
    has err "==4711== Profiling result:"
    lacks err "Warning: No CUDA"
    lacks err "1 more process"
}

# -------------------------------------------------------------------------------------------------------------- options

options_without_a_meaning_are_one_warning_each()
{
    stint nvprof --replay-mode application --replay-mode application --devices 1 --concurrent-kernels on true 2>err
    lines err "======== Warning: --replay-mode: each kernel that is counted is replayed" 1
    lines err "======== Warning: --devices: " 1
    lacks err "--concurrent-kernels"
}

metrics_are_counted_by_their_old_names()
{
    [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI" STINT_MODULE="$MODULE"
    MOCK_COUNTERS=smsp__sass_thread_inst_executed_op_fadd_pred_on.sum=7 stint nvprof --metrics flop_count_sp_add,ipc \
        "$PLAIN" cuda 2>err
    same "the exit code" $? 0
    has err "Metric result:"
    has err "    Kernel: kernel"
    has err "          3                         flop_count_sp_add  fp32 additions"
    lacks err "GPU activities"
    stint nvprof --quiet --metrics all --events all -o m.prof "$PLAIN" cuda 2>err
    same "the exit code" $? 0
    same "stderr" "$(cat err)" ""
    stint nvprof -i m.prof --csv --metrics gld_efficiency 2>err
    has err '"kernel",3,"gld_efficiency","bytes used of the sectors that global loads take",61.000000,'
    stint nvprof -i m.prof 2>err
    has err "    Kernel: kernel"
    has err "gld_efficiency"
    lacks err "were not measured"
    stint nvprof -i m.prof --print-gpu-summary 2>err
    has err "Profiling result:"
    lacks err "were not measured"
    lacks err "Metric result:"
    MOCK_CUPTI=range_enable=35 stint nvprof --quiet --metrics all "$PLAIN" cuda 2>err
    same "the exit code" $? 4
    has err "======== no counters were read: the NVIDIA driver lets only administrators read"
    export STINT_INJECT_LIBRARY="$INJECT"
    unset STINT_MODULE
}

counters_that_cannot_be_read_are_errors()
{
    refused "--metrics ecc_transactions: there is no such metric" nvprof --quiet --metrics ecc_transactions touch ran
    stint nvprof --quiet --metrics all true 2>err
    same "the exit code" $? 4
    has err "no counters were read: no kernel was launched"
    stint nvprof --query-metrics >out
    has out "                   flop_count_sp:  fp32 operations"
    has out "                  speed-of-light:  gpu__time_duration.sum"
}

metrics_of_the_device_are_listed()
{
    [ -n "${CUPTI-}" ] || return
    export STINT_CUPTI_PATH="$CUPTI" LD_LIBRARY_PATH="${CUPTI%/*}"
    CUDA_VISIBLE_DEVICES='' stint nvprof --query-metrics >out
    same "the exit code" $? 0
    has out "Metrics of the device are not listed: there is no GPU: CUDA_VISIBLE_DEVICES hides them all; unset it"
    stint nvprof --query-metrics >out
    same "the exit code" $? 0
    has out "Ratios: with .ratio, .pct or .max_rate"
    has out "    lts__t_sector_hit_rate:  what the mock counts"
    has out "    sm__throughput:  what the mock counts"
    MOCK_CUPTI=range_initialize=2 stint nvprof --query-metrics >out
    has out "Metrics of the device are not listed: cuptiProfilerInitialize failed with 2"
    unset STINT_CUPTI_PATH LD_LIBRARY_PATH
}

options_become_what_is_recorded()
{
    stint nvprof -q env >out
    has out "STINT_GPU=all"
    lacks out "STINT_GPU_TRACE="
    lacks out "STINT_FROM_START="
    stint nvprof -q --profile-api-trace none --print-gpu-trace --profile-from-start off -t 7 env >out
    has out "STINT_GPU=kernels"
    has out "STINT_GPU_TRACE=1048576"
    has out "STINT_FROM_START=off"
    has out "STINT_DURATION=7"
    lacks out "STINT_GPU_UNIFIED_MEMORY="
    stint nvprof -q --unified-memory-profiling off env >out
    has out "STINT_GPU_UNIFIED_MEMORY=off"
    STINT_GPU=on stint nvprof -q env >out
    has out "STINT_GPU=on"
    STINT_GPU_TRACE=50 stint nvprof -q --print-api-trace env >out
    has out "STINT_GPU_TRACE=50"
}

every_mode_prints_its_report()
{
    cp "$GOLDEN/report_json_gpu.json" x
    for pair in -s:nvprof --print-gpu-summary:nvprof-gpu --print-api-summary:nvprof-api \
        --print-summary-per-gpu:nvprof-per-gpu --print-gpu-trace:gpu-trace --print-api-trace:api-trace \
        "--print-gpu-trace --print-api-trace:gpu-api-trace" "--print-gpu-summary --print-api-summary:nvprof"; do
        # shellcheck disable=SC2086 # several words
        for csv in "" --csv; do
            stint nvprof -i x ${pair%:*} $csv 2>err
            sed 's/==4711==/========/' "$(report "${pair#*:}" "$csv")" >expected
            cmp -s expected err || complain "${pair%:*} $csv is not the report ${pair#*:}"
        done
    done
}

# report NAME [--csv] - a file with that report of the golden program.
report()
{
    echo "cp '$GOLDEN/report_json_gpu.json' \"\$(dirname \"\$STINT_OUTPUT\")/1.json\"" >script
    # shellcheck disable=SC2046 # none, or two words
    stint run --report "$1" $([ -z "$2" ] || echo --format csv) sh ./script 2>report
    echo report
}

units_and_names_are_as_asked_for()
{
    cp "$GOLDEN/report_json_gpu.json" x
    stint nvprof -i x -u us 2>err
    has err "644444.000us"
    stint nvprof -i x --demangling off 2>err
    has err "_Z"
    lacks err "void convolve"
    stint nvprof -i x --demangling off --print-gpu-trace 2>err
    has err "_Z"
    lacks err "void convolve"
}

# ---------------------------------------------------------------------------------------------------------------- files

log_file_has_all_lines()
{
    recorded gpu >script
    stint nvprof --log-file log --replay-mode x sh ./script 2>err
    same "stderr" "$(cat err)" ""
    sed 1d log >rest
    has log "======== Warning: --replay-mode"
    same_but_pid rest cli_nvprof.txt
    stint nvprof --log-file %1 sh ./script >out 2>err
    same "stderr" "$(cat err)" ""
    same_but_pid out cli_nvprof.txt
    HOME=h stint nvprof --log-file 'log.%p.%q{HOME}%%' sh ./script 2>err
    same_but_pid "$(ls log.*%)" cli_nvprof.txt
}

quiet_prints_nothing()
{
    recorded gpu >script
    stint nvprof -q --replay-mode x sh ./script 2>err
    same "stderr" "$(cat err)" ""
    stint nvprof -q sh -c 'exit 4' 2>err
    same "the exit code" $? 4
    same "stderr" "$(cat err)" ""
}

profile_is_kept_and_printed_again()
{
    recorded gpu >script
    stint nvprof -o x.prof sh ./script 2>err
    same "the number of lines" "$(wc -l <err)" 2
    grep -Eqx '==[0-9]+== Generated result file: x.prof' err || complain "$(cat err)"
    stint nvprof --import-profile x.prof 2>err
    sed 's/==PID==/========/; 1d' "$GOLDEN/cli_nvprof.txt" >expected
    diff expected err || complain "what is printed again differs"
    stint nvprof --import-profile x.prof --log-file 'again.%p' 2>err
    same "stderr" "$(cat err)" ""
    diff expected "$(ls again.[1-9]*)" || complain "what is printed to a file differs"
    refused "x.prof exists; --force-overwrite replaces it" nvprof -o x.prof touch ran
    stint nvprof -f -o x.prof --print-gpu-summary sh ./script 2>err
    has err "Generated result file: x.prof"
    has err "GPU activities:"
    lacks err "API calls:"
}

profiles_of_children_have_names_of_their_own()
{
    recorded gpu gpu_extreme >script
    stint nvprof --profile-child-processes -o 'x.%p' sh ./script 2>err
    lines err "Generated result file: x." 2
    same "the number of profiles" "$(ls x.* | wc -l)" 2
}

file_that_is_no_profile_is_told()
{
    stint nvprof -i nothing 2>err
    same "the exit code" $? 1
    has err "======== Error: nothing: "
    printf 'SQLite format 3\0more' >old.nvvp
    stint nvprof -i old.nvvp 2>err
    same "the exit code" $? 1
    has err "======== Error: old.nvvp: "
}

databases_of_nvprof_are_printed()
{
    "$DATABASE" old.nvvp <"$FOREIGN/nvprof.sql"
    stint nvprof -i old.nvvp 2>err || complain "it failed"
    has err "======== Profiling result:"
    has err "  26.000us         1  26.000us  26.000us  26.000us  [CUDA memcpy DtoH]"
    has err "========       Range \"batch\""
    stint nvprof --print-gpu-trace -i old.nvvp 2>err || complain "it failed"
    lines err "axpy(float, float*, float*, int) [" 2
    has err "Tesla V100- (0)"
}

# ---------------------------------------------------------------------------------------------------------- a whole run

# Real injection into a program that nobody recompiled, with a CUDA that needs no GPU.
cuda_program_is_profiled()
{
    [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    stint nvprof "$PLAIN" cuda 2>err
    same "the exit code" $? 0
    has err "== Profiling application: $PLAIN cuda"
    has err " GPU activities:  100.00%  6.0000us         3  2.0000us  2.0000us  2.0000us  kernel"
    grep -Eq '^( +API calls:)? +[0-9.]+%.* 3 .* cudaLaunchKernel$' err || complain "no launches: $(cat err)"
    has err '==       Range "step"'
    lines err " GPU activities:  100.00%  6.0000us         3  2.0000us  2.0000us  2.0000us  kernel" 2
    stint nvprof --print-gpu-trace --print-api-trace "$PLAIN" cuda 2>err
    lines err "             (1 1 1)        (32 1 1)" 3
    lines err "cudaLaunchKernel (kernel [" 3
    stint nvprof --print-gpu-summary "$PLAIN" nvtx 2>err
    has err "======== Warning: No CUDA application was profiled, exiting"
    export STINT_INJECT_LIBRARY="$INJECT"
}

# Three passes over 64 MiB.
managed_memory_is_shown_where_it_moved()
{
    [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    stint nvprof -o m.prof -s "$PLAIN" cuda_managed 2>err
    stint nvprof -i m.prof 2>again
    for file in err again; do
        has "$file" "Unified Memory profiling result:"
        has "$file" 'Device "Mock GPU (0)"'
        has "$file" "      96  2.0000MB  1.0000MB  3.0000MB  192.0000MB  201.3266ms  Host To Device"
        has "$file" "      96  2.0000MB  1.0000MB  3.0000MB  192.0000MB  201.3266ms  Device To Host"
        has "$file" "      96         -         -         -           -       384ns  Gpu page fault groups"
        grep -Eq ' 1 .* Memory thrashes$' "$file" || complain "no thrashing: $(cat "$file")"
        has "$file" "Total CPU Page faults: 96"
    done
    stint stats --report um_total_sum:csv m.prof >out
    has out "201.327,201.327,96,384,"
    stint stats --report um_sum:csv m.prof >out
    same "MB of all addresses, each rounded" "$(awk -F, '{to += $2; from += $3; host += $4; device += $5; rows++}
        END {printf "%.3f %.3f %d %d %d", to, from, host, device, rows - 1}' out)" "201.328 201.328 96 384 32"
    stint report m.prof -o m.html
    same "bytes and faults on the page" "$(sed -n 's/.*"activities":{.*"bytes":\[\([0-9,]*\)\]},.*/\1/p' m.html |
        tr , '\n' | sort -n | tail -4 | tr '\n' ' ')" "96 384 201326592 201326592 "
    stint nvprof --unified-memory-profiling off "$PLAIN" cuda_managed 2>err
    has err "GPU activities:"
    lacks err "Unified Memory"
    stint nvprof "$PLAIN" cuda 2>err
    lacks err "Unified Memory"
    for report in summary gpu; do
        stint run --report $report "$PLAIN" cuda_managed 2>err
        has err "Count  Bytes(MB)   Avg(kB)   Min(kB)   Max(kB)  Time(ms)  Unified memory"
        has err "   96    201.327  2097.152  1048.576  3145.728   201.327  GPU 0 Host To Device"
        has err "   96    201.327  2097.152  1048.576  3145.728   201.327  GPU 0 Device To Host"
        has err "  384          -         -         -         -  0.000384  GPU 0 page faults"
        has err "    1          -         -         -         -  0.004096  GPU 0 thrashing"
        has err "   96          -         -         -         -         -  CPU page faults"
    done
    stint run "$PLAIN" cuda 2>err
    lacks err "Unified Memory"
    export STINT_INJECT_LIBRARY="$INJECT"
}

# What PyProf's users type, and nvvp's: ranges and calls as they happened, not only their sums.
profile_has_every_event()
{
    [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    stint nvprof -f -o net.sql --profile-from-start on -- "$PLAIN" cuda 2>err
    lines err "Generated result file: net.sql" 1
    stint export net.sql --format chrome -o net.json
    lines net.json '"cat": "kernel"' 3
    lines net.json '"cat": "cuda_runtime", "name": "cudaLaunchKernel"' 3
    lines net.json '"name": "step"' 3
    stint nvprof -i net.sql --print-gpu-trace 2>err
    lines err "             (1 1 1)        (32 1 1)" 3
    same "what is left beside it" "$(ls -d net.sql?* 2>/dev/null)" ""
    export STINT_INJECT_LIBRARY="$INJECT"
}

run_tests lines_are_nvprofs program_without_cuda_is_one_warning signal_is_told_and_the_programs \
    program_that_cannot_be_run_is_not_profiled link_named_nvprof_is_nvprof children_are_profiled_only_when_asked_for \
    options_without_a_meaning_are_one_warning_each metrics_are_counted_by_their_old_names \
    counters_that_cannot_be_read_are_errors metrics_of_the_device_are_listed options_become_what_is_recorded \
    every_mode_prints_its_report units_and_names_are_as_asked_for log_file_has_all_lines \
    quiet_prints_nothing profile_is_kept_and_printed_again profiles_of_children_have_names_of_their_own \
    file_that_is_no_profile_is_told databases_of_nvprof_are_printed cuda_program_is_profiled \
    managed_memory_is_shown_where_it_moved profile_has_every_event
