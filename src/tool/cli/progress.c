/* What the program says on standard error: messages, and how far it is, in a line that gives way to them. For that, a
 * source of events between two others counts what passes, and ends the conversion cleanly when a signal comes. */
#include "cli/command.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"

#define NS_PER_S UINT64_C(1000000000)
#define CLEAR "\r\033[K"

enum { STEP = 1 << 16 }; /* events between two looks at the clock */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int s_is_shown;

/* Replaces the terminal's last line. Long names are cut, because a line that is wrapped cannot be replaced. */
static void put_line(const struct stint_progress *progress)
{
    char name[48];
    int fd = STDERR_FILENO;
    struct stint_text text;
    (void)snprintf(name, sizeof name, "%s", progress->what);
    stint_text_begin(&text, stint_write_fd, &fd);
    stint_text_string(&text, CLEAR "stint: ");
    (void)stint_escape_put(&text, stint_escape_terminal, name);
    stint_text_string(&text, ": ");
    stint_text_u64(&text, progress->count ? progress->done * 100 / progress->count : progress->done);
    stint_text_string(&text, progress->count ? " %" : " events");
    (void)stint_text_end(&text);
}

static void show(struct stint_progress *progress)
{
    uint64_t now = now_ns();
    if (now - progress->shown_ns < NS_PER_S)
        return;
    progress->shown_ns = now;
    s_is_shown = 1;
    put_line(progress);
}

void stint_progress_hide(void)
{
    if (s_is_shown)
        (void)!write(STDERR_FILENO, CLEAR, sizeof CLEAR - 1);
    s_is_shown = 0;
}

/* --------------------------------------------------------------------------------------------------------- messages */

static const char *s_prefix = "stint: ";

void stint_cli_speak(const char *prefix)
{
    s_prefix = prefix;
}

void stint_cli_say(const char *format, ...)
{
    char message[8192];
    int fd = STDERR_FILENO;
    struct stint_text text;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    stint_progress_hide();
    stint_text_begin(&text, stint_write_fd, &fd);
    stint_text_string(&text, s_prefix);
    (void)stint_escape_put(&text, stint_escape_terminal, message);
    stint_text_string(&text, "\n");
    (void)stint_text_end(&text);
}

int stint_cli_say_no_memory(const char *what)
{
    stint_cli_say("there is not enough memory %s", what);
    return -1;
}

int stint_cli_say_unread(const char *path, const struct stint_event_source *events, const char *what)
{
    if (!events || !events->reason[0])
        return stint_cli_say_no_memory(what);
    stint_cli_say("%.512s: %s", path, events->reason);
    return -1;
}

void stint_cli_end_if_unread(int fd, int error)
{
    if (fd == STDOUT_FILENO && error == EPIPE)
        (void)raise(SIGPIPE);
}

/* ---------------------------------------------------------------------------------------------------------- signals */

static const int s_signals[] = {SIGHUP, SIGINT, SIGTERM};

enum { SIGNALS = sizeof s_signals / sizeof s_signals[0] };

static struct sigaction s_before[SIGNALS];
static int s_catches;
static volatile sig_atomic_t s_caught; /* 0: none */

static void note_signal(int signal)
{
    s_caught = signal;
}

void stint_progress_catch(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    if (s_catches)
        return;
    s_catches = 1;
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(s_signals[i], NULL, &s_before[i]) == 0 && s_before[i].sa_handler != SIG_IGN)
            (void)sigaction(s_signals[i], &action, NULL);
}

void stint_progress_release(void)
{
    for (size_t i = 0; s_catches && i < SIGNALS; i++)
        (void)sigaction(s_signals[i], &s_before[i], NULL);
    int caught = s_caught;
    s_catches = s_caught = 0;
    if (caught)
        (void)raise(caught);
}

/* ----------------------------------------------------------------------------------------------------------- source */

static int begin(struct stint_event_source *source)
{
    struct stint_progress *progress = (struct stint_progress *)source;
    progress->done = 0;
    progress->next = STEP;
    progress->shown_ns = now_ns();
    progress->events->from_ns = source->from_ns;
    progress->events->to_ns = source->to_ns;
    int failed = progress->events->begin(progress->events);
    if (failed)
        (void)snprintf(source->reason, sizeof source->reason, "%s", progress->events->reason);
    return failed;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_progress *progress = (struct stint_progress *)source;
    int more = progress->events->next(progress->events, event);
    if (more < 0)
        (void)snprintf(source->reason, sizeof source->reason, "%s", progress->events->reason);
    if (more > 0 && s_caught) {
        (void)snprintf(source->reason, sizeof source->reason, "interrupted");
        more = -1;
    }
    if (more <= 0)
        stint_progress_hide();
    else if (++progress->done == progress->next) {
        progress->next += STEP;
        if (progress->is_shown)
            show(progress);
    }
    return more;
}

struct stint_event_source *stint_progress_begin(struct stint_progress *progress, const char *what,
                                                struct stint_event_source *events, uint64_t count)
{
    *progress = (struct stint_progress){
        .source = {.begin = begin, .next = next}, .events = events, .what = what, .count = count};
    progress->is_shown = isatty(STDERR_FILENO);
    return progress->is_shown || s_catches ? &progress->source : events;
}
