#include "cli/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stint_test.h"

/* -------------------------------------------------------------------------------------------------- a slow terminal */

static int s_is_terminal;
static time_t s_now_s;
static char s_written[4096];

int __wrap_isatty(int file)
{
    return s_is_terminal;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    *now = (struct timespec){.tv_sec = s_now_s++};
    return 0;
}

ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    assert_int_equal(file, STDERR_FILENO);
    (void)strncat(s_written, bytes, size);
    return (ssize_t)size;
}

int __wrap_stint_write_fd(void *file, const char *text, size_t length)
{
    return __wrap_write(*(const int *)file, text, length) == (ssize_t)length ? 0 : -1;
}

enum { EVENTS = 200000 };

static uint64_t s_told;

static int begin(struct stint_event_source *source)
{
    s_told = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    *event = (struct stint_event){.start_ns = s_told};
    return s_told++ < EVENTS;
}

/* Reads so many events; returns how many there were. */
static uint64_t read_events(struct stint_event_source *events, uint64_t most)
{
    struct stint_event event;
    uint64_t count = 0;
    assert_int_equal(events->begin(events), 0);
    while (count < most && events->next(events, &event) > 0)
        count++;
    return count;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static int reset(void **state)
{
    s_is_terminal = 1;
    s_now_s = 1;
    s_written[0] = '\0';
    return 0;
}

TEST_EACH(reset, NULL)

TEST(line_says_how_far_it_is_and_goes)
{
    struct stint_event_source source = {.begin = begin, .next = next};
    struct stint_progress progress;
    struct stint_event_source *events = stint_progress_begin(&progress, "run.stint", &source, EVENTS);
    assert_int_equal(read_events(events, UINT64_MAX), EVENTS);
    assert_string_equal(s_written, "\r\033[Kstint: run.stint: 32 %\r\033[Kstint: run.stint: 65 %"
                                   "\r\033[Kstint: run.stint: 98 %\r\033[K");
}

TEST(number_is_told_where_the_whole_is_unknown)
{
    struct stint_event_source source = {.begin = begin, .next = next};
    struct stint_progress progress;
    (void)read_events(stint_progress_begin(&progress, "run.sqlite", &source, 0), 100000);
    assert_string_equal(s_written, "\r\033[Kstint: run.sqlite: 65536 events");
    stint_progress_hide();
    stint_progress_hide();
    assert_string_equal(s_written, "\r\033[Kstint: run.sqlite: 65536 events\r\033[K");
}

TEST(files_get_no_line)
{
    struct stint_event_source source = {.begin = begin, .next = next};
    struct stint_progress progress;
    s_is_terminal = 0;
    assert_ptr_equal(stint_progress_begin(&progress, "run.stint", &source, EVENTS), &source);
    assert_string_equal(s_written, "");
}

static int s_signals_of_old;

static void count_signal(int signal)
{
    s_signals_of_old += signal == SIGTERM;
}

TEST(signal_ends_the_events_and_then_does_what_it_did)
{
    struct stint_event_source source = {.begin = begin, .next = next};
    struct stint_progress progress;
    struct stint_event event;
    s_is_terminal = 0;
    (void)signal(SIGTERM, count_signal);
    stint_progress_catch();
    stint_progress_catch();
    struct stint_event_source *events = stint_progress_begin(&progress, "run.stint", &source, EVENTS);
    assert_int_equal(read_events(events, 10), 10);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(events->next(events, &event), -1);
    assert_string_equal(events->reason, "interrupted");
    assert_int_equal(s_signals_of_old, 0);
    stint_progress_release();
    assert_int_equal(s_signals_of_old, 1);
    assert_string_equal(s_written, "");
}

TEST(wanted_time_is_passed_on)
{
    struct stint_event_source source = {.begin = begin, .next = next};
    struct stint_progress progress;
    struct stint_event_source *events = stint_progress_begin(&progress, "run.stint", &source, EVENTS);
    events->from_ns = 5;
    events->to_ns = 7;
    assert_int_equal(read_events(events, 1), 1);
    assert_int_equal(source.from_ns, 5);
    assert_int_equal(source.to_ns, 7);
}

TEST(events_without_a_reason_lack_memory)
{
    struct stint_event_source source = {.reason = "it is damaged"};
    assert_int_equal(stint_cli_say_unread("a.stint", &source, "for the page"), -1);
    assert_string_equal(s_written, "stint: a.stint: it is damaged\n");
    source.reason[0] = s_written[0] = '\0';
    assert_int_equal(stint_cli_say_unread("a.stint", &source, "for the page"), -1);
    assert_string_equal(s_written, "stint: there is not enough memory for the page\n");
}
