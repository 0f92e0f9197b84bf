/* Writes events as a recording of its own format: definitions first, then packets of each thread and device. */
#include "ctf_writer/ctf_writer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/log.h"
#include "base/whole_file.h"
#include "ctf_writer/ctf_limits.h"
#include "ctf_writer/ctf_output.h"
#include "ctf_writer/ctf_packet.h"
#include "support/keyed_table.h"

struct writer {
    struct stint_event_writer writer; /* has to be the first member */
    struct stint_arena arena;
    unsigned char uuid[16];
    int64_t pid;
    struct stint_ctf_threads threads;
    struct stint_ctf_output definitions, devices, samples;
    size_t named_threads; /* that have ended */
    struct stint_ctf_packet notes /* of the current thread */, told, gpu, sampled, json;
    struct stint_table names;    /* struct stint_ctf_name, told by the addresses of texts, at which they stay */
    struct stint_table counters; /* struct stint_ctf_counter, the same */
    struct stint_ctf_operations operations;
    uint64_t bytes; /* that events take */
    uint64_t late;  /* events that came after the time limit, since the last flush */
    struct stint_ctf_limits limits;
    struct stint_ctf_watch watch;
    int is_slow; /* a scope was */
    struct stint_ctf_pieces pieces;
    char path[PATH_MAX];
};

static char s_dumped[PATH_MAX];

static char s_reason[PATH_MAX + 200];

static struct writer *of(struct stint_event_writer *writer)
{
    return (struct writer *)(void *)writer;
}

static int fail(const struct writer *writer, const char *name)
{
    (void)snprintf(s_reason, sizeof s_reason, "%s/%s: %s", writer->path, name, strerror(errno));
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static int write_packet(struct writer *writer, struct stint_ctf_output *output, const struct stint_ctf_limits *limits,
                        struct stint_ctf_packet *packet)
{
    return stint_ctf_output_put(output, writer->path, writer->uuid, limits, packet) ? fail(writer, output->name) : 0;
}

/* Definitions stay until they can be written. */
static int flush_definitions(struct writer *writer)
{
    static const struct stint_ctf_limits none = {0};
    writer->told.head.discarded = writer->writer.lost;
    if (writer->told.head.events && write_packet(writer, &writer->definitions, &none, &writer->told))
        return -1;
    stint_ctf_packet_begin(&writer->told, STINT_CTF_DEFINITIONS, writer->definitions.time);
    return 0;
}

/* Returns 0, or -1 if the recording is as large as it may be. */
static int check_size(const struct writer *writer, const struct stint_ctf_packet *packet)
{
    uint64_t most = writer->limits.bytes;
    if (stint_ctf_limits_is_ring(&writer->limits) || (writer->bytes <= most && packet->used <= most - writer->bytes))
        return 0;
    (void)snprintf(s_reason, sizeof s_reason, "%s: it is as large as STINT_TRACE_MAX allows", writer->path);
    return -1;
}

/* Writes the packet, before which its definitions have to be written, and begins the next. */
static int flush_packet(struct writer *writer, struct stint_ctf_output *output, struct stint_ctf_packet *packet)
{
    int failed = 0;
    if (!packet->head.events)
        return 0;
    failed = check_size(writer, packet) || flush_definitions(writer) ||
             write_packet(writer, output, &writer->limits, packet);
    if (failed) {
        writer->writer.lost += packet->head.events;
    } else {
        writer->bytes += packet->used;
    }
    stint_ctf_packet_begin(packet, (enum stint_ctf_stream)packet->head.stream, output->time);
    return failed ? -1 : 0;
}

static int flush_notes(struct writer *writer)
{
    struct stint_ctf_output *output = stint_ctf_threads_current(&writer->threads);
    return output ? flush_packet(writer, output, &writer->notes) : 0;
}

/* Whether something is left out because it ended after the time limit. */
static int is_late(struct writer *writer, uint64_t end_ns)
{
    if (end_ns <= writer->limits.until_ns)
        return 0;
    writer->late++;
    return 1;
}

/* Returns 0, or -1 if events were left out. */
static int count_late(struct writer *writer)
{
    if (!writer->late)
        return 0;
    (void)snprintf(s_reason, sizeof s_reason, "%s: it goes as far as STINT_TRACE_MAX allows", writer->path);
    writer->writer.lost += writer->late;
    writer->late = 0;
    return -1;
}

static int flush(struct stint_event_writer *interface)
{
    struct writer *writer = of(interface);
    int late = count_late(writer);
    int notes = flush_notes(writer), devices = flush_packet(writer, &writer->devices, &writer->gpu);
    int samples = flush_packet(writer, &writer->samples, &writer->sampled);
    interface->wants_dump |=
        stint_ctf_pieces_is_due(&writer->pieces, &writer->limits, writer->bytes, writer->notes.time);
    return late || notes || devices || samples || flush_definitions(writer) ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------ definitions */

static int define(struct writer *writer, enum stint_ctf_id id, const void *row)
{
    if (stint_ctf_packet_grow(&writer->told, &writer->arena, stint_ctf_event_size(id, row))) {
        (void)snprintf(s_reason, sizeof s_reason, "there is not enough memory");
        return -1;
    }
    stint_ctf_packet_add(&writer->told, id, writer->notes.time, 0, row);
    return 0;
}

static int add_context(struct stint_event_writer *interface, const struct stint_event_context *context)
{
    struct writer *writer = of(interface);
    if (stint_ctf_watch_context(&writer->watch, &writer->limits, context, &writer->arena)) {
        (void)snprintf(s_reason, sizeof s_reason, "there is not enough memory");
        return -1;
    }
    struct stint_ctf_context row = {context->path, context->parent, context->line,
                                    context->set,  context->name,   context->file};
    return define(writer, STINT_CTF_CONTEXT, &row);
}

static int name_thread(struct stint_event_writer *interface, int64_t tid, const char *name)
{
    struct writer *writer = of(interface);
    return writer->named_threads++ < STINT_CTF_MOST_THREADS
               ? define(writer, STINT_CTF_THREAD, &(struct stint_ctf_thread){tid, name})
               : 0;
}

static int set_sampling(struct stint_event_writer *interface, const struct stint_sample_info *info)
{
    return define(of(interface), STINT_CTF_SAMPLING, &(struct stint_ctf_sampling){info->wall, info->hz});
}

static int add_module(struct stint_event_writer *interface, uint32_t number, const struct stint_sample_module *module)
{
    return define(of(interface), STINT_CTF_MODULE, &(struct stint_ctf_module){number, *module});
}

static int add_chain(struct stint_event_writer *interface, const struct stint_event_chain *chain)
{
    return define(of(interface), STINT_CTF_CHAIN, chain);
}

static int add_clock(struct stint_event_writer *interface, const struct stint_event_clock *clock)
{
    struct stint_ctf_clock row = {clock->ns, clock->monotonic_ns, clock->unix_ns, clock->cupti_ns};
    return define(of(interface), STINT_CTF_CLOCK, &row);
}

/* Finds the row's number, which is its place in the table and its first member; a new row is defined. Returns 0, and
 * without memory -1. */
static int number_of(struct writer *writer, struct stint_table *table, const struct stint_table_key *key,
                     enum stint_ctf_id definition, const void *like, uint32_t *id)
{
    size_t count = table->count;
    uint32_t *row = stint_table_take(table, key, &writer->arena, like);
    *id = (uint32_t)stint_table_position(table, key, row);
    if (!row || table->count == count)
        return row ? 0 : -1;
    *row = *id;
    return define(writer, definition, row);
}

static int name_of(struct writer *writer, const char *text, uint32_t *id)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_BY_ADDRESS(struct stint_ctf_name, text);
    struct stint_ctf_name name = {.text = text};
    return number_of(writer, &writer->names, &key, STINT_CTF_NAME, &name, id);
}

static int counter_of(struct writer *writer, const struct stint_event *event, uint32_t *id)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_BY_ADDRESS(struct stint_ctf_counter, set, name, field);
    struct stint_ctf_counter counter = {.set = event->set, .name = event->name, .field = event->field};
    return number_of(writer, &writer->counters, &key, STINT_CTF_COUNTER, &counter, id);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Begins a packet of the thread, if it is not the one whose packet is being filled. */
static int change_thread(struct writer *writer, int64_t tid)
{
    const struct stint_ctf_output *output = stint_ctf_threads_current(&writer->threads);
    if (output && output->tid == tid)
        return 0;
    (void)flush_notes(writer);
    if (stint_ctf_threads_change(&writer->threads, &writer->arena, tid))
        return -1;
    stint_ctf_packet_begin(&writer->notes, STINT_CTF_THREADS, stint_ctf_threads_current(&writer->threads)->time);
    return 0;
}

static void watch(struct writer *writer, uint32_t path, uint64_t start_ns, uint64_t end_ns)
{
    if (stint_ctf_watch_scope(&writer->watch, path, start_ns, end_ns))
        writer->is_slow = writer->writer.wants_dump = 1;
}

static void add_scope(struct writer *writer, uint32_t path, uint64_t start_ns, uint64_t end_ns)
{
    watch(writer, path, start_ns, end_ns);
    if (writer->notes.size - writer->notes.used < STINT_CTF_AT_SIZE)
        (void)flush_notes(writer);
    stint_ctf_packet_scope(&writer->notes, path, start_ns, end_ns);
}

static int add_scopes(struct stint_event_writer *interface, int64_t tid, const struct stint_event_scope *scopes,
                      size_t count)
{
    struct writer *writer = of(interface);
    if (change_thread(writer, tid)) {
        (void)snprintf(s_reason, sizeof s_reason, "there is not enough memory");
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_late(writer, scopes[i].end_ns))
            add_scope(writer, scopes[i].path, scopes[i].start_ns, scopes[i].end_ns);
    return 0;
}

/* Adds an event of a thread, whose packet is being filled. Returns 0, or -1 without memory. */
static int add_note(struct writer *writer, enum stint_ctf_id id, const struct stint_event *event, const void *row)
{
    struct stint_ctf_packet *packet = &writer->notes;
    size_t size = stint_ctf_event_size(id, row);
    if (packet->size - packet->used < size)
        (void)flush_notes(writer);
    if (stint_ctf_packet_grow(packet, &writer->arena, size))
        return -1;
    stint_ctf_packet_add(packet, id, event->end_ns, event->start_ns, row);
    return 0;
}

static int add_operation(struct writer *writer, const struct stint_event *event, const struct stint_ctf_operation *row,
                         const struct stint_ctf_data *data)
{
    return data->id && define(writer, STINT_CTF_DATA, data) ? -1 : add_note(writer, STINT_CTF_OPERATION, event, row);
}

static int add_activation(struct writer *writer, const struct stint_event *event)
{
    struct stint_ctf_operation operation;
    struct stint_ctf_data data;
    int is_styled = event->color || event->category;
    if (change_thread(writer, event->tid))
        return -1;
    if (event->kind == STINT_EVENT_SCOPE && !event->text && !is_styled) {
        add_scope(writer, (uint32_t)event->context, event->start_ns, event->end_ns);
        return 0;
    }
    if (stint_ctf_operation_of(&writer->operations, event, &operation, &data))
        return add_operation(writer, event, &operation, &data);
    struct stint_ctf_activation row = {.path = (uint32_t)event->context,
                                       .start = event->start_ns,
                                       .end = event->end_ns,
                                       .kind = (int)event->kind,
                                       .text = event->text ? event->text : "",
                                       .color = event->color,
                                       .category = event->category};
    watch(writer, row.path, row.start, row.end);
    enum stint_ctf_id id = is_styled                          ? STINT_CTF_STYLED
                           : event->text                      ? STINT_CTF_ANNOTATED
                           : event->kind == STINT_EVENT_RANGE ? STINT_CTF_RANGE
                                                              : STINT_CTF_MARK;
    return add_note(writer, id, event, &row);
}

static int add_value(struct writer *writer, const struct stint_event *event)
{
    struct stint_ctf_value row = {.start = event->start_ns, .value = event->value};
    return counter_of(writer, event, &row.counter) || change_thread(writer, event->tid)
               ? -1
               : add_note(writer, STINT_CTF_VALUE, event, &row);
}

static enum stint_ctf_id id_of(const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_CALL)
        return STINT_CTF_CALL;
    switch (event->gpu->kind) {
    case STINT_GPU_KERNEL:
        return event->gpu->captured ? STINT_CTF_CAPTURED : STINT_CTF_KERNEL;
    case STINT_GPU_COPY:
    case STINT_GPU_SET:
        return STINT_CTF_MEMORY;
    case STINT_GPU_UNIFIED:
    case STINT_GPU_FAULT:
        return STINT_CTF_UNIFIED;
    default:
        return STINT_CTF_OTHER;
    }
}

/* Adds an event to those of devices, which have no long texts. */
static int add_row(struct writer *writer, enum stint_ctf_id id, const struct stint_event *event,
                   const struct stint_ctf_gpu *row)
{
    if (writer->gpu.size - writer->gpu.used < stint_ctf_event_size(id, row))
        (void)flush_packet(writer, &writer->devices, &writer->gpu);
    stint_ctf_packet_add(&writer->gpu, id, event->end_ns, event->start_ns, row);
    return 0;
}

static uint32_t path_of(const struct stint_event *event)
{
    return event->context == STINT_GPU_UNATTRIBUTED ? STINT_CTF_UNATTRIBUTED : (uint32_t)event->context;
}

static int add_gpu(struct writer *writer, const struct stint_event *event)
{
    struct stint_ctf_gpu row = {.event = *event->gpu, .path = path_of(event)};
    row.event.start_ns = event->start_ns;
    row.event.end_ns = event->end_ns;
    return name_of(writer, event->name, &row.name) ? -1 : add_row(writer, id_of(event), event, &row);
}

static int add_memory(struct writer *writer, const struct stint_event *event)
{
    struct stint_ctf_gpu row = {
        .event = {.start_ns = event->start_ns, .tid = event->tid}, .path = path_of(event), .memory = *event->memory};
    return add_row(writer, STINT_CTF_ALLOCATION, event, &row);
}

static int add_sample(struct writer *writer, const struct stint_event *event)
{
    struct stint_ctf_sample row = {.path = path_of(event),
                                   .chain = (uint32_t)event->sample.stack,
                                   .start = event->start_ns,
                                   .time_ns = event->sample.time_ns,
                                   .tid = event->tid};
    if (writer->sampled.size - writer->sampled.used < stint_ctf_event_size(STINT_CTF_SAMPLE, &row))
        (void)flush_packet(writer, &writer->samples, &writer->sampled);
    stint_ctf_packet_add(&writer->sampled, STINT_CTF_SAMPLE, event->end_ns, event->start_ns, &row);
    return 0;
}

static int add_event(struct stint_event_writer *interface, const struct stint_event *event)
{
    struct writer *writer = of(interface);
    if (is_late(writer, event->end_ns))
        return 0;
    int failed = event->kind <= STINT_EVENT_MARK     ? add_activation(writer, event)
                 : event->kind == STINT_EVENT_VALUE  ? add_value(writer, event)
                 : event->kind == STINT_EVENT_SAMPLE ? add_sample(writer, event)
                 : event->memory                     ? add_memory(writer, event)
                                                     : add_gpu(writer, event);
    if (failed)
        (void)snprintf(s_reason, sizeof s_reason, "there is not enough memory");
    return failed;
}

/* -------------------------------------------------------------------------------------------- checkpoint and finish */

/* A recording may have no report, as one of a process that was killed. */
static int put_report(struct writer *writer, const char *report)
{
    if (!report)
        return 0;
    return stint_ctf_report_put(writer->path, writer->uuid, writer->notes.time, report, &writer->json, &writer->arena)
               ? fail(writer, stint_ctf_stream_names[STINT_CTF_REPORTS])
               : 0;
}

static int checkpoint(struct stint_event_writer *interface, const char *report, size_t length)
{
    (void)length;
    int flushed = flush(interface);
    return put_report(of(interface), report) || flushed ? -1 : 0;
}

static struct stint_ctf_live live_of(struct writer *writer)
{
    return (struct stint_ctf_live){.path = writer->path,
                                   .uuid = writer->uuid,
                                   .threads = &writer->threads.outputs,
                                   .devices = &writer->devices,
                                   .samples = &writer->samples,
                                   .definitions = &writer->definitions};
}

static int dump(struct stint_event_writer *interface, const char *report, size_t length, int asked)
{
    struct writer *writer = of(interface);
    struct stint_ctf_live live = live_of(writer);
    int failed = checkpoint(interface, report, length);
    interface->wants_dump = 0;
    if (failed)
        return -1;
    s_dumped[0] = '\0';
    if (asked || writer->is_slow)
        failed = stint_ctf_pieces_dump(&writer->pieces, &live, &writer->limits, s_dumped);
    writer->is_slow = 0;
    uint64_t end_ns = stint_ctf_piece_end(&live);
    if (stint_ctf_pieces_is_due(&writer->pieces, &writer->limits, writer->bytes, end_ns))
        failed |= stint_ctf_pieces_next(&writer->pieces, &live, &writer->limits, writer->bytes, end_ns);
    if (failed)
        (void)snprintf(s_reason, sizeof s_reason, "a dump or a part cannot be made: %s", strerror(errno));
    return failed;
}

static void end_outputs(struct writer *writer)
{
    stint_ctf_threads_end(&writer->threads, writer->path);
    stint_ctf_output_end(&writer->devices, writer->path);
    stint_ctf_output_end(&writer->samples, writer->path);
    stint_ctf_output_end(&writer->definitions, writer->path);
}

static int finish(struct stint_event_writer *interface, const char *report, size_t length)
{
    struct writer *writer = of(interface);
    int saved = checkpoint(interface, report, length);
    struct stint_ctf_live live = live_of(writer);
    struct stint_ctf_end end = {stint_ctf_piece_events(&live, 0)};
    int ended = define(writer, STINT_CTF_END, &end) || flush_definitions(writer);
    end_outputs(writer);
    stint_ctf_folder_end(writer->path);
    stint_arena_free(&writer->operations.table.arena);
    stint_arena_free(&writer->arena);
    free(writer);
    return saved || ended ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------- open */

int stint_ctf_is_wanted(const char *path)
{
    size_t length = strlen(path), ending = sizeof STINT_CTF_ENDING - 1;
    while (length && path[length - 1] == '/')
        length--;
    return length > ending && memcmp(path + length - ending, STINT_CTF_ENDING, ending) == 0;
}

/* Version 4 of UUIDs. */
static void make_uuid(unsigned char uuid[16], const struct stint_event_process *process)
{
    if (getrandom(uuid, 16, GRND_NONBLOCK) != 16) {
        uint64_t parts[] = {stint_hash_mix(process->start_unix_ns, (uint64_t)process->pid), process->start_unix_ns};
        memcpy(uuid, parts, sizeof parts);
    }
    uuid[6] = (unsigned char)((uuid[6] & 0x0F) | 0x40);
    uuid[8] = (unsigned char)((uuid[8] & 0x3F) | 0x80);
}

static int write_metadata(struct writer *writer, const struct stint_event_process *process)
{
    struct stint_ctf_file file = {.name = STINT_CTF_METADATA};
    char text[16000];
    size_t length = stint_ctf_describe(text, sizeof text, writer->uuid, process->start_unix_ns);
    return stint_ctf_file_append(&file, writer->path, text, length) ? fail(writer, file.name) : 0;
}

/* Another process that writes this recording keeps it: one in another pid namespace may have the same id. */
static int make_folder(struct writer *writer)
{
    enum { MOST_NAMES = 1000 };
    char path[PATH_MAX] = "", mark[24];
    int failed = stint_ctf_folder_begin(writer->path);
    for (int i = 2; failed && errno == EBUSY && i < MOST_NAMES; i++) {
        (void)snprintf(path, sizeof path, "%s", writer->path);
        (void)snprintf(mark, sizeof mark, "%d", i);
        if (stint_path_put_mark(path, sizeof path, mark))
            break;
        failed = stint_ctf_folder_begin(path);
    }
    if (failed) {
        (void)snprintf(s_reason, sizeof s_reason, "%s", strerror(errno));
        return -1;
    }
    if (path[0]) {
        STINT_LOG(STINT_LOG_WARNING, "%s is being written by another process: this recording is %s", writer->path,
                  path);
        (void)snprintf(writer->path, sizeof writer->path, "%s", path);
    }
    return 0;
}

static int make_packets(struct writer *writer)
{
    enum { ROOM = 4096 };
    stint_ctf_packet_begin(&writer->notes, STINT_CTF_THREADS, 0);
    stint_ctf_packet_begin(&writer->gpu, STINT_CTF_DEVICES, 0);
    stint_ctf_packet_begin(&writer->sampled, STINT_CTF_SAMPLES, 0);
    stint_ctf_packet_begin(&writer->told, STINT_CTF_DEFINITIONS, 0);
    if (stint_ctf_packet_grow(&writer->notes, &writer->arena, ROOM) == 0 &&
        stint_ctf_packet_grow(&writer->gpu, &writer->arena, ROOM) == 0 &&
        stint_ctf_packet_grow(&writer->sampled, &writer->arena, ROOM) == 0)
        return 0;
    (void)snprintf(s_reason, sizeof s_reason, "there is not enough memory");
    return -1;
}

static int define_ring(struct writer *writer)
{
    const struct stint_ctf_limits *limits = &writer->limits;
    struct stint_ctf_ring ring = {limits->ring_bytes ? limits->ring_bytes : UINT64_MAX};
    int is_ring = stint_ctf_limits_is_ring(limits) || stint_ctf_limits_has_pieces(limits);
    return is_ring ? define(writer, STINT_CTF_RING, &ring) : 0;
}

static int begin(struct writer *writer, const struct stint_event_process *process)
{
    struct stint_ctf_process row = {process->pid, process->start_unix_ns, process->command, process->host};
    make_uuid(writer->uuid, process);
    return stint_ctf_limits_read(&writer->limits, s_reason, sizeof s_reason) || make_folder(writer) ||
                   write_metadata(writer, process) || make_packets(writer) || define(writer, STINT_CTF_PROCESS, &row) ||
                   define_ring(writer) || flush_definitions(writer)
               ? -1
               : 0;
}

static void set_path(struct writer *writer, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    (void)snprintf(writer->path, sizeof writer->path, "%.*s", (int)length, path);
}

struct stint_event_writer *stint_ctf_writer_open(const char *path, const struct stint_event_process *process,
                                                 char *reason, size_t size)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    writer->writer = (struct stint_event_writer){.context = add_context,
                                                 .event = add_event,
                                                 .scopes = add_scopes,
                                                 .thread = name_thread,
                                                 .sampling = set_sampling,
                                                 .module = add_module,
                                                 .chain = add_chain,
                                                 .clock = add_clock,
                                                 .flush = flush,
                                                 .checkpoint = checkpoint,
                                                 .dump = dump,
                                                 .finish = finish,
                                                 .dumped = s_dumped,
                                                 .reason = s_reason};
    strcpy(writer->definitions.name, stint_ctf_stream_names[STINT_CTF_DEFINITIONS]);
    strcpy(writer->devices.name, stint_ctf_stream_names[STINT_CTF_DEVICES]);
    strcpy(writer->samples.name, stint_ctf_stream_names[STINT_CTF_SAMPLES]);
    writer->pid = process->pid;
    set_path(writer, path);
    if (begin(writer, process) == 0)
        return &writer->writer;
    (void)snprintf(reason, size, "%s", s_reason);
    stint_ctf_folder_end(writer->path);
    stint_arena_free(&writer->arena);
    free(writer);
    return NULL;
}
