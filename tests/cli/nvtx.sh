#!/bin/sh
# stint run: what is printed of NVTX, and of processes that become other programs.
. "$(dirname -- "$0")/lib.sh"

# reports NAME... - a program that leaves these reports of tests/golden.
reports()
{
    number=0
    for name in "$@"; do
        number=$((number + 1))
        cat >>program <<END
cp "$GOLDEN/$name" "\${STINT_OUTPUT%/*}/$number.json"
END
    done
}

payloads_and_counters_are_mentioned_without_being_asked_for()
{
    reports report_json_nvtx.json
    stint run sh program 2>err
    has err "NVTX: 9 payloads and counters with numbers (--report nvtx_values)"
    has err "NVTX/request"
}

compilation_of_xla_is_one_row_unless_all_are_asked_for()
{
    reports report_json_xla.json
    stint run sh program 2>err
    has err "XLA compilation, 7 rows (--top 0)"
    has err "NVTX:TSL/XlaModule jit_step"
    lacks err "─ NVTX:TSL/XlaPass dce"
    for all in '--top 0' '--report tree'; do
        # shellcheck disable=SC2086 # an option and its argument
        stint run $all sh program 2>err
        has err "─ NVTX:TSL/XlaPass dce"
        lacks err "XLA compilation"
    done
}

without_payloads_there_is_no_word_of_them()
{
    reports report_json_training.json
    stint run sh program 2>err
    lacks err "nvtx_values"
    lacks err "nvtx_sum"
}

counters_alone_are_something()
{
    reports report_json_nvtx_nasty.json
    stint run sh program 2>err
    has err "nvtx_values"
    lacks err "no scope was entered"
}

values_are_of_all_processes_together()
{
    reports report_json_nvtx.json report_json_nvtx.json
    stint run --report nvtx_values:csv sh program 2>err
    lines err "queue length,,Counter,," 1
    lines err "queue length,,Counter,,200000,2469134,12.34567,0,41" 1
}

process_that_has_two_reports_has_them_in_one_file()
{
    reports report_json_nvtx.json report_json_nvtx_nasty.json
    stint run --report nvtx_values:csv --log-file log.%p sh program 2>err
    lines log.4711 "Range or counter" 1
    lines log.4711 "queue length" 1
    lines log.4711 "of a set of the program's" 1
    lines err "Range or counter" 1
}

program_that_prints_everything_itself_is_recorded()
{
    stint run --report csv "$SUBJECT" printed 3 2>err
    lines err "GlobalStatInfo,printed,3," 1
    has err "stint: "
    lacks err "nothing was recorded"
}

run_tests payloads_and_counters_are_mentioned_without_being_asked_for \
    compilation_of_xla_is_one_row_unless_all_are_asked_for without_payloads_there_is_no_word_of_them \
    counters_alone_are_something values_are_of_all_processes_together process_that_has_two_reports_has_them_in_one_file \
    program_that_prints_everything_itself_is_recorded
