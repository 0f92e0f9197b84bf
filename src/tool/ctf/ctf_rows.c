/* Reads one packet into rows, and sorts them by start. Scopes are written when they end, so their order is found in one
 * pass, without comparing all with all. */
#include "ctf/ctf.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------------------- reading */

static int read_scope(struct stint_ctf_reader *reader, struct stint_ctf_row *row)
{
    enum { SIZE = 8 };
    if (reader->end - reader->at < SIZE)
        return -1;
    uint32_t duration = stint_ctf_get_u32(reader->at + 4);
    row->value = stint_ctf_get_u32(reader->at);
    row->end = reader->time;
    row->start = duration <= reader->time ? reader->time - duration : 0;
    reader->at += SIZE;
    return 0;
}

static enum stint_event_kind kind_of(int kind)
{
    return kind <= STINT_EVENT_MARK ? (enum stint_event_kind)kind : STINT_EVENT_SCOPE;
}

/* Returns 0, or -1 without memory. */
static int keep_annotated(struct stint_ctf_rows *rows, struct stint_ctf_row *row,
                          const struct stint_ctf_activation *activation)
{
    struct stint_ctf_annotated *kept = stint_array_add(&rows->annotated, &rows->arena, sizeof *kept);
    size_t length = strlen(activation->text);
    if (!kept)
        return -1;
    *kept =
        (struct stint_ctf_annotated){.path = activation->path,
                                     .kind = kind_of(activation->kind),
                                     .text = length ? stint_arena_copy(&rows->arena, activation->text, length) : NULL,
                                     .color = activation->color,
                                     .category = activation->category};
    row->value = (uint32_t)rows->annotated.count - 1;
    return kept->text || !length ? 0 : -1;
}

static int read_operation(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, struct stint_ctf_row *row)
{
    struct stint_ctf_operation operation;
    struct stint_ctf_annotated *kept = stint_array_add(&rows->annotated, &rows->arena, sizeof *kept);
    if (!kept || stint_ctf_read_fields(reader, STINT_CTF_OPERATION, &operation))
        return -1;
    *kept = (struct stint_ctf_annotated){.path = operation.path,
                                         .kind = kind_of(operation.kind),
                                         .is_operation = 1,
                                         .seq = operation.seq,
                                         .op_id = operation.op_id,
                                         .data = operation.data};
    row->value = (uint32_t)rows->annotated.count - 1;
    row->start = operation.start;
    row->end = operation.end;
    return 0;
}

static int read_at(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, struct stint_ctf_row *row)
{
    struct stint_ctf_activation activation = {0};
    int is_annotated = row->id == STINT_CTF_ANNOTATED || row->id == STINT_CTF_STYLED;
    if (stint_ctf_read_fields(reader, (enum stint_ctf_id)row->id, &activation))
        return -1;
    row->value = activation.path;
    if (is_annotated && keep_annotated(rows, row, &activation))
        return -1;
    row->start = activation.start;
    row->end = activation.end;
    return 0;
}

static int read_value(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, struct stint_ctf_row *row)
{
    struct stint_ctf_value *value = stint_array_add(&rows->values, &rows->arena, sizeof *value);
    if (!value || stint_ctf_read_fields(reader, STINT_CTF_VALUE, value))
        return -1;
    row->value = (uint32_t)rows->values.count - 1;
    row->start = row->end = value->start;
    return 0;
}

static int read_sample(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, struct stint_ctf_row *row)
{
    struct stint_ctf_sample *sample = stint_array_add(&rows->samples, &rows->arena, sizeof *sample);
    if (!sample || stint_ctf_read_fields(reader, STINT_CTF_SAMPLE, sample))
        return -1;
    row->value = (uint32_t)rows->samples.count - 1;
    row->start = row->end = sample->start;
    return 0;
}

/* Numbers that are none of an enum's become those that stand for unknown. */
static void check(struct stint_ctf_gpu *gpu)
{
    struct stint_gpu_event *event = &gpu->event;
    if (event->kind > STINT_GPU_OVERHEAD)
        event->kind = STINT_GPU_OVERHEAD;
    if (event->direction > STINT_GPU_PTOP)
        event->direction = STINT_GPU_DIRECTION_UNKNOWN;
    if (event->wait > STINT_GPU_WAIT_CONTEXT)
        event->wait = STINT_GPU_WAIT_UNKNOWN;
    if (event->source > STINT_GPU_MEMORY_MANAGED_STATIC)
        event->source = STINT_GPU_MEMORY_UNKNOWN;
    if (event->destination > STINT_GPU_MEMORY_MANAGED_STATIC)
        event->destination = STINT_GPU_MEMORY_UNKNOWN;
    event->peer = event->peer != 0;
    if (gpu->memory.kind > STINT_GPU_MEMORY_MANAGED_STATIC)
        gpu->memory.kind = STINT_GPU_MEMORY_UNKNOWN;
    gpu->memory.pool = gpu->memory.pool != 0;
    gpu->memory.freed = gpu->memory.freed != 0;
}

static int read_gpu(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, struct stint_ctf_row *row)
{
    struct stint_ctf_gpu *gpu = &rows->gpu[rows->count];
    *gpu = (struct stint_ctf_gpu){.event = {.api = row->id == STINT_CTF_CALL, .instance = STINT_GPU_NO_INSTANCE}};
    if (stint_ctf_read_fields(reader, (enum stint_ctf_id)row->id, gpu))
        return -1;
    check(gpu);
    row->value = (uint32_t)rows->count;
    row->start = gpu->event.start_ns;
    row->end = gpu->event.end_ns;
    return 0;
}

/* Returns 0, or -1 if there are no more events. An event that ends before it begins has no duration. */
static int read_row(struct stint_ctf_reader *reader, struct stint_ctf_rows *rows, enum stint_ctf_stream stream)
{
    struct stint_ctf_row *row = &rows->all[rows->count];
    int id = stint_ctf_read_id(reader);
    if (id < 0 || stint_ctf_event_table[id].stream != stream)
        return -1;
    row->id = (uint32_t)id;
    if (id == STINT_CTF_SCOPE       ? read_scope(reader, row)
        : rows->gpu                 ? read_gpu(reader, rows, row)
        : id == STINT_CTF_SAMPLE    ? read_sample(reader, rows, row)
        : id == STINT_CTF_VALUE     ? read_value(reader, rows, row)
        : id == STINT_CTF_OPERATION ? read_operation(reader, rows, row)
                                    : read_at(reader, rows, row))
        return -1;
    if (row->end < row->start)
        row->end = row->start;
    rows->count++;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ order */

/* Sorts by start; of events that start together, the longer one, which contains the others, comes first. */
static int is_before(const struct stint_ctf_row *a, const struct stint_ctf_row *b)
{
    return a->start != b->start ? a->start < b->start : a->end > b->end;
}

static int compare(const void *a, const void *b)
{
    return is_before(b, a) - is_before(a, b);
}

/* Scopes come in the order of their ends, so each comes behind those within it. Put in front of these, all are in the
 * order of their starts. A scope with those within it is a list; lists that no scope encloses yet are on a stack. */
struct lists {
    uint32_t *next;  /* of each row in its list */
    uint32_t *first; /* of each list */
    uint32_t *last;
    size_t count;
};

static void push(struct lists *lists, const struct stint_ctf_row *rows, uint32_t row)
{
    uint32_t last = row;
    size_t kept = lists->count;
    while (kept && rows[lists->first[kept - 1]].start >= rows[row].start)
        kept--;
    for (size_t i = kept; i < lists->count; i++) {
        lists->next[last] = lists->first[i];
        last = lists->last[i];
    }
    lists->first[kept] = row;
    lists->last[kept] = last;
    lists->count = kept + 1;
}

/* Copies the rows in their order. Returns whether they are sorted, as those of scopes are. */
static int unroll(const struct lists *lists, const struct stint_ctf_row *from, struct stint_ctf_row *to)
{
    size_t count = 0;
    int sorted = 1;
    for (size_t i = 0; i < lists->count; i++) {
        for (uint32_t row = lists->first[i];; row = lists->next[row]) {
            to[count] = from[row];
            sorted &= !count || !is_before(&to[count], &to[count - 1]);
            count++;
            if (row == lists->last[i])
                break;
        }
    }
    return sorted;
}

/* Returns 0, or -1 without memory. */
static int sort(struct stint_ctf_rows *rows)
{
    struct stint_ctf_row *sorted = malloc((rows->count + 1) * sizeof *sorted);
    uint32_t *numbers = malloc((3 * rows->count + 1) * sizeof *numbers);
    if (sorted && numbers) {
        struct lists lists = {numbers, numbers + rows->count, numbers + 2 * rows->count, 0};
        for (uint32_t i = 0; i < rows->count; i++)
            push(&lists, rows->all, i);
        if (!unroll(&lists, rows->all, sorted))
            qsort(sorted, rows->count, sizeof *sorted, compare);
    }
    free(numbers);
    if (!sorted || !numbers) {
        free(sorted);
        return -1;
    }
    free(rows->all);
    rows->all = sorted;
    return 0;
}

static struct stint_ctf_rows *make_rows(const struct stint_ctf_head *head, size_t most)
{
    int is_gpu = head->stream == STINT_CTF_DEVICES;
    struct stint_ctf_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->all = malloc((most + 1) * sizeof *rows->all);
    rows->gpu = is_gpu ? malloc((most + 1) * sizeof *rows->gpu) : NULL;
    rows->bytes = (most + 1) * (sizeof *rows->all + (is_gpu ? sizeof *rows->gpu : 0));
    rows->tid = head->tid;
    if (rows->all && (!is_gpu || rows->gpu))
        return rows;
    stint_ctf_rows_free(rows);
    return NULL;
}

struct stint_ctf_rows *stint_ctf_rows_read(const struct stint_ctf_head *head, struct stint_ctf_reader *reader)
{
    size_t most = head->events, fit = (size_t)(reader->end - reader->at) / 4; /* an event has 4 bytes at least */
    if (most > fit)
        most = fit;
    struct stint_ctf_rows *rows = make_rows(head, most);
    while (rows && rows->count < most && read_row(reader, rows, (enum stint_ctf_stream)head->stream) == 0)
        continue;
    if (rows && sort(rows)) {
        stint_ctf_rows_free(rows);
        return NULL;
    }
    if (rows)
        rows->bytes += rows->arena.mapped;
    return rows;
}

void stint_ctf_rows_free(struct stint_ctf_rows *rows)
{
    if (!rows)
        return;
    free(rows->all);
    free(rows->gpu);
    stint_arena_free(&rows->arena);
    free(rows);
}
