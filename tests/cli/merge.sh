#!/bin/sh
# stint merge: several recordings in, one out.
. "$(dirname -- "$0")/lib.sh"

# record FILE PID START WALL - a recording of 10 times 1 us.
record()
{
    cat >"$1" <<EOF
{"format":"stint-report","version":1,"process":{"pid":$2,"command":"./train","start_unix_ns":$3,"wall_ns":$4},
"sets":["GlobalStatInfo"],"threads":[{"pid":$2,"tid":$2,"name":"t","exited":false}],
"stats":[{"set":"GlobalStatInfo","name":"forward","count":10,"total_ns":10000,"self_ns":10000,"min_ns":1000,
"max_ns":1000,"bins":[[1000,10]]}]}
EOF
}

counts_and_threads_add_up()
{
    record a.json 7 100 50
    record b.json 8 100 50
    record c.json 9 100 50
    stint merge a.json b.json c.json -o all.json 2>err
    same "the exit code" $? 0
    [ ! -s err ] || complain "stderr is not empty"
    has all.json '"name":"forward"'
    has all.json '"count":30,'
    has all.json '"total_ns":30000,'
    for pid in 7 8 9; do
        has all.json "{\"pid\":$pid,\"tid\":$pid,"
    done
    has all.json '"process":{"pid":0,"rank":"","command":"3 recordings: ./train"'
    for pid in 7 8 9; do
        has all.json "{\"pid\":$pid,\"rank\":\"\",\"command\":\"./train\",\"start_unix_ns\":100,\"wall_ns\":50,"
    done
}

sums_beyond_64_bits_are_told()
{
    record a.json 7 100 50
    sed -E 's/"(total|self)_ns":10000/"\1_ns":12000000000000000000/g' a.json >long.json
    cp long.json longer.json
    stint merge long.json longer.json -o all.json
    has all.json '"total_ns":18446744073709551615,'
    has all.json '"self_ns":18446744073709551615,'
    stint stats all.json >out
    has out '2 values beyond 64 bits (greater than shown)'
    stint stats long.json >out 2>err
    lacks out 'beyond 64 bits'
    lacks err 'beyond 64 bits'
}

sums_that_only_a_report_makes_are_told()
{
    cat >two.json <<EOF
{"format":"stint-report","version":1,"process":{"pid":7},"sets":["GlobalStatInfo"],"stats":[
{"set":"GlobalStatInfo","name":"forward","count":1,"total_ns":12000000000000000000,"self_ns":12000000000000000000},
{"set":"GlobalStatInfo","name":"backward","count":1,"total_ns":12000000000000000000,"self_ns":12000000000000000000}]}
EOF
    stint stats --report table --top 1 two.json >out 2>err
    same "the exit code" $? 0
    has out '1 more row ('
    lacks out ' % of the time'
}

processes_at_one_time_have_their_span()
{
    record a.json 7 100 50
    record b.json 8 120 50
    stint merge a.json b.json -o all.json
    has all.json '"wall_ns":70}'
}

runs_one_after_the_other_have_their_sum()
{
    record a.json 7 5000 50
    record b.json 8 120 60
    stint merge a.json b.json -o all.json
    has all.json '"wall_ns":110}'
}

what_began_first_says_the_rest()
{
    record a.json 7 5000 50
    mv a.json late.json
    record b.json 8 120 60
    sed 's/train/early/' b.json >early.json
    stint merge late.json early.json -o all.json
    has all.json '"command":"2 recordings: ./early"'
    has all.json '"start_unix_ns":120,'
}

a_database_has_the_events_of_all()
{
    record a.json 7 1000 50
    events='"gpu_events":[{"kind":"kernel","name":"k","context":"(no scope)","start_ns":5,"end_ns":9,"grid":[1,1,1],"block":[1,1,1]}]}'
    sed "s/\]}\$/],$events/" a.json >a1.json
    sed 's/"start_unix_ns":1000/"start_unix_ns":1020/' a1.json >a2.json
    stint merge a2.json a1.json -o all.sqlite 2>err
    same "the exit code" $? 0
    [ ! -s err ] || complain "stderr is not empty"
    stint stats all.sqlite --report csv >out
    has out "GlobalStatInfo,forward,20,"
    command -v sqlite3 >/dev/null || return
    same "the kernels" "$(sqlite3 all.sqlite 'SELECT start, "end" FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY start' | tr '\n' ' ')" \
        "5|9 25|29 "
    stint merge all.sqlite a1.json -o more.sqlite
    same "all kernels" "$(sqlite3 more.sqlite 'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL')" 3
}

the_result_can_be_an_input()
{
    record a.json 7 100 50
    record b.json 8 100 50
    stint merge a.json b.json -o a.json
    has a.json '"count":20,'
    same "the files" "$(echo ./*)" "./a.json ./b.json ./tmp"
}

mistakes_are_told_and_nothing_is_written()
{
    record a.json 7 100 50
    stint merge a.json -o all.json 2>err
    same "the exit code with one file" $? 2
    has err "expected two files or more: stint merge FILE... [-o OUT]"
    stint merge a.json a.json --ranks 2>err
    same "the exit code without a file for the sum" $? 2
    has err "--ranks needs a file for the sum: -o OUT.json"
    stint merge a.json a.json --ranks -o all.sqlite 2>err
    same "the exit code of a sum by rank as a database" $? 2
    stint merge a.json a.json --report tree -o all.json 2>err
    same "the exit code of a report and an output" $? 2
    has err "--report and --format cannot be combined with -o"
    stint merge a.json missing.json -o all.json 2>err
    same "the exit code of a missing file" $? 2
    has err "missing.json: "
    stint merge a.json "$(printf 'red\033[31m\nfile')" -o all.json 2>err
    has err 'red\x1b[31m\nfile: '
    stint merge a.json a.json -o missing/all.json 2>err
    same "the exit code of a missing folder" $? 2
    has err "missing/all.json cannot be written"
    stint merge a.json a.json -o missing/all.sqlite 2>err
    same "the exit code of a missing folder for a database" $? 2
    has err "missing/all.sqlite cannot be written"
    stint merge a.json --outptu all.json 2>err
    same "the exit code of a mistyped option" $? 2
    has err "did you mean --output?"
    [ ! -e all.json ] || complain "something was written"
}

# rank FILE RANK TOTAL [PID] - a recording of a rank on a host of its own.
rank()
{
    record "$1" "${4:-7}" 1800000000000000000 100000
    sed "s/\"pid\":${4:-7},\"command\"/\"pid\":${4:-7},\"rank\":\"$2\",\"host\":\"node$2\",\"command\"/; s/_ns\":10000,/_ns\":$3,/g" "$1" >"$1.new"
    mv "$1.new" "$1"
}

# row OF - the CSV's fields of a scope: total, ranks, calls, min, its rank, avg, max, its rank, std.
row()
{
    sed -n "s/^scope,GlobalStatInfo,[^,]*,\([^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*\),.*,$1\$/\1/p" out
}

ranks_are_compared()
{
    for i in 0 1 2 3; do
        rank "r$i.json" "$i" $((10000 + i * i * 1000))
    done
    stint merge r0.json r1.json r2.json r3.json --format csv >out 2>err
    same "the exit code" $? 0
    [ ! -s err ] || complain "stderr is not empty"
    same "the row" "$(row forward)" 54000,4,40,10000,0,13500,19000,3,3500
    stint merge r0.json r1.json r2.json r3.json >table
    has table "stint: train, 4 ranks, 1 scope, "
    has table "slow: rank 3 (node3): forward, 1.41 times the mean rank (score 0.53 of the best): 5.500 us lost"
    stint merge r0.json r1.json r2.json r3.json --report ranks-tree >out
    has out "slow: rank 3 (node3)"
}

# The order of files, and sums of some of them, make no difference.
sums_by_rank_can_be_added_up()
{
    for i in 0 1 2 3 4; do
        rank "r$i.json" "$i" $((10000 + i * i * 1000))
    done
    stint merge r0.json r1.json r2.json r3.json r4.json >once
    stint merge r4.json r1.json --ranks -o a.json
    stint merge r3.json r0.json --ranks -o b.json
    stint merge b.json r2.json a.json >twice
    same "the tables" "$(cat twice)" "$(cat once)"
    stint merge a.json b.json --ranks -o ab.json
    stint stats ab.json --report ranks:csv >out
    same "the row of a file" "$(row forward)" 66000,4,40,10000,0,16500,26000,4,6500
}

# Devices and streams have other numbers on each rank.
gpu_activity_is_compared()
{
    for i in 0 1 2; do
        rank "r$i.json" "$i" 10000
        sed "s/\]}\$/],\"gpu_activities\":[{\"kind\":\"kernel\",\"name\":\"saxpy\",\"device\":$i,\"stream\":$((i + 7)),\"count\":2,\"total_ns\":$((2000 + 1000 * i)),\"min_ns\":900,\"max_ns\":2000}]}/" "r$i.json" >"g$i.json"
    done
    stint merge g0.json g1.json g2.json --format csv >out
    same "the row" "$(sed -n 's/^kernel,,\(.*\),saxpy$/\1/p' out)" 100.00,9000,3,6,2000,0,3000,4000,2,816,27.22,33.33,,,,,
    stint merge g0.json g1.json g2.json >table
    has table "GPU activity"
    has table saxpy
    lacks table "GPU time of scopes"
}

# scopes_with_kernels FILE RANK NS NS - a recording of a rank whose scopes, one within the other, had GPUs work that long.
scopes_with_kernels()
{
    rank "$1" "$2" 10000
    inner='{"set":"GlobalStatInfo","name":"mm","count":2,"total_ns":50,"self_ns":50}'
    contexts='{"stat":0,"parent":null,"count":10,"total_ns":10000},{"stat":1,"parent":0,"count":2,"total_ns":50}'
    kernel="{\"kind\":\"kernel\",\"name\":\"gemm\",\"count\":3,\"total_ns\":$(($3 + $4)),\"min_ns\":1,\"max_ns\":$3}"
    charges="{\"activity\":0,\"context\":0,\"count\":1,\"total_ns\":$3},{\"activity\":0,\"context\":1,\"count\":2,\"total_ns\":$4}"
    sed "s/}\]}\$/},$inner],\"contexts\":[$contexts],\"gpu_activities\":[$kernel],\"gpu_charges\":[$charges]}/" "$1" >"$1.new"
    mv "$1.new" "$1"
}

# row_of_gpu OF - as row, of a scope's GPU time.
row_of_gpu()
{
    sed -n "s/^gpu,GlobalStatInfo,\([^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*\),.*,$1\$/\1/p" out
}

gpu_time_of_scopes_is_compared()
{
    scopes_with_kernels r0.json 0 100 400
    scopes_with_kernels r1.json 1 100 800
    stint merge r0.json r1.json --format csv >out
    same "the outer row" "$(row_of_gpu forward)" 100.00,1400,2,6,500,0,700,900,1,200
    same "the inner row" "$(row_of_gpu mm)" 85.71,1200,2,4,400,0,600,800,1,200
    stint merge r0.json r1.json >table
    same "the table" "$(sed -n '/^GPU time of scopes/,/^GPU activity/p' table | awk '{ print $NF }' | tr '\n' ' ')" \
        "scopes Scope forward mm  activity "
    stint merge r0.json r1.json --ranks -o all.json
    stint merge all.json r0.json --format csv >out
    same "the row of a sum" "$(row_of_gpu mm)" 84.21,1600,3,6,400,0,533,800,1,189
}

# stint stats and stint run, which have all recordings at once, and processes of several hosts with one id.
other_reports_know_ranks_too()
{
    for i in 0 1 2; do
        rank "r$i.json" "$i" $((10000 + i * i * 1000))
    done
    stint merge r0.json r1.json r2.json >merged
    stint stats r0.json r1.json r2.json --report ranks >shown
    same "the tables" "$(cat shown)" "$(cat merged)"
    stint stats r0.json r1.json r2.json --report ranks,table >both
    has both "stint: 3 processes: r0.json"
    has both "slow: rank 2 (node2)"
}

processes_of_a_rank_are_one()
{
    rank r0.json 0 10000
    rank r1.json 1 10000
    rank child.json 0 30000 8
    stint merge r0.json r1.json child.json --format csv >out
    same "the row" "$(row forward)" 50000,2,30,10000,1,25000,40000,0,15000
}

what_has_no_rank_is_told()
{
    rank r0.json 0 10000
    rank r1.json 1 10000
    record launcher.json 9 100 50
    stint merge launcher.json r0.json r1.json --format csv >out 2>err
    same "the row" "$(row forward)" 20000,2,20,10000,0,10000,10000,0,0
    has err "1 of the recordings is of a process without a rank, and is left out"
    stint merge launcher.json launcher.json --format csv >out 2>err
    [ ! -s err ] || complain "stderr is not empty"
    same "the row of two without a rank" "$(row forward)" 20000,2,20,10000,0,10000,10000,0,0
}

# collectives FILE RANK NS... - a recording of a rank with kernels of NCCL that take so long, one behind the other, and one
# kernel of its own.
collectives()
{
    file=$1
    rank "$1" "$2" 10000
    shift 2
    at=1000 total=0 events=
    for ns in "$@"; do
        events="$events,{\"kind\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum\",\"context\":\"(no scope)\",\"start_ns\":$at,\"end_ns\":$((at + ns)),\"grid\":[1,1,1],\"block\":[1,1,1]}"
        at=$((at + ns + 10)) total=$((total + ns))
    done
    events="$events,{\"kind\":\"kernel\",\"name\":\"saxpy\",\"context\":\"(no scope)\",\"start_ns\":$at,\"end_ns\":$((at + 100)),\"grid\":[1,1,1],\"block\":[1,1,1]}"
    rows="{\"kind\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum\",\"count\":$#,\"total_ns\":$total,\"min_ns\":1,\"max_ns\":$total},{\"kind\":\"kernel\",\"name\":\"saxpy\",\"count\":1,\"total_ns\":100,\"min_ns\":100,\"max_ns\":100}"
    sed "s/\]}\$/],\"gpu_activities\":[$rows],\"gpu_events\":[${events#,}]}/" "$file" >"$file.new"
    mv "$file.new" "$file"
}

# waited NAME - the CSV's time that all ranks waited in kernels of that name.
waited()
{
    sed -n "s/^kernel,.*,\([^,]*\),$1\$/\1/p" out
}

# Each call is as long as the work where it is shortest: 100 + 200 + 300 ns.
waiting_in_collectives_is_told()
{
    collectives r0.json 0 900 1200 300
    collectives r1.json 1 100 200 1300
    collectives r2.json 2 500 600 700
    stint merge r0.json r1.json r2.json --format csv >out
    same "the time that ranks waited" "$(waited ncclDevKernel_AllReduce_Sum)" 4000
    same "the time that ranks waited for nobody" "$(waited saxpy)" ""
    stint merge r0.json r1.json r2.json >once
    has once "waiting: ncclDevKernel_AllReduce_Sum, 69.0 % of 5.800 us; rank 0 most, 1.800 us; rank 1 least, 1.000 us"
    has once "Wait"
    stint stats r2.json r0.json r1.json --report ranks >shown
    same "the tables" "$(cat shown)" "$(cat once)"
    stint merge r0.json r1.json r2.json --ranks -o all.json
    stint stats all.json --report ranks >shown
    same "the table of a file" "$(cat shown)" "$(cat once)"
    stint merge all.json all.json --format csv >out
    same "the time that is not known of sums" "$(waited ncclDevKernel_AllReduce_Sum)" ""
}

# Calls that not all ranks make, and those of which events are missing, do not tell who waited.
unlike_collectives_tell_nothing()
{
    collectives r0.json 0 900 1200 300
    collectives r1.json 1 100 200
    stint merge r0.json r1.json --format csv >out
    same "the time of unlike calls" "$(waited ncclDevKernel_AllReduce_Sum)" ""
    collectives r1.json 1 100 200 300
    sed 's/"count":3,"total_ns":600/"count":4,"total_ns":700/' r1.json >r2.json
    stint merge r0.json r2.json --format csv >out
    same "the time of calls with missing events" "$(waited ncclDevKernel_AllReduce_Sum)" ""
    sed 's/ncclDevKernel_AllReduce_Sum/ncclDevKernel_SendRecv/g' r0.json >s0.json
    sed 's/ncclDevKernel_AllReduce_Sum/ncclDevKernel_SendRecv/g' r1.json >s1.json
    stint merge s0.json s1.json --format csv >out
    same "the time of sends" "$(waited ncclDevKernel_SendRecv)" ""
    collectives r2.json 0 50
    stint merge r0.json r1.json r2.json --format csv >out
    same "the time of two recordings of a rank" "$(waited ncclDevKernel_AllReduce_Sum)" ""
}

# Rank 1 takes ten times as long for the second half of its iterations.
since_when_a_rank_is_slow_is_known_of_events()
{
    for rank in 0 1; do
        RANK=$rank stint run --quiet --report json --log-file "r$rank.json" --store "r$rank.sqlite" -- \
            "$SUBJECT" slow $((1 + 9 * rank)) &
    done
    wait
    stint merge r0.sqlite r1.sqlite >out
    grep -E '^slow: rank 1 .*: compute, .* times its own past .* since .* after the start: ' out >slow ||
        complain "the change is not named: $(grep '^slow' out)"
    lacks slow "iteration"
    # 50 iterations of a ms and more: the time is early in the run.
    ms=$(sed -n 's/.* UTC, \([0-9]*\)[.0-9]* ms after the start.*/\1/p' slow)
    wall=$(sed -n 's/^stint: .* 2 ranks, .*, \([0-9]*\)[.0-9]* ms$/\1/p' out)
    [ "${ms:-0}" -ge 40 ] && [ "$ms" -le $((${wall:-0} / 2)) ] || complain "slow since $ms ms of $wall"
    stint merge r0.json r1.json >out
    grep -q '^slow: rank 1 .*: compute, .* times the mean rank' out || complain "rank 1 is not slow"
    lacks out "its own past"
}

# kernels FILE HOST LATER - a recording with five kernels of NCCL, whose host's clock is LATER ns late.
kernels()
{
    record "$1" 7 $((1800000000000000000 + $3)) 900000
    events=
    for i in 1 2 3 4 5; do
        events="$events,{\"kind\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum\",\"context\":\"(no scope)\",\"start_ns\":$((i * 1000 - ${4:-0})),\"end_ns\":$((i * 1000 + 500 + i)),\"grid\":[1,1,1],\"block\":[1,1,1]}"
    done
    sed "s/\"command\"/\"host\":\"$2\",\"command\"/; s/\]}\$/],\"gpu_events\":[${events#,}]}/" "$1" >"$1.new"
    mv "$1.new" "$1"
}

clocks_of_hosts_are_aligned()
{
    kernels r0.json node0 0
    kernels r1.json node1 5000000 100
    kernels r2.json node2 -3000000 200
    stint merge r0.json r1.json r2.json -o all.sqlite 2>err
    same "the exit code" $? 0
    has err "the clock of node1 is set back by 8.000 ms against that of node2, so that 5 kernels of NCCL end together, to within 0.0 ns"
    has err "the clock of node0 is set back by 3.000 ms against that of node2"
    command -v sqlite3 >/dev/null || return
    same "the ends" "$(sqlite3 all.sqlite 'SELECT DISTINCT "end" FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY 1' | tr '\n' ' ')" \
        "1501 2502 3503 4504 5505 "
    same "the processes" "$(sqlite3 all.sqlite 'SELECT count(DISTINCT globalPid) FROM CUPTI_ACTIVITY_KIND_KERNEL')" 3
}

clocks_that_nothing_aligns_are_as_they_are()
{
    kernels r0.json node0 0
    kernels r1.json node1 5000000
    sed 's/ncclDevKernel_AllReduce_Sum/saxpy/g' r1.json >r2.json
    stint merge r0.json r2.json -o all.sqlite 2>err
    has err "the clocks of node1 and node0 are not aligned"
    stint merge r0.json r2.json -o all.json 2>err
    same "what is said of reports" "$(cat err)" "$(grep 'the clocks of node1 and node0 are not aligned' err)"
}

run_tests since_when_a_rank_is_slow_is_known_of_events waiting_in_collectives_is_told unlike_collectives_tell_nothing clocks_of_hosts_are_aligned clocks_that_nothing_aligns_are_as_they_are counts_and_threads_add_up sums_beyond_64_bits_are_told sums_that_only_a_report_makes_are_told processes_at_one_time_have_their_span runs_one_after_the_other_have_their_sum \
    what_began_first_says_the_rest a_database_has_the_events_of_all ranks_are_compared \
    sums_by_rank_can_be_added_up gpu_activity_is_compared gpu_time_of_scopes_is_compared other_reports_know_ranks_too processes_of_a_rank_are_one what_has_no_rank_is_told the_result_can_be_an_input mistakes_are_told_and_nothing_is_written
