/* STINT_TRACE: every event goes to libstint_module.so, whatever happens to the program. A fake replaces that
 * library. */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/event.h"
#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

MODE(nests)
{
    STINT_SCOPE("outer");
    scopes("inner", 3);
    return 0;
}

static void *run_elsewhere(void *unused)
{
    scopes("elsewhere", 2);
    return unused;
}

MODE(starts_thread)
{
    scopes("here", 1);
    on_thread(run_elsewhere, NULL);
    return 0;
}

MODE(times)
{
    struct stint_timer timer;
    stint_timer_start(&timer, "timed", NULL);
    return stint_timer_stop(&timer) != STINT_OK;
}

enum { MANY = 1000000, MORE = 3 * MANY }; /* the latter are more than may wait to be written */

MODE(runs_many)
{
    scopes("many", MANY);
    return 0;
}

MODE(runs_more)
{
    scopes("more", MORE);
    return 0;
}

MODE(forks)
{
    int status = 1;
    scopes("parent", 2);
    pid_t child = fork();
    if (!child) {
        scopes("child", 4);
        _exit(0);
    }
    (void)waitpid(child, &status, 0);
    scopes("parent", 1);
    return status;
}

MODE(forks_idle)
{
    int status = 1;
    STINT_SCOPE("around");

    scopes("parent", 2);
    pid_t child = fork();
    if (!child)
        _exit(0);
    (void)waitpid(child, &status, 0);
    return status;
}

MODE(terminates_itself)
{
    scopes("work", 5);
    raise(SIGTERM);
    return 0;
}

static void *go_on(void *unused)
{
    for (;;) {
        scopes("work", 1000);
        if (!stint_enabled())
            usleep(1000); /* the recording takes seconds to be completed */
    }
    return unused;
}

MODE(terminates_in_work)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, NULL))
        return 1;
    scopes("work", MANY);
    raise(SIGTERM);
    return 0;
}

MODE(crashes)
{
    scopes("work", 5);
    signal(SIGALRM, SIG_DFL);
    kill(getpid(), SIGILL);
    return 0;
}

static void *outlive_main(void *unused)
{
    usleep(50000);
    scopes("work", 5);
    return unused;
}

MODE(main_first)
{
    pthread_t thread;
    scopes("work", 1);
    if (pthread_create(&thread, NULL, outlive_main, NULL))
        return 1;
    pthread_exit(NULL);
}

MODE(exits_within)
{
    STINT_SCOPE("never ends");

    scopes("work", 2);
    exit(3);
}

MODE(leaves)
{
    scopes("work", 5);
    _exit(7);
}

MODE(does_nothing)
{
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- helpers */

static struct result run_traced(const char *mode, const char *how)
{
    char trace[4096], fake[64];
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    snprintf(fake, sizeof fake, "FAKE_STORE=%s", how);
    return run(mode, trace, "STINT_MODULE=" FAKE_STORE, fake, NULL);
}

struct event {
    int kind;
    uint64_t start, end;
    int64_t tid;
    long path;
    char name[32];
};

/* Reads the event lines with this name; returns how many there are, and stores the last. */
static int events_of(const char *text, const char *name, struct event *last)
{
    int count = 0;
    for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        struct event event;
        if (sscanf(at, "event %d %" SCNu64 " %" SCNu64 " %" SCNd64 " %ld %31s", &event.kind, &event.start, &event.end,
                   &event.tid, &event.path, event.name) != 6 ||
            strcmp(event.name, name) != 0)
            continue;
        ++count;
        if (last)
            *last = event;
    }
    return count;
}

static const char *trace_named(const char *name)
{
    char *const text = read_file(scratch(name));
    assert_non_null(text);
    assert_non_null(strstr(text, "\nfinish "));
    return text;
}

static uint64_t number_behind(const char *text, const char *key)
{
    const char *const at = strstr(text, key);
    assert_non_null(at);
    return strtoull(at + strlen(key), NULL, 10);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(each_activation_is_an_event_within_that_around_it)
{
    const struct result result = run_traced("nests", "write");
    struct event outer, inner;
    char line[64];
    assert_int_equal(result.status, 0);
    const char *text = trace_named("trace.stint");
    assert_int_equal(events_of(text, "outer", &outer), 1);
    assert_int_equal(events_of(text, "inner", &inner), 3);
    assert_int_equal(outer.kind, STINT_EVENT_SCOPE);
    assert_int_equal(outer.tid, result.pid);
    assert_true(outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end);
    snprintf(line, sizeof line, "context %ld %ld GlobalStatInfo inner\n", inner.path, outer.path);
    assert_non_null(strstr(text, line));
    snprintf(line, sizeof line, "context %ld 0 GlobalStatInfo outer\n", outer.path);
    assert_non_null(strstr(text, line));
}

TEST(the_report_stays_what_it_is)
{
    const struct result result = run_traced("nests", "write");
    assert_non_null(result.report);
    assert_int_equal(number_behind(result.report, "\"events\":"), 0);
    assert_int_equal(number_behind(trace_named("trace.stint"), "\nfinish 4 "), strlen(result.report));
}

TEST(events_know_their_thread)
{
    const struct result result = run_traced("starts_thread", "write");
    struct event here, elsewhere;
    assert_int_equal(result.status, 0);
    assert_int_equal(events_of(trace_named("trace.stint"), "here", &here), 1);
    assert_int_equal(events_of(trace_named("trace.stint"), "elsewhere", &elsewhere), 2);
    assert_int_equal(here.tid, result.pid);
    assert_int_not_equal(elsewhere.tid, result.pid);
}

TEST(a_timers_sample_is_a_range)
{
    struct event timed;
    assert_int_equal(run_traced("times", "write").status, 0);
    assert_int_equal(events_of(trace_named("trace.stint"), "timed", &timed), 1);
    assert_int_equal(timed.kind, STINT_EVENT_RANGE);
}

TEST(what_is_not_written_is_counted)
{
    const struct result result = run_traced("runs_many", "count");
    const uint64_t written = number_behind(trace_named("trace.stint"), "\nfinish ");
    assert_int_equal(result.status, 0);
    assert_true(written > 0);
    assert_int_equal(written + number_behind(result.report, "\"events\":"), MANY);
}

TEST(who_prefers_waiting_loses_nothing)
{
    char trace[4096];
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    const struct result result =
        run("runs_more", trace, "STINT_MODULE=" FAKE_STORE, "FAKE_STORE=slow", "STINT_TRACE_WAIT=on", NULL);

    assert_int_equal(result.status, 0);
    assert_int_equal(number_behind(trace_named("trace.stint"), "\nfinish "), MORE);
    assert_int_equal(number_behind(result.report, "\"events\":"), 0);
}

static char s_child[64]; /* the name of the trace that is not trace.stint */

static void note_child(const char *path)
{
    const char *const name = strrchr(path, '/') + 1;
    if (strcmp(name, "trace.stint") != 0)
        (void)snprintf(s_child, sizeof s_child, "%s", name);
}

/* ThreadSanitizer mistakes a thread of the child's for one of the parent's with the same address, and aborts. */
TEST(a_child_has_a_trace_of_its_own)
{
    const char *parent, *child;
    if (WITH_TSAN)
        skip();
    struct result result = run_traced("forks", "write");
    assert_int_equal(result.status, 0);
    parent = trace_named("trace.stint");
    assert_int_equal(events_of(parent, "parent", NULL), 3);
    assert_int_equal(events_of(parent, "child", NULL), 0);
    assert_int_equal(for_each_scratch("trace.", note_child), 2);
    child = trace_named(s_child);
    assert_int_equal(events_of(child, "child", NULL), 4);
    assert_int_equal(events_of(child, "parent", NULL), 0);
}

TEST(an_idle_child_has_none)
{
    assert_int_equal(run_traced("forks_idle", "write").status, 0);
    assert_int_equal(for_each_scratch("trace", note_child), 1);
}

TEST(it_is_complete_after_fatal_signals)
{
    struct result result = run_traced("terminates_itself", "write");
    assert_signal(&result, SIGTERM);
    assert_int_equal(events_of(trace_named("trace.stint"), "work", NULL), 5);
    result = run_traced("crashes", "write");
    assert_signal(&result, SIGILL);
    assert_int_equal(events_of(trace_named("trace.stint"), "work", NULL), 5);
}

/* Of what the other threads do meanwhile, nothing is half there. */
TEST(it_agrees_with_the_report_after_fatal_signals)
{
    const struct result result = run_traced("terminates_in_work", "late");
    assert_signal(&result, SIGTERM);
    assert_int_equal(occurrences(result.err, "trace.stint is being completed"), 1);
    uint64_t written = number_behind(trace_named("trace.stint"), "\nfinish ");
    uint64_t counted = stat_number(result.report, "work", "count");
    assert_in_range(written + dropped(result.report, "events"), counted, counted + 2);
}

TEST(it_is_complete_after_exit_without_handlers)
{
    const struct result result = run_traced("leaves", "write");
    assert_exit(&result, 7);
    assert_int_equal(events_of(trace_named("trace.stint"), "work", NULL), 5);
}

/* ThreadSanitizer's own thread keeps the process alive after the program's last thread has ended. */
TEST(it_is_complete_if_main_ends_first)
{
    if (WITH_TSAN)
        skip();
    const struct result result = run_traced("main_first", "write");
    assert_exit(&result, 0);
    assert_int_equal(events_of(trace_named("trace.stint"), "work", NULL), 6);
}

TEST(what_never_ends_lasts_to_the_end)
{
    const struct result result = run_traced("exits_within", "write");
    struct event outer, inner;
    assert_exit(&result, 3);
    assert_int_equal(events_of(trace_named("trace.stint"), "work", &inner), 2);
    assert_int_equal(events_of(trace_named("trace.stint"), "never", &outer), 1);
    assert_true(outer.start <= inner.start && inner.end <= outer.end);
}

TEST(without_anything_there_is_no_file)
{
    assert_int_equal(run_traced("does_nothing", "write").status, 0);
    assert_int_equal(for_each_scratch("trace", note_child), 0);
}

TEST(it_is_written_without_a_report)
{
    char trace[4096];
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    struct result result = run("nests", trace, "STINT_MODULE=" FAKE_STORE, "STINT_REPORT=off", NULL);
    assert_null(result.report);
    assert_string_equal(result.err, "");
    assert_int_equal(events_of(trace_named("trace.stint"), "inner", NULL), 3);
}

/* ----------------------------------------------------------------------------------------------------------- errors */

TEST(without_its_library_all_but_the_trace_is_as_ever)
{
    const struct result result = run("nests", "STINT_TRACE=/tmp/trace.stint", "STINT_MODULE=/nowhere.so", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.err, "STINT_TRACE: /tmp/trace.stint cannot be written: /nowhere.so"));
    assert_int_equal(stat_number(result.report, "inner", "count"), 3);
}

TEST(a_writer_that_fails_is_told_of_once)
{
    const struct result result = run_traced("nests", "fail");
    assert_int_equal(result.status, 0);
    assert_int_equal(occurrences(result.err, "the fake has enough"), 1);
    assert_int_equal(stat_number(result.report, "inner", "count"), 3);
}

TEST(a_name_of_another_kind_of_file_is_refused)
{
    const struct result result = run("nests", "STINT_TRACE=x.csv", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.err, "STINT_TRACE=x.csv is refused: name it NAME.stint"));
    assert_int_equal(access("x.csv.stint", F_OK), -1);
    assert_null(strstr(run("nests", "STINT_TRACE=%z.c", NULL).err, "is refused"));
}

TEST(a_pattern_nobody_knows_is_refused)
{
    const struct result result = run("nests", "STINT_TRACE=%z", NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.err, "STINT_TRACE=%z is not understood"));
}
