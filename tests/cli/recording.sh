#!/bin/sh
# Recordings: folders that programs write while they run, and that every command reads. Babeltrace, which nobody here
# wrote, reads them, too.
. "$(dirname -- "$0")/lib.sh"

# record FOLDER ARGUMENTS... - records the subject.
record()
{
    folder=$1
    shift
    STINT_TRACE="$folder" STINT_REPORT=off STINT_COMPENSATE=off "$SUBJECT" "$@" >out
}

# ------------------------------------------------------------------------------------------------------------- commands

every_command_reads_a_recording()
{
    record a.stint step 1000
    stint stats a.stint >table 2>err
    has table "step"
    same "stderr" "$(cat err)" ""
    stint nvprof -i a.stint 2>profile || complain "$(cat profile)"
    has profile "Profiling application: "
    stint export a.stint -o a.json
    lines a.json '"step"' 1000
    stint export a.stint -o a.pftrace
    [ -s a.pftrace ] || complain "there is no timeline for Perfetto"
    stint export a.stint --format collapsed -o a.folded
    has a.folded "step"
    stint report a.stint -o a.html 2>err || complain "$(cat err)"
    has a.html "step"
    stint diff a.stint a.stint >diff || complain "a recording differs from itself"
    stint merge a.stint a.stint -o both.json 2>err || complain "$(cat err)"
    stint stats both.json --format csv >both.csv
    has both.csv "2000"
}

threads_that_ended_have_names()
{
    STINT_TRACE=a.stint STINT_REPORT=off "$SUBJECT" thread "mine" || complain "the program failed"
    for name in a.json a.pftrace; do
        stint export a.stint -o $name 2>err || complain "$(cat err)"
        has $name 'mine ended'
    done
    stint stats a.stint --format json >stats.json
    has stats.json '"what":"thread"'
    command -v sqlite3 >/dev/null || return
    stint export a.stint -o a.sqlite 2>err || complain "$(cat err)"
    stint export a.sqlite -o b.json || complain "the database cannot be exported"
    has b.json 'mine ended'
}

database_is_made_of_a_recording()
{
    command -v sqlite3 >/dev/null || return
    record a.stint step 1000
    stint export a.stint -o a.sqlite 2>err || complain "$(cat err)"
    same "events" "$(sqlite3 a.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" 1000
    same "integrity_check" "$(sqlite3 a.sqlite 'PRAGMA integrity_check')" ok
    stint stats --format csv a.stint >a.csv
    stint stats --format csv a.sqlite >b.csv
    cmp a.csv b.csv || complain "the numbers differ"
    stint export a.stint --format sqlite 2>err
    same "the exit code" $? 2
    has err "a database must be a file"
}

parts_are_made_of_the_events()
{
    record a.stint step 1000
    stint stats --filter-time 0/1000s --format csv a.stint >part.csv 2>err || complain "$(cat err)"
    has part.csv "step,"
}

a_recording_replaces_the_one_before()
{
    record a.stint first 10
    record a.stint second 5
    stint stats a.stint >table
    has table "second"
    lacks table "first"
    same "the files" "$(ls a.stint | tr '\n' ' ')" "definitions metadata report thread-1 "
}

folder_that_is_no_recording_is_refused()
{
    mkdir a.stint
    stint stats a.stint 2>err
    same "the exit code" $? 2
    has err "a.stint: this folder is not a recording, and contains none"
}

folder_of_recordings_is_read_as_one()
{
    mkdir job
    record job/%p.stint step 1000
    record job/%p.stint step 500
    stint stats --format csv job >job.csv 2>err || complain "$(cat err)"
    has job.csv "step,"
    has job.csv ",1500,"
    stint stats --filter-time 0/1000s --format csv job >part.csv 2>err || complain "$(cat err)"
    has part.csv ",1500,"
    stint export job -o job.json
    lines job.json '"step"' 1500
}

every_command_reads_standard_input()
{
    record a.stint step 1000
    stint stats a.stint --format json >a.json
    stint stats - <a.stint >table 2>err
    has table "step"
    same "stderr" "$(cat err)" ""
    stint nvprof -i a.json 2>file.txt
    cat a.json | stint nvprof -i - 2>pipe.txt || complain "there is no profile"
    cmp file.txt pipe.txt || complain "the profile of a pipe differs"
    stint export - -o timeline.json <a.stint || complain "it is not exported"
    lines timeline.json '"step"' 1000
    stint report - -o a.html <a.stint || complain "there is no page"
    has a.html "step"
    cat a.json | stint diff - a.stint >diff || complain "a recording differs from itself"
    cat a.json | stint merge - a.stint -o both.json || complain "it is not merged"
    stint stats both.json --format csv | grep -q 2000 || complain "the sum is not that of both"
    same "files left in TMPDIR" "$(ls "$TMPDIR")" ""
}

archives_have_to_be_unpacked()
{
    record a.stint step 10
    for format in ustar gnu pax; do
        tar --format=$format -cf a.tar a.stint
        stint stats a.tar >table 2>err
        same "the exit code" $? 2
        has err "a.tar is a tar archive: unpack it (tar xf a.tar), and name the recording in it"
    done
    tar c a.stint | stint stats - 2>err
    same "the exit code of a pipe" $? 2
    has err "standard input is a tar archive: unpack it (tar xf -)"
    gzip -c a.tar >a.tar.gz
    stint stats a.tar.gz 2>err
    has err "a.tar.gz is a tar archive: unpack it (tar xf a.tar.gz)"
    same "files left in TMPDIR" "$(ls "$TMPDIR")" ""
}

input_that_cannot_be_read_is_told()
{
    echo no recording | gzip >a.json.gz
    stint stats a.json.gz 2>err
    same "the exit code" $? 2
    has err "a.json.gz is compressed: gzip -dc a.json.gz | stint stats -"
    cat /dev/zero | timeout 20 "$STINT" stats - 2>err
    same "the status for an endless device" $? 2
    has err "standard input:1: expected '{'"
    stint stats - </dev/null 2>err
    same "the exit code without input" $? 2
    has err "standard input is empty"
}

databases_are_not_read_from_pipes()
{
    command -v sqlite3 >/dev/null || return
    record a.stint step 10
    stint export a.stint -o a.sqlite
    cat a.sqlite | stint stats - 2>err
    same "the exit code" $? 2
    has err "a database cannot be read from a pipe"
    stint stats - <a.sqlite | grep -q step || complain "a database that is redirected is not read"
}

processes_with_one_number_stay_apart()
{
    command -v sqlite3 >/dev/null || return
    mkdir job
    record a.stint step 10
    cp -r a.stint job/1.stint
    cp -r a.stint job/2.stint
    stint export job -o job.sqlite 2>err || complain "$(cat err)"
    same "processes" "$(sqlite3 job.sqlite 'SELECT count(DISTINCT globalTid >> 24) FROM NVTX_EVENTS WHERE eventType = 59')" 2
    same "events" "$(sqlite3 job.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" 20
}

# The first kernel runs for 4000 ns and the second for 3500; from the begin of the first to the end of the second it is 9000.
processes_with_one_number_have_their_own_work()
{
    command -v sqlite3 >/dev/null || return
    mkdir job
    "$RECORDINGS" job || complain "there are no recordings"
    stint export job -o job.sqlite 2>err || complain "$(cat err)"
    stint merge job/second.stint job/first.stint -o merged.sqlite 2>err || complain "$(cat err)"
    stint merge job/first.stint job/second.stint -o merged.json 2>err || complain "$(cat err)"
    for report in nvtx_gpu_proj_sum csv cuda_gpu_kern_sum nvtx_sum cuda_api_sum; do
        stint stats --report $report --format csv --quiet job >$report.csv 2>err || complain "$report: $(cat err)"
        for recording in job.sqlite merged.sqlite merged.json; do
            case $recording-$report in merged.json-nvtx*) continue ;; esac # it has no events
            stint stats --report $report --format csv --quiet $recording >other.csv 2>err || complain "$report: $(cat err)"
            cmp $report.csv other.csv || complain "$report of $recording differs"
        done
    done
    has nvtx_gpu_proj_sum.csv "stint:first,PushPop,4000,"
    has nvtx_gpu_proj_sum.csv "stint:second,PushPop,3500,"
    has csv.csv "GlobalStatInfo,first,1,"
    stint report job -o job.html 2>err || complain "$(cat err)"
    has job.html '"second"'
}

recording_without_its_report_says_so()
{
    record a.stint step 10
    stint stats --format csv a.stint >whole.csv 2>err
    lacks err "is missing"
    rm a.stint/report
    stint stats --format csv a.stint >part.csv 2>err
    has err "a.stint: the report of the program's end is missing: reports are made of the events alone"
    has part.csv "GlobalStatInfo,step,10,"
    : >a.stint/report
    stint stats --format csv a.stint >part.csv 2>err
    has err "a.stint: the report of the program's end is missing"
}

# It says what was run, on what, and for how long.
recordings_are_for_their_owner_alone()
{
    umask 022
    record a.stint step 10
    stint export a.stint -o a.sqlite 2>err
    stint export a.stint -o a.pftrace 2>err
    stint run --quiet --report off --store b.stint "$SUBJECT" step 10 >out 2>&1
    same "what others may read" "$(find a.stint b.stint a.sqlite a.pftrace -perm /077)" ""
}

# --------------------------------------------------------------------------------------------------------------- killed

# kill_after SECONDS - records a program that long into a.stint, and kills it then.
kill_after()
{
    STINT_TRACE=a.stint "$SUBJECT" until stop step >out &
    subject=$!
    until_true grep -q . out
    sleep "$1"
    kill -9 $subject
    wait $subject 2>/dev/null
}

killed_program_leaves_all_but_the_last_second()
{
    kill_after 3
    stint stats --format csv a.stint >part.csv 2>err
    has err "a.stint: of a program that was killed, or still runs: up to "
    count=$(sed -n 's/.*,step,\([0-9]*\),.*/\1/p' part.csv)
    [ "${count:-0}" -ge 100 ] || complain "only ${count:-no} activations of a program that ran for 3 s"
}

process_that_lives_keeps_its_recording()
{
    export STINT_TRACE=a.stint
    "$SUBJECT" until stop first >out &
    subject=$!
    until_true test -e a.stint/metadata
    "$SUBJECT" second 5 2>err
    has err "a.stint is being written by another process: this recording is "
    : >stop
    wait $subject
    unset STINT_TRACE
    stint stats --format csv a.stint >first.csv
    stint stats --format csv a.2.stint >second.csv
    has first.csv 'GlobalStatInfo,first,'
    lacks first.csv 'GlobalStatInfo,second,'
    has second.csv 'GlobalStatInfo,second,5,'
}

ring_of_a_killed_program_says_what_its_report_lacks()
{
    export STINT_TRACE_RING=100ms
    kill_after 3.5
    unset STINT_TRACE_RING
    stint stats --format csv a.stint >a.csv 2>err
    has err "a.stint: of a program that was killed, or still runs: the report is of its first "
    lacking=$(sed -n 's/.* and lacks \([0-9]*\) later events, up to.*/\1/p' err)
    stint export a.stint -o a.json 2>err
    kept=$(grep -c '"name": "step"' a.json)
    [ "${lacking:-0}" -gt 0 ] && [ "${lacking:-0}" -le "$kept" ] ||
        complain "it lacks ${lacking:-none} of the $kept events in the ring"
}

ring_keeps_what_came_last()
{
    command -v babeltrace2 >/dev/null && babel=yes
    export STINT_TRACE_RING=256K
    record a.stint step 100000
    unset STINT_TRACE_RING
    stint stats --format csv a.stint >a.csv 2>err
    has err "a.stint: a ring (STINT_TRACE_RING), in which "
    has a.csv ",100000,"
    kept=$(stint export a.stint --format chrome 2>/dev/null | grep -c '"step"')
    overwritten=$(sed -n 's/.* in which \([0-9]*\) .*/\1/p' err)
    same "the events" $((kept + overwritten)) 100000
    [ "$kept" -ge 18000 ] && [ "$kept" -le 22000 ] || complain "$kept events are kept"
    [ -z "${babel-}" ] || same "the events of Babeltrace" "$(babeltrace2 a.stint | grep -c 'scope: ')" "$kept"
}

time_limit_leaves_out_what_comes_later()
{
    export STINT_TRACE_MAX=1ms
    record a.stint step 100000 2>err
    unset STINT_TRACE_MAX
    has err "a.stint: it goes as far as STINT_TRACE_MAX allows"
    stint stats --format csv a.stint >a.csv 2>err
    has a.csv ",100000,"
    stint export a.stint --format chrome 2>/dev/null >a.json
    [ "$(grep -c '"step"' a.json)" -lt 100000 ] || complain "all events are there"
}

# ----------------------------------------------------------------------------------------------------------- Babeltrace

# No two activations of a thread begin at the same time.
parts_have_each_event_once()
{
    command -v sqlite3 >/dev/null || return
    STINT_TRACE=a.stint STINT_TRACE_ROTATE=256K STINT_TRACE_WAIT=on STINT_REPORT=csv "$SUBJECT" crowd step 60000 2>err
    [ -d a.part1.stint ] || complain "there are no parts"
    same "the last report" "$(sed -n 's/^GlobalStatInfo,step,\([0-9]*\),.*/\1/p' err)" 120000
    for part in a*.stint; do
        stint export "$part" -o part.sqlite 2>err || complain "$(cat err)"
        sqlite3 part.sqlite 'SELECT globalTid, start, "end" FROM NVTX_EVENTS WHERE eventType = 59' >rows
        cat rows >>all
        stint stats --filter-time 0/1000s --format csv "$part" 2>err | sed -n 's/^GlobalStatInfo,step,\([0-9]*\),.*/\1/p' >count
        same "the sum of $part" "$(cat count)" "$(grep -c . rows)"
        rm part.sqlite
    done
    same "the events of all parts" "$(grep -c . all)" 120000
    stint stats a.stint >out 2>err
    has err "or a part (STINT_TRACE_ROTATE) behind those that have them"
    same "the events that are there twice" "$(sort all | uniq -d)" ""
}

babeltrace_reads_what_a_killed_program_left()
{
    command -v babeltrace2 >/dev/null || return
    for tenths in 0 1 2 3; do
        STINT_TRACE=killed$tenths.stint "$SUBJECT" until stop step >out &
        subject=$!
        until_true grep -q . killed$tenths.stint/thread-1 2>/dev/null
        sleep 0.$tenths
        kill -9 $subject
        wait $subject 2>/dev/null
        babeltrace2 killed$tenths.stint >text 2>err || complain "$(cat err)"
        has text "scope: "
    done
}

babeltrace_reads_what_stint_reads()
{
    command -v babeltrace2 >/dev/null || return
    export STINT_COMPENSATE=off
    record a.stint step 1000
    unset STINT_COMPENSATE
    babeltrace2 --clock-cycles --no-delta a.stint >text 2>err || complain "$(cat err)"
    lines text "] scope: " 1000
    has text 'name = "step"'
    stint stats --format csv a.stint >a.csv
    total=$(sed -n 's/.*, { path = [0-9]*, duration = \([0-9]*\) }.*/\1/p' text | awk '{ sum += $1 } END { print sum }')
    stated=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "total_ns") at = i } NR == 2 { print $at }' a.csv)
    awk "BEGIN { d = $total - $stated; exit !(d < 1000 && d > -1000) }" || complain "$total ns are not $stated ns"
}

babeltrace_reads_every_kind_of_event()
{
    command -v babeltrace2 >/dev/null || return
    kinds="scope scope_at range annotated call kernel memory other process context name report end"
    for version in 1 2 5; do
        babeltrace2 --no-delta "$GOLDEN/recording_v$version.stint" >text 2>err || complain "$(cat err)"
        has text "in\\\"ner"
        for kind in $kinds; do
            grep -q " $kind: " text || complain "there is no event '$kind'"
        done
        kinds="$kinds styled value counter allocation clock"
        [ $version = 1 ] || kinds="$kinds captured_kernel thread sampling module chain sample operation data"
    done
}

babeltrace_reads_what_a_gpu_did()
{
    command -v babeltrace2 >/dev/null && [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    STINT_TRACE="$PWD/gpu.stint" stint run --quiet --report off --gpu on "$PLAIN" cuda
    [ -d gpu.stint ] || return
    babeltrace2 gpu.stint >text 2>err || complain "$(cat err)"
    has text "kernel: "
}

run_tests every_command_reads_a_recording threads_that_ended_have_names database_is_made_of_a_recording parts_are_made_of_the_events a_recording_replaces_the_one_before \
    every_command_reads_standard_input archives_have_to_be_unpacked input_that_cannot_be_read_is_told databases_are_not_read_from_pipes \
    folder_that_is_no_recording_is_refused folder_of_recordings_is_read_as_one recording_without_its_report_says_so \
    recordings_are_for_their_owner_alone processes_with_one_number_stay_apart \
    processes_with_one_number_have_their_own_work \
    killed_program_leaves_all_but_the_last_second process_that_lives_keeps_its_recording \
    ring_of_a_killed_program_says_what_its_report_lacks ring_keeps_what_came_last time_limit_leaves_out_what_comes_later parts_have_each_event_once \
    babeltrace_reads_what_a_killed_program_left \
    babeltrace_reads_what_stint_reads babeltrace_reads_every_kind_of_event babeltrace_reads_what_a_gpu_did
