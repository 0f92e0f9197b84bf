#!/bin/sh
# Recordings of programs that make it difficult: that fork while they end.
. "$(dirname -- "$0")/lib.sh"

# whole RECORDING NAME COUNT - whether it can be read to its end and has so many activations.
whole()
{
    stint stats "$1" --format csv >whole.csv 2>whole.err || complain "$1 cannot be read"
    same "what is said of $1" "$(cat whole.err)" ""
    same "the number of '$2' in $1" "$(sed -n "s/.*,$2,\([0-9]*\),.*/\1/p" whole.csv)" "$3"
}

# storm SCOPES TRACE - waits for the children, too: they have the pipe.
storm()
{
    mkdir job
    STINT_TRACE="$2" STINT_REPORT=off timeout 60 "$STORM" "$1" 2>err | timeout 60 cat
    same "the exit code of waiting for all processes" $? 0
    same "messages" "$(grep -v 'is being \(completed\|written\)' err)" ""
}

threads_may_fork_while_a_recording_ends()
{
    for round in 1 2 3; do
        storm 2000 job/run.stint
        whole job/run.stint parent 2000
        for child in job/run.[0-9]*.stint; do
            whole "$child" child 3
        done
        rm -r job
    done
}

# Children that are forked while their parent has SQLite's locks get by without a database.
threads_may_fork_while_a_database_is_made()
{
    command -v sqlite3 >/dev/null || return
    storm 1000000 job/run.sqlite
    same "integrity_check" "$(sqlite3 job/run.sqlite 'PRAGMA integrity_check')" ok
    for child in job/run.[0-9]*.sqlite job/run.sqlite.[0-9]*.stint; do
        [ ! -e "$child" ] || whole "$child" child 3
    done
    ls job/run.sqlite.*.stint >/dev/null 2>&1 || complain "no process was forked while the database was made"
    same "other files" "$(ls -d job/* | grep -v '/run\(\.[0-9]*\)\{0,1\}\.sqlite$\|/run.sqlite.[0-9]*.stint$')" ""
}

run_tests threads_may_fork_while_a_recording_ends threads_may_fork_while_a_database_is_made
