#!/bin/sh
# stint export: which format, where to, and what is said. What the formats look like is tested by the unit tests.
. "$(dirname -- "$0")/lib.sh"

report=$GOLDEN/report_json_gpu.json

name_of_the_file_says_the_format()
{
    for name in a.json:'"schemaVersion"' a.speedscope.json:'"schemaVersion"' a.collapsed:'trainOnePass;' a.folded:'trainOnePass;'; do
        stint export "$report" -o "${name%%:*}" || complain "failed: $name"
        has "${name%%:*}" "${name#*:}"
    done
    stint export "$report" -o a.pftrace || complain "failed: a.pftrace"
    grep -q cudaLaunchKernel a.pftrace || complain "a.pftrace has no cudaLaunchKernel"
    stint export "$report" --format chrome -o a.txt
    cmp a.json a.txt || complain "--format does not come first"
}

standard_output_is_the_default()
{
    stint export "$report" -o a.json
    stint export "$report" --format chrome >out
    cmp a.json out || complain "standard output differs from the file"
    stint export "$report" --format chrome -o - >out
    cmp a.json out || complain "- is not standard output"
    stint export "$report" --format perfetto >out
    [ -s out ] || complain "what is no text cannot be redirected"
}

terminal_gets_no_bytes()
{
    command -v script >/dev/null || return
    script -qec "'$STINT' export '$report' --format perfetto" /dev/null </dev/null >out 2>&1
    has out "perfetto is a binary format: name a file with -o"
    lines out "cudaLaunchKernel" 0
    script -qec "'$STINT' export '$report' --format collapsed" /dev/null </dev/null >out 2>&1
    has out "trainOnePass;"
}

stacks_weigh_what_is_asked_for()
{
    stint export "$report" --format collapsed >host
    stint export "$report" --format collapsed --weight host >same
    cmp host same || complain "host is not the default"
    has host "trainOnePass;backward;cudaLaunchKernel 2364800"
    stint export "$report" --format collapsed --weight gpu >gpu
    has gpu "(unattributed);library_kernel 117280"
    stint export "$report" --weight bytes -o bytes.folded
    has bytes.folded "trainOnePass;loadBatch;[CUDA memcpy HtoD] 838860800"
}

reports_are_formats_too()
{
    stint export "$report" --format json >again.json
    cmp "$report" again.json || complain "the report in JSON is another"
    stint export "$report" --format cuda_gpu_kern_sum:csv -o kernels.csv
    same "the header" "$(sed 's/,.*//;q' kernels.csv)" "Time (%)"
    stint export "$report" --format csv >out
    same "the header" "$(sed 's/,.*//;q' out)" "set"
}

samples_are_a_format_like_others()
{
    refused "has no samples of functions: record with stint run --sample" export "$report" -o a.pprof
    [ -z "$SANITIZE" ] || return
    STINT_INJECT_LIBRARY=$RECORDS
    stint run --sample --store a.stint sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' >out 2>err
    stint samples a.stint --format collapsed >samples
    stint export a.stint -o a.collapsed || complain "failed: a.collapsed"
    cmp samples a.collapsed || complain "these are not the stacks of samples"
    stint samples a.stint --format pprof >samples
    for name in a.pprof a.pb.gz; do
        stint export a.stint -o $name || complain "failed: $name"
    done
    cmp samples a.pprof || complain "this is not the profile of stint samples"
    gzip -dc a.pb.gz | cmp - a.pprof || complain "a.pb.gz has something else"
    stint export a.stint -o a.json.gz && stint export a.stint -o a.json
    gzip -dc a.json.gz | cmp - a.json || complain "a.json.gz has something else"
    has a.json 'disabled-by-default-v8.cpu_profiler'
}

stacks_of_scopes_come_before_those_of_samples()
{
    [ -z "$SANITIZE" ] || return
    stint run --sample --report json --log-file a.json "$SUBJECT" step 10000000 >out 2>err
    stint export a.json -o a.collapsed
    stint export a.json -o b.collapsed --weight samples
    same "the stacks of scopes" "$(sed 's/[0-9]*$//' a.collapsed)" "step "
    has b.collapsed ';main'
}

files_that_would_be_empty_are_refused()
{
    sums=$GOLDEN/report_json_training.json
    for format in chrome perfetto; do
        refused "has only totals and no events: the timeline would be empty" export "$sums" --format $format
    done
    refused "has no scopes, ranges or calls of this weight" export "$sums" --format collapsed --weight gpu
    if [ -z "$SANITIZE" ]; then
        STINT_INJECT_LIBRARY=$RECORDS
        stint run --sample --report json --log-file a.json sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' 2>err
        refused "a.json has no scopes, ranges or calls of this weight: the file would be empty. It has samples" \
            export a.json -o a.collapsed --weight host
        refused "no events: the timeline would be empty. Record with STINT_TRACE, or with stint run --trace 100000. It has" \
            export a.json -o a.pftrace
        same "the files" "$(echo ./a*)" "./a.json"
    fi
    stint export "$sums" --format collapsed >out 2>err
    [ ! -s err ] || complain "collapsed: noted, though it has the calling contexts"
    stint export "$report" --format chrome >out 2>err
    [ ! -s err ] || complain "noted, though there are events"
}

failure_is_told_and_leaves_no_file()
{
    refused "could not be exported to none/a.json: No such file or directory" export "$report" -o none/a.json
    refused "could not be exported to /dev/full: No space left on device" export "$report" --format chrome -o /dev/full
    [ -c /dev/full ] || complain "/dev/full is no device any more"
    echo broken >broken.json
    refused "broken.json:1: " export broken.json -o a.json
    same "the files" "$(echo ./*)" "./broken.json ./err ./out ./tmp"
}

recording_is_not_overwritten()
{
    cp "$report" run.json
    ln run.json same.json
    refused "run.json is the recording to be read: give the output another name" export run.json -o run.json
    refused "same.json is the recording to be read" export run.json -o same.json
    cmp "$report" run.json || complain "the recording was changed"
}

run_tests name_of_the_file_says_the_format standard_output_is_the_default terminal_gets_no_bytes \
    stacks_weigh_what_is_asked_for reports_are_formats_too samples_are_a_format_like_others \
    stacks_of_scopes_come_before_those_of_samples files_that_would_be_empty_are_refused \
    failure_is_told_and_leaves_no_file recording_is_not_overwritten
