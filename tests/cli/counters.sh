#!/bin/sh
# stint run --counters: hardware counters, which the mock's CUPTI makes up (tests/gpu_mock/range.c).
. "$(dirname -- "$0")/lib.sh"

# counted OPTIONS... - runs a program that launches three kernels, and leaves its report in the file err.
counted()
{
    STINT_INJECT_LIBRARY=$REAL STINT_CUPTI_PATH=$CUPTI STINT_MODULE=$MODULE stint run "$@" "$PLAIN" cuda 2>err
}

counters_are_printed_with_a_verdict()
{
    MOCK_COUNTERS=gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed=91 counted --counters all
    same "the exit code" $? 0
    has err "GPU counters: 1 kernel"
    has err "launches   3, counted 3, each replayed in 14 passes; 2.000 us each"
    has err "bound by   DRAM, surely: 91.0 % of its peak"
    has err "fp64 instructions in a launch"
}

what_is_counted_can_be_chosen()
{
    counted --counters dram__bytes_read,flops --launches 2-3 --report counters:csv
    has err "kernel,metric,launches,min,max,avg"
    has err "kernel,dram__bytes_read.sum,2,20,20,20"
    counted --counters dram__bytes_read --kernels '!kernel*'
    same "the exit code" $? 4
    has err "stint: no counters were read: none of the kernels that were launched was selected"
    counted --counters dram__bytes_read --counter-scopes step --report counters:csv
    has err "kernel,dram__bytes_read.sum,3,"
}

counters_are_kept_in_reports_and_databases()
{
    counted --quiet --counters dram__bytes_read --format json --log-file x.json
    stint stats x.json --report counters:csv >out
    has out "kernel,dram__bytes_read.sum,3,20,20,20"
    counted --quiet --counters dram__bytes_read --store x.db --report off
    stint stats x.db --report counters:csv >out
    has out "kernel,dram__bytes_read.sum,3,20,20,20"
}

counted_kernels_are_drawn_below_roofs()
{
    XDG_STATE_HOME=$PWD
    export XDG_STATE_HOME
    mkdir stint
    printf 'Mock GPU\t13000\tread\t3e12\nMock GPU\t13000\tfp32\t6e13\n' >stint/ceilings.tsv
    sass=smsp__sass_thread_inst_executed_op
    values=dram__bytes_read.sum=3e8,dram__bytes_write.sum=1e8,gpu__time_duration.sum=200000,${sass}_ffma_pred_on.sum=2e9
    MOCK_COUNTERS=$values \
        counted --quiet --counters memory,${sass}_fadd_pred_on,${sass}_fmul_pred_on,${sass}_ffma_pred_on --store x.db \
        --report off
    stint ops x.db --roofline -o x.svg
    has x.svg "<title>kernel: 100.00 % of the time, 10.00 FLOP/B, 20.00"
    has x.svg ">3000 GB/s, measured<"
    has x.svg ">fp32: 60.0 TFLOP/s, measured<"
    stint report x.db -o x.html
    has x.html "fp32: 60.0 TFLOP/s, measured"
    # If all launches are counted, a real CUPTI has no other record of them.
    MOCK_COUNTERS=$values \
        counted --quiet --counters memory,${sass}_fadd_pred_on,${sass}_fmul_pred_on,${sass}_ffma_pred_on \
        --report json --log-file x.json
    sed 's/"kind":"kernel"/"kind":"sync"/' x.json >only.json
    stint ops only.json --roofline -o only.svg
    has only.svg "<title>kernel: 100.00 % of the time, "
    stint report only.json -o only.html
    has only.html "kernel: 100.00 % of the time, "
    unset XDG_STATE_HOME
}

counters_are_compared()
{
    counted --quiet --counters dram__bytes_read,dram__bytes_write --format json --log-file x.json
    MOCK_COUNTERS=dram__bytes_write.sum=25 counted --quiet --counters dram__bytes_read,dram__bytes_write --store y.db \
        --report off
    stint diff x.json y.db --gate 'kernel:kernel:dram_bytes < +5%; kernel:kernel:dram__bytes_read <= +0%' >out 2>err
    same "the exit code" $? 1
    has out "FAIL          kernel:kernel:dram_bytes < +5%  kernel: A "
    has out "B 45 B"
    has err "1 of 2 checks failed, 1 passed"
    stint diff x.json y.db --gate 'scope:step:dram_bytes < +5%; scope:step:dram__bytes_read <= +0%' >out 2>err
    same "the exit code" $? 1
    has out "FAIL          scope:step:dram_bytes < +5%  step: A "
    has out "B 135 B"
}

programs_run_once_for_each_pass()
{
    counted --counters a__1,a__2,a__3,a__4,dram__bytes_read,dram__bytes_write,wide__1,smsp__sass_inst_executed --replay-mode application \
        --nvtx on --format json --log-file x.json
    same "the exit code" $? 0
    has err "stint: counters of one pass per run: run 2 of 2 of $PLAIN"
    lacks err "differs from the first"
    stint stats x.json --report counters >out
    has out "GPU counters: 1 kernel; each launch that is counted runs once, alone"
    has out "launches   3, counted 3 in each of 2 runs of the program, without replay"
    has out "DRAM read 20 B, written 21 B"
    has out "step: 3 launches, DRAM read 60 B, written 63 B"
    has out "Counted by a replay of kernels only: smsp__sass_inst_executed.sum, wide__1.sum"
    stint stats x.json --report counters:csv >out
    has out ",dram__bytes_write.sum,3,21,21,21,step"
    counted --quiet --counters a__1 --replay-mode application --report off
    same "what is said of one run" "$(cat err)" ""
}

stores_have_the_counters_of_all_runs()
{
    for file in x.db x.stint; do
        counted --quiet --counters a__1,a__2,a__3,a__4,a__5,a__6 --replay-mode application --store "$file" \
            --report counters:csv --log-file reported
        stint stats "$file" --report counters:csv >out
        has out "kernel,a__6.sum,3,8,8,8,"
        has out ",a__6.sum,3,8,8,8,step"
        same "what is stored in $file" "$(grep __ out)" "$(grep __ reported)"
        stint export "$file" --format chrome -o x.json
        lines x.json '"cat": "kernel"' 3
    done
}

# Of the second run of twice.sh, fewer launches are counted.
runs_that_differ_are_told()
{
    cat >twice.sh <<END
#!/bin/sh
[ -e twice ] && export STINT_COUNTERS_LAUNCHES=1
touch twice
exec "\$@" cuda
END
    chmod +x twice.sh
    STINT_INJECT_LIBRARY=$REAL STINT_CUPTI_PATH=$CUPTI STINT_MODULE=$MODULE stint run --counters \
        a__1,a__2,a__3,a__4,a__5,a__6 --replay-mode application ./twice.sh "$PLAIN" 2>err
    has err "run 2 of 2 differs from the first, so its counters belong to other launches: kernel kernel: 1 counted, 3 in the first run"
}

missing_permission_has_an_exit_code_and_a_remedy()
{
    MOCK_CUPTI=range_enable=35 counted --counters all
    same "the exit code" $? 4
    has err "stint: no counters were read: the NVIDIA driver lets only administrators read hardware counters"
    has err "NVreg_RestrictProfilingToAdminUsers=0"
    has err "  launches   3, counted 0"
}

program_without_kernels_is_told()
{
    stint run --counters all "$SUBJECT" a 1 2>err
    same "the exit code" $? 3 # the program's own
    has err "stint: no counters were read: no kernel was launched"
    stint run --quiet --counters all true 2>err
    same "the exit code" $? 4
    has err "stint: no counters were read: no kernel was launched"
}

[ -n "${PLAIN-}" ] || {
    echo "skipped: a sanitizer's library would have to be loaded before the injected one"
    exit 77
}
run_tests counters_are_printed_with_a_verdict what_is_counted_can_be_chosen \
    programs_run_once_for_each_pass stores_have_the_counters_of_all_runs runs_that_differ_are_told counters_are_kept_in_reports_and_databases \
    counted_kernels_are_drawn_below_roofs counters_are_compared missing_permission_has_an_exit_code_and_a_remedy \
    program_without_kernels_is_told
