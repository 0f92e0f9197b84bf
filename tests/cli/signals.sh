#!/bin/sh
# How programs end: signals, stops, processes that live on, and what stands where.
. "$(dirname -- "$0")/lib.sh"

# The library that samples would bring a sanitizer, which handles signals.
[ -z "$SANITIZE" ] || export STINT_SAMPLE=off

# start COMMAND - runs the shell's COMMAND in the background and waits until it has printed its process id, as $child.
start()
{
    "$STINT" run --quiet sh -c "$1" >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
}

death_by_signal_is_death_by_signal()
{
    for signal in 15 9 1 11; do
        # shellcheck disable=SC2016
        "$SUBJECT" end "$STINT" run --quiet sh -c "kill -$signal "'$$' >out 2>err
        same "the end" "$(cat out)" "signal $signal"
    done
    same "files left behind" "$(ls "$TMPDIR")" ""
}

signal_to_the_launcher_alone_reaches_the_program()
{
    for signal in TERM HUP USR1 USR2; do
        rm -f out
        start "trap 'echo got $signal; exit 5' $signal; echo \$\$; while :; do sleep 0.05; done"
        kill -$signal $launcher
        wait $launcher
        same "the exit code after $signal" $? 5
        has out "got $signal"
    done
}

launcher_outlives_a_program_that_ignores_the_signal()
{
    start "trap '' TERM; echo \$\$; sleep 0.5; exit 4"
    kill -TERM $launcher
    wait $launcher
    same "the exit code" $? 4
}

ignored_signal_stays_ignored()
{
    (
        trap '' HUP
        exec "$STINT" run --quiet sh -c 'kill -HUP $$; exit 6' 2>err
    )
    same "the exit code" $? 6
}

signal_mask_and_dispositions_are_the_programs_own()
{
    grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status >direct
    stint run --quiet grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status >out
    diff direct out || complain "signals differ"
}

report_stands_after_what_the_program_printed()
{
    "$SUBJECT" work 3 "its own output" >both 2>&1
    same "the first line" "$(sed 1q both)" "its own output"
    has both "  work"
    "$SUBJECT" work 3 "its own output" 2>err >/dev/full
    has err "  work"
}

overhead_is_measured_when_a_signal_ends_the_program()
{
    "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    kill -TERM $launcher
    wait $launcher
    same "the end" $? 143
    has err " per scope, about "
    lacks err "overhead: not measured"
}

stop_stops_the_launcher_and_both_go_on()
{
    start "echo \$\$; while [ ! -e go ]; do sleep 0.05; done; exit 7"
    kill -STOP "$child"
    until_true state $launcher T
    kill -CONT $launcher
    until_true state "$child" S
    : >go
    wait $launcher
    same "the exit code" $? 7
}

# As a scheduler or a debugger may do it, which knows of no launcher.
launcher_goes_on_with_a_program_that_is_continued_or_killed_alone()
{
    start "echo \$\$; trap 'echo continued >>seen' CONT; while [ ! -e go ]; do sleep 0.05; done; exit 7"
    kill -STOP "$child"
    until_true state $launcher T
    kill -CONT "$child"
    until_true state $launcher S
    kill -STOP "$child"
    until_true state $launcher T
    kill -CONT "$child"
    : >go
    wait $launcher
    same "the exit code" $? 7
    same "what the program saw" "$(tr '\n' ' ' <seen)" "continued continued "
    rm go
    start "echo \$\$; while [ ! -e go ]; do sleep 0.05; done"
    kill -STOP "$child"
    until_true state $launcher T
    kill -KILL "$child"
    wait $launcher
    same "the exit code" $? 137
}

# A shell's command that waits for the file.
awaits()
{
    echo "while [ ! -e $1 ]; do sleep 0.05; done"
}

process_that_lives_on_is_told_and_has_its_folder()
{
    "$STINT" run sh -c "'$SUBJECT' until go later >first 2>/dev/null & until grep -q . first; do sleep 0.05; done" 2>err
    same "the exit code" $? 0
    has err "are still running; their reports will be in $TMPDIR/stint-"
    : >go
    until_true sh -c "ls '$TMPDIR'/stint-*/*.json"
    has "$(ls "$TMPDIR"/stint-*/*.json)" '"name":"later"'
    until_true sh -c "[ -z \"\$(ls '$TMPDIR'/stint-* | grep -v json)\" ]"
}

report_of_a_process_that_began_to_record_late_is_in_the_folder()
{
    "$STINT" run sh -c "($(awaits go); exec '$SUBJECT' later 3) >/dev/null 2>&1 &" 2>err
    has err "are still running; their reports will be in $TMPDIR/stint-"
    lacks err "nothing was recorded"
    : >go
    until_true sh -c "ls '$TMPDIR'/stint-*/*.json"
    has "$(ls "$TMPDIR"/stint-*/*.json)" '"name":"later"'
}

folder_is_removed_by_the_last_of_the_processes()
{
    STINT_CHECKPOINT=0.1 "$STINT" run --report csv sh -c '"$0" until go a >first & until grep -q . first; do sleep 0.05; done; sleep 0.5; kill -9 $!; wait' \
        "$SUBJECT" >out 2>err
    has err "stint: process $(cat first) did not end normally"
    has err "GlobalStatInfo,a,"
    "$STINT" run --store run.sqlite sh -c "($(awaits one)) >/dev/null 2>&1 & ($(awaits two)) >/dev/null 2>&1 &" 2>err
    has err "are still running"
    : >one
    sleep 0.3
    same "the number of folders" "$(ls -d "$TMPDIR"/stint-* | wc -l)" 1
    : >two
    until_true sh -c "[ -z \"\$(ls '$TMPDIR')\" ]"
    until_true sh -c "! ls -d run.sqlite.*"
}

reports_that_were_printed_are_not_left()
{
    "$STINT" run --report csv sh -c "'$SUBJECT' early 3; ($(awaits go)) >/dev/null 2>&1 &" 2>err
    has err "GlobalStatInfo,early,3,"
    has err "are still running"
    : >go
    until_true sh -c "[ -z \"\$(ls '$TMPDIR')\" ]"
}

nothing_waits_in_the_terminal_for_processes_that_live_on()
{
    "$STINT" run sh -c "($(awaits go)) >/dev/null 2>&1 &" 2>&1 | cat >out
    same "the output" "$(grep -v 'are still running; their reports' out)" ""
    : >go
    until_true sh -c "[ -z \"\$(ls '$TMPDIR')\" ]"
}

process_that_is_killed_without_a_database_is_told()
{
    # shellcheck disable=SC2016
    "$STINT" run sh -c '"$0" until go a >first & until grep -q . first; do sleep 0.05; done; kill -9 $!; wait' \
        "$SUBJECT" 2>err
    has err "stint: process $(cat first) ended without a report"
    lacks err "nothing was recorded"
    "$STINT" run --store run.sqlite sh -c '"$0" until go a >first & until grep -q . first; do sleep 0.05; done; kill -9 $!; wait' \
        "$SUBJECT" 2>err
    lacks err "ended without a report"
    "$STINT" run --report off sh -c "'$SUBJECT' a 5; '$SUBJECT' b 5" 2>err
    same "stderr" "$(cat err)" ""
}

# A process may end before its thread that listens has learnt of that.
process_that_reported_is_not_lost_if_its_socket_stays()
{
    sed 's/"pid":4711,"rank"/"pid":99999999,"rank"/' "$GOLDEN/report_json_training.json" >report.json
    # shellcheck disable=SC2016
    "$STINT" run sh -c 'cp report.json "${STINT_OUTPUT%/*}/1.json"; : >"${STINT_OUTPUT%/*}/99999999.sock"' 2>err
    lacks err "without a report"
    # shellcheck disable=SC2016
    "$STINT" run sh -c 'for pid in 7 8 9; do : >"${STINT_OUTPUT%/*}/9999999$pid.sock"; done' 2>err
    has err " and 2 others ended without a report"
    same "the number of lines" "$(wc -l <err)" 1
}

run_tests death_by_signal_is_death_by_signal signal_to_the_launcher_alone_reaches_the_program \
    launcher_outlives_a_program_that_ignores_the_signal ignored_signal_stays_ignored \
    signal_mask_and_dispositions_are_the_programs_own stop_stops_the_launcher_and_both_go_on \
    launcher_goes_on_with_a_program_that_is_continued_or_killed_alone \
    process_that_lives_on_is_told_and_has_its_folder report_of_a_process_that_began_to_record_late_is_in_the_folder \
    folder_is_removed_by_the_last_of_the_processes reports_that_were_printed_are_not_left \
    nothing_waits_in_the_terminal_for_processes_that_live_on process_that_is_killed_without_a_database_is_told \
    process_that_reported_is_not_lost_if_its_socket_stays report_stands_after_what_the_program_printed \
    overhead_is_measured_when_a_signal_ends_the_program
