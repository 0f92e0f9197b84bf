#!/bin/sh
# stint diff: files in, a comparison and an exit code out.
. "$(dirname -- "$0")/lib.sh"

# record FILE NS [NAME] - a recording of a scope of that name that ran 10 times for that long.
record()
{
    cat >"$1" <<EOF
{"format":"stint-report","version":1,"process":{"pid":7,"command":"./train","start_unix_ns":5,"wall_ns":99999},
"sets":["GlobalStatInfo"],"stats":[{"set":"GlobalStatInfo","name":"${3-forward}","count":10,"total_ns":${2}0,"self_ns":${2}0,
"min_ns":$2,"max_ns":$2,"bins":[[$2,10]]}]}
EOF
}

# code EXPECTED ARGUMENT... - runs stint diff, its output in out and err.
code()
{
    expected=$1
    shift
    stint diff "$@" >out 2>err
    same "the exit code of: $*" $? "$expected"
}

a_change_is_shown()
{
    record a.json 1000
    record b.json 1300
    code 0 a.json b.json
    has out "A: a.json"
    has out "B: b.json"
    has out "   +30.0"
    has out "  forward"
    [ ! -s err ] || complain "stderr is not empty"
}

a_broken_rule_exits_with_1()
{
    record a.json 1000
    record b.json 1300
    code 1 a.json b.json --gate 'scope:forward:avg < +5%'
    has out "FAIL          scope:forward:avg < +5%  forward: A 1.000 us, B 1.300 us: +30.0%"
    has err "stint: --gate: 1 of 1 check failed"
}

a_kept_rule_exits_with_0()
{
    record a.json 1000
    record b.json 1300
    code 0 --gate 'scope:forward:avg < +50%' a.json b.json
    has out "0 of 1 check failed, 1 passed"
    [ ! -s err ] || complain "stderr is not empty"
}

what_noise_leaves_open_exits_with_3_and_says_so()
{
    i=0
    for ns in 1000 1100 900 1050 950 1020 1120 930 1060 970; do
        record "r$i.json" $ns
        i=$((i + 1))
    done
    code 3 r[0-4].json -- r[5-9].json --gate 'scope:forward:avg < +2%'
    has err "0 of 1 check failed, 1 is inconclusive"
    code 0 r[0-4].json -- r[5-9].json --gate 'scope:forward:avg < +50%'
    code 3 r[0-4].json -- r[5-9].json --gate 'scope:forward:avg < +1%'
    has out "noise: 95 % intervals from 5 and 5 runs"
    has out "inconclusive  scope:forward:avg < +1%"
    has err "0 of 1 check failed, 1 is inconclusive"
}

rules_are_read_from_a_file()
{
    record a.json 1000
    record b.json 1300
    printf '# limits\nscope:forward:avg < +5%%\nscope:nothing:avg < +5%% ?\n' >rules
    code 1 a.json b.json --gate @rules
    has out "1 of 2 checks failed, 1 had nothing to compare"
}

several_rules_and_options_add_up()
{
    record a.json 1000
    record b.json 1300
    code 1 a.json b.json --gate 'scope:*:avg < +5%; scope:*:count == 10' --gate 'total:wall:total < 1ms'
    has out "1 of 3 checks failed, 2 passed"
}

mistakes_in_rules_are_told_with_their_place()
{
    record a.json 1000
    code 2 a.json a.json --gate 'scope:forward:mean < +5%'
    has err "--gate, column 15: expected count, total, self"
    printf '# limits\nscope:forward < +5%%\n' >rules
    code 2 a.json a.json --gate @rules
    has err "stint: rules:2:7: "
    code 2 a.json a.json --gate @nothing
    has err "--gate @nothing: No such file"
    mkfifo pipe
    code 2 a.json a.json --gate @pipe
    has err "--gate @pipe: it is not a regular file"
    code 2 a.json a.json --gate @.
    has err "--gate @.: it is not a regular file"
    head -c 2000000 /dev/zero | tr '\0' '#' >long
    code 2 a.json a.json --gate @long
    has err "--gate @long: it is larger than 1 MiB"
}

what_is_not_comparable_exits_with_2()
{
    record a.json 1000
    record b.json 1000 backward
    code 2 a.json b.json
    has err "A and B have no scope, kernel, copy, call or function in common"
    echo '{"format":"stint-report","version":1}' >empty.json
    code 2 a.json empty.json
    has err "empty.json: nothing was recorded"
    code 2 a.json missing.json
    has err "missing.json: "
}

other_gpus_need_force()
{
    for gpu in H100 H200; do
        record a.json 1000
        sed "s/\]}\$/],\"gpu_devices\":[{\"id\":0,\"name\":\"NVIDIA $gpu\"}]}/" a.json >$gpu.json
    done
    code 2 H100.json H200.json
    has err "H100.json ran on NVIDIA H100, H200.json on NVIDIA H200; --force compares them anyway"
    code 0 H100.json H200.json --force
}

# counted FILE BYTES [MAX] - a recording of a kernel that read so many bytes in each of two launches, or up to MAX.
counted()
{
    record "$1" 1000
    sed "s/\]}\$/],\"nvtx_values\":[{\"set\":\"GPU counters\",\"name\":\"gemm\",\"field\":\"dram__bytes_read.sum\",\"count\":2,\"sum\":$(($2 * 2)),\"min\":$2,\"max\":${3-$2}},{\"set\":\"GPU counters\",\"name\":\"gemm\",\"field\":\"dram__bytes_write.sum\",\"count\":2,\"sum\":2000,\"min\":1000,\"max\":1000}]}/" "$1" >counted
    mv counted "$1"
}

counters_are_compared_and_limited()
{
    counted a.json 5000
    counted b.json 6000
    code 1 a.json b.json --gate 'kernel:*:dram_bytes < +5%'
    has out "gemm/dram_bytes"
    has out "FAIL          kernel:*:dram_bytes < +5%  gemm: A 6.000 KB, B 7.000 KB: +16.7%"
    code 0 a.json b.json --gate 'kernel:*:dram_bytes < +20%; kernel:gemm:dram__bytes_read <= 6KB'
    code 0 a.json b.json --by counter --format csv
    has out "counter,dram__bytes_read.sum,gemm,both,bytes,B,5000,6000,1000,20,20,20,changed"
    counted b.json 6000 9000
    code 3 a.json b.json --gate 'kernel:*:dram_bytes < +5%'
    code 1 a.json b.json --gate 'kernel:*:l2_bytes < +5%'
    has out "none of the rows that it matches could be compared"
}

# sampled FILE SAMPLES - a recording of a function of Python that so many of 1000 samples met, one each millisecond.
sampled()
{
    cat >"$1" <<EOF
{"format":"stint-report","version":1,"process":{"pid":7,"command":"./train","start_unix_ns":5,"wall_ns":99999},
"sampling":{"sampled":true,"wall":false,"hz":1000,"samples":1000,"time_ns":1000000000,"cpu_ns":1000000000},
"sample_modules":[{"pid":7,"path":"work","build_id":"python","begin":0,"end":0,"bias":0},
{"pid":7,"path":"/nowhere/train","build_id":"","begin":4096,"end":65536,"bias":0}],
"sample_frames":[{"module":0,"address":0},{"module":1,"address":8192}],
"sample_stacks":[{"parent":null,"frame":0},{"parent":null,"frame":1}],
"sample_threads":[{"pid":7,"tid":7,"exited":false,"name":"train"}],
"sample_counts":[{"thread":0,"context":"(no scope)","stack":0,"samples":$2,"time_ns":${2}000000},
{"thread":0,"context":"(no scope)","stack":1,"samples":$((1000 - $2)),"time_ns":$((1000 - $2))000000}]}
EOF
}

functions_are_compared_with_the_error_of_samples()
{
    sampled a.json 400
    sampled b.json 420
    sampled c.json 600
    code 3 a.json b.json --gate 'function:work:self < +10%'
    code 1 a.json c.json --gate 'function:work:self < +10%'
    has out "work: A 400.0 ms, B 600.0 ms: +50.0%, interval from "
    code 0 a.json c.json --by function --format csv
    has out "function,,work,both,self,ns,400000000,600000000,200000000,50,"
}

usage_mistakes_exit_with_2()
{
    record a.json 1000
    code 2
    has err "expected two files"
    code 2 a.json
    has err "expected two files"
    code 2 a.json a.json a.json
    has err "3 files: put -- between the two sides: stint diff A... -- B..."
    code 2 a.json --
    has err "expected two files"
    code 2 a.json a.json --format xml
    has err "--format xml: expected one of table, csv, json, junit, markdown"
    code 2 a.json a.json --by scope,op
    has err "--by op: expected some of"
    code 2 a.json a.json --format junit
    has err "--format junit needs at least one rule"
    code 2 a.json a.json --gat x
    has err "stint:"
}

options_stand_anywhere()
{
    record a.json 1000
    record b.json 1300
    code 0 --format csv a.json -- b.json --by scope
    has out "scope,GlobalStatInfo,forward,both,avg,ns,1000,1300,300,30,30,30,changed"
    lacks out "total,,wall"
}

every_format_is_written()
{
    record a.json 1000
    record b.json 1300
    for format in table csv json junit markdown; do
        stint diff a.json b.json --format $format --gate 'scope:forward:avg < +5%' >out 2>err
        same "the exit code with $format" $? 1
        has out forward
    done
}

other_programs_read_what_is_written()
{
    record a.json 1000 'a <b> & \"c\" \u0001 ]]>'
    record b.json 1300 'a <b> & \"c\" \u0001 ]]>'
    if command -v xmllint >/dev/null; then
        code 1 a.json b.json --gate 'scope:*:avg < +5%' --format junit
        xmllint --noout out || complain "JUnit is no XML"
    fi
    if command -v python3 >/dev/null; then
        code 0 a.json b.json --format json
        python3 -m json.tool out >/dev/null || complain "JSON is none"
    fi
}

output_goes_to_the_file_whole()
{
    record a.json 1000
    record b.json 1300
    echo old >report.json
    code 0 a.json b.json --format json -o report.json
    has report.json '"format":"stint-diff"'
    [ ! -s out ] || complain "stdout is not empty"
    same "the files" "$(echo report*)" "report.json"
    code 2 a.json b.json -o missing/report.json
    has err "missing/report.json cannot be written"
    code 0 a.json b.json -o /dev/null
    [ -c /dev/null ] || complain "/dev/null is no device any more"
}

a_terminal_narrower_than_the_table_loses_columns()
{
    command -v script >/dev/null || return
    record a.json 1000
    record b.json 1300 forward
    script -qec "stty cols 60; '$STINT' diff a.json b.json" /dev/null </dev/null >out
    has out "Count(%)"
    lacks out "p99(%)"
}

run_tests a_change_is_shown a_broken_rule_exits_with_1 a_kept_rule_exits_with_0 what_noise_leaves_open_exits_with_3_and_says_so \
    rules_are_read_from_a_file several_rules_and_options_add_up mistakes_in_rules_are_told_with_their_place \
    what_is_not_comparable_exits_with_2 other_gpus_need_force counters_are_compared_and_limited \
    functions_are_compared_with_the_error_of_samples usage_mistakes_exit_with_2 options_stand_anywhere \
    every_format_is_written other_programs_read_what_is_written output_goes_to_the_file_whole \
    a_terminal_narrower_than_the_table_loses_columns
