#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
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

static int begin(struct stint_event_source *source)
{
    struct stint_progress *progress = (struct stint_progress *)source;
    progress->done = 0;
    progress->next = STEP;
    progress->shown_ns = now_ns();
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
    if (more <= 0)
        stint_progress_hide();
    else if (++progress->done == progress->next) {
        progress->next += STEP;
        show(progress);
    }
    return more;
}

struct stint_event_source *stint_progress_begin(struct stint_progress *progress, const char *what,
                                                struct stint_event_source *events, uint64_t count)
{
    *progress = (struct stint_progress){
        .source = {.begin = begin, .next = next}, .events = events, .what = what, .count = count};
    return isatty(STDERR_FILENO) ? &progress->source : events;
}
