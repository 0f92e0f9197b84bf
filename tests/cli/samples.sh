#!/bin/sh
# stint run --sample and stint samples: which functions took the CPU time.
. "$(dirname -- "$0")/lib.sh"

# The library that records, because the one that does nothing takes no samples.
STINT_INJECT_LIBRARY=$RECORDS
export STINT_INJECT_LIBRARY

# The program says so itself: names are looked up by a library that it may have been built without.
has_names()
{
    ! grep -q "built without elfutils' libdw" "$1"
}

# self FILE FUNCTION - prints the percentage from stint samples --csv.
self()
{
    awk -F, -v function_="$2" '$7 == function_ { print $1 }' "$1"
}

# about WHAT VALUE EXPECTED - within 15 points: a hundred samples, on a machine that may be busy.
about()
{
    awk -v value="${2:-0}" -v expected="$3" 'BEGIN { exit !(value > expected - 15 && value < expected + 15) }' ||
        complain "$1 has ${2:-no} % of the time, expected about $3"
}

# The program is run once for all.
record()
{
    [ -e "$WORK.json" ] || stint run --sample --report json --log-file "$WORK.json" "$SAMPLED" 2>err || complain "$(cat err)"
    cp "$WORK.json" all.json
}
rm -f "$WORK.json"

functions_have_their_share()
{
    record
    stint samples all.json --csv >csv || complain "it failed"
    stint samples all.json >out
    has out " of CPU time in "
    has_names out || return 0
    about inlined_work "$(self csv inlined_work)" 75
    about work "$(self csv work)" 25
    about spin_most "$(self csv spin_most)" 0
    awk -F, '$7 == "spin_most" && $4 < 60 { exit 1 }' csv || complain "spin_most calls what takes most: $(cat csv)"
}

within_a_scope_there_is_what_ran_in_it()
{
    record
    stint samples all.json --scope most --csv >csv
    stint samples all.json >out
    has_names out || return 0
    about inlined_work "$(self csv inlined_work)" 100
    same "work" "$(self csv work)" ""
    stint samples all.json --scope nowhere 2>err
    same "the exit code" $? 1
    has err "no sample was taken in a scope \"nowhere\""
}

a_part_of_the_time_has_its_samples()
{
    rm -rf all.stint none.stint
    STINT_TRACE=all.stint stint run --sample "$SAMPLED" 2>err || complain "$(cat err)"
    stint samples all.stint --filter-nvtx most --csv >csv || complain "it failed"
    stint samples all.stint >out
    cp -r all.stint none.stint && rm none.stint/samples
    stint samples none.stint --filter-nvtx most 2>err
    same "the exit code without samples" $? 1
    has err "no sample of none.stint falls into this part"
    has_names out || return 0
    about inlined_work "$(self csv inlined_work)" 100
    same "work" "$(self csv work)" ""
    record
    stint samples all.json --filter-time 0s/1s 2>err && complain "a report without events has parts"
}

sources_have_what_each_line_took()
{
    record
    stint samples all.json >out
    has_names out || return 0
    # A compiler's cache may have compiled it in another folder.
    root=$(readlink -f "$here/../..")
    stint samples all.json --source '*work' --source-path "$root" >out
    has out "inlined_work  ["
    has out "% self time, in $root/tests/cli/sampled.c"
    number=$(grep -n 's_sink ^= i;' "$here/sampled.c" | cut -d : -f 1)
    grep -Eq "^ +[0-9.]+ +[0-9.]+ +[0-9.]+ +$number          s_sink \^= i;\$" out || complain "line $number: $(cat out)"
    stint samples all.json --source spin_most --source-path "$root" >out
    grep -Eq "^ +[0-9.]+ +[0-9]+          inlined_work\(\);\$" out || complain "the line of a call: $(cat out)"
    mkdir -p moved/cli && sed 's/inlined_work();/inlined_work(); # moved/' "$here/sampled.c" >moved/cli/sampled.c
    stint samples all.json --source spin_most --source-path moved >out
    has out "inlined_work(); # moved"
    has out "the file is newer than the program: lines may have moved"
    sed "s/^    /$(printf '\t')/; s/\$/$(printf '\r')/" "$here/sampled.c" >moved/cli/sampled.c
    stint samples all.json --source spin_most --source-path moved >out
    grep -Eq "^ +[0-9.]+ +[0-9]+          +inlined_work\(\);\$" out || complain "tabs and CR: $(cat -A out)"
    tr -d '\n' <"$here/sampled.c" >moved/cli/sampled.c
    stint samples all.json --source spin_most --source-path moved >out || complain "a file of one line: $(cat out)"
    stint samples all.json --source nothing 2>err
    same "the exit code" $? 1
    has err 'no function with samples and line information matches "nothing"'
    stint samples all.json --source work --csv 2>err
    same "the exit code" $? 2
    has err "--source cannot be combined with --mode or --format"
}

trees_are_drawn_from_either_end()
{
    record
    stint samples all.json --mode top-down >out
    has_names out || return 0
    has out "| spin_most  [test_cli_sampled]"
    has out "| | inlined_work  [test_cli_sampled]"
    stint samples all.json --mode bottom-up --depth 3 >out
    grep -Eq '^ +[0-9.]+% +[0-9.]+ ms  inlined_work' out || complain "$(cat out)"
    has out "  | spin_most  [test_cli_sampled]"
    has out "  | | outer  [test_cli_sampled]"
    lacks out "| | | "
}

lines_are_those_of_the_source()
{
    record
    stint samples all.json --lines >out
    has_names out || return 0
    has out "inlined_work  [sampled.c:"
}

page_has_sources_that_were_moved()
{
    record
    root=$(readlink -f "$here/../..")
    stint report all.json -o page.html --source-path "$root" || complain "it failed"
    rm -rf moved && mkdir moved
    sed 's/s_sink ^= i;/s_moved ^= i;/' "$here/sampled.c" >moved/sampled.c
    stint report all.json -o moved.html --source-path moved || complain "it failed"
    stint samples all.json >out
    has_names out || return 0
    has page.html "s_sink ^= i;"
    has moved.html "s_moved ^= i;"
}

run_prints_the_first_functions()
{
    stint run --sample "$SAMPLED" 2>err
    same "the exit code" $? 0
    has err " of CPU time)"
    has err "Self(%)"
    record
    stint stats all.json >out
    has out " of CPU time)"
    has out "Self(%)"
    stint stats --report summary all.json >out
    lacks out "Self(%)"
}

programs_are_sampled_without_being_asked_and_not_what_they_start()
{
    [ -z "$SANITIZE" ] || return 0 # its library would have to be preloaded first
    count='BEGIN { for (i = 0; i < 4000000; i++) s += i }'
    stint run awk "$count" 2>err
    has err "Functions ("
    lacks err "samples: "
    stint run sh -c "exec awk '$count'" 2>err
    has err "Functions ("
    for command in sh "nice sh"; do
        stint run $command -c "awk '$count'; true" 2>err
        lacks err "Functions ("
        has err "--sample shows their functions"
    done
    stint run --sample sh -c "awk '$count'; true" 2>err
    has err "Functions ("
    stint run --sample=off awk "$count" 2>err
    lacks err "Functions ("
    has err "leave out --sample=off to see its functions"
    stint run --report table "$SAMPLED" 2>err
    lacks err "samples: "
    stint run --report table true 2>err
    has err "--sample, and --report summary, show its functions"
    # shellcheck disable=SC2016
    stint run --sample=off sh -c 'kill -9 $$' 2>err
    has err "it was killed, and could not report"
    stint run sleep 0.3 2>err
    grep -q -e "it mostly waited: --sample=wall shows where" -e "Functions (" err || complain "$(cat err)" # it was sampled
}

nvprof_has_its_tree()
{
    stint nvprof --cpu-profiling on --cpu-profiling-frequency 250 --cpu-profiling-mode top-down "$SAMPLED" 2>err
    same "the exit code" $? 0
    has err "======== CPU profiling result (top down):"
    has err "======== Data collected at 250Hz frequency"
    ! has_names err || grep -q "| spin_most$" err || [ -z "$(grep inlined_work err)" ] || complain "$(cat err)"
    stint nvprof --cpu-profiling on --cpu-profiling-mode sideways "$SAMPLED" 2>err
    same "the exit code" $? 2
    has err "sideways"
}

file_that_was_replaced_has_no_names()
{
    cp "$SAMPLED" copy
    stint run --sample --report json --log-file all.json ./copy 2>err
    stint samples all.json >out
    has_names out || return 0
    cp "$SUBJECT" other
    mv other copy
    stint samples all.json >out
    has out "copy has changed since: its functions have no names"
    lacks out spin_most
}

functions_of_stripped_files_are_told_apart()
{
    command -v strip >/dev/null || return 0
    strip -o stripped "$SAMPLED"
    stint run --sample --report json --log-file all.json ./stripped 2>err
    stint samples all.json >out
    has_names out || return 0
    stint samples all.json --csv >csv
    about "the first function" "$(awk -F, 'NR == 2 { print $1 }' csv)" 75
    grep -Eq '^[0-9.]+,.*,0x[0-9a-f]+,stripped,' csv || complain "$(cat csv)"
}

other_tools_get_all_samples()
{
    record
    taken=$(sed -n 's/.*"samples":\([0-9]*\),"time_ns".*/\1/p' all.json | head -n 1)
    stint samples all.json --format collapsed >out
    same "the samples" "$(awk '{ sum += $NF } END { print sum }' out)" "$taken"
    stint samples all.json --format pprof -o all.pprof || complain "pprof failed"
    [ -s all.pprof ] || complain "pprof wrote nothing"
    stint samples all.json --format pprof --csv 2>err
    same "the exit code" $? 2
}

mistakes_are_told()
{
    stint samples 2>err
    same "the exit code" $? 2
    has err "no recording was given"
    stint samples "$GOLDEN/report_json_gpu.json" 2>err
    same "the exit code" $? 1
    has err "has no samples: record with stint run --sample"
    stint samples "$GOLDEN/report_json_gpu.json" --csv --mode top-down 2>err
    same "the exit code" $? 2
    has err "--csv: trees cannot be printed as CSV"
    stint samples "$GOLDEN/report_json_gpu.json" --min-percent much 2>err
    same "the exit code" $? 2
}

# Its library is in the program, in front of those that are preloaded, or behind them.
threads_of_programs_with_thread_sanitizer_are_sampled()
{
    [ -z "$SANITIZE" ] || return 0 # the libraries would bring another sanitizer
    cat >threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static void *work(void *unused)
{
    while (clock() < CLOCKS_PER_SEC / 2) {
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    printf("%ld\n", (long)getpid());
    fflush(stdout);
    return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0) ? 1 : 4;
}
END
    for options in -static-libtsan -shared-libgcc; do
        ${CC:-cc} -fsanitize=thread $options -g -pthread threads.c -o threads 2>err && ./threads >pid 2>err
        [ $? = 4 ] || continue # no library, or it does not run here
        : >pid
        began=$(date +%s)
        # Linked by -static-libtsan, it does not tell that it is there; else it need not wait for threads of stint's, nor
        # look at what these read.
        export TSAN_OPTIONS=atexit_sleep_ms=$([ $options = -static-libtsan ] && echo 0 || echo 30000)
        stint run --sample --report json --log-file threads.json ./threads >pid 2>err &
        running=$!
        if [ $options != -static-libtsan ]; then
            until_true [ -s pid ]
            stint attach "$(cat pid)" --print 2>attach.err || cat attach.err
        fi
        wait $running
        code=$?
        unset TSAN_OPTIONS
        [ $(($(date +%s) - began)) -lt 30 ] || complain "with $options it has waited for threads of stint's"
        same "the exit status with $options" $code 4
        [ $code = 4 ] || cat err
        stint samples threads.json --csv >csv
        has csv work
    done
}

# So that its descriptors have the numbers that they would have.
thread_that_looks_for_others_opens_files_of_its_own()
{
    cat >descriptors.sh <<'END'
while [ -z "$files" ]; do
    for task in /proc/$$/task/*; do
        read -r name <"$task/comm"
        [ "$name" != stint-sample ] || files=$(ls -l "$task/fd")
    done
done
echo "$files"
END
    stint run --sample --log-file descriptors.json sh descriptors.sh >files
    lacks files "$(pwd)"
    has files 'total 0'
}

# All are counted, and each once: a shell that executes a program, too.
processes_that_end_before_a_sample_comes_are_told()
{
    stint run --sample sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        /bin/true
        sh -c "exec /bin/true"
    done
    $0' "$SAMPLED" >/dev/null 2>out
    reported=$(sed -n 's/^wall .*, \([0-9]*\) processes$/\1/p' out)
    unsampled=$(sed -n 's/^\([0-9]*\) process.* ended before a sample came: [0-9.]* [mun]*s of CPU time is missing above$/\1/p' out)
    same 'the number of processes' $((${reported:-1} + ${unsampled:-0})) 32
    [ "${unsampled:-0}" -ge 5 ] || complain "the samples of most short processes came"
    stint run --sample sh -c 'exec "$0"' "$SAMPLED" 2>out
    lacks out 'before a sample came'
    stint run --sample=1 sh -c '/bin/true; /bin/true' 2>out
    has out 'each of its processes ended before a sample came'
}

# Nothing is loaded into the second loop, which takes as long as the first.
time_of_programs_that_cannot_be_sampled_is_told()
{
    loop='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
    stint run --sample sh -c "$loop; env -u LD_PRELOAD sh -c '$loop'; :" 2>out
    missing=$(sed -n 's/^\([0-9.]* m*s\) of CPU time is missing above: used by programs that cannot be sampled, .*/\1/p' out)
    shown=$(sed -n 's/.* samples of \([0-9.]* m*s\) of CPU time)$/\1/p' out)
    awk -v a="$missing" -v b="$shown" 'function ms(time) {return time * (time ~ /ms/ ? 1 : 1000)}
        BEGIN {exit !(ms(a) > ms(b) * 0.5 && ms(a) < ms(b) * 2)}' || complain "$missing is missing, $shown is shown"
    stint run --sample --duration 50 sh -c "$loop" 2>out
    lacks out "missing above"
    stint run --sample sh -c "env -u LD_PRELOAD sh -c '$loop'; :" 2>out
    has out "the programs that it started cannot be sampled"
    [ -z "$SANITIZE" ] || return 0 # a process takes long before its first sample
    stint run --sample sh -c "$loop" 2>out
    lacks out "missing above"
}

# What the parent reported before it failed to execute a program is not the child's.
child_that_ends_before_a_sample_comes_is_told_after_a_failed_exec()
{
    cat >failed.c <<'END'
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    while (clock() < CLOCKS_PER_SEC / 10)
        ;
    execl("/", "/", (char *)NULL);
    if (fork() == 0)
        return 0;
    wait(NULL);
    return 0;
}
END
    ${CC:-cc} -o failed failed.c || return 0
    stint run --sample ./failed 2>out
    has out '1 process ended before a sample came: '
}

without_proc_functions_have_names()
{
    [ -z "$SANITIZE" ] || return 0 # sanitizers need it
    unshare -rm mount -t tmpfs none /proc 2>err || return 0 # not permitted here
    # shellcheck disable=SC2016
    unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$0" run --sample "$1"' "$STINT" "$SAMPLED" 2>out
    lacks out "JIT code"
    has_names out || return 0
    has out " work  [$(basename -- "$SAMPLED")]"
}

# They last long enough for samples, which no signal brings.
processes_that_block_all_signals_are_not_said_to_be_short()
{
    cat >blocked.c <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (fork() == 0)
        return 0;
    wait(NULL);
    while (clock() < CLOCKS_PER_SEC / 5)
        ;
    return 0;
}
END
    ${CC:-cc} -o blocked blocked.c || return 0
    stint run --sample ./blocked 2>out
    has out 'no samples were taken: perhaps it blocks all signals, or changes LD_PRELOAD'
    stint run --sample=1 ./blocked 2>out
    lacks out 'perhaps it blocks all signals'
}

run_tests functions_have_their_share within_a_scope_there_is_what_ran_in_it a_part_of_the_time_has_its_samples trees_are_drawn_from_either_end \
    lines_are_those_of_the_source sources_have_what_each_line_took page_has_sources_that_were_moved run_prints_the_first_functions programs_are_sampled_without_being_asked_and_not_what_they_start nvprof_has_its_tree \
    file_that_was_replaced_has_no_names functions_of_stripped_files_are_told_apart other_tools_get_all_samples mistakes_are_told \
    threads_of_programs_with_thread_sanitizer_are_sampled thread_that_looks_for_others_opens_files_of_its_own \
    without_proc_functions_have_names processes_that_end_before_a_sample_comes_are_told \
    time_of_programs_that_cannot_be_sampled_is_told child_that_ends_before_a_sample_comes_is_told_after_a_failed_exec processes_that_block_all_signals_are_not_said_to_be_short
