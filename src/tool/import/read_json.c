/* Reports of format "stint-report", section by section, into a builder. */
#include "import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "model/model.h"

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

/* Of what a device did, and of what was counted there, the report has only the name, which is mangled if the program
 * had no C++ runtime library. */
static const char *name_of(struct stint_import *import, enum stint_gpu_kind kind, const char *name)
{
    return kind == STINT_GPU_KERNEL || kind == STINT_GPU_UNMEASURED ? stint_kernel_name(&import->kernels, name) : name;
}

/* What the members do not say, because it follows from the name; and what others rely on. */
static void complete(struct stint_import *import, enum stint_row_kind kind, void *row)
{
    struct stint_gpu_activity *activity = row;
    struct stint_gpu_event *event = row;
    struct stint_nvtx_value *value = row;
    if (kind == STINT_ROWS_GPU_ACTIVITIES) {
        activity->direction = stint_gpu_direction_of(activity->kind, activity->name);
        activity->wait = stint_gpu_wait_of(activity->kind, activity->name);
        activity->name = name_of(import, activity->kind, activity->name);
    } else if (kind == STINT_ROWS_GPU_EVENTS) {
        event->direction = stint_gpu_direction_of(event->kind, event->name);
        event->wait = stint_gpu_wait_of(event->kind, event->name);
        event->name = event->api ? event->name : name_of(import, event->kind, event->name);
    } else if (kind == STINT_ROWS_NVTX_VALUES && strcmp(value->set, STINT_COUNTER_SET) == 0) {
        value->name = stint_kernel_name(&import->kernels, value->name);
    } else if (kind == STINT_ROWS_BARRIERS && ((struct stint_barrier_stat *)row)->participants > MOST_PARTICIPANTS) {
        stint_reader_fail(import->reader, import->reader->at, "a barrier has more than %d participants",
                          MOST_PARTICIPANTS);
    }
}

static void add_parts(struct stint_import *import, size_t stat)
{
    const struct stint_thread_stat *parts = import->parts.items;
    for (size_t i = 0; i < import->parts.count; i++)
        stint_builder_thread_stat(&import->builder, parts[i].thread, stat, &parts[i].numbers);
    import->parts.count = 0;
}

/* Modules may be of the same file, which was loaded several times. */
static void add_row(struct stint_import *import, enum stint_row_kind kind, void *row)
{
    complete(import, kind, row);
    if (import->reader->status)
        return;
    size_t place = kind == STINT_ROWS_SAMPLE_MODULES ? stint_builder_append(&import->builder, kind, row)
                                                     : stint_builder_add(&import->builder, kind, row);
    if (stint_row_tables[kind]->is_list)
        note_place(import, kind, place);
    if (kind == STINT_ROWS_STATS)
        add_parts(import, place);
}

/* --------------------------------------------------------------------------------------------------------- sections */

static void read_rows(struct stint_import *import, enum stint_row_kind kind)
{
    struct stint_reader *reader = import->reader;
    size_t size = stint_row_tables[kind]->size;
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
        stint_reader_fail(reader, reader->text, "this report has version %llu, but this stint reads version %d%s",
                          (unsigned long long)version, VERSION, version > VERSION ? ": use a later stint" : "");
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
    const struct stint_row_table *table = stint_row_tables[STINT_ROWS_SNAPSHOT];
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        const struct stint_member *member = stint_import_member(&list, STINT_ROWS_SNAPSHOT);
        if (member && places[member - table->members])
            stint_reader_fail(reader, list.key, "\"%s\" occurs twice", member->key);
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
    const struct stint_row_table *table = stint_row_tables[STINT_ROWS_SNAPSHOT];
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

/* Reads no further than the process, which comes early. */
static void read_process(struct stint_import *import)
{
    const struct stint_member *member;
    struct stint_reader_list list = stint_reader_open(import->reader, '{');
    while (stint_reader_next(import->reader, &list)) {
        member = stint_import_member(&list, STINT_ROWS_SNAPSHOT);
        if (member && member->type == STINT_MEMBER_OBJECT && member->of == STINT_ROWS_PROCESS) {
            read_section(import, member);
            return;
        }
        stint_reader_skip(import->reader);
    }
    stint_reader_fail(import->reader, import->reader->at, "there is no process");
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

/* Reads the text by `read`. */
static enum stint_status import_text(struct stint_import_memory *memory, void (*read)(struct stint_import *import),
                                     const char *text, size_t length, struct stint_snapshot **snapshot,
                                     struct stint_import_error *error)
{
    struct stint_reader reader;
    struct stint_import import = {.reader = &reader, .whole.process = {.command = "", .host = "", .clock = ""}};
    stint_reader_begin_in(&reader, memory->values, text, length, error);
    stint_builder_begin_in(&import.builder, memory->snapshot);
    memory->snapshot = (struct stint_arena){0};
    import.builder.add_spread = stint_spread_add;
    read(&import);
    *snapshot = finish(&import);
    if (!*snapshot)
        stint_reader_fail_memory(&reader);
    stint_demangled_names_free(&import.kernels);
    stint_arena_reuse(&reader.arena);
    memory->values = reader.arena;
    return reader.status;
}

enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error)
{
    struct stint_import_memory memory = {.text = {0}};
    enum stint_status status = import_text(&memory, read_sections, text, length, snapshot, error);
    stint_import_memory_free(&memory);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static enum stint_status fail_file(struct stint_import_error *error, enum stint_status status, const char *reason)
{
    *error = (struct stint_import_error){0};
    (void)snprintf(error->reason, sizeof error->reason, "%s", reason);
    return status;
}

size_t stint_mark_length(const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    return length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
}

/* Reads until the end of the file, or `size` bytes. Returns the number of bytes, or -1. */
static ssize_t read_all(int file, char *to, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t length = read(file, to + used, size - used);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return -1;
        if (length == 0)
            break;
        used += (size_t)length;
    }
    return (ssize_t)used;
}

/* Has the reader refuse what does not begin as JSON, so that a large file of another kind is not read. Returns STINT_OK
 * if it may be JSON. */
static enum stint_status read_beginning(const char *text, ssize_t length, struct stint_snapshot **snapshot,
                                        struct stint_import_error *error)
{
    size_t blank = stint_mark_length(text, (size_t)length);
    while (blank < (size_t)length && text[blank] && strchr(" \t\r\n", text[blank]))
        blank++;
    int is_other = (blank < (size_t)length && text[blank] != '{') || memchr(text, '\0', (size_t)length);
    return is_other ? stint_import_json(text, (size_t)length, snapshot, error) : STINT_OK;
}

static enum stint_status read_open_file(int file, struct stint_import_memory *memory, int whole,
                                        struct stint_snapshot **snapshot, struct stint_import_error *error)
{
    struct stat status;
    char beginning[4096 + 1];
    if (fstat(file, &status))
        return fail_file(error, STINT_ERROR_IO, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return fail_file(error, STINT_ERROR_IO, "it is not a regular file");
    ssize_t length = read_all(file, beginning, sizeof beginning - 1);
    if (length < 0)
        return fail_file(error, STINT_ERROR_IO, strerror(errno));
    beginning[length] = '\0';
    enum stint_status begins = read_beginning(beginning, length, snapshot, error);
    size_t mark = stint_mark_length(beginning, (size_t)length);
    if (begins ||
        (!whole && !import_text(memory, read_process, beginning + mark, (size_t)length - mark, snapshot, error)))
        return begins;
    char *text = stint_arena_alloc(&memory->text, (size_t)status.st_size + 1);
    if (!text)
        return fail_file(error, STINT_ERROR_NO_MEMORY, stint_status_string(STINT_ERROR_NO_MEMORY));
    if (length > status.st_size)
        length = status.st_size;
    memcpy(text, beginning, (size_t)length);
    ssize_t rest = read_all(file, text + length, (size_t)(status.st_size - length));
    if (rest < 0)
        return fail_file(error, STINT_ERROR_IO, strerror(errno));
    return import_text(memory, read_sections, text + mark, (size_t)(length + rest) - mark, snapshot, error);
}

static enum stint_status import_file(struct stint_import_memory *memory, const char *path, int whole,
                                     struct stint_snapshot **snapshot, struct stint_import_error *error)
{
    *snapshot = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail_file(error, STINT_ERROR_IO, strerror(errno));
    enum stint_status status = read_open_file(file, memory, whole, snapshot, error);
    stint_arena_reuse(&memory->text);
    close(file);
    return status;
}

enum stint_status stint_import_file(const char *path, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error)
{
    struct stint_import_memory memory = {.text = {0}};
    enum stint_status status = import_file(&memory, path, 1, snapshot, error);
    stint_import_memory_free(&memory);
    return status;
}

enum stint_status stint_import_next(struct stint_import_memory *memory, const char *path,
                                    struct stint_snapshot **snapshot, struct stint_import_error *error)
{
    return import_file(memory, path, 1, snapshot, error);
}

enum stint_status stint_import_process(struct stint_import_memory *memory, const char *path,
                                       struct stint_snapshot **snapshot, struct stint_import_error *error)
{
    return import_file(memory, path, 0, snapshot, error);
}

void stint_import_recycle(struct stint_import_memory *memory, struct stint_snapshot *snapshot)
{
    if (!snapshot)
        return;
    stint_arena_free(&memory->snapshot);
    memory->snapshot = stint_snapshot_arena(snapshot);
    stint_arena_reuse(&memory->snapshot);
}

void stint_import_memory_free(struct stint_import_memory *memory)
{
    stint_arena_free(&memory->text);
    stint_arena_free(&memory->values);
    stint_arena_free(&memory->snapshot);
}
