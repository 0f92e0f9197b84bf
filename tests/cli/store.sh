#!/bin/sh
# Databases of stint: what programs keep in them, and what is read from them. With SQLite's own program, as users have it.
. "$(dirname -- "$0")/lib.sh"

command -v sqlite3 >/dev/null || { echo "no sqlite3"; exit 77; }

# ask FILE QUERY - the rows.
ask()
{
    sqlite3 "$1" "$2"
}

# -------------------------------------------------------------------------------------------------------------- programs

# traced FILE COMMAND... - has the program record, and makes the file by the command that it says.
traced()
{
    file=$1
    shift
    STINT_TRACE=$file "$@" 2>err
    sed -n 's/.* is made by: //p' err >command
    same "commands" "$(cat command)" "stint export $WORK/$file.stint -o $WORK/$file"
    sh -c "$(sed "s|^stint|'$STINT'|" command)" 2>>err
}

report_in_the_file_is_that_at_exit_byte_for_byte()
{
    traced a.sqlite env STINT_REPORT=json STINT_OUTPUT=a.json "$SUBJECT" step 1000 >out
    ask a.sqlite 'SELECT json FROM stint_report' >stored.json
    ask a.sqlite 'SELECT hex(substr(json, -1)) FROM stint_report' >last
    [ "$(cat last)" != 0A ] || sed -i '$d' stored.json # of the two line feeds, sqlite3's own
    cmp a.json stored.json || complain "the reports differ"
}

every_event_of_a_program_is_in_the_file()
{
    traced a.sqlite env STINT_REPORT=off STINT_COMPENSATE=off "$SUBJECT" step 100000 >out
    same "events" "$(ask a.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" 100000
    same "their time" "$(ask a.sqlite 'SELECT abs((SELECT sum(end - start) FROM NVTX_EVENTS WHERE eventType = 59) -
        total_ns) <= count FROM stint_statistics')" 1
    same "dropped" "$(ask a.sqlite 'SELECT count(*) FROM stint_dropped WHERE count > 0')" 0
}

file_is_a_sound_database()
{
    traced a.sqlite env STINT_REPORT=off "$SUBJECT" step 1000 >out
    same "integrity_check" "$(ask a.sqlite 'PRAGMA integrity_check')" ok
}

programs_write_recordings_alone()
{
    traced a.json env STINT_REPORT=off "$SUBJECT" step 10 >out
    lines a.json '"step"' 10
    mv a.json.stint b.stint
    STINT_TRACE=a.%p.pftrace STINT_REPORT=off "$SUBJECT" fork child 5 2>err
    same "the files" "$(ls -d a.*.stint | sed 's/[0-9][0-9]*/PID/' | uniq -c | tr -s ' ')" " 2 a.PID.pftrace.stint"
    same "lines" "$(grep -c "stint export .*/a.[0-9]*.pftrace.stint -o .*/a.[0-9]*.pftrace$" err)" 2
    rm -r a.*
    STINT_TRACE=a.stint STINT_REPORT=off "$SUBJECT" step 10 2>err
    same "what is said of a recording" "$(cat err)" ""
}

trace_that_cannot_be_written_is_told()
{
    STINT_TRACE=nowhere/a.sqlite STINT_REPORT=off "$SUBJECT" step 10 >out 2>err
    same "the exit code" $? 3
    has err "nowhere/a.sqlite"
    has err "No such file or directory"
}

# ------------------------------------------------------------------------------------------------------------ stint run

run_keeps_what_a_program_did()
{
    echo old >a.sqlite
    stint run --report off --store a.sqlite "$SUBJECT" step 10 >out 2>err
    same "the exit code" $? 3
    has err "the recording is in a.sqlite"
    same "events" "$(ask a.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" 10
    same "scopes" "$(ask a.sqlite 'SELECT name, count FROM stint_scopes')" "step|10"
    same "the folder for reports" "$(ls tmp)" ""
    same "the files" "$(ls)" "a.sqlite
err
out
tmp"
}

processes_are_on_one_timeline()
{
    for name in all.sqlite all.stint; do
        for turn in first second; do
            stint run --quiet --report off --store $name sh -c "'$SUBJECT' a 1; '$SUBJECT' b 2; true" >out 2>err
            same "stderr of the $turn" "$(cat err)" ""
            same "files of the $turn" "$(ls -d all.*)" $name
        done
        stint stats $name --report csv >out
        same "scopes" "$(sed 1d out | cut -d, -f2,3 | sort)" "a,1
b,2"
        stint export $name --format chrome -o out
        same "processes" "$(grep process_name out | grep -c '"name": "test_cli_subject"')" 2
        grep -o '"name": "[ab]".*"ts": [0-9]*' out | sort -n -t: -k 5 | cut -c 10 | uniq >order
        same "the order of scopes" "$(cat order)" "a
b"
        rm -r $name
    done
    stint run --report off --store a.stint "$SUBJECT" step 10 >out 2>err
    stint run --quiet --report off --store a.stint sh -c "'$SUBJECT' a 1; '$SUBJECT' b 2; true" >out 2>err
    stint run --quiet --report off --store a.stint "$SUBJECT" step 10 >out 2>err
    same "what is there of one" "$(stint stats a.stint --report csv | cut -d, -f2,3 | sed 1d)" "step,10"
}

processes_have_files_of_their_own_if_the_name_says_so()
{
    stint run --quiet --report off --store x.%p.db sh -c "'$SUBJECT' a 1; '$SUBJECT' b 1; true" >out 2>err
    same "the number of files" "$(find . -name 'x.[0-9]*.db' | wc -l)" 2
}

report_is_kept_where_events_are_not()
{
    export STINT_MODULE=nowhere.so
    stint run --quiet --report off --store a.sqlite "$SUBJECT" step 10 >out 2>err
    same "scopes" "$(ask a.sqlite 'SELECT name, count FROM stint_scopes')" "step|10"
    same "events" "$(ask a.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" 0
    unset STINT_MODULE
}

process_that_was_killed_is_reported_from_its_recording()
{
    echo "'$SUBJECT' until never step >pid & until [ -s pid ]; do sleep 0.1; done; sleep 2; kill -9 \$!; wait" >script
    stint run --store a.sqlite sh ./script >out 2>err
    has err "process $(cat pid) was killed"
    has err "subject until never step"
    has err "the recording is in a.sqlite"
    count=$(ask a.sqlite 'SELECT count FROM stint_scopes WHERE name = '"'step'")
    [ "${count:-0}" -ge 50 ] || complain "only ${count:-no} scopes"
    same "events" "$(ask a.sqlite 'SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59')" "$count"
}

run_keeps_a_recording_if_its_name_says_so()
{
    stint run --report off --store a.stint "$SUBJECT" step 10 >out 2>err
    same "the exit code" $? 3
    has err "the recording is in a.stint"
    stint run --report off --store a.stint "$SUBJECT" again 10 >out 2>err
    stint stats --format csv a.stint >a.csv
    has a.csv "again,"
    lacks a.csv "step,"
    same "the files" "$(ls)" "a.csv
a.stint
err
out
tmp"
}

recording_is_kept_if_the_database_cannot_be_written()
{
    mkdir a.sqlite
    stint run --report off --store a.sqlite sh -c "'$SUBJECT' step 10; exit 0" >out 2>err
    same "the exit code" $? 1
    has err "a.sqlite cannot be written"
    has err "the recording is kept: stint export a.sqlite.stint -o a.sqlite"
    stint stats --format csv a.sqlite.stint >a.csv
    has a.csv "step,"
}

# Of one process, and of two.
recordings_are_kept_if_they_cannot_be_moved()
{
    mkdir a.sqlite.stint
    touch a.sqlite.stint/mine
    for count in 10 "10; '$SUBJECT' step 10"; do
        stint run --report off --store a.sqlite sh -c "'$SUBJECT' step $count; exit 0" >out 2>err
        same "the exit code" $? 1
        has err "a.sqlite cannot be written"
        has err "what was recorded is kept in $PWD/a.sqlite."
        stint stats --format csv "$(sed -n 's/.* is kept in //p' err)" >a.csv
        has a.csv "step,"
    done
    same "the file" "$(ls a.sqlite.stint)" mine
}

interrupted_conversion_keeps_the_recording()
{
    export STINT_TRACE_WAIT=on
    "$STINT" run --report off --store a.sqlite "$SUBJECT" step 3000000 >out 2>err &
    launcher=$!
    until_true [ -d a.sqlite.stint ]
    kill -TERM $launcher
    wait $launcher
    same "the exit code" $? 143
    unset STINT_TRACE_WAIT
    has err "a.sqlite cannot be written: interrupted"
    has err "the recording is kept: stint export a.sqlite.stint -o a.sqlite"
    same "the files" "$(ls | tr '\n' ' ')" "a.sqlite.stint err out tmp "
    stint stats --format csv a.sqlite.stint >a.csv 2>err
    has a.csv ",3000000,"
    same "stderr" "$(cat err)" ""
}

# A file that may not grow stands for a disk that is full.
recording_that_is_cut_is_told()
{
    for name in a.stint a.sqlite; do
        (
            trap '' XFSZ
            ulimit -f 64
            stint run --report off --store $name sh -c "'$SUBJECT' step 200000; exit 0" >out 2>err
        )
        same "the exit code with $name" $? 1
        has err "events are lost"
        lacks err "was killed"
    done
    stint run --report off --store b.stint sh -c "'$SUBJECT' step 200000; exit 0" >out 2>err
    same "the exit code of a whole recording" $? 0
    (
        trap '' XFSZ
        ulimit -f 64
        stint run --report off --store c.stint "$SUBJECT" step 200000 >out 2>err
    )
    same "the exit code of a program that fails itself" $? 3
    has err "c.stint is incomplete"
}

store_may_have_limits()
{
    stint run --quiet --report off --store a.stint --store-ring 256K --store-wait "$SUBJECT" step 100000 >out 2>err
    stint stats a.stint --format csv >a.csv 2>err
    has err "a ring (STINT_TRACE_RING)"
    has a.csv ",100000,"
    stint run --quiet --report off --store b.stint --store-max 100K "$SUBJECT" step 100000 >out 2>err
    has err "it is as large as STINT_TRACE_MAX allows"
    for limit in max=4x ring=10K max=1G,, ring=1d; do
        stint run --store a.sqlite --store-$limit touch ran 2>err
        same "the exit code" $? 2
        has err "--store-${limit%%=*} ${limit#*=}: expected a size"
        [ ! -e ran ] || complain "the program ran"
    done
}

# Mounts a file system of 64 KiB on `disk`, in a namespace of its own, and runs the commands in there.
on_small_disk()
{
    mkdir -p disk
    unshare -m sh -c "mount -t tmpfs -o size=64k none disk && { $1; }" || complain "on a small disk, failed: $1"
}

disk_that_is_full_is_told()
{
    unshare -m mount -t tmpfs none tmp 2>/dev/null || { echo "not run: nothing can be mounted here"; return; }
    for name in a.stint a.sqlite; do
        on_small_disk "'$STINT' run --store disk/$name sh -c \"'$SUBJECT' step 200000; exit 0\" >out 2>err; echo \$? >code"
        same "the exit code with $name" "$(cat code)" 1
        has err "events are lost"
        has err " 200000 "
        lacks err "was killed"
    done
    on_small_disk "TMPDIR=disk '$STINT' run --store disk/a.stint '$SUBJECT' step 200000 >out 2>err; true"
    has err "could not write its report"
    lacks err "was killed"
    on_small_disk "head -c 65536 /dev/zero >disk/all; '$STINT' run --store disk/a.stint '$SUBJECT' step 10 >out 2>err; true"
    has err "No space left on device"
    has err " 10 "
}

# Renaming a file to a device's name would replace the device.
device_is_not_replaced()
{
    mkfifo pipe
    stint run --store pipe touch ran 2>err
    same "the exit code" $? 1
    has err "pipe cannot be written: it is not a regular file"
    [ ! -e ran ] || complain "the program ran"
    stint run --quiet --report off --store a.stint "$SUBJECT" step 10 >out 2>&1
    for command in "export a.stint --format sqlite" "merge a.stint a.stint"; do
        stint $command -o pipe 2>err
        same "the exit code of $command" $? 2
        has err "it is not a regular file"
    done
    STINT_TRACE=pipe "$SUBJECT" step 10 >out 2>err
    has err "pipe cannot be written: it is not a regular file"
    [ -p pipe ] || complain "it was replaced"
}

report_that_cannot_be_written_is_a_failure()
{
    stint run --log-file /dev/full sh -c "'$SUBJECT' step 10; exit 0" >out 2>err
    same "the exit code" $? 1
    has err "the report cannot be written: No space left on device"
    stint nvprof -i "$GOLDEN/report_json_gpu.json" --log-file /dev/full >out 2>err
    same "the exit code of nvprof" $? 1
    has err "the report cannot be written: No space left on device"
}

# There is no report here: nothing used a GPU.
lines_of_nvprof_that_cannot_be_written_are_a_failure()
{
    stint nvprof --log-file /dev/full true >out 2>err
    same "the exit code" $? 1
    same "stderr" "$(cat err)" "======== the log cannot be written: No space left on device"
    stint nvprof --log-file %1 true >/dev/full 2>err
    same "the exit code without stdout" $? 1
    has err "the log cannot be written: No space left on device"
    stint nvprof --log-file /dev/full sh -c 'exit 3' >out 2>err
    same "the exit code of the program" $? 3
    stint nvprof --log-file %1 sh -c 'sleep 0.2; exit 3' 2>err | :
    lacks err "cannot be written"
}

place_that_cannot_be_written_is_told_before_the_program_runs()
{
    stint run --store nowhere/a.sqlite touch ran 2>err
    same "the exit code" $? 1
    has err "nowhere/a.sqlite cannot be written"
    has err "No such file or directory"
    [ ! -e ran ] || complain "the program ran"
    stint run --store %z touch ran 2>err
    same "the exit code" $? 2
    has err "--store %z: expected a path"
}

# --------------------------------------------------------------------------------------------------------------- nvprof

profile_of_nvprof_is_a_database()
{
    echo "cp '$GOLDEN/report_json_gpu.json' \"\$(dirname \"\$STINT_OUTPUT\")/1.json\"" >script
    stint nvprof --profile-child-processes -o %p.prof sh ./script 2>err
    same "integrity_check" "$(ask ./*.prof 'PRAGMA integrity_check')" ok
    same "kernels" "$(ask ./*.prof 'SELECT count(*) > 0 FROM CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL')" 1
    same "a total" "$(ask ./*.prof "SELECT total_ns FROM stint_statistics WHERE name = 'forward'")" 751234500
}

# A program that nobody recompiled, with a CUDA that needs no GPU.
file_is_what_pyprof_reads()
{
    [ -n "${PLAIN-}" ] && command -v python3 >/dev/null || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    stint run --quiet --report off --store a.sqlite "$PLAIN" cuda
    python3 "$here/pyprof.py" a.sqlite >out 2>err || complain "$(cat err)"
    same "kernels" "$(cat out)" "kernel in step
kernel in step
kernel in step"
    same "by correlation and process" "$(ask a.sqlite "SELECT s.value, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k
        JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON k.correlationId = r.correlationId AND
        k.globalPid = (r.globalTid & ~16777215) JOIN StringIds s ON s.id = r.nameId GROUP BY 1")" "cuLaunchKernel|3"
}

# Of texts that carry data, the names are in reports and the whole texts in the file, as PyProf needs them.
data_of_texts_are_in_the_file()
{
    [ -n "${PLAIN-}" ] && command -v python3 >/dev/null || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    stint run --report tree --store a.sqlite "$PLAIN" cuda_annotated 2>err
    lines err "NVTX/XlaModule jit_step" 1
    lines err "└─ NVTX/aten::mm" 1
    python3 "$here/pyprof.py" a.sqlite >out 2>err || complain "$(cat err)"
    same "kernels" "$(uniq -c out | sed 's/^ *//')" "3 kernel in XlaModule:#hlo_module=jit_step,program_id=7#/aten::mm"
    python3 -c "import sqlite3
for row in sqlite3.connect('a.sqlite').execute('SELECT name, seq, op_id, sizes FROM stint_operations'):
    print(*row)" >out
    same "operations" "$(cat out)" "aten::mm 0 10 [[2, 3], [3, 4]]
aten::mm 1 11 [[2, 3], [3, 4]]
aten::mm 2 12 [[2, 3], [3, 4]]"
    stint stats --filter-nvtx 'aten::mm/1' --report nvtx_sum a.sqlite >out 2>err
    lines out ":aten::mm" 1
    stint export -o a.json a.sqlite
    has a.json '"name": "aten::mm"'
    has a.json '"data": {"seq": "1", "op_id": "11", "sizes": "[[2, 3], [3, 4]]"}'
}

# Also of several processes at once, whose call chains are those of the sum.
samples_of_a_database_are_those_of_the_recording()
{
    stint run --quiet --report off --sample --store a.stint \
        sh -c "'$SAMPLED' & '$SAMPLED'; wait" 2>err || complain "$(cat err)"
    stint export a.stint -o a.sqlite
    [ "$(ask a.sqlite 'SELECT count(*) FROM stint_samples')" -gt 50 ] || complain "there are few samples"
    same "processes" "$(ask a.sqlite 'SELECT count(DISTINCT globalTid >> 24) > 1 FROM stint_samples')" 1
    for time in 0ms/ 100ms/300ms; do
        stint stats a.stint --filter-time $time --report json >recording
        stint stats a.sqlite --filter-time $time --report json >database
        has database '"sample_counts":['
        cmp recording database || complain "they differ between $time"
    done
    stint export a.stint --format chrome -o recording
    stint export a.sqlite --format chrome -o database
    cmp recording database || complain "timelines differ"
    stint samples a.stint --filter-time 100ms/300ms >recording
    stint samples a.sqlite --filter-time 100ms/300ms >database
    cmp recording database || complain "functions differ"
}

# The example of the documentation. Names are looked up by a library that stint may have been built without.
functions_are_counted_by_a_query()
{
    STINT_TRACE=a.stint STINT_SAMPLE=on STINT_REPORT=off "$SAMPLED"
    stint export a.stint -o a.sqlite 2>err
    sed -n '/^```sql$/,/^```$/ { /^```/! p }' "$here/../../docs/formats.md" >query
    has query "stint_sample_functions"
    ask a.sqlite "$(cat query)" >rows
    stint stats a.sqlite --filter-time 200ms/400ms --report json >json
    same "samples" "$(awk -F'|' '{ sum += $2 } END { print sum + 0 }' rows)" \
        "$(sed -n 's/.*"sampling":{.*"samples":\([0-9]*\).*/\1/p' json)"
    grep -q "built without elfutils' libdw" err || grep -Eq "^(inlined_work|work)\|" rows || complain "$(cat rows)"
    same "innermost functions" "$(ask a.sqlite 'SELECT count(*) FROM SAMPLING_CALLCHAINS WHERE stackDepth = 0')" \
        "$(ask a.sqlite 'SELECT count(*) FROM COMPOSITE_EVENTS')"
}

names_that_export_does_not_know_are_told_as_recordings()
{
    for name in run.foo run; do
        STINT_TRACE=$name "$SUBJECT" a 1 2>err
        lacks err "stint export"
        has err "the trace is in $WORK/$name.stint"
    done
}

store_that_is_named_as_another_kind_of_file_is_refused()
{
    for name in x.csv x.json a.b/x.html; do
        refused "a recording is a database, NAME.db, or a folder, NAME.stint" run --store $name touch ran
    done
}

run_tests report_in_the_file_is_that_at_exit_byte_for_byte every_event_of_a_program_is_in_the_file \
    file_is_a_sound_database programs_write_recordings_alone trace_that_cannot_be_written_is_told \
    run_keeps_what_a_program_did processes_are_on_one_timeline \
    processes_have_files_of_their_own_if_the_name_says_so report_is_kept_where_events_are_not \
    process_that_was_killed_is_reported_from_its_recording run_keeps_a_recording_if_its_name_says_so \
    recording_is_kept_if_the_database_cannot_be_written recordings_are_kept_if_they_cannot_be_moved interrupted_conversion_keeps_the_recording recording_that_is_cut_is_told \
    store_may_have_limits \
    disk_that_is_full_is_told device_is_not_replaced report_that_cannot_be_written_is_a_failure lines_of_nvprof_that_cannot_be_written_are_a_failure \
    place_that_cannot_be_written_is_told_before_the_program_runs profile_of_nvprof_is_a_database \
    file_is_what_pyprof_reads data_of_texts_are_in_the_file samples_of_a_database_are_those_of_the_recording \
    functions_are_counted_by_a_query store_that_is_named_as_another_kind_of_file_is_refused \
    names_that_export_does_not_know_are_told_as_recordings
