/* Replaces libstint_module.so, with its recorder: writes the calls that it gets as lines.
 *
 *     process PID
 *     context PATH PARENT SET NAME
 *     event KIND START_NS END_NS TID PATH NAME
 *     gpu KIND ACTIVITY START_NS END_NS PATH CORRELATION NAME
 *     checkpoint LENGTH
 *     finish EVENTS LENGTH
 *
 * FAKE_STORE=count: only the number of events is written, at the end. FAKE_STORE=fail: it fails at the third event.
 * FAKE_STORE=slow: as count, and each chunk takes a fifth of a millisecond. FAKE_STORE=late: as slow, and the end takes
 * longer than a process waits in silence when a signal ends it. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctf_writer/ctf_output.h"
#include "ctf_writer/ctf_writer.h"
#include "report/report.h"

static struct {
    struct stint_event_writer writer; /* has to be the first member */
    FILE *file;
    char path[PATH_MAX], partial[PATH_MAX + 64];
    unsigned long long events;
    char reason[64];
    int counts, fails, slow_us, late;
} s_fake;

static int add_context(struct stint_event_writer *writer, const struct stint_event_context *context)
{
    fprintf(s_fake.file, "context %" PRIu32 " %" PRIu32 " %s %s\n", context->path, context->parent, context->set,
            context->name);
    return 0;
}

static int add_event(struct stint_event_writer *writer, const struct stint_event *event)
{
    if (++s_fake.events == 3 && s_fake.fails)
        return -1;
    if (s_fake.counts)
        return 0;
    if (event->gpu)
        fprintf(s_fake.file, "gpu %d %d %" PRIu64 " %" PRIu64 " %zd %" PRIu64 " %" PRIu64 " %s\n", (int)event->kind,
                (int)event->gpu->kind, event->start_ns, event->end_ns, (ssize_t)event->context, event->gpu->correlation,
                event->gpu->captured, event->name);
    else
        fprintf(s_fake.file, "event %d %" PRIu64 " %" PRIu64 " %" PRId64 " %zd %s\n", (int)event->kind, event->start_ns,
                event->end_ns, event->tid, (ssize_t)event->context, event->name);
    return 0;
}

static int add_clock(struct stint_event_writer *writer, const struct stint_event_clock *clock)
{
    return 0;
}

static int flush(struct stint_event_writer *writer)
{
    if (s_fake.slow_us)
        usleep((useconds_t)s_fake.slow_us);
    return 0;
}

static int add_checkpoint(struct stint_event_writer *writer, const char *report, size_t length)
{
    fprintf(s_fake.file, "checkpoint %zu\n", length);
    return fflush(s_fake.file);
}

static int finish(struct stint_event_writer *writer, const char *report, size_t length)
{
    if (strlen(report) != length)
        return -1;
    if (s_fake.late)
        sleep(3);
    fprintf(s_fake.file, "finish %llu %zu\n", s_fake.events, length);
    return fclose(s_fake.file) || rename(s_fake.partial, s_fake.path);
}

void stint_ctf_folder_keep(const char *path, uid_t owner) {}

struct stint_event_writer *stint_ctf_writer_open(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size)
{
    const char *const how = getenv("FAKE_STORE");
    snprintf(s_fake.path, sizeof s_fake.path, "%s", path);
    snprintf(s_fake.partial, sizeof s_fake.partial, "%s.%" PRId64 ".partial", path, process->pid);
    s_fake.file = fopen(s_fake.partial, "we");
    if (!s_fake.file) {
        snprintf(reason, size, "the fake cannot open it");
        return NULL;
    }
    fprintf(s_fake.file, "process %" PRId64 "\n", process->pid);
    s_fake.late = how && !strcmp(how, "late");
    s_fake.slow_us = s_fake.late || (how && !strcmp(how, "slow")) ? 200 : 0;
    s_fake.counts = s_fake.slow_us || (how && !strcmp(how, "count"));
    s_fake.fails = how && !strcmp(how, "fail");
    strcpy(s_fake.reason, "the fake has enough");
    s_fake.writer = (struct stint_event_writer){.context = add_context,
                                                .event = add_event,
                                                .clock = add_clock,
                                                .flush = flush,
                                                .checkpoint = add_checkpoint,
                                                .finish = finish,
                                                .reason = s_fake.reason};
    return &s_fake.writer;
}

__attribute__((visibility("default"))) stint_module_reports_fn stint_module_reports;

/* Behaves like a module of another version. */
stint_module_write_fn *stint_module_reports(uint64_t version)
{
    return NULL;
}
