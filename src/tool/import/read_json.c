#include "import/read_json.h"

#include <string.h>

#include "import/import.h"
#include "stat/gpu_words.h"
#include "stat/spread.h"

enum { VERSION = 1, MOST_PARTICIPANTS = 65535, MOST_SECTIONS = 64 };

/* -------------------------------------------------------------------------------------------- rows, to the builder */

static void note_place(struct stint_import *import, enum stint_row_kind kind, size_t place)
{
    size_t *row = stint_array_add(&import->places[kind], &import->reader->arena, sizeof *row);
    if (row)
        *row = place;
    else
        stint_reader_fail_memory(import->reader);
}

static size_t add_stat(struct stint_import *import, const struct stint_stat *row)
{
    size_t stat = stint_builder_stat(&import->builder, row);
    stint_spread_add(&import->builder, STINT_SPREAD_STATS, stat, row->numbers.spread);
    stint_spread_add(&import->builder, STINT_SPREAD_STATS_GPU, stat, row->gpu_spread);
    const struct stint_thread_stat *parts = import->parts.items;
    stint_builder_add_stat(&import->builder, stat, &row->numbers);
    for (size_t i = 0; i < import->parts.count; i++)
        stint_builder_thread_stat(&import->builder, parts[i].thread, stat, &parts[i].numbers);
    import->parts.count = 0;
    return stat;
}

static size_t add_context(struct stint_builder *builder, const struct stint_context *row)
{
    size_t context = stint_builder_context(builder, row->parent, row->stat);
    stint_builder_add_context(builder, context, &row->numbers);
    stint_spread_add(builder, STINT_SPREAD_CONTEXTS, context, row->numbers.spread);
    return context;
}

/* Of a device activity, the report has only the name, which is mangled if the program had no C++ runtime library. */
static size_t add_activity(struct stint_import *import, const struct stint_gpu_activity *row)
{
    struct stint_builder *builder = &import->builder;
    struct stint_gpu_activity whole = *row;
    if (row->kind == STINT_GPU_KERNEL || row->kind == STINT_GPU_UNMEASURED)
        whole.name = stint_kernel_name(&import->kernels, row->name);
    whole.direction = stint_gpu_direction_of(row->kind, row->name);
    whole.wait = stint_gpu_wait_of(row->kind, row->name);
    size_t activity = stint_builder_gpu_activity(builder, &whole);
    stint_builder_add_gpu_activity(builder, activity, &whole);
    stint_spread_add(builder, STINT_SPREAD_ACTIVITIES, activity, row->numbers.spread);
    return activity;
}

static void add_event(struct stint_import *import, const struct stint_gpu_event *row)
{
    struct stint_gpu_event whole = *row;
    if (!row->api && row->kind == STINT_GPU_KERNEL)
        whole.name = stint_kernel_name(&import->kernels, row->name);
    whole.direction = stint_gpu_direction_of(row->kind, row->name);
    whole.wait = stint_gpu_wait_of(row->kind, row->name);
    stint_builder_gpu_event(&import->builder, &whole);
}

static void add_barrier(struct stint_import *import, const struct stint_barrier_stat *row)
{
    if (row->participants > MOST_PARTICIPANTS)
        stint_reader_fail(import->reader, import->reader->at, "a barrier has more than %d participants",
                          MOST_PARTICIPANTS);
    else
        stint_builder_barrier(&import->builder, row);
}

static size_t add_instance(struct stint_builder *builder, const struct stint_gpu_instance *row)
{
    return stint_builder_gpu_instance(builder, row->parent, row->context);
}

/* Adds a row that no other row refers to. */
static void add_plain(struct stint_import *import, enum stint_row_kind kind, const void *row)
{
    struct stint_builder *builder = &import->builder;
    switch (kind) {
    case STINT_ROWS_BARRIERS:
        add_barrier(import, row);
        break;
    case STINT_ROWS_GPU:
        stint_builder_gpu_info(builder, row);
        break;
    case STINT_ROWS_GPU_DEVICES:
        stint_builder_gpu_device(builder, row);
        break;
    case STINT_ROWS_GPU_MEMORY:
        stint_builder_gpu_memory(builder, row);
        break;
    case STINT_ROWS_GPU_CHARGES:
        stint_builder_gpu_charge(builder, row);
        break;
    case STINT_ROWS_GPU_EVENTS:
        add_event(import, row);
        break;
    case STINT_ROWS_NVTX:
        stint_builder_nvtx_info(builder, row);
        break;
    case STINT_ROWS_NVTX_VALUES:
        stint_builder_nvtx_value(builder, row);
        break;
    case STINT_ROWS_NVTX_NAMES:
        stint_builder_nvtx_name(builder, row);
        break;
    case STINT_ROWS_PROCESSES:
        stint_builder_process(builder, row);
        break;
    case STINT_ROWS_SAMPLING:
        stint_builder_sampling(builder, row);
        break;
    default: /* values that occur once, in import->whole */
        break;
    }
}

static void add_row(struct stint_import *import, enum stint_row_kind kind, const void *row)
{
    switch (kind) {
    case STINT_ROWS_THREADS:
        note_place(import, kind, stint_builder_thread(&import->builder, row));
        break;
    case STINT_ROWS_STATS:
        note_place(import, kind, add_stat(import, row));
        break;
    case STINT_ROWS_CONTEXTS:
        note_place(import, kind, add_context(&import->builder, row));
        break;
    case STINT_ROWS_GPU_ACTIVITIES:
        note_place(import, kind, add_activity(import, row));
        break;
    case STINT_ROWS_GPU_INSTANCES:
        note_place(import, kind, add_instance(&import->builder, row));
        break;
    case STINT_ROWS_SAMPLE_MODULES:
    case STINT_ROWS_SAMPLE_FRAMES:
    case STINT_ROWS_SAMPLE_STACKS:
    case STINT_ROWS_SAMPLE_THREADS:
    case STINT_ROWS_SAMPLE_COUNTS:
        note_place(import, kind, stint_builder_sample(&import->builder, kind, row));
        break;
    default:
        add_plain(import, kind, row);
    }
}

/* --------------------------------------------------------------------------------------------------------- sections */

static void read_rows(struct stint_import *import, enum stint_row_kind kind)
{
    struct stint_reader *reader = import->reader;
    size_t size = stint_row_tables[kind].size;
    void *row = stint_arena_alloc(&reader->arena, size);
    if (!row)
        stint_reader_fail_memory(reader);
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list)) {
        memset(row, 0, size);
        stint_import_row(import, kind, row);
        if (!reader->status)
            add_row(import, kind, row);
    }
}

static void read_sets(struct stint_import *import)
{
    struct stint_reader_list list = stint_reader_open(import->reader, '[');
    while (stint_reader_next(import->reader, &list))
        (void)stint_builder_set(&import->builder, stint_reader_text(import->reader));
}

static void read_version(struct stint_reader *reader)
{
    uint64_t version = stint_reader_u64(reader);
    if (!reader->status && version != VERSION)
        stint_reader_fail(reader, reader->text, "this report has version %llu, which this stint cannot read",
                          (unsigned long long)version);
}

static void read_section(struct stint_import *import, const struct stint_member *member)
{
    struct stint_reader *reader = import->reader;
    enum stint_row_kind kind = (enum stint_row_kind)member->of;
    char *to = (char *)&import->whole + member->at;
    switch (member->type) {
    case STINT_MEMBER_FORMAT:
        if (strcmp(stint_reader_text(reader), "stint-report") != 0)
            stint_reader_fail(reader, reader->at, "this is not a report of stint");
        break;
    case STINT_MEMBER_VERSION:
        read_version(reader);
        break;
    case STINT_MEMBER_TEXTS:
        read_sets(import);
        break;
    case STINT_MEMBER_ROWS:
        read_rows(import, kind);
        break;
    default:
        stint_import_row(import, kind, to);
        add_row(import, kind, to);
    }
}

/* Parses the whole text first, so that it is known to be valid before any of it is used, and keys may come in any
 * order. */
static void find_sections(struct stint_reader *reader, const char **places)
{
    const struct stint_row_table *table = &stint_row_tables[STINT_ROWS_SNAPSHOT];
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        const struct stint_member *member = stint_import_member(&list, STINT_ROWS_SNAPSHOT);
        if (member && places[member - table->members])
            stint_reader_fail(reader, list.key, "\"%s\" is there twice", member->key);
        if (member)
            places[member - table->members] = stint_reader_place(reader);
        stint_reader_skip(reader);
    }
    for (size_t i = 0; i < table->count; i++)
        if (table->members[i].presence == STINT_MEMBER_NEEDED && !places[i])
            stint_reader_fail(reader, reader->text, "\"%s\" is missing", table->members[i].key);
    stint_reader_finish(reader);
}

static void read_sections(struct stint_import *import)
{
    const struct stint_row_table *table = &stint_row_tables[STINT_ROWS_SNAPSHOT];
    struct stint_reader *reader = import->reader;
    const char *places[MOST_SECTIONS] = {NULL};
    find_sections(reader, places);
    for (size_t i = 0; i < table->count && !reader->status; i++) {
        if (!places[i])
            continue;
        reader->at = places[i];
        read_section(import, &table->members[i]);
    }
}

/* ------------------------------------------------------------------------------------------------------------ whole */

/* Copies a text into the builder's arena, where the snapshot's texts live. */
static const char *keep(struct stint_import *import, const char *text)
{
    return stint_builder_text(&import->builder, text);
}

static struct stint_snapshot *finish(struct stint_import *import)
{
    struct stint_process *process = &import->whole.process;
    process->command = keep(import, process->command);
    process->host = keep(import, process->host);
    process->clock = keep(import, process->clock);
    import->builder.failed |= import->reader->status != STINT_OK;
    return stint_builder_end(&import->builder, process, &import->whole.dropped);
}

enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error)
{
    struct stint_reader reader;
    struct stint_import import = {.reader = &reader, .whole.process = {.command = "", .host = "", .clock = ""}};
    stint_reader_begin(&reader, text, length, error);
    stint_builder_begin(&import.builder);
    read_sections(&import);
    *snapshot = finish(&import);
    if (!*snapshot)
        stint_reader_fail_memory(&reader);
    stint_kernel_names_free(&import.kernels);
    return stint_reader_end(&reader);
}
