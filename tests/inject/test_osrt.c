/* Tests libstint_inject_osrt.so in whole processes: what is recorded of calls in which threads wait, and that these do
 * what they do without it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "process/harness.h"

#define PRELOAD "LD_PRELOAD=" INJECT
#define SET "OS runtime"

static struct result run_subject(const char *program, const char *mode, const char *threshold)
{
    replace_next(program);
    return run(mode, PRELOAD, threshold, NULL);
}

static uint64_t calls(const struct result *result, const char *name)
{
    return set_stat_number(result->report, SET, name, "count");
}

/* The subject makes known numbers of calls, at least as many in a report of what takes 0 ns or longer. */
static void assert_counts(const struct result *result)
{
    static const struct {
        const char *name;
        uint64_t count;
    } expected[] = {
        {"write", 5},          {"read", 5},         {"pwrite", 3},  {"fsync", 1},
        {"fopen", 1},          {"fgets", 1},        {"fread", 1},   {"fclose", 1},
        {"pthread_create", 4}, {"pthread_join", 4}, {"poll", 2},    {"pthread_cond_timedwait", 3},
        {"sem_timedwait", 1},  {"nanosleep", 6},    {"waitpid", 1}, {"futex", 1},
        {"ioctl", 1},
    };

    assert_exit(result, 0);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        print_message("%s\n", expected[i].name);
        assert_int_equal(calls(result, expected[i].name), expected[i].count);
    }
    assert_true(set_stat_number(result->report, SET, "nanosleep", "min_ns") >= 2000000);
    assert_true(set_stat_number(result->report, SET, "poll", "total_ns") >= 4000000);
    assert_int_equal(dropped(result->report, "abandoned"), 0);
}

TEST(test_counts_every_call)
{
    const struct result result = run_subject(PLAIN, "counts", "STINT_OSRT_THRESHOLD=0");
    assert_counts(&result);
    assert_false(has_stat(result.report, "pthread_mutex_lock"));
}

TEST(test_records_into_the_stint_of_the_program)
{
    const struct result result = run_subject(SHARED, "counts", "STINT_OSRT_THRESHOLD=0");
    assert_counts(&result);
    assert_int_equal(stat_number(result.report, "counts", "count"), 1);
    assert_true(stat_number(result.report, "counts", "self_ns") + 20000000 <
                stat_number(result.report, "counts", "total_ns"));
}

TEST(test_leaves_short_calls_out)
{
    const struct result result = run_subject(PLAIN, "counts", "STINT_OSRT_THRESHOLD=1000000");
    assert_exit(&result, 0);
    assert_int_equal(calls(&result, "nanosleep"), 6);
    assert_int_equal(calls(&result, "poll"), 2);
    assert_false(has_stat(result.report, "write"));
}

TEST(test_records_locks_that_are_waited_for)
{
    const struct result result = run_subject(PLAIN, "locks", "STINT_OSRT_THRESHOLD");
    assert_exit(&result, 0);
    assert_true(calls(&result, "pthread_mutex_lock") <= 2); /* one that the thread holds itself may take as long */
    assert_true(set_stat_number(result.report, SET, "pthread_mutex_lock", "max_ns") > 10000000);
}

TEST(test_changes_no_errors)
{
    const struct result result = run_subject(PLAIN, "errors", "STINT_OSRT_THRESHOLD=0");
    assert_exit(&result, 0);
}

TEST(test_counts_calls_in_handlers_within_those_they_interrupt)
{
    const struct result result = run_subject(PLAIN, "handler", "STINT_OSRT_THRESHOLD");
    assert_exit(&result, 0);
    assert_int_equal(calls(&result, "read"), 1);
    assert_int_equal(calls(&result, "nanosleep"), 1);
    assert_true(set_stat_number(result.report, SET, "read", "total_ns") >= 10000000); /* 25 ms, less if it began late */
    assert_true(set_stat_number(result.report, SET, "read", "self_ns") + 5000000 <=
                set_stat_number(result.report, SET, "read", "total_ns"));
}

/* Its handler is there nevertheless, and reports. */
TEST(test_hides_its_handlers_of_signals)
{
    const struct result result = run_subject(PLAIN, "handlers", "STINT_OSRT_THRESHOLD");
    assert_signal(&result, SIGINT);
    assert_int_equal(calls(&result, "nanosleep"), 1);
}

TEST(test_forgets_calls_that_longjmp_left)
{
    const struct result result = run_subject(PLAIN, "jumps", "STINT_OSRT_THRESHOLD");
    assert_exit(&result, 0);
    assert_false(has_stat(result.report, "pause"));
    assert_int_equal(calls(&result, "nanosleep"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

TEST(test_forgets_calls_in_which_threads_are_cancelled)
{
    const struct result result = run_subject(PLAIN, "cancelled", "STINT_OSRT_THRESHOLD=0");
    assert_exit(&result, 0);
    assert_false(has_stat(result.report, "read"));
    assert_int_equal(calls(&result, "pthread_join"), 1);
    assert_int_equal(dropped(result.report, "abandoned"), 0);
}

static unsigned s_sleeping;

static void count_sleeping(const char *path)
{
    const char *report = read_file(path);
    s_sleeping += report && set_stat_number(report, SET, "nanosleep", "count") == 1;
}

TEST(test_records_in_forked_children)
{
    const struct result result = run_subject(PLAIN, "forks", "STINT_OSRT_THRESHOLD");
    assert_exit(&result, 0);
    s_sleeping = 0;
    assert_int_equal(for_each_scratch("report", count_sleeping), 2);
    assert_int_equal(s_sleeping, 2);
}

TEST(test_children_of_vfork_and_posix_spawn_run)
{
    const struct result result = run_subject(PLAIN, "spawns", "STINT_OSRT_THRESHOLD");
    assert_exit(&result, 0);
    assert_int_equal(calls(&result, "waitpid"), 2);
    assert_int_equal(calls(&result, "system"), 1);
}

TEST(test_says_nothing_of_a_program_that_waits_for_nothing)
{
    const struct result result = run_subject(PLAIN, "nothing", "STINT_OSRT_THRESHOLD=100000000");
    assert_exit(&result, 0);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    assert_int_equal(for_each_scratch("report", NULL), 0);
}

TEST(test_counts_exactly_amid_signals)
{
    const struct result result = run_subject(PLAIN, "storm", "STINT_OSRT_THRESHOLD=0");
    assert_exit(&result, 0);
    assert_int_equal(calls(&result, "pthread_cond_timedwait"), 3 * 1500);
    assert_int_equal(calls(&result, "pthread_create"), 3 + 200);
    assert_int_equal(calls(&result, "pthread_join"), 3 + 200);
    assert_true(calls(&result, "nanosleep") > 0);
    assert_int_equal(dropped(result.report, "mismatched"), 0);
}

/* Stint's own thread writes the trace, and reads and sleeps to do so. */
TEST(test_does_not_record_stint_itself)
{
    replace_next(PLAIN);
    const struct result result = run("handler", PRELOAD, "STINT_OSRT_THRESHOLD=0", "STINT_TRACE=%p.stint", NULL);

    assert_exit(&result, 0);
    assert_int_equal(calls(&result, "read"), 1);
    assert_int_equal(calls(&result, "nanosleep"), 1);
    assert_false(has_stat(result.report, "sem_timedwait"));
    assert_false(has_stat(result.report, "writev"));
}
