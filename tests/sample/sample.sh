#!/bin/sh
# stint run --sample: samples of functions, their callers and scopes.
. "$(dirname -- "$0")/../cli/lib.sh"
unset STINT_INJECT_LIBRARY STINT_SAMPLE

# number FILE KEY - of the report's section "sampling".
number()
{
    sed -n 's/^"sampling":.*"'"$2"'":\([0-9]*\).*/\1/p' "$1"
}

# near WHAT ACTUAL EXPECTED PERCENT
near()
{
    [ "$(($2 * 100))" -ge "$(($3 * (100 - $4)))" ] && [ "$(($2 * 100))" -le "$(($3 * (100 + $4)))" ] ||
        complain "$1 is $2, not $3 within $4 %"
}

samples_add_up_to_the_cpu_time()
{
    stint run --sample --report json "$SAMPLED" 200 2>err
    grep -q '"sampling":{"sampled":true,"wall":false,"hz":997,' err || complain "no samples: $(cat err)"
    near "the time of samples" "$(number err time_ns)" "$(number err cpu_ns)" 8
    near "the CPU time" "$(number err cpu_ns)" 600000000 20
    same "samples without callers" "$(number err leaves)" 0
}

# sum_of_ended FILE CONTEXT - as sum_of, of threads that have ended.
sum_of_ended()
{
    sed -n '/^"sample_threads"/,$p' "$1" | awk -F '[:,}]' -v context="$2" '
        /^{"pid":/ && /"exited":/ {ended[threads++] = /"exited":true/}
        /^{"thread":/ && ended[$2] && $4 ~ context {sub(/.*"time_ns":/, ""); sum += $0}
        END {printf "%.0f\n", sum}'
}

# On a busy machine, what runs for less than a tick may always begin just after one: of 300 threads, which have 150
# samples on a quiet machine, 20 may have one, and the main thread none. All that the threads have used is in these
# samples, however few. For a fortieth of its time a thread is in no scope; as samples stand for different times, so that
# n are worth n / 3, this is off by sqrt(1/40 * 39/40 * 3/n): 2 % with 150 samples, 6 % with 20.
threads_shorter_than_a_tick_have_their_share()
{
    stint run --sample --report json "$SAMPLED" 2 300 >main_ms 2>err
    near "the time of samples" "$(sum_of_ended err .)" "$(($(number err cpu_ns) - $(cat main_ms) * 1000000))" 6
    near "the time within the scope" "$(sum_of_ended err '^0$')" "$(sum_of_ended err .)" 25
}

# sum_of FILE CONTEXT - the samples' time within a scope, or outside of all.
sum_of()
{
    sed -n 's/^{"thread":[0-9]*,"context":'"$2"',.*"time_ns":\([0-9]*\)}.*/\1/p' "$1" | awk '{s += $1} END {printf "%.0f\n", s}'
}

samples_belong_to_scopes()
{
    stint run --sample --report json "$SAMPLED" 200 2>err
    near "the time within the first scope" "$(sum_of err 0)" 200000000 20
    near "the time within the second scope" "$(sum_of err 1)" 200000000 20
    near "the time outside" "$(sum_of err '"(no scope)"')" 200000000 25
}

library_is_known_as_soon_as_it_is_loaded()
{
    stint run --sample --quiet --store late.sqlite --report off "$LATE" "$PLUGIN"
    stint samples late.sqlite --csv >table
    awk -F, '$7 == "plugin_call" && $4 > 70 {found = 1} END {exit !found}' table || complain "$(cat table)"
}

# A thread of stint's that begins while the library looks at how the process began must know that it is one.
process_ends_whenever_its_main_and_threads_do()
{
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        timeout -s KILL 20 "$STINT" run --sample --quiet --report off "$LATE" || complain "turn $turn: code $?"
    done
}

program_without_scopes_is_sampled()
{
    # shellcheck disable=SC2016
    stint run --sample=500 --report json sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' 2>err
    has err '"hz":500,'
    [ "$(number err samples)" -gt 5 ] || complain "only $(number err samples) samples"
    has err '/libc.so.6","build_id":"'
    has err '"overhead":{"scope_ns":0.000,' # there are none to be measured
}

wall_clock_samples_show_waiting()
{
    stint run --sample=wall:100 sleep 0.5 2>err
    has err " of threads' time)"
    stint run --sample=wall:100 --report json sleep 0.5 2>err
    has err '"wall":true,"hz":100,'
    near "the time of samples" "$(number err time_ns)" 500000000 15
    stint run --sample=wall:100 --quiet --store waits.sqlite --report off sleep 0.3
    stint samples waits.sqlite --mode flat >table
    has table "nanosleep  [libc.so.6]"
}

linked_program_is_sampled_without_preloading()
{
    STINT_SAMPLE=on STINT_REPORT=json "$SAMPLED" 200 2>err
    near "the time of samples" "$(number err time_ns)" "$(number err cpu_ns)" 10
}

threads_that_have_ended_are_counted_and_named()
{
    cat >ended.c <<'END'
#include <pthread.h>
static void *work(void *name)
{
    volatile double sum = 0;
    pthread_setname_np(pthread_self(), name);
    for (long i = 1; i < 60000000; i++)
        sum += 1.0 / (double)i;
    return NULL;
}
int main(void)
{
    pthread_t threads[3];
    static char *names[] = {"reader", "worker", "writer"};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
    ${CC:-cc} -D_GNU_SOURCE -O1 ended.c -o ended -pthread || return 0
    stint run --sample --report json --log-file ended.json ./ended
    for name in reader worker writer; do
        has ended.json "\"name\":\"$name\",\"exited\":true"
    done
    stint samples ended.json >out
    grep -q '[34] threads$' out || complain "$(sed -n 1p out)"
}

footer_counts_samples()
{
    stint run --sample "$SAMPLED" 100 2>err
    has err " of CPU time)"
    lacks err "samples: "
    lacks err "nothing recorded"
    stint run --sample --report table "$SAMPLED" 100 2>err
    has err "samples: "
    has err " of CPU time ("
    has err " used, 997 per second requested)"
}

# Without a time, the report is that of the program; with one, samples are counted that are events.
samples_are_events_of_a_recording()
{
    rm -rf rec.stint
    STINT_TRACE=rec.stint stint run --sample --report json "$SAMPLED" 200 2>err
    stint stats rec.stint --report json >whole
    same "the samples of the program" "$(number whole samples)" "$(number err samples)"
    stint stats rec.stint --filter-time 0ms/ --report json >all
    near "samples that are events" "$(number all samples)" "$(number err samples)" 3
    near "their time" "$(number all time_ns)" "$(number err time_ns)" 3
    near "their time within the first scope" "$(sum_of all 0)" "$(sum_of err 0)" 3
    near "their time outside" "$(sum_of all '"(no scope)"')" "$(sum_of err '"(no scope)"')" 5
    stint stats rec.stint --filter-time /300ms --report json >first
    stint stats rec.stint --filter-time 300ms/ --report json >second
    same "samples of two parts" $(($(number first samples) + $(number second samples))) "$(number all samples)"
    [ "$(number first samples)" -gt 0 ] || complain "the first part has no samples"
    stint samples rec.stint --mode flat >table
    grep -q "built without elfutils' libdw" table || has table " spin "
}

database_is_all_that_is_left_of_the_recordings()
{
    rm -rf two && mkdir two
    for time in first second; do # the second replaces the first
        stint run --sample --quiet --log-file err --store two/run.sqlite sh -c "'$SAMPLED' 20; '$SAMPLED' 20"
        same "the exit code of the $time" $? 0
        same "what is there" "$(ls two)" run.sqlite
    done
}

samples_of_a_killed_program_are_not_lost()
{
    rm -rf rec.stint
    STINT_TRACE=rec.stint STINT_SAMPLE=on STINT_REPORT=off "$SAMPLED" 3000 &
    sleep 2.6
    # On a busy machine it is less than what has passed.
    used=$(awk '{printf "%.0f\n", ($14 + $15) * 10000000}' /proc/$!/stat)
    kill -KILL $!
    wait $! 2>/dev/null
    stint stats rec.stint --report json >killed 2>said
    has killed '"hz":997,'
    near "the samples' time" "$(number killed time_ns)" "$used" 65
    stint samples rec.stint >table 2>said
    grep -q "built without elfutils' libdw" table || has table " spin "
}

# storm.c says what it does; how much of it is on the command line.
storm_is_survived()
{
    for how in 10000 wall:10000; do
        stint run "--sample=$how" --report json "$STORM" 700 "$PLUGIN" 6 >out 2>err
        same "the exit code" $? 0
        same "stdout" "$(cat out)" survived
        [ "$(number err samples)" -gt 20 ] || complain "only $(number err samples) samples"
        same "samples without room" "$(number err crowded)" 0
    done
}

# signals.c says what each is.
signals_of_the_program_are_its_own()
{
    for way in waits reads reads-one handles resets restarts lasts queues; do
        for how in wall:2000 997; do
            stint run "--sample=$how" --report json "$SIGNALS" $way >out 2>err
            same "the exit code of $way with $how" $? 0
            same "stdout of $way with $how" "$(cat out)" undisturbed
        done
    done
}

handlers_and_masks_are_those_of_the_program()
{
    "$SIGNALS" sees >bare
    for how in --sample --sample=wall:2000 --osrt "--osrt --sample" "--store run.sqlite"; do
        # shellcheck disable=SC2086
        stint run $how --report off "$SIGNALS" sees >out 2>err
        diff bare out >different || complain "with $how: $(head -4 different)"
    done
}

sampling_goes_on_with_another_signal()
{
    stint run --sample --report json "$SIGNALS" handles >out 2>err
    near "the time of samples" "$(number err time_ns)" "$(number err cpu_ns)" 10
}

signal_of_others_has_its_default()
{
    stint run --sample "$SIGNALS" ends >out 2>err
    same "the exit code" $? "$((128 + $(kill -l RTMAX-1 2>/dev/null || echo 63)))"
}

time_with_blocked_signals_counts_when_they_are_let_in()
{
    stint run --sample --report json "$SIGNALS" blocks >out 2>err
    near "the time of samples" "$(number err time_ns)" "$(number err cpu_ns)" 10
}

# The preloaded library starts to sample while it is loaded.
samples_begin_and_end_at_the_times_asked_for()
{
    # shellcheck disable=SC2016
    loop='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
    stint run --sample --delay 100 sh -c "$loop" 2>err
    has err "nothing was recorded"
    stint run --sample --duration 100 --report json sh -c "$loop" 2>err
    near "the time of samples" "$(number err time_ns)" "$(number err cpu_ns)" 10
}

preloaded_library_says_why_it_takes_no_samples()
{
    LD_PRELOAD=${STINT%/bin/*}/lib/libstint_inject.so STINT_SAMPLE=11x env true 2>err
    has err "STINT_SAMPLE=11x: no samples are taken: expected on, wall, samples per second"
}

frequency_is_checked()
{
    for how in 0 10001 x wall: wall:0; do
        stint run "--sample=$how" true 2>err && complain "--sample=$how is accepted"
        has err "--sample"
    done
    STINT_SAMPLE=11x "$SAMPLED" 1 2>err
    has err "STINT_SAMPLE=11x: no samples are taken: expected on, wall, samples per second"
}

run_tests samples_are_events_of_a_recording database_is_all_that_is_left_of_the_recordings samples_of_a_killed_program_are_not_lost samples_add_up_to_the_cpu_time threads_shorter_than_a_tick_have_their_share samples_belong_to_scopes \
    library_is_known_as_soon_as_it_is_loaded process_ends_whenever_its_main_and_threads_do program_without_scopes_is_sampled wall_clock_samples_show_waiting linked_program_is_sampled_without_preloading \
    threads_that_have_ended_are_counted_and_named footer_counts_samples signals_of_the_program_are_its_own handlers_and_masks_are_those_of_the_program sampling_goes_on_with_another_signal \
    signal_of_others_has_its_default time_with_blocked_signals_counts_when_they_are_let_in storm_is_survived \
    samples_begin_and_end_at_the_times_asked_for preloaded_library_says_why_it_takes_no_samples frequency_is_checked
