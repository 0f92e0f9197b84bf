#!/bin/sh
# stint stats: the reports of a file, whoever wrote it, and of parts of it.
. "$(dirname -- "$0")/lib.sh"

# make NAME - the database NAME.sqlite of a file of SQL.
make()
{
    "$DATABASE" "$1.sqlite" <"$FOREIGN/$1.sql" || complain "no database can be made"
}

# nothing TEXT OPTION... - such a part of nsys.sqlite is not there.
nothing()
{
    text=$1
    shift
    stint stats nsys.sqlite "$@" >out 2>err
    same "the exit code of: $*" $? 1
    has err "$text"
    [ ! -s out ] || complain "something is printed"
}

traces_of_pytorch_are_read()
{
    stint stats "$KINETO/trace.json" --report cuda_gpu_kern_sum --format csv >out 2>err
    has out "100.0,1200125,2,600062.5"
    has err "trace.json: left out: 1 cpu_instant_event, 1 overhead"
    stint stats - <"$KINETO/trace.json" >out 2>err
    has out "2 kernels, 1 copy of 16.384 kB, 1 memset"
    gzip -c "$KINETO/trace.json" >trace.gz
    stint stats trace.gz >out.gz 2>err
    if grep -q "is compressed" err; then
        return # built without zlib
    fi
    cmp out out.gz || complain "what is compressed is read differently"
    head -c 1000 trace.gz >cut.gz
    stint stats cut.gz >out 2>err
    has err "cut.gz: read up to line"
    has out "1 kernel"
    stint export "$KINETO/trace.json" -o trace.sqlite 2>err
    stint stats trace.sqlite >out.sqlite
    cmp out.sqlite out.gz || complain "what was exported is not what was read"
}

# What came before is read: a trace may be large, but no value in it, and nothing that a little file becomes.
traces_that_would_take_all_memory_or_disk_are_read_as_far_as_possible()
{
    command -v python3 >/dev/null || return
    python3 -c 'import gzip
begin = "{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2},\n"
many = 100000
for name, rest in ("lists", "{\"args\": {\"Input Dims\": " + "[" * many + "]" * many + "}}"), ("open", "[" * many), (
        "objects", "{\"args\":" * many + "1" + "}" * many):
    open(name, "w").write(begin + rest + "]}")
with gzip.open("bomb.gz", "wb", 9) as bomb:
    bomb.write(begin.encode())
    for i in range(80):
        bomb.write(b"{\"x\": \"" + b" " * 1000000 + b"\"},\n")'
    for file in lists open objects bomb.gz; do
        stint stats $file --report nvtx_sum >out 2>err
        same "the exit code of $file" $? 0
        same "what was read of $file" "$(grep -c 'NVTX.*:a\|PushPop.*a' out)" 1
    done
    has err "bomb.gz: read up to line"
    has err "it is compressed to less than a 200th, as no trace is"
    stint stats lists 2>err >out
    has err "values are nested more than 32 levels deep"
}

files_that_are_no_recordings_are_told()
{
    refused "/dev/zero: it is not a regular file" stats /dev/zero
    truncate -s 100G zeros
    refused "zeros:1: " stats zeros
    refused "missing.sqlite: No such file or directory" stats missing.sqlite
    echo text >text
    refused "text:1: " stats text
    echo binary >train.nsys-rep
    refused "train.nsys-rep can be read only as an export: nsys export --type sqlite train.nsys-rep" stats train.nsys-rep
    echo 'CREATE TABLE people (name TEXT);' | "$DATABASE" people.sqlite
    refused "people.sqlite: this database is not a recording" stats people.sqlite
    make nsys
    head -c 5000 nsys.sqlite >cut.sqlite
    refused "cut.sqlite: the database is damaged" stats cut.sqlite
}

# Editors put it in front of UTF-8.
a_byte_order_mark_is_no_obstacle()
{
    stint run --quiet --report json --log-file plain.json "$MANY" 5 2>err || complain "it failed"
    for file in plain.json "$KINETO/trace.json"; do
        { printf '\357\273\277'; cat "$file"; } >marked.json
        stint stats "$file" >plain 2>err
        stint stats marked.json >marked 2>err || complain "it failed: $(cat err)"
        stint stats - <marked.json >piped 2>err
        cmp plain marked && cmp plain piped || complain "$file with a mark is read differently"
    done
}

# As bash's <(ssh host cat run.json) is.
what_comes_through_named_pipes_is_read()
{
    mkfifo first second
    for file in "$GOLDEN/report_json_training.json" "$KINETO/trace.json"; do
        stint stats "$file" >expected 2>err
        cat "$file" >first &
        stint stats first >out 2>err || complain "it failed: $(cat err)"
        cmp expected out || complain "$file is read differently through a pipe"
    done
    for command in diff merge; do
        stint $command "$GOLDEN/report_json_training.json" "$GOLDEN/report_json_gpu.json" >expected 2>&1
        expected=$?
        cat "$GOLDEN/report_json_training.json" >first &
        cat "$GOLDEN/report_json_gpu.json" >second &
        stint $command first second >out 2>&1
        same "the exit code of $command" $? $expected
        sed -e 's:[^ ]*/report_json_training.json:first:g' -e 's:[^ ]*/report_json_gpu.json:second:g' expected >named
        [ "$(wc -l <named)" = "$(wc -l <out)" ] || complain "$command says something else of pipes: $(diff named out)"
    done
    make nsys
    cat nsys.sqlite >first &
    refused "first: a database cannot be read from a pipe" stats first
}

# A report that lists events changes no number of those that are printed with it.
a_list_of_events_counts_nothing_twice()
{
    make nsys
    stint export nsys.sqlite -o own.stint.sqlite 2>err
    for report in processes table cuda_gpu_kern_sum threads; do
        for file in nsys own.stint; do
            stint stats $file.sqlite --report $report >alone
            stint stats $file.sqlite --report $report,cuda_gpu_trace,gpu-trace >beside
            cmp -n "$(wc -c <alone)" alone beside || complain "$report of $file differs beside a list of events"
        done
    done
}

reports_go_to_standard_output()
{
    make nsys
    stint stats nsys.sqlite >out 2>err || complain "it failed"
    [ ! -s err ] || complain "something is on standard error"
    has out "Kernels and copies"
    has out "Calls of CUDA"
    has out "└─ NVTX/step"
}

every_report_can_be_had_of_every_file()
{
    make nsys
    make nvprof
    for report in $(stint stats --list | cut -d" " -f1); do
        for file in nsys nvprof; do
            stint stats $file.sqlite --report "$report" >out 2>err || complain "$report of $file.sqlite failed"
            [ -s out ] || complain "$report of $file.sqlite is empty"
        done
    done
    stint stats nvprof.sqlite --report cuda_api_sum >out
    has out "cudaLaunchKernel"
}

the_list_says_what_each_report_shows()
{
    stint stats --list >out || complain "it failed"
    has out "tree                   one row per calling context, below its caller"
    has out "paddle                 PaddlePaddle's lines, with prefixes as glog writes them"
    has out "cuda_gpu_kern_sum      kernels: how often each ran, and how long"
    ! grep '.\{81\}' out || complain "this is too long for a screen"
    [ "$(grep -vc '^[a-z_-]* *[A-Za-z].*[a-z]' out)" = 0 ] || complain "a report says nothing"
}

# The tables are those of Nsight Systems, whatever the recording is.
a_users_own_sql_is_a_report()
{
    make nsys
    cat >slow.sql <<'END'
-- Kernels that took long
SELECT s.value AS "Kernel:name", count(*) AS "Count", max(k."end" - k.start) AS "Longest:dur_ns",
    median(k."end" - k.start) AS "Typical:dur_ns"
FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName
GROUP BY s.value HAVING max(k."end" - k.start) >= 100000 ORDER BY 3 DESC; -- the longest first
END
    stint stats nsys.sqlite --report ./slow.sql >out || complain "it failed"
    has out " ** Kernels that took long (slow.sql):"
    has out "Longest (ns)"
    stint stats nsys.sqlite --report slow.sql:csv,cuda_gpu_kern_sum >out || complain "it failed"
    has out "Kernel,Count,Longest (ns),Typical (ns)"
    stint export nsys.sqlite -o own.stint.sqlite 2>err
    stint stats nsys.sqlite --report slow.sql --format csv >one
    stint stats own.stint.sqlite --report slow.sql --format csv >two
    cmp one two || complain "another kind of file has other rows"
    stint stats nsys.sqlite --format json >all.json
    echo "SELECT a FROM nowhere" >wrong.sql
    refused "no such table: nowhere" stats nsys.sqlite --report wrong.sql
    echo "-- only this" >empty.sql
    refused "it has no SELECT" stats nsys.sqlite --report empty.sql
    refused "--report: none.sql: No such file" stats nsys.sqlite --report none.sql
}

recordings_are_converted_once_for_reports_in_sql()
{
    stint run --quiet --store own.stint --report off "$MANY" 60 2>err || complain "it failed"
    stint stats own.stint --report nvtx_sum:csv >one 2>err || complain "it failed"
    has err "making own.sqlite from own.stint, once for all reports"
    stint stats own.stint --report nvtx_sum:csv >two 2>err || complain "it failed"
    [ ! -s err ] || complain "it is made again"
    cmp one two || complain "the reports differ"
    lines one "stint:scope " 60
    rm own.sqlite
    echo "of somebody else" >own.sqlite
    stint stats own.stint --report nvtx_sum:csv >two 2>err || complain "it failed"
    cmp one two || complain "the report differs without a database"
    has own.sqlite "of somebody else"
    stint stats own.stint --filter-time 0/ --report nvtx_sum:csv >out 2>err || complain "it failed"
    lines out "stint:scope " 60
}

# A database that somebody has changed is read as it is.
filters_read_the_recording_that_a_database_was_made_of()
{
    stint run --quiet --store made.stint --report off "$MANY" 60 2>err || complain "it failed"
    stint export made.stint -o made.sqlite 2>err || complain "it failed"
    process=$(stint stats made.stint | sed -n 's/.*(pid \([0-9]*\))$/\1/p')
    filtered="stint stats made.sqlite --filter-process $process --format csv"
    $filtered >one 2>err || complain "it failed"
    has err "made.sqlite was made of made.stint, which is read instead"
    stint report made.sqlite --filter-process "$process" -o page.html 2>err || complain "it failed"
    has err "which is read instead"
    mv made.stint away.stint
    $filtered >two 2>err || complain "it failed"
    [ ! -s err ] || complain "another recording is read"
    cmp one two || complain "the recording and its database differ"
    mv away.stint made.sqlite.stint
    $filtered --quiet >two 2>err || complain "it failed"
    [ ! -s err ] || complain "it is not quiet"
    cmp one two || complain "the recording of another name differs"
    echo "DELETE FROM NVTX_EVENTS WHERE rowid <= 10;" | "$DATABASE" made.sqlite
    $filtered >two 2>err || complain "it failed"
    [ ! -s err ] || complain "the recording of a changed database is read"
    ! cmp -s one two || complain "the changed database is not read"
}

# Each of them would make a database of the events, which takes most of the time.
several_reports_in_sql_share_a_database()
{
    make nsys
    reports="nvtx_sum nvtx_kern_sum cuda_gpu_kern_sum cuda_api_sum nvtx_gpu_proj_trace"
    mkdir temporary
    for file in nsys.sqlite "$KINETO/trace.json"; do
        for report in $reports; do
            stint stats "$file" --report "$report"
        done >apart 2>err
        TMPDIR=$PWD/temporary stint stats "$file" --report "$(echo $reports | tr ' ' ,)" >together 2>err
        cmp apart together || complain "reports of $file differ together"
        [ -z "$(ls temporary)" ] || complain "something is left behind"
    done
}

options_may_stand_behind_files()
{
    make nsys
    stint stats --unit us nsys.sqlite --report cuda_gpu_kern_sum >one || complain "it failed"
    stint stats --report cuda_gpu_kern_sum --unit us -- nsys.sqlite >two || complain "it failed"
    cmp one two || complain "the reports differ"
    has one "Total Time (us)"
}

a_file_is_written_if_one_is_named()
{
    make nsys
    stint stats nsys.sqlite --format csv -o report.csv >out || complain "it failed"
    [ ! -s out ] || complain "something is printed"
    has report.csv "NVTX,step,2,0,6800000,"
    stint stats nsys.sqlite --format csv -o - >out || complain "it failed"
    cmp out report.csv || complain "- is not standard output"
}

json_that_is_written_is_the_same_recording()
{
    make nvprof
    stint stats nvprof.sqlite --format json >all.json || complain "it failed"
    stint stats nvprof.sqlite --report table,nvprof,nvtx_sum >one
    stint stats all.json --report table,nvprof,nvtx_sum >two
    cmp one two || complain "the reports differ"
}

several_files_have_a_report_on_all()
{
    make nsys
    make nvprof
    stint stats nsys.sqlite nvprof.sqlite --report nvprof-gpu >out || complain "it failed"
    lines out " GPU activities:" 1
    has out "2 processes: nsys.sqlite nvprof.sqlite"
    stint stats nsys.sqlite nvprof.sqlite --report nvprof-gpu --per-process >out || complain "it failed"
    lines out " GPU activities:" 3
    stint stats nsys.sqlite nvprof.sqlite >out || complain "it failed"
    has out ", 2 processes"
    stint stats nsys.sqlite nvprof.sqlite --format csv >out || complain "it failed"
    lines out "set,name,count" 1
}

events_are_listed_in_traces()
{
    make nsys
    stint stats nsys.sqlite --report gpu-trace >out || complain "it failed"
    lines out "relu(float*, int) [" 3
    stint stats nsys.sqlite --report nvtx_gpu_proj_sum:csv >out || complain "it failed"
    has out ":step,PushPop,1120000,6800000,2,560000.0,"
}

a_time_is_cut_out()
{
    make nsys
    stint stats nsys.sqlite --filter-time 1.2ms/1300us --format csv >out || complain "it failed"
    has out "NVTX,forward,1,0,100000,90000,"
    has out "CUDA API,cudaLaunchKernel,1,0,10000,"
    lacks out "checkpoint"
    stint stats nsys.sqlite --filter-time /1200000 --format csv >out || complain "it failed"
    has out "NVTX,step,1,0,100000,"
    lacks out "forward"
    stint stats nsys.sqlite --filter-time 0.0085s/ --format csv >out || complain "it failed"
    has out "NVTX,train,1,0,500000,"
    nothing "has events, but none of them matches the filters" --filter-time 1s/2s
}

a_range_is_cut_out()
{
    make nsys
    stint stats nsys.sqlite --filter-nvtx step --format csv >out || complain "it failed"
    has out "NVTX,step,1,0,2900000,"
    stint stats nsys.sqlite --filter-nvtx step/1 --format csv >out || complain "it failed"
    has out "NVTX,step,1,0,3900000,"
    stint stats nsys.sqlite --filter-nvtx read_csv@cuDF --format csv >out || complain "it failed"
    has out "NVTX:cuDF,read_csv,1,0,3000000,"
    stint stats nsys.sqlite --filter-nvtx 'read_csv@*/0' --format csv >out || complain "it failed"
    has out "NVTX:cuDF,read_csv,1,0,3000000,"
    stint stats nsys.sqlite --filter-nvtx epoch --format csv >out || complain "it failed"
    has out "NVTX start/end,epoch,1,0,4500000,"
    nothing "nsys.sqlite has 2 of these ranges, counted from 0" --filter-nvtx step/2
    nothing "nsys.sqlite has no such range among its events" --filter-nvtx read_csv
}

names_of_ranges_may_have_any_character()
{
    make nsys
    echo "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) VALUES (10, 20, 59, 'a/b@c', 7, 0);" |
        "$DATABASE" nsys.sqlite
    stint stats nsys.sqlite --filter-nvtx 'a\/b\@c' --format csv >out || complain "it failed"
    has out "NVTX,a/b@c,1,0,10,"
}

a_process_is_cut_out()
{
    make nsys
    stint stats nsys.sqlite --filter-process 4711 --format csv >out || complain "it failed"
    has out "NVTX,step,2,0,6800000,"
    nothing "none of them matches the filters" --filter-process 1
}

a_device_is_cut_out()
{
    make nsys
    echo "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 3 WHERE correlationId = 105;" | "$DATABASE" nsys.sqlite
    stint stats nsys.sqlite --filter-device 3 --report cuda_gpu_sum:csv >out || complain "it failed"
    lines out "void gemm" 1
    has out "100.0,600000,1,"
    lacks out "relu"
}

filters_need_events()
{
    make nsys
    stint stats nsys.sqlite --format json >all.json
    stint stats all.json --filter-time 0/1s >out 2>err
    same "the exit code" $? 1
    has err "all.json has only statistics, but filters need events: record with stint run --store FILE"
    [ ! -s out ] || complain "something is printed"
}

# What a recording's events add up to is what it counted.
all_of_a_recording_is_what_it_counted()
{
    stint run --quiet --store own.sqlite --report off "$MANY" 60 2>err || complain "it failed"
    stint stats own.sqlite --format csv | cut -d, -f1-4 | sort >counted
    stint stats own.sqlite --format csv --filter-time 0/ | cut -d, -f1-4 | sort >added
    lines counted "GlobalStatInfo,scope " 60
    cmp counted added || { complain "they differ:"; diff counted added; }
}

output_that_nobody_reads_ends_quietly()
{
    {
        until_true test -e unread
        env --default-signal=PIPE "$STINT" stats "$GOLDEN/report_json_gpu.json" 2>err
        echo $? >code
    } | {
        exec 0<&-
        : >unread
    }
    until_true test -s code
    same "the exit code" "$(cat code)" 141
    [ ! -s err ] || complain "it says: $(cat err)"
}

names_in_files_do_not_control_the_terminal()
{
    control=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]')
    for name in nasty gpu_nasty nvtx_nasty; do
        report=$GOLDEN/report_json_$name.json
        for form in table csv; do
            stint stats "$report" --format $form >out 2>&1 --report \
                table,tree,nvprof,gpu,summary,processes,threads,nvtx_values,cuda_gpu_kern_sum,cuda_api_sum
            ! LC_ALL=C grep -aE "$control" out || complain "$form"
        done
        for form in paddle csv json prometheus openmetrics; do
            stint stats "$report" --report $form >out 2>&1
            ! LC_ALL=C grep -aE "$control" out || complain "$form"
        done
        stint export "$report" --format collapsed >out 2>&1
        ! LC_ALL=C grep -aE "$control" out || complain "collapsed"
        for form in table csv json junit markdown; do
            stint diff "$GOLDEN/report_json_training.json" "$report" --format $form >out 2>&1
            ! LC_ALL=C grep -aE "$control" out || complain "diff as $form"
        done
    done
}

reports_on_single_ranges_agree_with_another_reader()
{
    command -v python3 >/dev/null || { echo "no python3: not checked"; return; }
    python3 "$here/nsys_reports.py" "$STINT" "$([ -n "$SANITIZE" ] && echo 1 || echo 10)" >out 2>&1 || { complain "they differ:"; cat out; }
}

run_tests output_that_nobody_reads_ends_quietly \
    traces_of_pytorch_are_read traces_that_would_take_all_memory_or_disk_are_read_as_far_as_possible \
    files_that_are_no_recordings_are_told what_comes_through_named_pipes_is_read a_list_of_events_counts_nothing_twice a_byte_order_mark_is_no_obstacle \
    reports_go_to_standard_output every_report_can_be_had_of_every_file \
    the_list_says_what_each_report_shows a_users_own_sql_is_a_report \
    recordings_are_converted_once_for_reports_in_sql \
    filters_read_the_recording_that_a_database_was_made_of several_reports_in_sql_share_a_database \
    options_may_stand_behind_files \
    a_file_is_written_if_one_is_named json_that_is_written_is_the_same_recording several_files_have_a_report_on_all \
    names_in_files_do_not_control_the_terminal events_are_listed_in_traces a_time_is_cut_out a_range_is_cut_out names_of_ranges_may_have_any_character \
    a_process_is_cut_out a_device_is_cut_out filters_need_events all_of_a_recording_is_what_it_counted \
    reports_on_single_ranges_agree_with_another_reader
