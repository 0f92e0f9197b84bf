/* Merges the events of all packets by time, with a heap of packets that are due. A packet is read when its turn comes,
 * and forgotten, to be read again, if too many are open. */
#include "ctf/ctf.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctf_writer/ctf_writer.h"

#define NAMELESS "(its name is lost)"

/* Of rows that are kept. A packet of a thread takes 32 KB, and one of devices at most 100 KB. */
enum { MOST_BYTES = 32 << 20 };

static struct stint_ctf_part *part_at(const struct stint_ctf_events *events, size_t position)
{
    return (struct stint_ctf_part *)events->parts.items + position;
}

/* ------------------------------------------------------------------------------------------------------------- heap */

/* Of equal events of a stream, the one that was written last contains the others. */
static int is_before(const struct stint_ctf_events *events, const struct stint_ctf_turn *a,
                     const struct stint_ctf_turn *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end > b->end;
    const struct stint_ctf_part *of_a = part_at(events, a->part), *of_b = part_at(events, b->part);
    return of_a->file != of_b->file ? of_a->file < of_b->file : of_a->at > of_b->at;
}

static void sift_down(const struct stint_ctf_events *events, size_t position)
{
    struct stint_ctf_turn *turns = events->turns, moved = turns[position];
    for (size_t child; (child = 2 * position + 1) < events->left; position = child) {
        child += child + 1 < events->left && is_before(events, &turns[child + 1], &turns[child]);
        if (!is_before(events, &turns[child], &moved))
            break;
        turns[position] = turns[child];
    }
    turns[position] = moved;
}

static void forget_rows(struct stint_ctf_events *events, struct stint_ctf_part *part)
{
    if (part->rows)
        events->bytes -= part->rows->bytes;
    stint_ctf_rows_free(part->rows);
    part->rows = NULL;
}

/* Frees the rows of the packet that is needed last; they can be read again. */
static void make_room(struct stint_ctf_events *events)
{
    const struct stint_ctf_turn *last = NULL;
    for (const struct stint_ctf_turn *turn = events->turns + 1; turn < events->turns + events->left; turn++)
        if (part_at(events, turn->part)->rows && (!last || is_before(events, last, turn)))
            last = turn;
    if (last)
        forget_rows(events, part_at(events, last->part));
}

/* ------------------------------------------------------------------------------------------------------------- read */

static int fail(struct stint_ctf_events *events, const char *why)
{
    (void)snprintf(events->source.reason, sizeof events->source.reason, "%s", why);
    return -1;
}

/* Files are opened each time, because there may be more of them than a program may have open. */
static int read_bytes(struct stint_ctf_events *events, const struct stint_ctf_part *part)
{
    const struct stint_ctf_input *input = (const struct stint_ctf_input *)events->scan->files.items + part->file;
    uint64_t all;
    int file = stint_ctf_input_open(input, &all);
    if (file < 0)
        return -1;
    int failed = stint_ctf_input_read(file, part->at, events->buffer.bytes, part->size);
    (void)close(file);
    return failed;
}

/* The packet was sound when the recording was opened. */
static int read_part(struct stint_ctf_events *events, struct stint_ctf_part *part)
{
    struct stint_ctf_head head;
    struct stint_ctf_reader reader;
    events->buffer.used = 0;
    if (stint_ctf_packet_grow(&events->buffer, &events->arena, part->size))
        return fail(events, "there is not enough memory");
    unsigned char *bytes = events->buffer.bytes;
    if (read_bytes(events, part) || stint_ctf_read_head(bytes, events->scan->uuid, &head) ||
        stint_ctf_content_size(&head) != part->size || stint_ctf_reader_begin(&reader, bytes, &head))
        return fail(events, "the recording has changed while it was read");
    part->rows = stint_ctf_rows_read(&head, &reader);
    if (!part->rows)
        return fail(events, "there is not enough memory");
    events->bytes += part->rows->bytes;
    if (events->bytes > MOST_BYTES)
        make_room(events);
    return 0;
}

static struct stint_ctf_part *first_part(const struct stint_ctf_events *events)
{
    return part_at(events, events->turns[0].part);
}

/* Puts the heap's first part, which has told something or was just read, to its place. */
static void settle(struct stint_ctf_events *events)
{
    struct stint_ctf_part *part = first_part(events);
    if (part->done < part->rows->count) {
        events->turns[0].start = part->rows->all[part->done].start;
        events->turns[0].end = part->rows->all[part->done].end;
    } else {
        forget_rows(events, part);
        events->turns[0] = events->turns[--events->left];
    }
    if (events->left)
        sift_down(events, 0);
}

/* ----------------------------------------------------------------------------------------------------------- events */

static size_t context_of(const struct stint_ctf_events *events, uint32_t path)
{
    const struct stint_ctf_known *known = stint_ctf_known(events->definitions, path);
    return !path ? STINT_GPU_NO_SCOPE : known ? known->context : STINT_GPU_UNATTRIBUTED;
}

/* Returns the text of an operation; NULL if its data is lost. */
static const char *text_of(struct stint_ctf_events *events, const char *name,
                           const struct stint_ctf_annotated *operation)
{
    struct stint_instance instance = {.has_seq = operation->seq >= 0,
                                      .seq = (uint64_t)operation->seq,
                                      .op_id = operation->op_id,
                                      .data = stint_ctf_data(events->definitions, operation->data)};
    int is_there = instance.data && stint_instance_join(events->text, sizeof events->text, name, &instance);
    return is_there ? events->text : NULL;
}

static void tell_activation(struct stint_ctf_events *events, const struct stint_ctf_part *part,
                            const struct stint_ctf_row *row, struct stint_event *event)
{
    static const enum stint_event_kind kinds[] = {[STINT_CTF_SCOPE] = STINT_EVENT_SCOPE,
                                                  [STINT_CTF_SCOPE_AT] = STINT_EVENT_SCOPE,
                                                  [STINT_CTF_RANGE] = STINT_EVENT_RANGE,
                                                  [STINT_CTF_MARK] = STINT_EVENT_MARK};
    int is_annotated = row->id == STINT_CTF_ANNOTATED || row->id == STINT_CTF_STYLED || row->id == STINT_CTF_OPERATION;
    const struct stint_ctf_annotated *annotated =
        is_annotated ? (const struct stint_ctf_annotated *)part->rows->annotated.items + row->value : NULL;
    const struct stint_ctf_known *known =
        stint_ctf_known(events->definitions, annotated ? annotated->path : row->value);
    int is_named = known && known->name;
    *event = (struct stint_event){.kind = annotated ? annotated->kind : kinds[row->id],
                                  .start_ns = row->start,
                                  .end_ns = row->end,
                                  .pid = events->definitions->process.pid,
                                  .tid = part->rows->tid,
                                  .context = is_named ? known->context : STINT_GPU_UNATTRIBUTED,
                                  .name = is_named ? known->name : NAMELESS,
                                  .set = is_named ? known->set : "GlobalStatInfo",
                                  .text = annotated ? annotated->text : NULL,
                                  .color = annotated ? annotated->color : 0,
                                  .category = annotated ? annotated->category : 0};
    if (annotated && annotated->is_operation)
        event->text = text_of(events, event->name, annotated);
}

static void tell_value(const struct stint_ctf_events *events, const struct stint_ctf_part *part,
                       const struct stint_ctf_row *row, struct stint_event *event)
{
    const struct stint_ctf_value *value = (const struct stint_ctf_value *)part->rows->values.items + row->value;
    const struct stint_ctf_counter *counter = stint_ctf_counter(events->definitions, value->counter);
    *event = (struct stint_event){.kind = STINT_EVENT_VALUE,
                                  .start_ns = row->start,
                                  .end_ns = row->end,
                                  .pid = events->definitions->process.pid,
                                  .tid = part->rows->tid,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = counter ? counter->name : NAMELESS,
                                  .set = counter ? counter->set : "GlobalStatInfo",
                                  .field = counter ? counter->field : "",
                                  .value = value->value};
}

static void tell_sample(const struct stint_ctf_events *events, const struct stint_ctf_part *part,
                        const struct stint_ctf_row *row, struct stint_event *event)
{
    const struct stint_ctf_sample *sample = (const struct stint_ctf_sample *)part->rows->samples.items + row->value;
    const struct stint_ctf_chain *chain = stint_ctf_chain(events->definitions, sample->chain);
    *event = (struct stint_event){.kind = STINT_EVENT_SAMPLE,
                                  .start_ns = row->start,
                                  .end_ns = row->end,
                                  .pid = events->definitions->process.pid,
                                  .tid = sample->tid,
                                  .context = context_of(events, sample->path),
                                  .name = "",
                                  .set = "",
                                  .sample = {chain ? chain->stack : STINT_SAMPLE_NO_STACK, sample->time_ns}};
}

static void tell_memory(const struct stint_ctf_events *events, const struct stint_ctf_gpu *gpu,
                        const struct stint_ctf_row *row, struct stint_event *event)
{
    *event = (struct stint_event){.kind = STINT_EVENT_MEMORY,
                                  .start_ns = row->start,
                                  .end_ns = row->end,
                                  .pid = events->definitions->process.pid,
                                  .tid = gpu->event.tid,
                                  .context = context_of(events, gpu->path),
                                  .name = "",
                                  .set = "",
                                  .memory = &gpu->memory};
}

static void tell_gpu(struct stint_ctf_events *events, const struct stint_ctf_gpu *gpu, const struct stint_ctf_row *row,
                     struct stint_event *event)
{
    events->gpu = gpu->event;
    events->gpu.name = stint_ctf_text(events->definitions, gpu->name);
    events->gpu.start_ns = row->start;
    events->gpu.end_ns = row->end;
    events->gpu.context = context_of(events, gpu->path);
    *event = (struct stint_event){.kind = gpu->event.api ? STINT_EVENT_CALL : STINT_EVENT_DEVICE,
                                  .start_ns = row->start,
                                  .end_ns = row->end,
                                  .pid = events->definitions->process.pid,
                                  .tid = gpu->event.tid,
                                  .context = events->gpu.context,
                                  .name = events->gpu.name,
                                  .set = "",
                                  .gpu = &events->gpu};
}

/* In a file that somebody has made up, a packet may have earlier events than its head says. */
static void keep_order(struct stint_ctf_events *events, struct stint_ctf_row *row)
{
    if (row->start < events->last_start)
        row->start = events->last_start;
    if (row->end < row->start)
        row->end = row->start;
    events->last_start = row->start;
}

static int next_event(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_ctf_events *events = (struct stint_ctf_events *)source;
    if (events->has_told)
        settle(events);
    for (events->has_told = 0; events->left && !first_part(events)->rows; settle(events))
        if (read_part(events, first_part(events)))
            return -1;
    if (!events->left)
        return 0;
    struct stint_ctf_part *part = first_part(events);
    struct stint_ctf_row *row = &part->rows->all[part->done++];
    keep_order(events, row);
    if (row->id == STINT_CTF_ALLOCATION)
        tell_memory(events, &part->rows->gpu[row->value], row, event);
    else if (part->rows->gpu)
        tell_gpu(events, &part->rows->gpu[row->value], row, event);
    else if (row->id == STINT_CTF_SAMPLE)
        tell_sample(events, part, row, event);
    else if (row->id == STINT_CTF_VALUE)
        tell_value(events, part, row, event);
    else
        tell_activation(events, part, row, event);
    events->has_told = 1;
    return 1;
}

static void forget_all(struct stint_ctf_events *events)
{
    for (size_t i = 0; i < events->parts.count; i++)
        forget_rows(events, part_at(events, i));
}

/* A packet whose last event ended before the wanted time, or whose first one began after it, need not be read. */
static int is_wanted(const struct stint_event_source *source, const struct stint_ctf_part *part)
{
    return !source->to_ns || (part->first_start <= source->to_ns && part->end_ns >= source->from_ns);
}

static int begin_events(struct stint_event_source *source)
{
    struct stint_ctf_events *events = (struct stint_ctf_events *)source;
    forget_all(events);
    events->has_told = 0;
    events->last_start = 0;
    events->left = 0;
    free(events->turns);
    events->turns = calloc(events->parts.count + 1, sizeof *events->turns);
    if (!events->turns)
        return fail(events, "there is not enough memory");
    for (size_t i = 0; i < events->parts.count; i++) {
        struct stint_ctf_part *part = part_at(events, i);
        part->done = 0;
        if (is_wanted(source, part))
            events->turns[events->left++] = (struct stint_ctf_turn){part->first_start, UINT64_MAX, i};
    }
    for (size_t i = events->left / 2; i-- > 0;)
        sift_down(events, i);
    return 0;
}

void stint_ctf_events_begin(struct stint_ctf_events *events, const struct stint_ctf_scan *scan,
                            const struct stint_ctf_definitions *definitions)
{
    *events = (struct stint_ctf_events){
        .source = {.begin = begin_events, .next = next_event}, .scan = scan, .definitions = definitions};
}

int stint_ctf_events_add(struct stint_ctf_events *events, uint32_t file, uint64_t at, const struct stint_ctf_head *head)
{
    struct stint_ctf_part *part = stint_array_add(&events->parts, &events->arena, sizeof *part);
    if (!part)
        return -1;
    *part = (struct stint_ctf_part){.at = at,
                                    .first_start = head->first_start,
                                    .end_ns = head->end_ns,
                                    .size = (uint32_t)stint_ctf_content_size(head),
                                    .file = file};
    return 0;
}

void stint_ctf_events_free(struct stint_ctf_events *events)
{
    forget_all(events);
    free(events->turns);
    stint_arena_free(&events->arena);
}
