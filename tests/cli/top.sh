#!/bin/sh
# stint top: what running processes do.
. "$(dirname -- "$0")/lib.sh"

# start SCOPE - runs the subject until `end`, and waits for its first scope; $child is its process id.
start()
{
    "$STINT" run --report csv "$SUBJECT" until "$WORK/over" "$1" >out."$1" 2>err."$1" &
    launchers="${launchers:-} $!"
    until_true grep -q . out."$1"
    child=$(sed 1q out."$1")
    until_true listens "$child"
}

end()
{
    : >over
    for launcher in $launchers; do
        wait "$launcher"
        same "the exit code" $? 0
    done
    launchers=""
}

# share FILE NAME - the whole percents of the time that the last table gives it.
share()
{
    sed -n "s/^ *\([0-9]*\)\.[0-9]* .* $2\$/\1/p" "$1" | tail -n 1
}

# calls FILE NAME - the whole number of its calls in a second, in the last table.
calls()
{
    sed -n "s/.* \([0-9]*\)\.[0-9]  *[0-9.]*  $2\$/\1/p" "$1" | tail -n 1
}

# The subject is in its scope nearly all the time, for some 10 ms each time: up to 100 a second.
what_was_done_between_two_looks_is_shown()
{
    start work
    stint top "$child" --batch --delay 0.4 --iterations 2 >top 2>top.err
    same "the exit code of top" $? 0
    lines top "1 process, the last " 2
    lines top " work" 2
    [ "$(share top work)" -ge 60 ] && [ "$(share top work)" -le 101 ] || complain "not the share: $(cat top)"
    [ "$(calls top work)" -ge 10 ] && [ "$(calls top work)" -le 101 ] || complain "not the rate: $(cat top)"
    [ ! -s top.err ] || complain "something is said: $(cat top.err)"
    end
    has err.work "GlobalStatInfo,work,"
}

# A shell's files have no symbols.
# One that is stopped does not answer, and delays what is said of others once, not with each look.
who_does_not_answer_is_told_and_delays_no_others()
{
    start work
    stopped=$child
    start other
    kill -s STOP "$stopped"
    began=$(date +%s)
    stint top "$stopped" "$child" --batch --delay 0.1 --iterations 12 >top 2>top.err
    same "the exit code of top" $? 0
    [ $(($(date +%s) - began)) -lt 12 ] || complain "it has waited each time"
    lines top "2 processes, 1 of them does not answer, the last " 12
    has top " other"
    lacks top " work"
    stint top "$stopped" --batch --delay 0.1 --iterations 1 >top 2>top.err
    same "the exit code of top" $? 0
    has top "1 process, 1 of them does not answer"
    kill -s CONT "$stopped"
    until_true answers "$stopped"
    end
}

answers()
{
    stint top "$1" --batch --delay 0.1 --iterations 1 >top && ! grep "does not answer" top
}

functions_of_a_program_without_scopes_are_shown()
{
    # shellcheck disable=SC2016
    env -u STINT_INJECT_LIBRARY "$STINT" run --sample --live=0.3 sh -c 'echo $$ >child; while [ ! -e over ]; do :; done' 2>err &
    launchers=$!
    until_true test -s child
    until_true listens "$(cat child)"
    stint top "$(cat child)" --batch --delay 0.5 --iterations 2 >top 2>top.err
    same "the exit code of top" $? 0
    grep -q 'CPU/.*(no symbols)$' top || complain "no function: $(cat top)"
    until_true grep -q "(no symbols)" err
    lacks top "nothing was recorded"
    end
}

several_processes_are_one_table()
{
    start work
    start other
    stint top --batch --delay 0.3 --iterations 1 >top 2>top.err
    same "the exit code of top" $? 0
    has top " work"
    has top " other"
    stint top --batch --delay 0.1 --iterations 1 --sort name "$child" >top
    lacks top " work"
    has top " other"
    has top "by name"
    end
}

# The last process' end is the end.
it_ends_with_the_processes()
{
    start work
    stint top "$child" --batch --delay 0.2 >top 2>top.err &
    top=$!
    until_true grep -q work top
    end
    wait "$top"
    same "the exit code of top" $? 0
    ! test -S "$(echo "$TMPDIR"/stint-*/"$child".*.sock)" || complain "the socket is still there"
    stint top "$child" --batch >top 2>top.err
    same "the exit code of top" $? 1
    has top.err "there is no process $child"
}

# screen TEXT... - whether the terminal shows all of them.
screen()
{
    tmux -S tmux capture-pane -p >shown
    for text in "$@"; do
        grep -qF -e "$text" shown || return 1
    done
}

# Keys are obeyed, also several at once, and what the terminal showed before comes back.
a_terminal_shows_it_and_has_keys()
{
    command -v tmux >/dev/null || { echo "no tmux: left out"; return; }
    start work
    tmux -S tmux -f /dev/null new-session -d -x 80 -y 10 "echo before; '$STINT' top '$child' --delay 0.3; sleep 60"
    until_true screen "1 process, the last " " work" ", by total"
    lacks shown "before"
    tmux -S tmux send-keys c
    until_true screen ", by count"
    tmux -S tmux send-keys n Down Up h
    until_true screen "  p       processes instead of scopes"
    tmux -S tmux send-keys h p
    until_true screen "Scopes/s"
    tmux -S tmux send-keys z t
    until_true screen "paused" ", by total"
    tmux -S tmux resize-window -x 40 -y 6
    until_true screen " work"
    screen "Self" && complain "columns are not left out"
    tmux -S tmux send-keys q
    until_true screen "before"
    tmux -S tmux kill-server
    end
}

refused()
{
    text=$1
    code=$2
    shift 2
    stint top "$@" </dev/null >top 2>top.err
    same "the exit code of top $*" $? "$code"
    has top.err "$text"
    [ ! -s top ] || complain "something is printed: $(cat top)"
}

mistakes_are_told()
{
    refused "me is not a process id" 2 me
    refused "give processes or --all, not both" 2 --all 1
    refused "stint: --delay 0: expected" 2 --delay 0
    refused "stint: --iterations 0: expected" 2 --iterations 0
    refused "--sort size: expected one of total, self, count, name" 2 --sort size
    refused "was not started by stint run" 1 $$
    start work
    refused "are not a terminal: use stint top --batch" 2 "$child"
    end
}

TMPDIR=$WORK
export TMPDIR
run_tests what_was_done_between_two_looks_is_shown who_does_not_answer_is_told_and_delays_no_others functions_of_a_program_without_scopes_are_shown several_processes_are_one_table it_ends_with_the_processes \
    a_terminal_shows_it_and_has_keys mistakes_are_told
