#!/bin/sh
# Recordings of programs that make it difficult: that fork while they end, and that load stint more than once.
. "$(dirname -- "$0")/lib.sh"
STINT_MODULE=$MODULE
export STINT_MODULE

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
    same "messages" "$(grep -v 'is being completed' err)" ""
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

# copies NUMBER - makes plugins that each have a stint of their own.
copies()
{
    for copy in $(seq "$1"); do
        cp "$PLUGIN" "$copy.so"
    done
}

plugin_that_is_unloaded_leaves_its_whole_recording()
{
    copies 1
    for round in 1 2 3; do
        ROUNDS=20000 STINT_TRACE=run.stint STINT_REPORT=off STINT_TRACE_WAIT=on timeout 60 "$HOST" ./1.so 2>err
        same "the exit code" $? 13
        same "messages" "$(cat err)" ""
        whole run.stint shared 240000
    done
}

each_stint_in_a_process_has_files_of_its_own()
{
    copies 4
    STINT_TRACE=run.stint STINT_REPORT=json STINT_OUTPUT=run.json "$HOST" ./1.so ./2.so ./3.so ./4.so 2>err
    same "the exit code" $? 13
    same "messages" "$(cat err)" ""
    for mark in "" .copy2 .copy3 .copy4; do
        whole run$mark.stint shared 12
        whole run$mark.json shared 12
    done
    same "the files" "$(ls -d run.* | wc -l)" 8
    stint run --report csv --format csv --log-file all.csv --store all.stint "$HOST" ./1.so ./2.so ./3.so ./4.so 2>err
    same "the exit code of stint run" $? 13
    has all.csv ",shared,48,"
    whole all.stint shared 48
    stint run --quiet --report off --store %p.stint "$HOST" ./1.so ./2.so ./3.so ./4.so 2>err
    same "the recordings with %p" "$(ls -d [0-9]*.stint | wc -l)" 4
}

run_tests threads_may_fork_while_a_recording_ends \
    plugin_that_is_unloaded_leaves_its_whole_recording each_stint_in_a_process_has_files_of_its_own
