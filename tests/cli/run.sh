#!/bin/sh
# stint run: programs run as if they were run directly, and reports are printed of what they did.
. "$(dirname -- "$0")/lib.sh"

# ---------------------------------------------------------------------------------------------------- as if run directly

exit_status_is_the_programs()
{
    for code in 0 1 3 77 255; do
        stint run --quiet sh -c "exit $code" 2>err
        same "the exit code" $? $code
    done
}

program_that_cannot_be_run_is_127_or_126_as_in_a_shell()
{
    stint run ./nothing 2>err
    same "the exit code" $? 127
    has err "stint: cannot run ./nothing: No such file or directory"
    : >plain
    stint run ./plain 2>err
    same "the exit code" $? 126
    has err "stint: cannot run ./plain: Permission denied"
    stint run plain 2>err
    same "the exit code" $? 127
    has err "stint: there is no program plain in PATH; the one in this folder is ./plain"
    lines err "nothing was recorded" 0
}

arguments_arrive_as_they_are()
{
    newline='two
lines'
    stint run --quiet -- printf '[%s]' a 'b c' '' "d'\"e" '$HOME' '*' '--report' '-x' '%p' "$newline" >out
    printf '[%s]' a 'b c' '' "d'\"e" '$HOME' '*' '--report' '-x' '%p' "$newline" >expected
    cmp -s out expected || complain "the arguments are $(cat out)"
}

options_end_with_the_programs_name()
{
    stint run --quiet printf '%s.' --quiet --report -h >out
    same "stdout" "$(cat out)" "--quiet.--report.-h."
}

input_and_output_are_the_programs()
{
    printf 'one\ntwo\n' | stint run --report table "$SUBJECT" a 1 told >out 2>err
    same "stdout" "$(cat out)" "told"
    printf 'one\ntwo\n' | stint run --quiet cat >out 2>err
    same "stdout" "$(cat out)" "$(printf 'one\ntwo')"
}

threads_of_stint_are_no_obstacle_to_unshare()
{
    for how in --quiet --sample --sample=wall --osrt '--store run.sqlite'; do
        # shellcheck disable=SC2086
        (unset STINT_INJECT_LIBRARY && exec "$STINT" run $how --report csv "$SUBJECT" alone scope) 2>err
        same "the exit code with $how" $? 0
        has err 'GlobalStatInfo,scope,2,'
        # shellcheck disable=SC2086
        ! unshare --user true 2>direct ||
            (unset STINT_INJECT_LIBRARY && exec "$STINT" run $how unshare --user true) 2>err ||
            complain "unshare with $how: $(cat err)"
    done
}

threads_of_stint_are_no_obstacle_to_giving_up_capabilities()
{
    setpriv --reuid 65534 --clear-groups true 2>direct || { echo "not run: $(cat direct)"; return; }
    for how in --quiet --sample --osrt; do
        # shellcheck disable=SC2086
        (unset STINT_INJECT_LIBRARY && exec "$STINT" run $how setpriv --reuid 65534 --clear-groups id -u) >out 2>err
        same "the exit code with $how" $? 0
        has out 65534
    done
}

what_drops_privileges_is_recorded_to_the_end()
{
    [ "$(id -u)" = 0 ] || { echo "not run: takes root"; return; }
    mkdir jail && chmod 755 .
    checks=${ASAN_OPTIONS-}
    ASAN_OPTIONS=$checks:detect_leaks=0 # LeakSanitizer cannot look into a process that may not look at itself
    export ASAN_OPTIONS
    for how in '--log-file report.csv' '--store run.sqlite --log-file report.csv'; do
        rm -f report.csv
        # shellcheck disable=SC2086
        (unset STINT_INJECT_LIBRARY && exec "$STINT" run $how --report csv "$SUBJECT" drop scope jail) 2>err
        same "the exit code with $how" $? 0
        has report.csv 'GlobalStatInfo,scope,1,'
        has report.csv 'GlobalStatInfo,in a thread,1,'
        lacks err "cannot"
    done
    ASAN_OPTIONS=$checks
    stint stats run.sqlite --report csv >out
    has out 'GlobalStatInfo,scope,1,'
    has out 'GlobalStatInfo,in a thread,1,'
    stint export run.sqlite --format chrome -o run.json
    has run.json '"in a thread"'
    same "files left behind" "$(ls "$TMPDIR")$(ls jail)" ""
}

# A thread that begins has a file of its own.
threads_that_begin_meanwhile_lose_nothing()
{
    [ "$(id -u)" = 0 ] || { echo "not run: takes root"; return; }
    chmod 755 .
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        (unset STINT_INJECT_LIBRARY && ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 &&
            exec "$STINT" run --store run.sqlite --sample=off "$SUBJECT" drop-meanwhile work) 2>err
        same "the exit code" $? 0
        lacks err "lost"
        rm -f run.sqlite
    done
}

private_folder_is_removed()
{
    stint run "$SUBJECT" a 1 2>err
    stint run ./nothing 2>err
    same "the folder of temporary files" "$(ls "$TMPDIR")" ""
}

private_folder_is_private()
{
    # shellcheck disable=SC2016
    stint run --quiet sh -c 'stat -c %a "$(dirname "$STINT_OUTPUT")"' >out
    same "its mode" "$(cat out)" 700
}

folder_that_does_not_exist_is_no_obstacle()
{
    TMPDIR=/nowhere stint run --report csv "$SUBJECT" a 5 2>err
    same "the exit code" $? 3
    has err "GlobalStatInfo,a,5,"
}

# ------------------------------------------------------------------------------------------------------------ environment

variables_make_the_program_record()
{
    stint run --quiet --sample=off --trace 100 --gpu kernels --adopt main env >out
    has out "LD_PRELOAD=$INJECT"
    has out "CUDA_INJECTION64_PATH=$INJECT"
    has out "NVTX_INJECTION64_PATH=$INJECT"
    has out "STINT_GPU=kernels"
    has out "STINT_ADOPT=main"
    has out "STINT_GPU_TRACE=100"
    has out "STINT_REPORT=json"
    grep -q '^STINT_OUTPUT=.*/%i.json$' out || complain "STINT_OUTPUT is not set"
    lacks out "STINT_CHAIN"
    stint run --quiet env >out
    lacks out "STINT_GPU="
}

scopes_are_not_recorded_as_ranges_too()
{
    stint run --quiet env >out
    has out "STINT_NVTX=off"
    STINT_NVTX=on stint run --quiet env >out
    has out "STINT_NVTX=on"
    NVTX_INJECTION64_PATH=/a/nvtx.so stint run --quiet env >out
    lacks out "STINT_NVTX="
}

percent_signs_of_the_folder_are_no_patterns()
{
    mkdir 100%p
    TMPDIR=100%p stint run --report table "$SUBJECT" a 5 2>err
    has err "a"
    lines err "stint: test_cli_subject" 1
}

what_the_variables_held_is_handed_on()
{
    LD_PRELOAD=$INJECT CUDA_INJECTION64_PATH=/a/cuda.so NVTX_INJECTION64_PATH=/a/nvtx.so stint run --quiet --sample=off env >out
    has out "LD_PRELOAD=$INJECT:$INJECT"
    has out "STINT_CHAIN_CUDA=/a/cuda.so"
    has out "STINT_CHAIN_NVTX=/a/nvtx.so"
}

what_is_switched_off_is_not_injected()
{
    stint run --quiet --gpu off --nvtx off env >out
    lacks out "NVTX_INJECTION64_PATH"
    lacks out "CUDA_INJECTION64_PATH"
    has out "STINT_GPU=off"
    stint run --quiet --api off env >out
    has out "STINT_GPU=kernels"
    stint run --quiet --api all env >out
    has out "STINT_GPU=calls"
    stint run --quiet --gpu api --api on env >out
    has out "STINT_GPU=api"
}

missing_library_is_told_once_and_no_reason_to_stop()
{
    STINT_INJECT_LIBRARY=/nowhere/lib.so stint run "$SUBJECT" a 1 told >out 2>err
    same "the exit code" $? 3
    lines err "libstint_inject.so was not found" 1
    STINT_INJECT_LIBRARY=/nowhere/lib.so stint run --quiet "$SUBJECT" a 1 2>err
    lines err "libstint_inject.so" 0
    cp "$INJECT" "a b.so"
    STINT_INJECT_LIBRARY="$PWD/a b.so" ASAN_OPTIONS='' stint run env >out 2>err
    has err "cannot be preloaded"
    lacks out "LD_PRELOAD"
    lacks out "verify_asan_link_order"
}

# ---------------------------------------------------------------------------------------------------------------- reports

report_of_one_process_is_its_own()
{
    cp "$GOLDEN/report_json_training.json" one.json
    for format in table tree csv json; do
        copies one | stint run --report $format sh 2>err
        case $format in
        csv | json) cmp -s err "$GOLDEN/report_${format}_training.$format" || complain "$format differs" ;;
        *) cmp -s err "$GOLDEN/report_${format}_training.txt" || complain "$format differs" ;;
        esac
    done
}

# copies NAME... - a shell's commands that leave these reports where processes leave theirs.
copies()
{
    number=1
    for name in "$@"; do
        echo "cp '$WORK/$name.json' \"\$(dirname \"\$STINT_OUTPUT\")/$number.json\""
        number=$((number + 1))
    done
}

# ranks NUMBER - a shell's commands of so many ranks, one after the other.
ranks()
{
    for rank in $(seq 0 $(($1 - 1))); do
        echo "OMPI_COMM_WORLD_RANK=$rank '$SUBJECT' rank$rank $((rank + 1))"
    done
}

reports_of_several_are_of_all_together()
{
    cp "$GOLDEN/report_json_training.json" train.json
    sed -e 's/"pid":4711,"rank":""/"pid":4712,"rank":"1"/' -e 's/"start_unix_ns":17356896/"start_unix_ns":17356895/' \
        "$GOLDEN/report_json_running.json" >main.json
    copies train main >script
    stint run --report table,tree,processes sh ./script 2>err
    if [ "${STINT_RECORD_GOLDEN-}" = 1 ]; then
        cp err "$GOLDEN/cli_together.txt"
    fi
    diff "$GOLDEN/cli_together.txt" err || complain "the reports differ from tests/golden/cli_together.txt"
}

each_process_has_its_reports_first_if_that_is_asked_for()
{
    ranks 2 >script
    stint run --per-process --report table,tree sh ./script 2>err
    grep '^stint: ' err | sed 's/ (pid [0-9]*/ (pid N/; s/),.*/)/; s/, [0-9]* scopes*,.*//' >titles
    cat >expected <<END
stint: test_cli_subject rank0 1 (pid N, rank 0)
stint: test_cli_subject rank0 1 (pid N, rank 0)
stint: test_cli_subject rank1 2 (pid N, rank 1)
stint: test_cli_subject rank1 2 (pid N, rank 1)
stint: 2 processes: sh ./script
stint: 2 processes: sh ./script
END
    diff expected titles || complain "the titles differ"
    stint run --per-process --report table "$SUBJECT" a 5 2>err
    lines err "stint: " 1
}

# Each is process 1 of a namespace of its own, as sandboxed workers are.
processes_of_one_id_are_all_there()
{
    unshare -pf true 2>/dev/null || return 0
    for _ in 1 2 3; do STINT_REPORT=csv STINT_OUTPUT=plain.%p unshare -pf "$SUBJECT" step 5; done
    same "the plain reports" "$(cat plain.1* | grep -c ',step,5,')" 3
    # shellcheck disable=SC2016
    workers='for i in 1 2 3; do unshare -pf "$0" work 5 & done; wait'
    stint run --report csv sh -c "$workers" "$SUBJECT" 2>err
    has err "GlobalStatInfo,work,15,"
    stint run --report csv --store '%p.stint' sh -c "$workers" "$SUBJECT" 2>err
    has err "GlobalStatInfo,work,15,"
    lacks err "cannot"
    stint run --report csv sh -c 'unshare -pf "$0" work 5; unshare -pf --kill-child "$0" until go killed >first &
        until grep -q . first; do sleep 0.05; done; kill -9 $!; wait; sleep 0.2' "$SUBJECT" 2>err
    has err "GlobalStatInfo,work,5,"
    has err "process 1 ended without a report"
}

children_are_followed()
{
    stint run --report csv sh -c "'$SUBJECT' a 5 & '$SUBJECT' a 7 & '$SUBJECT' b 2; wait" 2>err
    lines err "set,name,count" 1
    same "the number of blank lines" "$(grep -c '^$' err)" 0
    has err "GlobalStatInfo,a,12,"
    has err "GlobalStatInfo,b,2,"
}

processes_are_rows_for_people_and_programs()
{
    ranks 3 >script
    stint run sh ./script 2>err
    has err ", 3 processes"
    grep -qE '^ *[0-9]+ +2 +[0-9.]+ +[^ ]*test_cli_subject rank2 3$' err || complain "no row of rank 2: $(cat err)"
    stint run --report processes:csv sh ./script 2>err
    same "the number of lines" "$(wc -l <err)" 4
    grep -qE '^[0-9]+,1,[0-9]+,[0-9]+,0,0,0,[^,]*test_cli_subject rank1 2$' err || complain "no row of rank 1: $(cat err)"
    stint run --format json sh ./script 2>err
    same "the number of documents" "$(grep -c '"format":"stint-report"' err)" 1
    lines err '"rank":"1"' 1
}

process_that_executes_a_program_has_one_report_in_its_file()
{
    STINT_INJECT_LIBRARY=$RECORDS stint run --report csv --log-file 'log.%p' "$SUBJECT" exec "$SUBJECT" a 5 2>err
    same "the number of files" "$(ls log.* | wc -l)" 1
    lines "$(ls log.*)" "set,name,count" 1
    has "$(ls log.*)" "GlobalStatInfo,a,5,"
    has "$(ls log.*)" "GlobalStatInfo,before exec,1,"
}

process_that_executes_a_program_is_one_process()
{
    STINT_INJECT_LIBRARY=$RECORDS stint run "$SUBJECT" exec "$SUBJECT" a 5 2>err
    grep -qE '^stint: test_cli_subject exec .* \(pid [0-9]+\)$' err || complain "its title is $(sed 1q err)"
    lacks err "2 processes"
    lines err "  test_cli_subject " 2
}

process_that_forks_without_exec_and_its_child_are_two()
{
    stint run --report processes:csv "$SUBJECT" fork child 5 2>err
    same "the number of lines" "$(wc -l <err)" 3
    stint run "$SUBJECT" fork child 5 2>err
    has err "stint: 2 processes: test_cli_subject fork child 5"
    stint run --report csv "$SUBJECT" fork child 5 2>err
    has err "GlobalStatInfo,child,5,"
    has err "GlobalStatInfo,parent,1,"
}

two_hundred_processes_fit_a_screen()
{
    cp "$GOLDEN/report_json_training.json" train.json
    for pid in $(seq 200); do
        echo "sed 's/:4711,/:$pid,/' train.json >\"\${STINT_OUTPUT%/*}/$pid.json\""
    done >script
    stint run sh ./script 2>err
    [ "$(wc -l <err)" -le 60 ] || complain "$(wc -l <err) lines"
    has err ", 200 processes"
    has err "… 191 more rows, 95.5 % of the time (--top 0 shows all)"
    lines err "  train --batch-size 32" 9
    stint run --top 0 sh ./script 2>err
    lines err "  train --batch-size 32" 200
}

default_is_one_screen()
{
    cp "$GOLDEN/report_json_gpu.json" gpu.json
    copies gpu >script
    stint run sh ./script 2>err
    stint stats gpu.json >out
    cmp out err || complain "stint run and stint stats differ"
    stint stats gpu.json --report summary | cmp - out || complain "it is not the summary"
    [ "$(wc -l <err)" -le 60 ] || complain "$(wc -l <err) lines"
    has err "Kernels and copies"
    has err "Calls of CUDA"
    has err "Scopes and ranges"
    stint run "$SUBJECT" a 5 2>err
    lacks err "CUDA"
    lacks err "GPU"
    has err " a"
}

environment_chooses_the_report_and_options_override_it()
{
    STINT_REPORT=csv STINT_OUTPUT=%p.out stint run "$SUBJECT" a 5 2>err
    same "stderr" "$(cat err)" ""
    has "$(ls ./*.out)" "GlobalStatInfo,a,5,"
    STINT_REPORT=json stint run --report csv "$SUBJECT" a 6 2>err
    has err "GlobalStatInfo,a,6,"
    STINT_REPORT=off stint run "$SUBJECT" a 7 2>err
    same "stderr" "$(cat err)" ""
    STINT_REPORT=nonsense stint run "$SUBJECT" a 8 2>err
    has err 'STINT_REPORT: there is no report "nonsense"'
    has err "Scopes and ranges"
}

format_is_the_form_of_the_reports()
{
    stint run --format csv "$SUBJECT" a 5 2>err
    has err "GlobalStatInfo,a,5,"
    stint run --format json "$SUBJECT" a 5 2>err
    has err '"format":"stint-report"'
    cp "$GOLDEN/report_json_gpu.json" gpu.json
    copies gpu >script
    stint run --report nvprof --format csv sh ./script 2>err
    cmp -s err "$GOLDEN/report_nvprof_gpu.csv" || complain "not nvprof's CSV"
}

reports_of_nsys_are_reports_too()
{
    stint run --report cuda_gpu_kern_sum,nvtx_sum:csv "$SUBJECT" a 5 2>err
    has err "SKIPPED"
    has err "Style"
    stint run --report nvtx_sum,tree --format csv "$SUBJECT" a 5 2>err
    same "the exit code" $? 2
    stint run --report nvtx_sum --format csv "$SUBJECT" a 5 2>err
    has err "stint:a"
    lacks err "**"
}

log_file_has_the_report()
{
    stint run --report csv --log-file log sh -c "'$SUBJECT' a 5; '$SUBJECT' b 7" 2>err
    same "stderr" "$(cat err)" ""
    lines log "set,name,count" 1
    stint run --report csv --log-file log "$SUBJECT" c 1 2>err
    lines log "set,name,count" 1
    refused "nowhere/log cannot be written: No such file" run --log-file nowhere/log touch ran
    refused "/ cannot be written: Is a directory" run --log-file / touch ran
}

# Where it is not known before the program runs, or nobody chose the file for this run, the report is printed.
report_without_its_file_is_printed()
{
    STINT_OUTPUT=nowhere/log stint run --report csv "$SUBJECT" c 1 2>err
    same "the exit code" $? 3
    has err "STINT_OUTPUT: nowhere/log cannot be written: No such file"
    has err "GlobalStatInfo,c,1,"
    mkdir gone
    stint run --report csv --log-file gone/log sh -c "rmdir gone; '$SUBJECT' c 1" 2>err
    has err "the report cannot be written: No such file"
    has err "GlobalStatInfo,c,1,"
}

# told_and_printed LIMIT OPTION... - a program that may write no more than LIMIT blocks to a file, as stint itself.
told_and_printed()
{
    limit=$1
    shift
    { (ulimit -f "$limit" && stint run "$@" "$SUBJECT" work 5; echo "code $?") 2>&1; } | cat >out
    has out "code 3"
    grep -q ' work$' out || complain "there is no report with a limit of $limit: $*"
    lacks out '"format":"stint-report"'
    lacks out "nothing was recorded"
    same "what is left" "$(ls "$TMPDIR")$(ls | grep '^run.sqlite\.')" ""
    rm -rf run.sqlite*
}

# The report of the process cannot be where stint reads it.
process_that_cannot_write_its_report_prints_it()
{
    for limit in 0 1 8; do
        told_and_printed "$limit"
        told_and_printed "$limit" --store run.sqlite
    done
    # shellcheck disable=SC2016
    stint run sh -c 'rm -rf "$STINT_CONTROL"; "$0" work 5' "$SUBJECT" 2>err
    same "the exit code" $? 3
    has err "cannot write the report to"
    has err " work"
    lacks err '"format":"stint-report"'
}

log_file_is_no_link_of_others_in_a_folder_for_all()
{
    [ "$(id -u)" -eq 0 ] || return 0
    ln -s secret log
    chmod 1777 .
    chown -h 65534 log
    stint run --log-file log "$SUBJECT" c 1 2>err
    has err "the report cannot be written: Permission denied"
    has err " c"
    [ ! -e secret ] || complain "the link was followed"
}

log_file_with_pattern_is_one_per_process()
{
    HOME=h stint run --report csv --log-file 'log.%p.%q{HOME}%%' sh -c "'$SUBJECT' a 5; '$SUBJECT' b 7" 2>err
    same "the number of files" "$(ls log.*.h% | wc -l)" 2
    lines err "set,name,count" 1
    has err "GlobalStatInfo,a,5,"
    has err "GlobalStatInfo,b,7,"
    stint run --report tree --log-file 'tree.%p' sh -c "'$SUBJECT' a 5; '$SUBJECT' b 7" 2>err
    for file in tree.*; do
        case $(sed 1q "$file") in
        "stint: "*) ;;
        *) complain "$file begins with '$(sed 1q "$file")'" ;;
        esac
    done
}

nothing_recorded_is_one_line()
{
    # LeakSanitizer looks for leaks in a process of its own, whose time is that of a child.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 stint run true 2>err
        grep -q "it mostly waited" err || break # on a busy machine it does, for a processor
    done
    same "the number of lines" "$(wc -l <err)" 1
    has err "nothing was recorded of true"
    has err "this is too short to be sampled: let it do more, or run it in a loop"
    stint run --quiet true 2>err
    same "stderr" "$(cat err)" ""
}

# Which process used the time is known when it has ended, whether it was sampled or not.
time_of_children_is_not_that_of_the_program()
{
    echo 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' >busy
    stint run sh ./busy 2>err
    lacks err "the processes that it started used that time"
    has err "no samples were taken: of shells, only --sample takes some"
    stint run sh -c 'sh ./busy; exit' 2>err
    has err "the processes that it started used that time"
}

program_that_cannot_be_sampled_is_not_said_to_wait()
{
    stint run --sample env -u LD_PRELOAD sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' 2>err
    has err "no samples were taken: perhaps it blocks all signals, or changes LD_PRELOAD"
}

static_programs_are_named_as_the_cause()
{
    for way in -static -static-pie; do
        echo 'int main(void) { return 4; }' | ${CC:-cc} $way -x c - -o static 2>err || continue # no static C library
        rc=0
        stint run ./static 2>err || rc=$?
        same "the exit status" "$rc" 4
        has err "nothing was recorded: ./static is linked statically"
        echo >note
        if objcopy --add-section .go.buildinfo=note static go 2>/dev/null; then
            stint run ./go 2>err
            has err "nothing was recorded: ./go is linked statically, so nothing can be loaded into it; it is written in Go: "
        fi
        printf '#!./static\n' >script
        chmod +x script
        rc=0
        stint run ./script 2>err || rc=$?
        same "the exit status of a script" "$rc" 4
        has err "nothing was recorded: ./static is linked statically"
    done
}

without_proc_libraries_are_found()
{
    [ -z "$SANITIZE" ] || return 0 # sanitizers need it
    unshare -rm mount -t tmpfs none /proc 2>err || return 0 # not permitted here
    for name in "$STINT" stint; do
        PATH="$(dirname -- "$STINT"):$PATH" STINT_INJECT_LIBRARY='' unshare -rm sh -c \
            'mount -t tmpfs none /proc && exec "$0" run sh -c "exit 4"' "$name" 2>err
        same "the exit status of $name" $? 4
        has err "nothing was recorded of sh, which ran for"
        lacks err "was not found"
    done
}

programs_of_musl_run_without_stint()
{
    echo 'int puts(const char *); int main(void) { return puts("hello") < 0 ? 1 : 4; }' |
        musl-gcc -x c - -o musl 2>err && ./musl >out 2>&1 || [ $? = 4 ] || return 0 # no musl
    for option in --quiet "--store run.db"; do
        stint run $option ./musl >out 2>err
        same "the exit status with $option" $? 4
        same "the output with $option" "$(cat out)" hello
        lacks err "Error"
    done
    has err "nothing was recorded: ./musl is linked with musl"
    stint doctor ./musl >out
    has out "./musl is linked with musl"
}

# The library of AddressSanitizer comes behind those that are preloaded, also in programs that others start.
programs_with_address_sanitizer_find_what_they_would()
{
    cat >careless.c <<'END'
#include <stdlib.h>
int main(int count, char **arguments)
{
    volatile char *memory = malloc(8);
    memory[count > 1 ? 8 : 7] = 1;
    free((void *)memory);
    return 4;
}
END
    ${CC:-cc} -fsanitize=address -g careless.c -o careless 2>err || return 0 # no library
    for options in "" exitcode=9; do
        for command in ./careless "./careless 1" "sh -c ./careless" "env ./careless 1"; do
            ASAN_OPTIONS=$options $command >expected 2>&1
            expected=$?
            ASAN_OPTIONS=$options stint run $command >out 2>err
            same "the exit status of $command" $? $expected
            same "errors that were found" "$(grep -c heap-buffer-overflow err)" "$(grep -c heap-buffer-overflow expected)"
        done
    done
    lacks err "does not come first"
    ASAN_OPTIONS=verify_asan_link_order=1 stint run ./careless 2>err
    has err "nothing was recorded: ./careless was built with AddressSanitizer"
    ASAN_OPTIONS=verify_asan_link_order=1 stint doctor ./careless | tr -s '[:space:]' ' ' >out
    has out "accepts no preloaded library"
}

waits_in_the_c_library_are_recorded_on_request()
{
    [ -n "${REAL-}" ] || return 0 # a sanitizer's library would have to be preloaded first
    stint run --osrt --report osrt_sum:csv sleep 0.2 2>err
    lines err "nanosleep" 1
    has err "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name"
    stint run --osrt-threshold 900000000 --sample=off sleep 0.2 2>err
    has err "nothing was recorded of sleep"
    has err "no call blocked as long as --osrt-threshold"
    stint run --osrt sleep 0.2 2>err
    has err "Waits in the C library"
    stint run --report osrt_sum "$SUBJECT" a 1 2>err
    has err "does not contain OS Runtime trace data"
    has err "stint run --osrt records them"
}

waits_are_kept_with_every_event()
{
    [ -n "${REAL-}" ] || return 0
    stint run --osrt --quiet --report off --store waits.sqlite sleep 0.2
    stint stats --report osrt_sum:csv waits.sqlite >out
    lines out "nanosleep" 1
    stint export -o waits.json waits.sqlite
    same "the exported waits" "$(grep -c '"cat": "osrt".*"name": "nanosleep"\|"name": "nanosleep".*"cat": "osrt"' waits.json)" 1
    stint stats --filter-time /1s --report osrt_sum:csv waits.sqlite >part
    same "the reports of the whole and of all events" "$(cut -d, -f3,9 out)" "$(cut -d, -f3,9 part)"
}

broken_report_is_told_with_line_and_reason()
{
    printf '{"format":"stint-report",\n"version":x}' >broken.json
    copies broken >script
    stint run sh ./script 2>err
    same "the exit code" $? 0
    has err "the report of a process cannot be read: 1.json:2: expected a value"
}

# As in a container. What is written goes through descriptors that were opened before.
folders_that_are_read_only_are_no_obstacle()
{
    unshare -m mount -t tmpfs none tmp 2>/dev/null || { echo "not run: nothing can be mounted here"; return; }
    unshare -m sh -c 'for folder in / /tmp /var/tmp; do
            mount --bind "$folder" "$folder" && mount -o remount,bind,ro "$folder" || exit 9
        done
        unset TMPDIR
        cd / && "$0" run --report csv sh -c "\"\$0\" a 1; \"\$0\" b 2; exit 0" "$1"' "$STINT" "$SUBJECT" >out 2>err
    same "the exit code" $? 0
    has err "GlobalStatInfo,a,1,"
    has err "GlobalStatInfo,b,2,"
}

run_tests exit_status_is_the_programs program_that_cannot_be_run_is_127_or_126_as_in_a_shell \
    arguments_arrive_as_they_are options_end_with_the_programs_name input_and_output_are_the_programs \
    threads_of_stint_are_no_obstacle_to_unshare threads_of_stint_are_no_obstacle_to_giving_up_capabilities what_drops_privileges_is_recorded_to_the_end threads_that_begin_meanwhile_lose_nothing private_folder_is_removed private_folder_is_private folder_that_does_not_exist_is_no_obstacle \
    variables_make_the_program_record percent_signs_of_the_folder_are_no_patterns \
    scopes_are_not_recorded_as_ranges_too what_the_variables_held_is_handed_on what_is_switched_off_is_not_injected \
    missing_library_is_told_once_and_no_reason_to_stop report_of_one_process_is_its_own \
    reports_of_several_are_of_all_together each_process_has_its_reports_first_if_that_is_asked_for \
    processes_of_one_id_are_all_there children_are_followed processes_are_rows_for_people_and_programs \
    process_that_executes_a_program_has_one_report_in_its_file process_that_executes_a_program_is_one_process \
    process_that_forks_without_exec_and_its_child_are_two \
    two_hundred_processes_fit_a_screen default_is_one_screen environment_chooses_the_report_and_options_override_it \
    format_is_the_form_of_the_reports reports_of_nsys_are_reports_too log_file_has_the_report report_without_its_file_is_printed \
    process_that_cannot_write_its_report_prints_it \
    log_file_is_no_link_of_others_in_a_folder_for_all log_file_with_pattern_is_one_per_process \
    nothing_recorded_is_one_line time_of_children_is_not_that_of_the_program program_that_cannot_be_sampled_is_not_said_to_wait static_programs_are_named_as_the_cause \
    without_proc_libraries_are_found programs_of_musl_run_without_stint \
    programs_with_address_sanitizer_find_what_they_would waits_in_the_c_library_are_recorded_on_request waits_are_kept_with_every_event \
    broken_report_is_told_with_line_and_reason folders_that_are_read_only_are_no_obstacle
