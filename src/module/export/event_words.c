#include "export/event_words.h"

#include <stdio.h>
#include <string.h>

#include "report/gpu_sum.h"

/* ----------------------------------------------------------------------------------------------------------- events */

/* Makes "Memcpy HtoD" of "[CUDA memcpy HtoD]". */
static void strip(char *buffer, const char *name)
{
    const char *begin = strncmp(name, "[CUDA ", 6) == 0 ? name + 6 : name + 1;
    (void)snprintf(buffer, STINT_WORDS_SIZE, "%.*s", (int)strcspn(begin, "]"), begin);
    if (strncmp(buffer, "mem", 3) == 0)
        buffer[0] = 'M';
}

static void add_memory(char *buffer, const struct stint_gpu_event *gpu)
{
    const char *from = stint_gpu_memory_name(gpu->source), *to = stint_gpu_memory_name(gpu->destination);
    size_t used = strlen(buffer), room = STINT_WORDS_SIZE - used;
    if (gpu->kind == STINT_GPU_COPY && (*from || *to))
        (void)snprintf(buffer + used, room, " (%s -> %s)", *from ? from : "Unknown", *to ? to : "Unknown");
    else if (gpu->kind == STINT_GPU_SET && *to)
        (void)snprintf(buffer + used, room, " (%s)", to);
}

const char *stint_words_event(char *buffer, const struct stint_event *event)
{
    int has_own = event->kind != STINT_EVENT_DEVICE || event->gpu->kind == STINT_GPU_KERNEL ||
                  event->gpu->kind == STINT_GPU_SPAN || event->name[0] != '[';
    if (has_own)
        return event->name;
    if (event->gpu->wait)
        return stint_gpu_wait_words[event->gpu->wait].timeline;
    strip(buffer, event->name);
    add_memory(buffer, event->gpu);
    return buffer;
}

const char *stint_words_scope(const struct stint_snapshot *snapshot, const struct stint_event *event)
{
    if (event->context >= snapshot->context_count)
        return NULL;
    return snapshot->stats[snapshot->contexts[event->context].stat].name;
}

/* ----------------------------------------------------------------------------------------------------------- tracks */

const char *stint_words_thread(const struct stint_snapshot *snapshot, int64_t pid, int64_t tid)
{
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++) {
        const struct stint_nvtx_name *name = &snapshot->nvtx_names[i];
        if (name->what == STINT_NVTX_THREAD && name->pid == pid && (int64_t)name->handle == tid)
            return name->name;
    }
    for (size_t i = 0; i < snapshot->thread_count; i++)
        if (snapshot->threads[i].pid == pid && snapshot->threads[i].tid == tid && !snapshot->threads[i].exited)
            return snapshot->threads[i].name;
    return "";
}

/* CUPTI uses this number for waits for a whole context. */
static void name_stream(char *buffer, const struct stint_track *track, const char *what)
{
    if (track->stream == UINT32_MAX)
        (void)snprintf(buffer, STINT_WORDS_SIZE, "context %u%s", (unsigned)track->context, what);
    else
        (void)snprintf(buffer, STINT_WORDS_SIZE, "stream %u%s", (unsigned)track->stream, what);
}

static void name_thread(char *buffer, const struct stint_snapshot *snapshot, const struct stint_track *track)
{
    const char *name = stint_words_thread(snapshot, track->pid, track->tid);
    if (!track->tid)
        (void)snprintf(buffer, STINT_WORDS_SIZE, "unknown threads");
    else
        (void)snprintf(buffer, STINT_WORDS_SIZE, "thread %lld%s%.128s%s", (long long)track->tid, *name ? " (" : "",
                       name, *name ? ")" : "");
}

void stint_words_track(char *buffer, const struct stint_snapshot *snapshot, const struct stint_track *track)
{
    switch (track->kind) {
    case STINT_TRACK_THREAD:
        name_thread(buffer, snapshot, track);
        return;
    case STINT_TRACK_RANGES:
        (void)snprintf(buffer, STINT_WORDS_SIZE, "ranges");
        return;
    case STINT_TRACK_STREAM:
        name_stream(buffer, track, "");
        return;
    case STINT_TRACK_SPANS:
        name_stream(buffer, track, " scopes");
        return;
    case STINT_TRACK_WAITS:
        name_stream(buffer, track, " waits");
        return;
    case STINT_TRACK_UNIFIED:
        (void)snprintf(buffer, STINT_WORDS_SIZE, "unified memory");
        return;
    case STINT_TRACK_OVERHEAD:
        (void)snprintf(buffer, STINT_WORDS_SIZE, "profiler overhead");
        return;
    }
}

void stint_words_process(char *buffer, const struct stint_snapshot *snapshot, int64_t pid)
{
    const char *command = snapshot->process.command, *begin = command;
    size_t length = strcspn(command, " ");
    for (const char *at = command; at < command + length; at++)
        if (*at == '/')
            begin = at + 1;
    length -= (size_t)(begin - command);
    if (pid == snapshot->process.pid && length)
        (void)snprintf(buffer, STINT_WORDS_SIZE, "%.*s", length < 128 ? (int)length : 128, begin);
    else
        (void)snprintf(buffer, STINT_WORDS_SIZE, "process %lld", (long long)pid);
}

void stint_words_device(char *buffer, const struct stint_snapshot *snapshot, uint32_t device)
{
    const char *name = stint_gpu_device_of(snapshot, device).name;
    (void)snprintf(buffer, STINT_WORDS_SIZE, "GPU %u%s%.128s%s", (unsigned)device, name && *name ? " (" : "",
                   name ? name : "", name && *name ? ")" : "");
}
