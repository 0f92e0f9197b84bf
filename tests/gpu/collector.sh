# Sourced by run.sh, after lib.sh: what stint's collector sees, how it ends with the program, how it leaves CUPTI to
# other tools, what it costs. POSIX sh. Expects the folders `build`, `programs` and `checks`, and `sanitizer`, the path
# of compute-sanitizer.
# shellcheck shell=sh disable=SC2154

# ---------------------------------------------------------------------------------------------------------- sample 06, 08

# gpu_rows FILE - prints the rows under "GPU activities:" of nvprof's table in a log.
gpu_rows()
{
    awk '/^ *GPU activities:/ { inside = 1 } /^ *API calls:/ { inside = 0 } inside && /%/' "$1"
}

# check_four_rows NAME - the log of sample 06 has the table of PaddlePaddle's guide, and GPU time in the timer's line.
check_four_rows()
{
    log=$checks/$1.log
    rows=$checks/$1.rows
    gpu_rows "$log" >"$rows"
    if [ "$(count . "$rows")" -eq 4 ] && [ "$(count ' 3 .*\[CUDA memcpy HtoD\]$' "$rows")" -eq 1 ] &&
        [ "$(count ' 2 .*\[CUDA memcpy DtoH\]$' "$rows")" -eq 1 ] &&
        [ "$(count ' 1 .*KeBilinearInterpFw' "$rows")" -eq 1 ] &&
        [ "$(count ' 1 .*KeBilinearInterpBw' "$rows")" -eq 1 ] &&
        [ "$(count '^ *API calls: .*%' "$log")" -eq 1 ]; then
        pass "four_rows_$1" "HtoD 3, DtoH 2, forward 1, backward 1, and API calls"
    else
        fail "four_rows_$1" "expected 3 copies HtoD, 2 DtoH, 1 kernel Fw and 1 Bw, and API calls:"
        show "$log" 30
    fi
    line='Stat=testBilinearFwdBwd .* count=1 .*gpu=[0-9.]+ +kernels=2'
    if [ "$(count "$line" "$log")" -eq 1 ]; then
        pass "stat_line_$1" "$(grep -E -o -e "$line" "$log")"
    else
        fail "stat_line_$1" "expected a line: $line"
        grep Stat= "$log" | sed 's/^/    /'
    fi
}

# check_groups NAME PROGRAM - nvprof's table has both of its groups, as the report at exit and as the program prints it.
check_groups()
{
    log=$checks/$1.log
    limit 60 env STINT_GPU=on STINT_REPORT=nvprof "$2" >"$log" 2>&1
    code=$?
    if [ $code -eq 0 ] && [ "$(count '^ GPU activities: .*%' "$log")" -ge 1 ] &&
        [ "$(count '^ *API calls: .*%' "$log")" -ge 1 ]; then
        pass "$1" "$(gpu_rows "$log" | wc -l) rows of GPU activities, and API calls"
    else
        fail "$1" "exit code $code, expected 0 and rows GPU activities: and API calls:"
        show "$log" 30
    fi
}

# check_one_warning NAME - if there is nothing to collect from, the log says so exactly once.
check_one_warning()
{
    warned=$(count '^W.* GPU.* not collected' "$checks/$1.log")
    if [ "$warned" -eq 1 ]; then
        pass "one_line_$1" "$(grep -E '^W.* GPU.* not collected' "$checks/$1.log")"
    else
        fail "one_line_$1" "$warned warnings that nothing is collected, expected 1"
        show "$checks/$1.log"
    fi
}

# -------------------------------------------------------------------------------------------------------------- collector

# check_end CASE static|shared [CODE] - kernels that are running when the program ends are in the report at exit. The
# program does not know about the collector.
check_end()
{
    name=end_$1_$2
    expected=${3:-0}
    report=$checks/$name.csv
    rm -f "$report"
    limit 30 env STINT_GPU=on STINT_REPORT=nvprof:csv "STINT_OUTPUT=$report" "$programs/cases_$2" "$1" \
        >"$checks/$name.log" 2>&1
    code=$?
    row='^[^,]*,[^,]*,[^,]*,20,.*"spin'
    if [ $code -eq "$expected" ] && [ "$(count "$row" "$report")" -eq 1 ]; then
        pass "$name" "$(grep -E -e "$row" "$report")"
    else
        fail "$name" "exit code $code, expected $expected and a row: $row"
        show "$checks/$name.log"
        show "$report"
    fi
}

# STINT_GPU switches all collecting of sample 06 on or off, without a change to its code.
check_environment()
{
    name=environment_on
    limit 60 env STINT_GPU=on "$build/bin/gpu_profiler" >"$checks/$name.log" 2>&1
    gpu_rows "$checks/$name.log" >"$checks/$name.rows"
    fills=$(count ' 1 .*KeFill' "$checks/$name.rows")
    if [ "$fills" -eq 1 ] && [ "$(count ' 2 .*KeBilinearInterpFw' "$checks/$name.rows")" -eq 1 ]; then
        pass "$name" "with what precedes the part that sample 06 collects"
    else
        fail "$name" "expected all kernels up to the stop, KeFill once and KeBilinearInterpFw twice:"
        show "$checks/$name.log" 30
    fi

    name=environment_off
    check_program $name 60 '^all good$' STINT_GPU=off "$build/bin/gpu_profiler"
    rows=$(gpu_rows "$checks/$name.log" | wc -l)
    if [ "$rows" -eq 0 ]; then
        pass ${name}_rows "none"
    else
        fail ${name}_rows "STINT_GPU=off and still $rows rows:"
        show "$checks/$name.log"
    fi
}

check_collector()
{
    for case in scopes graph trace waits memory restart idle; do
        check_program "case_$case" 60 '^all good$' "$programs/cases_static" $case
    done
    for cudart in static shared; do
        for case in return exit exit_thread _exit reset; do
            check_end $case $cudart
        done
        check_end abort $cudart 134
        check_program "case_fork_$cudart" 60 '^all good$' STINT_REPORT=table "STINT_OUTPUT=$checks/fork.%p.txt" \
            "$programs/cases_$cudart" fork
    done
    rm -f "$checks"/fork.*.txt
    for case in times streams many capture threads reset elsewhere; do
        check_program "spans_$case" 60 '^all good$' "$programs/spans" $case
    done
    check_program spans_exit 60 'GPU[(].s[)] ' sh "$here/spans_at_exit.sh" "$programs/spans"
    check_program taken 60 '^all good$' "$programs/taken"
    check_environment
}

# -------------------------------------------------------------------------------------------------------------- sanitizer

# check_sanitized NAME PROGRAM [ARGUMENT...]
check_sanitized()
{
    name=$1
    shift
    limit 120 "$sanitizer" --tool memcheck --error-exitcode 9 "$@" >"$checks/$name.log" 2>&1
    code=$?
    if [ $code -eq 0 ] && [ "$(count 'ERROR SUMMARY: 0 errors' "$checks/$name.log")" -eq 1 ] &&
        [ "$(count '^all good' "$checks/$name.log")" -eq 1 ]; then
        pass "$name" "$(grep '^all good' "$checks/$name.log"), $(grep -o 'ERROR SUMMARY.*' "$checks/$name.log")"
    else
        fail "$name" "exit code $code, expected 0, no errors, and a line: all good"
        show "$checks/$name.log" 30
    fi
}

check_sanitizer()
{
    if [ -z "$sanitizer" ]; then
        lack sanitizer "compute-sanitizer is neither in PATH nor in the toolkit"
        return
    fi
    pass sanitizer "$("$sanitizer" --version | sed -n 's/^Version //p')"
    check_sanitized sanitizer_sample "$build/bin/gpu_summary"
    check_sanitized sanitizer_soak "$programs/soak" 20000
}

# --------------------------------------------------------------------------------------------------------- bench and soak

check_bench()
{
    limit 300 "$programs/bench_launch" --json >"$checks/bench_launch.json" 2>"$checks/bench_launch.log"
    code=$?
    if [ $code -eq 0 ]; then
        pass bench_launch "within all limits:"
    else
        fail bench_launch "exit code $code:"
    fi
    show "$checks/bench_launch.json" 50
    show "$checks/bench_launch.log"
}

check_soak()
{
    kernels=${STINT_SOAK_KERNELS:-1000000}
    limit $((60 + kernels / 80000)) "$programs/soak" "$kernels" >"$checks/soak.log" 2>&1
    code=$?
    show "$checks/soak.log"
    expect_line soak $code '^all good$'
}
