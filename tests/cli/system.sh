#!/bin/sh
# --system-profiling: what GPUs consume while a program runs. NVML is the mock's, of a machine with two GPUs.
. "$(dirname -- "$0")/lib.sh"

# with_gpus COMMAND... - the command finds the mock; so does everything that it runs.
with_gpus()
{
    LD_LIBRARY_PATH=$NVML${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"
}

# fields FILE DEVICE METRIC - prints samples, average, minimum and maximum from the report system:csv.
fields()
{
    awk -F, -v device="$2" -v metric="$3" '$5 == device && $6 == metric { print $1, $2, $3, $4 }' "$1"
}

# near WHAT VALUE EXPECTED - within 10 %, on a machine that may be busy.
near()
{
    awk -v value="$2" -v expected="$3" 'BEGIN { exit !(value > 0.9 * expected && value < 1.1 * expected) }' ||
        complain "$1 is $2, expected about $3"
}

numbers_of_each_gpu_are_reported()
{
    with_gpus stint run --system-profiling on --report system:csv sh -c "sleep 0.5; '$SUBJECT' a 1; sleep 0.5" 2>csv
    # shellcheck disable=SC2046 # words
    set -- $(fields csv 'GPU 0' 'power (W)')
    [ "${1:-0}" -ge 5 ] || complain "${1:-no} samples in a second: $(cat csv)"
    [ $# -eq 4 ] || return
    same "the least power" "$3" 100.00
    same "the most power" "$4" 300.00
    near "the average power" "$2" 200
    # shellcheck disable=SC2046
    set -- $(fields csv 'GPU 1' 'power (W)')
    same "the least power of the other" "$3" 110.00
    same "a temperature" "$(fields csv 'GPU 1' 'temperature (C)' | cut -d' ' -f2-)" "46.00 46.00 46.00"
    same "memory" "$(fields csv 'GPU 0' 'memory used (MiB)' | cut -d' ' -f2)" 512.00
    same "held back" "$(fields csv 'GPU 0' 'slowed by power cap (%)' | cut -d' ' -f2)" 100.00
    same "not held back" "$(fields csv 'GPU 1' 'slowed by power cap (%)' | cut -d' ' -f2)" 0.00
    near "PCIe" "$(fields csv 'GPU 0' 'PCIe sent (MB/s)' | cut -d' ' -f2)" 250
    near "NVLink" "$(fields csv 'GPU 1' 'NVLink received (MB/s)' | cut -d' ' -f2)" 1024
    same "a fan that is not there" "$(fields csv 'GPU 0' 'fan (%)')" ""
}

summary_has_a_table()
{
    with_gpus stint run --system-profiling on sh -c "'$SUBJECT' a 1; sleep 0.3" 2>err
    has err "Power(W)    Max  SM(MHz)  Busy(%)  Most memory(MiB)  Most(C)  Slowed(%)  System"
    grep -Eq '^ +[0-9.]+  +310.0 +1980.0 +90.0 +512.0 +46.0 +0.0  GPU 1$' err || complain "$(cat err)"
    lacks err "payload"
}

nvprof_has_its_block()
{
    with_gpus stint nvprof --system-profiling on sh -c "'$SUBJECT' a 1" 2>err
    lacks err "Warning: --system-profiling"
}

program_without_anything_to_record_has_the_table()
{
    with_gpus stint run --system-profiling on sleep 0.3 2>err
    same "the exit code" $? 0
    has err "  GPU 0"
}

recording_has_the_numbers_over_time()
{
    with_gpus stint run --quiet --system-profiling on --store all.stint sh -c "'$SUBJECT' a 1; sleep 0.4" 2>err
    stint stats --report system:csv all.stint >csv
    # shellcheck disable=SC2046
    set -- $(fields csv 'GPU 0' 'power (W)')
    [ "${1:-0}" -ge 2 ] || complain "the recording has ${1:-no} samples: $(cat csv)"
    stint export all.stint -o all.json 2>err || complain "$(cat err)"
    values=$(grep -c '"ph": *"C".*power (W)' all.json)
    [ "$values" -eq $((2 * $1)) ] || complain "$values numbers of power on the timeline, $1 samples of each GPU"
    with_gpus stint run --quiet --system-profiling on --store all.db "$SUBJECT" a 1 2>err
    stint stats --report table all.db >out
    has out " a"
    stint report all.db -o all.html 2>err || complain "$(cat err)"
    has all.html "power (W)"
}

bare_gpu_has_what_it_tells()
{
    NVML_MOCK=bare with_gpus stint run --system-profiling on --report system:csv sleep 0.2 2>csv
    same "metrics" "$(cut -d, -f6 csv | sort -u | paste -sd, -)" "SM clock (MHz),memory clock (MHz),metric,power (W)"
}

without_gpus_the_program_runs_all_the_same()
{
    NVML_MOCK=init with_gpus stint run --system-profiling on "$SUBJECT" a 1 2>err
    same "the exit code" $? 3
    has err "--system-profiling: power, clocks and temperatures are not sampled: nvmlInit: Driver Not Loaded"
    NVML_MOCK=none with_gpus stint run --system-profiling on "$SUBJECT" a 1 2>err
    same "the exit code" $? 3
    has err "not sampled: NVML finds no GPU"
    stint run --system-profiling sometimes "$SUBJECT" a 1 2>err
    same "the exit code" $? 2
    has err "sometimes"
}

run_tests numbers_of_each_gpu_are_reported summary_has_a_table nvprof_has_its_block \
    program_without_anything_to_record_has_the_table recording_has_the_numbers_over_time \
    bare_gpu_has_what_it_tells without_gpus_the_program_runs_all_the_same
