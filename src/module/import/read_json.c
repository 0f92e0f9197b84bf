#include "import/read_json.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "import/read_sections.h"

enum { VERSION = 1, MOST_PARTICIPANTS = 65535 };

/* ------------------------------------------------------------------------------------------------------ rows by place */

void stint_import_note(struct stint_import *import, struct stint_array *rows, size_t position)
{
    size_t *row = stint_array_add(rows, &import->reader->arena, sizeof *row);
    if (row)
        *row = position;
    else
        stint_reader_fail_memory(import->reader);
}

size_t stint_import_row(struct stint_import *import, const struct stint_array *rows, size_t index, const char *what)
{
    if (index < rows->count)
        return ((const size_t *)rows->items)[index];
    stint_reader_fail(import->reader, import->reader->at, "there is no such %s", what);
    return 0;
}

/* Has `read` read each row of the array at `place`. */
struct rows {
    struct stint_import *import;
    void (*read)(struct stint_import *import);
};

static void read_each(struct stint_reader *reader, void *context)
{
    const struct rows *rows = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list))
        rows->read(rows->import);
}

static void read_rows(struct stint_import *import, const char *place, void (*read)(struct stint_import *import))
{
    struct rows rows = {import, read};
    stint_reader_visit(import->reader, place, read_each, &rows);
}

/* ------------------------------------------------------------------------------------------------------------ process */

static void read_process(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct stint_process, "pid", I64, pid),
        STINT_FIELD(struct stint_process, "command", TEXT, command),
        STINT_FIELD(struct stint_process, "host", TEXT, host),
        STINT_FIELD(struct stint_process, "start_unix_ns", U64, start_unix_ns),
        STINT_FIELD(struct stint_process, "wall_ns", U64, wall_ns),
    };
    STINT_READER_ROW(reader, fields, context);
}

static void read_clock(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct stint_process, "name", TEXT, clock),
        STINT_FIELD(struct stint_process, "hz", NUMBER, clock_hz),
        STINT_FIELD(struct stint_process, "read_ns", NUMBER, clock_read_ns),
    };
    STINT_READER_ROW(reader, fields, context);
}

static void read_overhead(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {STINT_FIELD(struct stint_process, "scope_ns", NUMBER, scope_ns)};
    STINT_READER_ROW(reader, fields, context);
}

#define LOSS(name) STINT_FIELD(struct stint_dropped, #name, U64, name)

static void read_dropped(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        LOSS(nodes),        LOSS(names),          LOSS(sets),         LOSS(threads),      LOSS(memory),
        LOSS(reentrant),    LOSS(truncated),      LOSS(unnamed),      LOSS(changed),      LOSS(mismatched),
        LOSS(abandoned),    LOSS(negative),       LOSS(barriers),     LOSS(gpu_records),  LOSS(gpu_invalid),
        LOSS(gpu_unknown),  LOSS(gpu_activities), LOSS(gpu_events),   LOSS(gpu_spans),    LOSS(nvtx_events),
        LOSS(nvtx_unknown), LOSS(nvtx_domains),   LOSS(nvtx_strings), LOSS(nvtx_schemas), LOSS(nvtx_counters),
        LOSS(nvtx_values),  LOSS(nvtx_names),     LOSS(nvtx_depth),   LOSS(nvtx_ranges),  LOSS(events),
    };
    STINT_READER_ROW(reader, fields, context);
}

/* --------------------------------------------------------------------------------------------------- sets and threads */

static void read_set(struct stint_import *import)
{
    (void)stint_builder_set(&import->builder, stint_reader_text(import->reader));
}

struct thread_row {
    struct stint_thread thread;
    const char *name;
};

/* A name that was no UTF-8 has grown: what does not fit is cut between characters. */
static void copy_name(char *to, size_t size, const char *name)
{
    size_t used = stint_utf8_cut(name, size - 1);
    memcpy(to, name, used);
    to[used] = '\0';
}

static void read_thread(struct stint_import *import)
{
    static const struct stint_field fields[] = {
        STINT_FIELD(struct thread_row, "pid", I64, thread.pid),
        STINT_FIELD(struct thread_row, "tid", I64, thread.tid),
        STINT_FIELD(struct thread_row, "name", TEXT, name),
        STINT_FIELD(struct thread_row, "exited", SWITCH, thread.exited),
    };
    struct thread_row row = {.name = ""};
    STINT_READER_ROW(import->reader, fields, &row);
    copy_name(row.thread.name, sizeof row.thread.name, row.name);
    stint_import_note(import, &import->threads, stint_builder_thread(&import->builder, &row.thread));
}

/* ------------------------------------------------------------------------------------------------------------ numbers */

static struct stint_bin read_bin(struct stint_reader *reader)
{
    uint64_t values[2] = {0, 0};
    size_t count = 0;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    for (; stint_reader_next(reader, &list); count++) {
        uint64_t value = stint_reader_u64(reader);
        if (count < 2)
            values[count] = value;
    }
    if (count != 2)
        stint_reader_fail(reader, reader->at, "a bin is two numbers");
    return (struct stint_bin){values[0], values[1]};
}

static void read_bins(struct stint_reader *reader, void *context)
{
    struct stint_numbers *numbers = context;
    struct stint_array bins = {0};
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        const struct stint_bin *all = bins.items;
        struct stint_bin bin = read_bin(reader);
        if (bins.count && all[bins.count - 1].ns >= bin.ns)
            stint_reader_fail(reader, reader->at, "bins have to rise");
        struct stint_bin *row = stint_array_add(&bins, &reader->arena, sizeof *row);
        if (row)
            *row = bin;
        else
            stint_reader_fail_memory(reader);
    }
    numbers->bins = bins.items;
    numbers->bin_count = bins.count;
}

void stint_import_complete(struct stint_import *import, struct stint_numbers *numbers, const char *bins,
                           double stddev_ns)
{
    if (numbers->recursive > numbers->count)
        stint_reader_fail(import->reader, import->reader->at, "\"recursive\" exceeds \"count\"");
    if (numbers->square_ns2 < 0 || isnan(numbers->square_ns2)) {
        double n = (double)(numbers->count - numbers->recursive);
        double mean = n > 0 ? (double)numbers->total_ns / n : 0;
        numbers->square_ns2 = isnan(stddev_ns) ? 0 : n * (mean * mean + stddev_ns * stddev_ns);
    }
    stint_reader_visit(import->reader, bins, read_bins, numbers);
}

/* --------------------------------------------------------------------------------------------------------- statistics */

struct part_row {
    size_t thread;
    struct stint_numbers numbers;
};

struct parts {
    struct stint_import *import;
    size_t stat;
};

static void read_parts(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct part_row, "thread", INDEX, thread),
        STINT_IMPORT_NUMBERS(struct part_row, numbers),
    };
    const struct parts *parts = context;
    struct stint_import *import = parts->import;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct part_row row = {.numbers.square_ns2 = -1};
        STINT_READER_ROW(reader, fields, &row);
        stint_import_complete(import, &row.numbers, NULL, NAN);
        size_t thread = stint_import_row(import, &import->threads, row.thread, "thread");
        if (!reader->status)
            stint_builder_thread_stat(&import->builder, thread, parts->stat, &row.numbers);
    }
}

struct stat_row {
    struct stint_stat stat;
    double stddev_ns;
    const char *bins, *threads;
};

static void read_stat(struct stint_import *import)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct stat_row, "set", TEXT, stat.set),
        STINT_FIELD_NEEDED(struct stat_row, "name", TEXT, stat.name),
        STINT_FIELD(struct stat_row, "file", TEXT, stat.file),
        STINT_FIELD(struct stat_row, "line", U32, stat.line),
        STINT_FIELD(struct stat_row, "function", TEXT, stat.function),
        STINT_FIELD(struct stat_row, "by_thread", SWITCH, stat.by_thread),
        STINT_IMPORT_NUMBERS(struct stat_row, stat.numbers),
        STINT_FIELD(struct stat_row, "stddev_ns", NUMBER, stddev_ns),
        STINT_FIELD(struct stat_row, "bins", PLACE, bins),
        STINT_FIELD(struct stat_row, "threads", PLACE, threads),
    };
    struct stat_row row = {.stat = {.file = "", .function = "", .numbers.square_ns2 = -1}, .stddev_ns = NAN};
    STINT_READER_ROW(import->reader, fields, &row);
    stint_import_complete(import, &row.stat.numbers, row.bins, row.stddev_ns);
    if (import->reader->status)
        return;
    struct parts parts = {import, stint_builder_stat(&import->builder, &row.stat)};
    stint_builder_add_stat(&import->builder, parts.stat, &row.stat.numbers);
    stint_import_note(import, &import->stats, parts.stat);
    stint_reader_visit(import->reader, row.threads, read_parts, &parts);
}

struct context_row {
    size_t stat, parent;
    struct stint_numbers numbers;
    const char *bins;
};

static void read_context(struct stint_import *import)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct context_row, "stat", INDEX, stat),
        STINT_FIELD_NEEDED(struct context_row, "parent", INDEX, parent),
        STINT_IMPORT_NUMBERS(struct context_row, numbers),
        STINT_FIELD(struct context_row, "bins", PLACE, bins),
    };
    struct context_row row = {.numbers.square_ns2 = -1};
    STINT_READER_ROW(import->reader, fields, &row);
    stint_import_complete(import, &row.numbers, row.bins, NAN);
    size_t stat = stint_import_row(import, &import->stats, row.stat, "statistic");
    if (row.parent != STINT_NO_PARENT) /* of those so far: parents come first */
        row.parent = stint_import_row(import, &import->contexts, row.parent, "calling context before this one");
    if (import->reader->status)
        return;
    size_t context = stint_builder_context(&import->builder, row.parent, stat);
    stint_builder_add_context(&import->builder, context, &row.numbers);
    stint_import_note(import, &import->contexts, context);
}

/* ----------------------------------------------------------------------------------------------------------- barriers */

#define PART_FIELDS                                                                                                    \
    STINT_FIELD(struct stint_barrier_part, "rounds", U64, rounds),                                                     \
        STINT_FIELD(struct stint_barrier_part, "gap_ns", U64, gap_ns),                                                 \
        STINT_FIELD(struct stint_barrier_part, "min_gap_ns", U64, min_gap_ns),                                         \
        STINT_FIELD(struct stint_barrier_part, "max_gap_ns", U64, max_gap_ns),                                         \
        STINT_FIELD(struct stint_barrier_part, "second_gap_ns", U64, second_gap_ns),                                   \
        STINT_FIELD(struct stint_barrier_part, "last_two_gap_ns", U64, last_two_gap_ns),                               \
        STINT_FIELD(struct stint_barrier_part, "middle_gap_ns", U64, middle_gap_ns)

static void read_total(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {PART_FIELDS};
    STINT_READER_ROW(reader, fields, context);
}

static void read_slowest(struct stint_reader *reader, void *context)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct stint_barrier_part, "participant", U32, participant),
        PART_FIELDS,
    };
    struct stint_array *parts = context;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        struct stint_barrier_part *part = stint_array_add(parts, &reader->arena, sizeof *part);
        if (part)
            STINT_READER_ROW(reader, fields, part);
        else
            stint_reader_fail_memory(reader);
    }
}

struct barrier_row {
    struct stint_barrier_stat barrier;
    const char *kind, *total, *slowest;
};

static void read_barrier(struct stint_import *import)
{
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct barrier_row, "set", TEXT, barrier.set),
        STINT_FIELD_NEEDED(struct barrier_row, "name", TEXT, barrier.name),
        STINT_FIELD_NEEDED(struct barrier_row, "kind", TEXT, kind),
        STINT_FIELD_NEEDED(struct barrier_row, "participants", U32, barrier.participants),
        STINT_FIELD(struct barrier_row, "pending", U32, barrier.pending),
        STINT_FIELD(struct barrier_row, "rounds", U64, barrier.rounds),
        STINT_FIELD(struct barrier_row, "total", PLACE, total),
        STINT_FIELD(struct barrier_row, "slowest", PLACE, slowest),
    };
    struct stint_reader *reader = import->reader;
    struct barrier_row row = {.kind = ""};
    struct stint_array slowest = {0};
    STINT_READER_ROW(reader, fields, &row);
    if (row.barrier.participants > MOST_PARTICIPANTS)
        stint_reader_fail(reader, reader->at, "a barrier has more than %d participants", MOST_PARTICIPANTS);
    if (strcmp(row.kind, "end") != 0 && strcmp(row.kind, "delta") != 0)
        stint_reader_fail(reader, reader->at, "there is no such kind of barrier");
    row.barrier.kind = strcmp(row.kind, "end") == 0 ? STINT_BARRIER_END : STINT_BARRIER_DELTA;
    stint_reader_visit(reader, row.total, read_total, &row.barrier.total);
    stint_reader_visit(reader, row.slowest, read_slowest, &slowest);
    row.barrier.slowest = slowest.items;
    row.barrier.slowest_count = slowest.count;
    if (!reader->status)
        stint_builder_barrier(&import->builder, &row.barrier);
}

/* -------------------------------------------------------------------------------------------------------------- whole */

static void read_format(struct stint_reader *reader, void *context)
{
    (void)context;
    if (strcmp(stint_reader_text(reader), "stint-report") != 0)
        stint_reader_fail(reader, reader->at, "this is no report of stint");
}

/* Passes over the whole text, so that it is valid before anything is made of it, and keys may stand in any order. */
static void find_places(struct stint_reader *reader, struct stint_places *places)
{
#define PLACE(name) STINT_FIELD(struct stint_places, #name, PLACE, name)
    static const struct stint_field fields[] = {
        STINT_FIELD_NEEDED(struct stint_places, "format", PLACE, format),
        STINT_FIELD_NEEDED(struct stint_places, "version", U64, version),
        PLACE(process),
        PLACE(clock),
        PLACE(overhead),
        PLACE(dropped),
        PLACE(sets),
        PLACE(threads),
        PLACE(stats),
        PLACE(contexts),
        PLACE(barriers),
        PLACE(gpu),
        PLACE(gpu_devices),
        PLACE(gpu_memory),
        PLACE(gpu_activities),
        PLACE(gpu_charges),
        PLACE(gpu_instances),
        PLACE(gpu_events),
        PLACE(nvtx),
        PLACE(nvtx_values),
        PLACE(nvtx_names),
    };
#undef PLACE
    STINT_READER_ROW(reader, fields, places);
    stint_reader_finish(reader);
    stint_reader_visit(reader, places->format, read_format, NULL);
    if (!reader->status && places->version != VERSION)
        stint_reader_fail(reader, reader->text, "this report is of version %llu, which this stint does not know",
                          (unsigned long long)places->version);
}

static void read_places(struct stint_import *import, const struct stint_places *places)
{
    struct stint_reader *reader = import->reader;
    stint_reader_visit(reader, places->process, read_process, &import->process);
    stint_reader_visit(reader, places->clock, read_clock, &import->process);
    stint_reader_visit(reader, places->overhead, read_overhead, &import->process);
    stint_reader_visit(reader, places->dropped, read_dropped, &import->dropped);
    read_rows(import, places->sets, read_set);
    read_rows(import, places->threads, read_thread);
    read_rows(import, places->stats, read_stat);
    read_rows(import, places->contexts, read_context);
    read_rows(import, places->barriers, read_barrier);
    stint_import_gpu(import, places);
    stint_import_nvtx(import, places);
}

/* The snapshot's texts live in the builder's arena. */
static const char *keep(struct stint_import *import, const char *text)
{
    return stint_builder_text(&import->builder, text);
}

static struct stint_snapshot *finish(struct stint_import *import)
{
    struct stint_process *process = &import->process;
    process->command = keep(import, process->command);
    process->host = keep(import, process->host);
    process->clock = keep(import, process->clock);
    import->builder.failed |= import->reader->status != STINT_OK;
    return stint_builder_end(&import->builder, process, &import->dropped);
}

enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error)
{
    struct stint_reader reader;
    struct stint_places places = {0};
    struct stint_import import = {.reader = &reader, .process = {.command = "", .host = "", .clock = ""}};
    stint_reader_begin(&reader, text, length, error);
    find_places(&reader, &places);
    stint_builder_begin(&import.builder);
    read_places(&import, &places);
    *snapshot = finish(&import);
    if (!*snapshot)
        stint_reader_fail_memory(&reader);
    return stint_reader_end(&reader);
}
