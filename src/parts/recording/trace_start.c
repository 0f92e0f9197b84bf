/* STINT_TRACE: where the recording goes, what it is finished with, and which command makes another file of it. Also
 * what the core knows of this part. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "notes/note.h"
#include "record/part.h"
#include "record/registry.h"
#include "recording/stream.h"
#include "runtime/runtime.h"
#include "stint/report.h"

#define NS_PER_S UINT64_C(1000000000)

#define ENDING ".stint" /* of recordings */

static struct {
    char pattern[PATH_MAX - sizeof ENDING]; /* prepared */
    char path[PATH_MAX - sizeof ENDING];    /* the file that is wanted */
    char recording[PATH_MAX];               /* the same, or what `stint export` makes the file of */
} s_trace;

/* ---------------------------------------------------------------------------------------------------------- reports */

/* A report as text, in a buffer that grows and is kept. */
struct text {
    struct stint_arena arena;
    char *bytes;
    size_t used, size;
};

static int grow(struct text *text, size_t needed)
{
    size_t size = text->size ? text->size : 65536;
    while (size < needed)
        size *= 2;
    char *bytes = stint_arena_alloc(&text->arena, size);
    if (!bytes)
        return -1;
    if (text->used)
        memcpy(bytes, text->bytes, text->used);
    text->bytes = bytes;
    text->size = size;
    return 0;
}

static int add(void *context, const char *bytes, size_t length)
{
    struct text *text = context;
    if (text->used + length >= text->size && grow(text, text->used + length + 1))
        return -1;
    memcpy(text->bytes + text->used, bytes, length);
    text->used += length;
    text->bytes[text->used] = '\0';
    return 0;
}

/* Returns NULL, and says so, without memory: for the text, or for the snapshot. */
static const char *write_report(struct text *text, const struct stint_snapshot *snapshot, size_t *length)
{
    text->used = 0;
    if (!snapshot || stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, add, text)) {
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: there is not enough memory for the report in %.256s",
                  s_trace.recording);
        return NULL;
    }
    *length = text->used;
    return text->bytes;
}

const char *stint_recording_report(size_t *length)
{
    static struct text s_text;
    struct stint_snapshot *snapshot;
    (void)stint_snapshot_take(&snapshot);
    const char *report = write_report(&s_text, snapshot, length);
    stint_snapshot_free(snapshot);
    return report;
}

/* ------------------------------------------------------------------------------------------------------------ start */

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    (void)context;
    stint_stream_want_dump();
}

/* A program that uses the signal itself keeps it. */
static void catch_signal(void)
{
    static const struct stint_hidden_handler s_handler = {on_signal, SA_RESTART, 0, NULL};
    static const int signals[] = {0, SIGHUP, SIGUSR1, SIGUSR2};
    int wanted = signals[stint_env_choice("STINT_DUMP_SIGNAL", "off|HUP|USR1|USR2", 0)];
    if (wanted && stint_handler_hide(wanted, &s_handler))
        STINT_LOG(STINT_LOG_WARNING, "STINT_DUMP_SIGNAL: the program uses this signal itself");
}

static int is_recording(const char *path)
{
    size_t length = strlen(path), ending = sizeof ENDING - 1;
    return length > ending && strcmp(path + length - ending, ENDING) == 0;
}

static void name_recording(void)
{
    (void)snprintf(s_trace.recording, sizeof s_trace.recording, "%s%s", s_trace.path,
                   is_recording(s_trace.path) ? "" : ENDING);
}

static int read_pattern(const char *text)
{
    if (stint_copies_prepare(s_trace.pattern, sizeof s_trace.pattern, text))
        return -1;
    for (size_t length = strlen(s_trace.pattern); length > 1 && s_trace.pattern[length - 1] == '/'; length--)
        s_trace.pattern[length - 1] = '\0'; /* recordings are folders */
    if (stint_path_finish(s_trace.path, sizeof s_trace.path, s_trace.pattern))
        return -1;
    name_recording();
    return 0;
}

/* Of files that stint export makes of no recording, and of those that it makes. */
static const char s_other_kinds[] = ".csv .html .pdf .svg .txt ";
static const char s_kinds[] = ".json .gz .pftrace .collapsed .folded .pprof .pb .sqlite ";

static int ends_in_one_of(const char *kinds, const char *name)
{
    const char *ending = strrchr(name, '.'), *found = ending ? strstr(kinds, ending) : NULL;
    return found && found[strlen(ending)] == ' ';
}

static void start(void)
{
    const char *pattern = stint_env_text("STINT_TRACE");
    if (!pattern)
        return;
    if (ends_in_one_of(s_other_kinds, pattern))
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_TRACE=%.256s is refused: name it NAME.stint, and convert it by stint export", pattern);
    else if (read_pattern(pattern))
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_TRACE=%.256s is not understood: expected a path with %%p, %%i, %%h, %%r, %%q{NAME} or %%%%",
                  pattern);
    else if (!is_recording(s_trace.path) && stint_whole_file_is_special(s_trace.path))
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: %.256s cannot be written: it is not a regular file", s_trace.path);
    else if (stint_stream_prepare(s_trace.recording))
        STINT_LOG(STINT_LOG_WARNING, "STINT_TRACE: there is not enough memory");
    else
        stint_parts_want_report = 1;
    if (stint_parts_want_report)
        catch_signal();
}

static void run_stream(int in_child)
{
    (void)in_child;
    if (stint_parts_want_report)
        stint_stream_run();
}

static int mark_child(void)
{
    char pid[24];
    (void)snprintf(pid, sizeof pid, "%ld", (long)getpid());
    return stint_path_put_mark(s_trace.path, sizeof s_trace.path, pid);
}

static STINT_I_THREAD_LOCAL int tl_stream_held __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
    tl_stream_held = stint_stream_before_fork();
}

static void after_fork_in_parent(void)
{
    stint_stream_after_fork_in_parent(tl_stream_held);
}

/* The child's trace must not overwrite its parent's: a path without %p gets the process id before its extension. */
static void after_fork_in_child(void)
{
    if (!stint_parts_want_report)
        return;
    stint_parts_want_report = !stint_path_finish(s_trace.path, sizeof s_trace.path, s_trace.pattern) &&
                              (stint_path_has_pid(s_trace.pattern) || !mark_child());
    name_recording();
    stint_stream_after_fork(s_trace.recording);
}

/* -------------------------------------------------------------------------------------------------------------- end */

/* Says how a file is made of the recording, if one is wanted. */
static void tell_path(void)
{
    if (!stint_parts_want_report || is_recording(s_trace.path) || access(s_trace.recording, F_OK))
        return;
    if (ends_in_one_of(s_kinds, s_trace.path))
        STINT_LOG(STINT_LOG_INFO, "%.256s is made by: stint export %.256s -o %.256s", s_trace.path, s_trace.recording,
                  s_trace.path);
    else
        STINT_LOG(STINT_LOG_INFO, "the trace is in %.256s", s_trace.recording);
}

/* In an emergency the other threads go on until the end. What they did then would be in chunks that nobody writes, and
 * not in the report. */
static void finish(int emergency)
{
    if (emergency && stint_parts_want_report)
        stint_registry_set_enabled(0);
}

static void tell_completing(void)
{
    STINT_LOG(STINT_LOG_INFO, "%.256s is being completed", s_trace.recording);
}

/* What wants the process to end may kill it soon. */
static void wait_in_emergency(void)
{
    enum { SHORT_S = 2, LONG_S = 8 };
    if (!stint_stream_wait(SHORT_S * NS_PER_S))
        return;
    tell_completing();
    if (stint_stream_wait(LONG_S * NS_PER_S))
        STINT_LOG(STINT_LOG_WARNING, "%.256s: events in %zu buffers are missing", s_trace.recording,
                  stint_chunks_waiting());
}

static void report(const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec)
{
    static struct text s_text;
    struct stint_recording_end end = {.even_empty = is_news};
    if (!stint_parts_want_report)
        return;
    end.report = write_report(&s_text, snapshot, &end.length);
    stint_stream_finish(&end);
    if (emergency) {
        wait_in_emergency();
    } else if (stint_stream_wait(NS_PER_S)) {
        tell_completing();
        (void)stint_stream_wait(UINT64_MAX);
    }
    if (!is_exec)
        tell_path();
}

enum { MOST_EXECS = 10000 };

/* The trace of the program that is executed must not overwrite this one: ".exec1", or the same with the first free
 * number, is inserted before the file name extension. */
static void put_aside(void)
{
    char path[sizeof s_trace.path], before[PATH_MAX], mark[24];
    if (!stint_parts_want_report || access(s_trace.recording, F_OK))
        return;
    strcpy(path, s_trace.path);
    strcpy(before, s_trace.recording);
    for (int i = 1; i < MOST_EXECS; i++) {
        (void)snprintf(mark, sizeof mark, "exec%d", i);
        strcpy(s_trace.path, path);
        if (stint_path_put_mark(s_trace.path, sizeof s_trace.path, mark))
            return;
        name_recording();
        if (access(s_trace.recording, F_OK)) {
            (void)rename(before, s_trace.recording);
            return;
        }
    }
}

static void before_exec(void)
{
    put_aside();
    tell_path();
}

static int keep(const void *context)
{
    const struct stint_drop_offer *offer = context;
    if (stint_output_lend(offer->spare, offer->path, offer->size))
        offer->path[0] = '\0';
    stint_stream_keep(offer->owner);
    return 1;
}

STINT_PART(recording) = {
    .name = "recording",
    .at[STINT_AT_START] = start,
    .run = run_stream,
    .finish = finish,
    .at[STINT_BEFORE_FORK] = before_fork,
    .at[STINT_AFTER_FORK] = after_fork_in_parent,
    .at[STINT_IN_CHILD] = after_fork_in_child,
    .attach = keep,
    .report = report,
    .at[STINT_BEFORE_EXEC] = before_exec,
};
