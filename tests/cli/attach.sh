#!/bin/sh
# stint attach, stint run --live, and the options of stint run that say when to record.
. "$(dirname -- "$0")/lib.sh"

# start [OPTION...] - runs the subject, until `end`, and waits for its first scope; $child is its process id.
start()
{
    "$STINT" run "$@" "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
}

end()
{
    : >over
    wait "$launcher"
    same "the exit code" $? 0
}

# attach OPTION - asks the child, once it listens.
attach()
{
    until_true listens "$child"
    stint attach "$child" "$@" >attach.out 2>attach.err
    same "the exit code of attach $*" $? 0
    same "stdout of attach" "$(cat attach.out)" ""
}

# refused TEXT ARGUMENT... - an attach that is refused with that text.
refused()
{
    text=$1
    shift
    stint attach "$@" >attach.out 2>attach.err
    same "the exit code of attach $*" $? 1
    has attach.err "$text"
    same "the number of lines" "$(wc -l <attach.err)" 1
}

count_of_work()
{
    sed -n 's/^GlobalStatInfo,work,\([0-9]*\),.*/\1/p' "$1"
}

print_prints_what_was_recorded_so_far()
{
    start --report csv
    attach --print
    has attach.err "work"
    lacks err "work"
    end
    has err "GlobalStatInfo,work,"
}

off_and_on_switch_recording()
{
    start --report csv
    attach --off
    attach --print
    cp attach.err before
    sleep 0.2
    attach --print
    same "the row after a while" "$(sed -n 's/.* \([0-9]*\) .*work.*/\1/p' attach.err)" \
        "$(sed -n 's/.* \([0-9]*\) .*work.*/\1/p' before)"
    attach --on
    same "stderr of attach" "$(cat attach.err)" ""
    sleep 0.2
    end
    [ "$(count_of_work err)" -gt 5 ] || complain "recording did not go on: $(cat err)"
}

on_begins_what_from_start_off_holds_back()
{
    start --report csv --from-start off
    attach --print
    has attach.err "no scope was entered"
    attach --on
    sleep 0.1
    end
    has err "GlobalStatInfo,work,"
}

a_process_that_wrote_over_its_environment_is_found()
{
    "$STINT" run --report csv "$SUBJECT" retitle "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
    lacks "/proc/$child/environ" "STINT_CONTROL"
    attach --print
    has attach.err "work"
    end
}

attach_says_what_is_wrong()
{
    refused "there is no process 999999999" 999999999 --on
    "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    refused "it was not started by stint run, nor with STINT_CONTROL set" "$(sed 1q out)" --on
    end
    mkdir -m 700 empty
    STINT_CONTROL=$PWD/empty sleep 20 &
    launcher=$!
    until_true grep -q sleep "/proc/$launcher/comm"
    refused "process $launcher is not listening: it has recorded nothing so far" "$launcher" --on
    kill "$launcher"
}

# Whether all threads of the child have stopped: those that run do so a moment after the signal.
stopped()
{
    ! grep -L '^State:.T' "/proc/$child"/task/*/status | grep -q .
}

attach_gives_up_on_a_process_that_does_not_answer()
{
    start --quiet
    attach --on
    kill -STOP "$child"
    until_true stopped
    refused "process $child does not answer within 2 s" "$child" --on
    kill -CONT "$launcher"
    end
}

# peer ANSWER - begins a process "$child" that listens as one with stint does; ANSWER is Python that answers `client`.
peer()
{
    mkdir -m 700 fake
    STINT_CONTROL=$PWD/fake python3 -c '
import os, socket, sys, time
listener = socket.socket(socket.AF_UNIX)
listener.bind("fake/%d.sock" % os.getpid())
listener.listen(1)
client, _ = listener.accept()
client.recv(16)
try:
    exec(sys.argv[1])
except OSError:
    pass
' "$1" &
    child=$!
    until_true test -e "fake/$child.sock"
}

attach_gives_up_on_answers_without_end()
{
    command -v python3 >/dev/null || return
    peer 'while True: client.send(b"x"); time.sleep(0.3)'
    refused "process $child has not finished its answer after 10 s" "$child" --print
    wait "$child"
    rm -r fake
    peer 'while True: client.send(b"x" * 65536)'
    refused "process $child " "$child" --print
    wait "$child"
}

answers_cannot_control_the_terminal()
{
    command -v python3 >/dev/null || return
    peer 'client.send(b"error: \x1b[31mred\n"); client.close()'
    refused "refused: \\x1b[31mred" "$child" --print
    wait "$child"
}

strangers_processes_are_strangers()
{
    [ "$(id -u)" != 0 ] || return
    refused "process 1 belongs to another user" 1 --on
}

folder_by_hand_will_do()
{
    mkdir -m 700 sockets
    STINT_CONTROL=sockets STINT_REPORT=csv "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
    until_true listens "$child"
    stint attach "$child" --off
    same "the exit code" $? 0
    end
    has err "GlobalStatInfo,work,"
    same "what is left" "$(ls sockets)" ""
}

live_prints_rows_while_the_program_runs()
{
    start --live=0.2 --report csv
    until_true grep -q "  work$" err
    lacks err "GlobalStatInfo,work"
    grep -Eq '^== [0-9]{2}:[0-9]{2}:[0-9]{2}  .*, 1 process, after [0-9.]+ [mu]?s$' err || complain "no head in: $(cat err)"
    end
    has err "GlobalStatInfo,work,"
    same "the number of rows per block" "$(grep -c '  work$' err)" "$(grep -c '^==' err)"
}

live_has_all_processes()
{
    "$STINT" run --live=0.2 --quiet sh -c "'$SUBJECT' until over a & '$SUBJECT' until over b & wait" >out 2>err &
    launcher=$!
    until_true grep -q ", 2 processes, after" err
    until_true grep -q "  a$" err
    until_true grep -q "  b$" err
    end
    lacks err "ThreadSanitizer"
}

# U+009B alone begins an escape sequence, like ESC [.
live_shows_names_that_cannot_control_the_terminal()
{
    "$STINT" run --live=0.2 --quiet --report off "$SUBJECT" until over "$(printf 'a\302\233b\033[31m%080d' 7)" >out 2>err &
    launcher=$!
    until_true grep -q "total      calls  name" err
    until_true grep -q "[sm]  *[0-9][0-9]*  a" err
    end
    has err '  a\u009bb\x1b[31m000'
    same "the columns of the widest line" "$(sed 's/…/./' err | awk '{ if (length($0) > most) most = length($0) } END { print most }')" 80
}

# of RECORDING - how many scopes the process had ended when it was made.
of()
{
    stint stats "$1" --report csv 2>/dev/null | sed -n 's/^GlobalStatInfo,work,\([0-9]*\),.*/\1/p'
}

dump_writes_what_there_is_while_the_program_goes_on()
{
    mkdir -m 700 sockets
    STINT_CONTROL=sockets STINT_TRACE=run.stint STINT_TRACE_RING=30s STINT_DUMP_SIGNAL=USR1 STINT_REPORT=csv \
        "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true grep -q . out
    child=$(sed 1q out)
    until_true listens "$child"
    until_true stint attach "$child" --dump
    sleep 0.2
    name=$(stint attach "$child" --dump)
    same "the exit code" $? 0
    kill -USR1 "$child"
    until_true test -e run.dump3.stint -o -e run.dump4.stint
    end
    case $name in
    "$PWD"/run.dump[23].stint) ;;
    *) complain "the recording is called '$name'" ;;
    esac
    [ "$(of "$name")" -lt "$(of run.stint)" ] || complain "the program did not go on"
    same "what was recorded" "$(of run.stint)" "$(count_of_work err)"
    stint stats "$name" 2>said >/dev/null
    lacks said "killed"
}

dump_needs_a_trace()
{
    start --quiet
    until_true listens "$child"
    refused "it writes no trace" "$child" --dump
    end
}

dumps_of_stint_run_are_beside_its_file()
{
    mkdir results
    start --quiet --report off --store results/all.stint --store-ring 30s
    until_true listens "$child"
    until_true stint attach "$child" --dump
    end
    same "the files" "$(ls results | sed "s/^$child\.[0-9]*\./PROCESS./" | tr '\n' ' ')" "PROCESS.dump1.stint all.stint "
    [ "$(of results/"$child".*.dump1.stint)" -le "$(of results/all.stint)" ] || complain "the dump has more than all"
}

slow_scopes_leave_what_came_before()
{
    STINT_TRACE=run.stint STINT_DUMP_SLOW='wor*:9ms' STINT_REPORT=off "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true test -e run.dump1.stint/metadata
    until_true grep -q 'a scope was slow: the events before are in' err
    end
    [ "$(of run.dump1.stint)" -gt 0 ] || complain "the dump is empty"
}

parts_of_long_traces_are_put_aside()
{
    STINT_TRACE=run.stint STINT_TRACE_ROTATE=500ms,keep=2 STINT_REPORT=csv "$SUBJECT" until "$WORK/over" work >out 2>err &
    launcher=$!
    until_true test -e run.part3.stint/metadata
    until_true test ! -e run.part1.stint
    end
    same "the last report" "$(of run.stint)" "$(count_of_work err)"
    [ "$(of run.part2.stint)" -lt "$(of run.part3.stint)" ] || complain "parts do not follow each other"
}

options_set_the_variables()
{
    stint run --quiet --from-start off --delay 1.5 --timeout 20 --window 'step*@model' env >out
    has out "STINT_FROM_START=off"
    has out "STINT_DELAY=1.5"
    has out "STINT_DURATION=20.0"
    has out "STINT_WINDOW=step*@model"
    has out "STINT_CONTROL=$TMPDIR/stint-"
    STINT_FROM_START=off STINT_DELAY=7 stint run --quiet env >out
    has out "STINT_FROM_START=off"
    has out "STINT_DELAY=7"
    lacks out "STINT_WINDOW"
    STINT_FROM_START=off stint run --quiet --from-start on env >out
    has out "STINT_FROM_START=on"
}

nothing_is_recorded_before_the_delay_or_after_the_duration()
{
    stint run --delay 100 "$SUBJECT" early 5 2>err
    has err "nothing was recorded"
    start --duration 0.3 --report csv
    sleep 1
    end
    [ "$(count_of_work err)" -lt 60 ] || complain "recorded for too long: $(cat err)"
}

run_tests print_prints_what_was_recorded_so_far off_and_on_switch_recording on_begins_what_from_start_off_holds_back \
    a_process_that_wrote_over_its_environment_is_found attach_says_what_is_wrong attach_gives_up_on_a_process_that_does_not_answer \
    attach_gives_up_on_answers_without_end answers_cannot_control_the_terminal strangers_processes_are_strangers \
    folder_by_hand_will_do live_prints_rows_while_the_program_runs live_has_all_processes \
    live_shows_names_that_cannot_control_the_terminal dump_writes_what_there_is_while_the_program_goes_on \
    dump_needs_a_trace dumps_of_stint_run_are_beside_its_file slow_scopes_leave_what_came_before \
    parts_of_long_traces_are_put_aside options_set_the_variables \
    nothing_is_recorded_before_the_delay_or_after_the_duration
