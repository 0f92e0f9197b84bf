/* The public functions and macros of barrier.h, on a clock of the test's own. */
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "captured_log.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stint/stint.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------------ clock */

static uint64_t s_now_ns;

uint64_t __wrap_stint_clock_now_ns(void)
{
    return __atomic_load_n(&s_now_ns, __ATOMIC_RELAXED);
}

static void advance_ms(uint64_t ms)
{
    __atomic_fetch_add(&s_now_ns, ms * 1000000, __ATOMIC_RELAXED);
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

static struct stint_snapshot *s_snapshot;

static const struct stint_barrier_stat *find(const char *set, const char *name)
{
    stint_snapshot_free(s_snapshot);
    assert_int_equal(stint_snapshot_take(&s_snapshot), STINT_OK);
    for (size_t i = 0; i < s_snapshot->barrier_count; ++i)
        if (!strcmp(s_snapshot->barriers[i].name, name) && !strcmp(s_snapshot->barriers[i].set, set))
            return &s_snapshot->barriers[i];
    return NULL;
}

/* Takes a snapshot and returns the row, which must be there. */
static const struct stint_barrier_stat *row_of(const char *name)
{
    const struct stint_barrier_stat *row = find("GlobalStatInfo", name);
    if (!row)
        fail_msg("no barrier %s", name);
    return row;
}

static uint64_t refused(void)
{
    return STINT_I_LOAD(&stint_dropped.barriers);
}

/* Statistics outlive a test: each uses names of its own. */
static int begin(void **state)
{
    captured_log_begin();
    stint_barrier_set_display(STINT_BARRIER_AUTO, 5);
    assert_int_equal(stint_reset(STINT_RESET_ALL), STINT_OK);
    stint_dropped = (struct stint_dropped){0};
    return 0;
}

static int free_snapshot(void **state)
{
    stint_snapshot_free(s_snapshot);
    s_snapshot = NULL;
    return 0;
}

/* One round of participants in the order of their ids, all now. */
static void round_of(const char *name, int participants)
{
    for (int id = 0; id < participants; ++id)
        assert_int_equal(stint_barrier_arrive(NULL, name, participants, id), STINT_OK);
}

/* Keeps every line. */
static char s_lines[16384];

static void keep(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    strncat(s_lines, message, sizeof s_lines - strlen(s_lines) - 2);
    strcat(s_lines, "\n");
}

static void keep_lines(void)
{
    s_lines[0] = '\0';
    stint_log_set_sink(keep, NULL);
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

TEST_EACH(begin, free_snapshot)

TEST(arrivals_take_the_time_of_the_call)
{
    for (int round = 0; round < 10; ++round)
        for (int id = 0; id < 10; ++id, advance_ms(10))
            assert_int_equal(stint_barrier_arrive(NULL, "endBarrier", 10, id), STINT_OK);
    const struct stint_barrier_stat *row = row_of("endBarrier");
    assert_int_equal(row->rounds, 10);
    assert_int_equal(row->total.rounds, 9);
    assert_int_equal(row->total.gap_ns, 9 * 90000000ull);
    assert_int_equal(row->total.second_gap_ns, 9 * 80000000ull);
    assert_int_equal(row->total.last_two_gap_ns, 9 * 10000000ull);
    assert_int_equal(row->total.middle_gap_ns, 9 * 40000000ull);
    assert_int_equal(row->slowest_count, 1);
    assert_int_equal(row->slowest[0].participant, 9);
}

TEST(arrivals_may_bring_their_time)
{
    for (uint64_t round = 0; round < 2; ++round)
        for (int id = 0; id < 3; ++id)
            assert_int_equal(stint_barrier_arrive_at(NULL, "at", 3, id, 1000 * round + 7 * (uint64_t)id), STINT_OK);
    assert_int_equal(row_of("at")->total.gap_ns, 14000);
}

TEST(durations_are_in_microseconds)
{
    for (int round = 0; round < 2; ++round)
        for (int id = 0; id < 4; ++id)
            assert_int_equal(stint_barrier_delta(NULL, "delta", 4, id, id == 2 ? 900 : 100), STINT_OK);
    assert_int_equal(row_of("delta")->kind, STINT_BARRIER_DELTA);
    assert_int_equal(row_of("delta")->total.gap_ns, 800000);
    assert_int_equal(row_of("delta")->slowest[0].participant, 2);
}

TEST(a_gap_below_zero_is_counted)
{
    for (int id = 0; id < 3; ++id)
        stint_barrier_arrive_at(NULL, "negative", 3, id, 100 - 10 * (uint64_t)id);
    assert_int_equal(stint_dropped.negative, 1);
    assert_int_equal(row_of("negative")->rounds, 1);
}

TEST(up_to_two_participants_are_ignored)
{
    for (int participants = -1; participants <= 2; ++participants) {
        assert_int_equal(stint_barrier_arrive(NULL, "few", participants, 0), STINT_OK);
        assert_int_equal(stint_barrier_delta(NULL, "few", participants, 0, 1), STINT_OK);
        assert_int_equal(stint_barrier_check(NULL, "few", participants), STINT_OK);
    }
    assert_null(find("GlobalStatInfo", "few"));
    assert_int_equal(refused(), 0);
    assert_int_equal(captured_log.lines, 0);
}

TEST(sets_keep_their_barriers_apart)
{
    struct stint_statset *const set = stint_statset_get("apart");
    assert_int_equal(stint_barrier_arrive(set, "apart", 3, 0), STINT_OK);
    assert_int_equal(stint_barrier_arrive(NULL, "apart", 4, 0), STINT_OK);
    assert_int_equal(find("apart", "apart")->participants, 3);
    assert_int_equal(row_of("apart")->participants, 4);
}

TEST(an_empty_name_is_unnamed_and_a_long_one_is_cut)
{
    static char name[6000];
    memset(name, 'n', sizeof name - 1);
    assert_int_equal(stint_barrier_arrive(NULL, NULL, 3, 0), STINT_OK);
    assert_int_equal(stint_barrier_arrive(NULL, "", 3, 1), STINT_OK);
    assert_int_equal(row_of("(unnamed)")->pending, 2);
    assert_int_equal(stint_dropped.unnamed, 2);
    assert_int_equal(stint_i_barrier_arrive(NULL, name, 3, 0, name), STINT_OK);
    assert_int_equal(stint_i_barrier_arrive(NULL, "n", 3, 0, name), STINT_OK);
    name[4095] = '\0';
    assert_int_equal(row_of(name)->pending, 2);
    assert_int_equal(stint_dropped.truncated, 2);
}

/* -------------------------------------------------------------------------------------------------------- log lines */

TEST(a_new_statistic_is_announced_once)
{
    stint_barrier_arrive(NULL, "new", 10, 0);
    assert_string_equal(captured_log.message, " create barrierEndStat: new endBarrier warning rate: 0.213636");
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    stint_barrier_arrive(NULL, "new", 10, 1);
    assert_int_equal(captured_log.lines, 1);
    stint_barrier_set_display(STINT_BARRIER_ALWAYS, 5);
    stint_barrier_delta(NULL, "new delta", 4, 0, 1);
    assert_string_equal(captured_log.message, " create barrierDeltaStat: new delta barrierDelta warning rate: 0");
}

/* Fails unless the call was refused, counted, and logged as `message`. */
static void check_refused(enum stint_status status, const char *message)
{
    assert_int_equal(status, STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(refused(), 1);
    assert_int_equal(captured_log.level, STINT_LOG_ERROR);
    assert_string_equal(captured_log.message, message);
}

TEST(a_wrong_id_is_refused)
{
    stint_barrier_arrive(NULL, "id", 10, 0);
    check_refused(stint_barrier_arrive(NULL, "id", 10, 10),
                  "barrier [id]: participant 10 is not in the range from 0 to 9");
    assert_int_equal(stint_barrier_arrive(NULL, "id", 10, -1), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_barrier_arrive(NULL, "id", 10, INT64_MAX), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(refused(), 3);
    assert_int_equal(captured_log.lines, 2); /* created, and refused for the first time */
    assert_int_equal(row_of("id")->pending, 1);
}

TEST(another_number_of_participants_is_refused)
{
    stint_barrier_arrive(NULL, "changed", 10, 0);
    check_refused(stint_barrier_arrive(NULL, "changed", 11, 0),
                  "barrier [changed]: it has 10 participants, but was called with 11");
    assert_int_equal(row_of("changed")->pending, 1);
}

TEST(arrivals_and_durations_do_not_mix)
{
    stint_barrier_arrive(NULL, "mixed", 3, 0);
    check_refused(stint_barrier_delta(NULL, "mixed", 3, 1, 5),
                  "barrier [mixed]: it takes arrivals, but was called with a duration");
    stint_dropped.barriers = 0;
    stint_barrier_delta(NULL, "mixed too", 3, 0, 5);
    check_refused(stint_barrier_arrive(NULL, "mixed too", 3, 1),
                  "barrier [mixed too]: it takes durations, but was called with an arrival");
}

TEST(too_many_participants_are_refused_and_logged_once)
{
    assert_int_equal(stint_barrier_arrive(NULL, "crowd", 65536, 0), STINT_ERROR_LIMIT);
    assert_int_equal(stint_barrier_delta(NULL, "crowd", INT64_MAX, 0, 1), STINT_ERROR_LIMIT);
    assert_int_equal(refused(), 2);
    assert_int_equal(captured_log.lines, 1);
    assert_string_equal(captured_log.message, "barrier [crowd]: not recorded: a limit is reached; see LIMITS in "
                                              "stint(7) (the limits are 1024 barriers and 65535 participants)");
    assert_null(find("GlobalStatInfo", "crowd"));
}

TEST(refusals_are_in_snapshots)
{
    stint_barrier_arrive(NULL, "counted", 3, 3);
    row_of("counted");
    assert_int_equal(s_snapshot->dropped.barriers, 1);
}

/* ------------------------------------------------------------------------------------------------------------ check */

TEST(check_passes_between_rounds_and_fails_within_one)
{
    assert_int_equal(stint_barrier_check(NULL, "checked", 3), STINT_OK);
    assert_null(find("GlobalStatInfo", "checked"));
    round_of("checked", 3);
    assert_int_equal(stint_barrier_check(NULL, "checked", 3), STINT_OK);
    stint_barrier_arrive(NULL, "checked", 3, 0);
    assert_int_equal(stint_barrier_check(NULL, "checked", 3), STINT_ERROR_INCOMPLETE);
    assert_string_equal(captured_log.message, "checked: invalid barrier data");
    assert_int_equal(stint_barrier_check(NULL, "checked", 4), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(row_of("checked")->pending, 1);
}

/* ------------------------------------------------------------------------------------------------------------ reset */

TEST(reset_of_a_set_resets_its_barriers)
{
    struct stint_statset *const set = stint_statset_get("reset set");
    for (int i = 0; i < 7; ++i) {
        stint_barrier_arrive(set, "reset", 3, i % 3);
        stint_barrier_arrive(NULL, "reset", 3, i % 3);
    }
    assert_int_equal(stint_statset_reset(set, STINT_RESET_KEEP_RUNNING), STINT_OK);
    assert_int_equal(find("reset set", "reset")->rounds, 0);
    assert_int_equal(find("reset set", "reset")->pending, 1);
    assert_int_equal(row_of("reset")->rounds, 2);
    assert_int_equal(stint_reset(STINT_RESET_ALL), STINT_OK);
    assert_int_equal(row_of("reset")->rounds, 0);
    assert_int_equal(find("reset set", "reset")->pending, 0);
}

TEST(one_barrier_can_be_reset_alone)
{
    round_of("alone", 3);
    round_of("not alone", 3);
    assert_int_equal(stint_barrier_reset(NULL, "alone", STINT_RESET_ALL), STINT_OK);
    assert_int_equal(row_of("alone")->rounds, 0);
    assert_int_equal(row_of("not alone")->rounds, 1);
    assert_int_equal(stint_barrier_reset(NULL, NULL, STINT_RESET_ALL), STINT_OK);
    assert_int_equal(row_of("not alone")->rounds, 0);
    assert_int_equal(stint_barrier_reset(NULL, "nobody", STINT_RESET_ALL), STINT_ERROR_NOT_FOUND);
    assert_string_equal(captured_log.message, "nobody is not registed in GlobalStatInfo");
}

TEST(switched_off_nothing_counts_and_rounds_begin_anew)
{
    stint_barrier_arrive(NULL, "switched", 3, 0);
    stint_set_enabled(1); /* no change */
    assert_int_equal(row_of("switched")->pending, 1);
    stint_set_enabled(0);
    assert_int_equal(stint_barrier_arrive(NULL, "switched", 3, 1), STINT_OK);
    assert_int_equal(stint_barrier_arrive(NULL, "switched", 3, 99), STINT_OK);
    assert_int_equal(stint_barrier_check(NULL, "switched", 3), STINT_OK);
    stint_set_enabled(1);
    assert_int_equal(row_of("switched")->pending, 0);
    assert_int_equal(refused(), 0);
}

/* ------------------------------------------------------------------------------------------------------------ print */

TEST(print_all_has_the_barriers_between_timers_and_trailer)
{
    const char *timers, *barriers, *table, *trailer;
    for (int round = 0; round < 10; ++round)
        round_of("printed", 3);
    keep_lines();
    assert_int_equal(printAllStatus(), STINT_OK);
    timers = strstr(s_lines, "======= StatSet: [GlobalStatInfo] status ======\n");
    barriers = strstr(s_lines, "\n======= BarrierStatSet status ======\n");
    table = strstr(s_lines, "\nprinted             \n          ");
    trailer = strstr(s_lines, "\n--------------------------------------------------\n");
    assert_non_null(timers);
    assert_true(barriers > timers);
    assert_true(table > barriers);
    assert_true(trailer > table);
}

TEST(barriers_of_one_set_or_one_barrier_can_be_printed)
{
    struct stint_statset *const set = stint_statset_get("print");
    for (int i = 0; i < 30; ++i) {
        stint_barrier_arrive(set, "first", 3, i % 3);
        stint_barrier_arrive(set, "second", 3, i % 3);
    }
    keep_lines();
    assert_int_equal(stint_barrier_print(set, "second"), STINT_OK);
    assert_ptr_equal(strstr(s_lines, "second              \n"), s_lines);
    assert_null(strstr(s_lines, "first"));
    keep_lines();
    assert_int_equal(stint_barrier_print(set, NULL), STINT_OK);
    assert_ptr_equal(strstr(s_lines, "======= BarrierStatSet status ======\nfirst               \n"), s_lines);
    keep_lines();
    assert_int_equal(printBarrierTimerStatus(), STINT_OK);
    assert_string_equal(s_lines, "======= BarrierStatSet status ======\n");
    assert_int_equal(stint_barrier_print(set, "third"), STINT_ERROR_NOT_FOUND);
    assert_non_null(strstr(s_lines, "third is not registed in print\n"));
}

/* ----------------------------------------------------------------------------------------------------------- macros */

TEST(macros_join_name_and_tag_and_evaluate_once)
{
    const struct timeval time = {5, 250000};
    const int32_t n = 3;
    int id = 0;
    REGISTER_BARRIER_TIMER_SERVER(NULL, "macro", n, id++, "_denseUpdater");
    REGISTER_BARRIER_TIMER_SERVER_SET(NULL, "macro at", n, id++, time, "_tag");
    REGISTER_BARRIER_DELTA_SERVER_SET(NULL, "macro delta", n, 0, 12, "_tag");
    REGISTER_SLOW_NODES_PROBE(NULL, "macro probe", n, id, "_tag");
    assert_int_equal(id, 2);
    assert_int_equal(row_of("macro_denseUpdater")->pending, 1);
    assert_int_equal(row_of("macro at_tag")->pending, 1);
    assert_int_equal(row_of("macro delta_tag")->kind, STINT_BARRIER_DELTA);
    assert_int_equal(row_of("macro probe_tag")->pending, 1);
    assert_int_equal(CHECK_BARRIER_TIMER(NULL, "macro probe", n, "_tag"), STINT_ERROR_INCOMPLETE);
    assert_int_equal(CHECK_BARRIER_TIMER(NULL, "macro probe", n), STINT_OK);
    assert_string_equal(captured_log.message, "macro probe_tag: invalid barrier data");
    assert_int_equal(refused(), 0);
}

TEST(a_timeval_counts_in_microseconds)
{
    for (int round = 0; round < 2; ++round)
        for (int id = 0; id < 3; ++id) {
            const struct timeval time = {1700000000 + id, 999999 - 333333 * id};
            REGISTER_BARRIER_TIMER_SERVER_SET(NULL, "timeval", 3, id, time);
        }
    assert_int_equal(row_of("timeval")->total.gap_ns, 2000000000 - 666666000);
}

/* ------------------------------------------------------------------------------------------- signals, fork, threads */

TEST(a_signal_handler_that_interrupted_stint_is_told_so)
{
    assert_int_equal(stint_guard_begin(), 1);
    assert_int_equal(stint_barrier_arrive(NULL, "handler", 3, 0), STINT_ERROR_BUSY);
    assert_int_equal(stint_barrier_check(NULL, "handler", 3), STINT_ERROR_BUSY);
    assert_int_equal(stint_barrier_reset(NULL, "handler", STINT_RESET_ALL), STINT_ERROR_BUSY);
    stint_guard_end();
    assert_int_equal(stint_dropped.reentrant, 2);
    assert_null(find("GlobalStatInfo", "handler"));
}

TEST(a_forked_child_begins_anew)
{
    int status = -1;
    round_of("forked", 3);
    stint_barrier_arrive(NULL, "forked", 3, 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct stint_barrier_stat *row = find("GlobalStatInfo", "forked");
        const int fine =
            row && row->rounds == 0 && row->pending == 0 && stint_barrier_arrive(NULL, "forked", 3, 2) == STINT_OK;
        _exit(fine ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(row_of("forked")->rounds, 1);
    assert_int_equal(row_of("forked")->pending, 1);
}

enum { THREADS = 8, ROUNDS = 500 };

static pthread_barrier_t s_barrier;
static int s_failures;

/* The captured log is not for threads. */
static void discard(void *context, enum stint_log_level level, const char *file, int line, const char *message) {}

static void *participant(void *argument)
{
    const int id = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; ++round) {
        pthread_barrier_wait(&s_barrier);
        if (stint_barrier_arrive(NULL, "threads", THREADS, id) ||
            stint_barrier_delta(NULL, "threads delta", THREADS, id, (uint64_t)(id == round % THREADS)))
            __atomic_fetch_add(&s_failures, 1, __ATOMIC_RELAXED);
        pthread_barrier_wait(&s_barrier);
    }
    return NULL;
}

TEST(threads_lose_no_round)
{
    pthread_t threads[THREADS];
    uint64_t blamed = 0;
    stint_log_set_sink(discard, NULL);
    pthread_barrier_init(&s_barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, participant, (void *)(intptr_t)i), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    assert_int_equal(s_failures, 0);
    const struct stint_barrier_stat *row = row_of("threads");
    assert_int_equal(row->rounds, ROUNDS);
    assert_int_equal(row->pending, 0);
    for (size_t i = 0; i < row->slowest_count; ++i)
        blamed += row->slowest[i].rounds;
    assert_int_equal(blamed, ROUNDS - 1);
    row = row_of("threads delta");
    assert_int_equal(row->total.gap_ns, (ROUNDS - 1) * 1000);
    assert_int_equal(row->slowest_count, THREADS);
    for (size_t i = 0; i < row->slowest_count; ++i)
        assert_true(row->slowest[i].rounds >= (ROUNDS - 1) / THREADS);
    assert_int_equal(stint_dropped.negative, 0);
}
