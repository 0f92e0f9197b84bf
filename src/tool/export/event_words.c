/* Names of events, tracks, processes and devices in timelines. */
#include "export/tracks.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

/* ----------------------------------------------------------------------------------------------------------- events */

static const char *put_copy(char *buffer, const struct stint_gpu_event *gpu)
{
    const char *from = stint_gpu_memory_name(gpu->source), *to = stint_gpu_memory_name(gpu->destination);
    const char *words = stint_gpu_direction_words[gpu->direction].timeline;
    if (!*from && !*to)
        return words;
    (void)snprintf(buffer, STINT_WORDS_SIZE, "%s (%s -> %s)", words, *from ? from : "Unknown", *to ? to : "Unknown");
    return buffer;
}

static const char *put_set(char *buffer, const struct stint_gpu_event *gpu)
{
    const char *of = stint_gpu_memory_name(gpu->destination);
    if (!*of)
        return "Memset";
    (void)snprintf(buffer, STINT_WORDS_SIZE, "Memset (%s)", of);
    return buffer;
}

/* Makes "driver compiler" of "[CUDA driver compiler]". */
static const char *put_stripped(char *buffer, const char *name)
{
    const char *begin = name + (strncmp(name, "[CUDA ", 6) == 0 ? 6 : 1);
    (void)snprintf(buffer, STINT_WORDS_SIZE, "%.*s", (int)strcspn(begin, "]"), begin);
    return buffer;
}

const char *stint_words_event(char *buffer, const struct stint_event *event)
{
    if (event->kind != STINT_EVENT_DEVICE || event->name[0] != '[')
        return event->name;
    switch (event->gpu->kind) {
    case STINT_GPU_KERNEL:
    case STINT_GPU_SPAN:
        return event->name;
    case STINT_GPU_COPY:
        return put_copy(buffer, event->gpu);
    case STINT_GPU_SET:
        return put_set(buffer, event->gpu);
    case STINT_GPU_SYNC:
        return stint_gpu_wait_words[event->gpu->wait].timeline;
    case STINT_GPU_UNIFIED:
    case STINT_GPU_FAULT:
    case STINT_GPU_OVERHEAD:
    case STINT_GPU_UNMEASURED:
        break;
    }
    return put_stripped(buffer, event->name);
}

static void copy(char *to, size_t size, struct stint_piece from)
{
    size_t length = from.length < size ? from.length : size - 1;
    memcpy(to, from.text, length);
    to[length] = '\0';
}

void stint_words_data_begin(struct stint_words_data *data, const struct stint_event *event)
{
    struct stint_annotation annotation;
    data->rest = (struct stint_piece){"", 0};
    if (event->text && stint_annotation_read(&annotation, event->text, strlen(event->text)))
        data->rest = annotation.data;
}

int stint_words_data_next(struct stint_words_data *data)
{
    struct stint_piece key, value;
    if (!stint_annotation_pair(&data->rest, &key, &value))
        return 0;
    copy(data->key, sizeof data->key, key);
    copy(data->value, sizeof data->value, value);
    return 1;
}

/* The domain is in the name of the set: "NVTX counters:cuDF". */
static const char *domain_of(const struct stint_event *event)
{
    const char *colon =
        strncmp(event->set, STINT_NVTX_SET, sizeof STINT_NVTX_SET - 1) == 0 ? strchr(event->set, ':') : NULL;
    return colon ? colon + 1 : "";
}

const char *stint_words_category(char *buffer, const struct stint_snapshot *snapshot, const struct stint_event *event)
{
    if (!event->category)
        return NULL;
    for (size_t i = 0; i < snapshot->nvtx_name_count; i++) {
        const struct stint_nvtx_name *name = &snapshot->nvtx_names[i];
        if (name->what == STINT_NVTX_CATEGORY && name->handle == event->category && name->pid == event->pid &&
            strcmp(name->domain, domain_of(event)) == 0)
            return name->name;
    }
    (void)snprintf(buffer, STINT_WORDS_SIZE, "%u", (unsigned)event->category);
    return buffer;
}

void stint_words_point(struct stint_words_point *point, const struct stint_event *event)
{
    if (event->memory) {
        const char *kind = stint_gpu_memory_name(event->memory->kind);
        (void)snprintf(point->curve, sizeof point->curve, "memory (%s%s)", *kind ? kind : "Unknown",
                       event->memory->pool ? ", pool" : "");
        point->what = "bytes";
        point->value = (double)event->memory->current_bytes;
        return;
    }
    const char *domain = domain_of(event);
    (void)snprintf(point->curve, sizeof point->curve, "%.100s%s%.150s", domain, *domain ? "/" : "", event->name);
    point->what = *event->field ? event->field : "value";
    point->value = event->value;
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
    for (size_t i = 0; i < snapshot->sample_thread_count; i++)
        if (snapshot->sample_threads[i].pid == pid && snapshot->sample_threads[i].tid == tid)
            return snapshot->sample_threads[i].name;
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

static const char *command_of(const struct stint_snapshot *snapshot, int64_t pid)
{
    if (pid == snapshot->process.pid)
        return snapshot->process.command;
    for (size_t i = 0; i < snapshot->process_count; i++)
        if (snapshot->processes[i].pid == pid)
            return snapshot->processes[i].command;
    return "";
}

void stint_words_process(char *buffer, const struct stint_snapshot *snapshot, int64_t pid)
{
    const char *command = command_of(snapshot, pid), *begin = command;
    size_t length = strcspn(command, " ");
    for (const char *at = command; at < command + length; at++)
        if (*at == '/')
            begin = at + 1;
    length -= (size_t)(begin - command);
    if (length)
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
