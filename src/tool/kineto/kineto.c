/* Converts a trace of torch.profiler: reads it piece by piece, and counts what it leaves out. */
#include "kineto/kineto.h"

#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- identity */

/* One of these members is at the beginning. */
static const char *const s_members[] = {"\"schemaVersion\"", "\"deviceProperties\"", "\"traceEvents\"",
                                        "\"displayTimeUnit\"", "\"distributedInfo\""};

int stint_kineto_is(const char *path)
{
    char head[1024];
    const char *reason;
    struct stint_piece_file *file = stint_piece_file_open(path);
    ssize_t length = file ? stint_piece_file_read(file, head, sizeof head - 1, &reason) : 0;
    stint_piece_file_close(file);
    head[length > 0 ? length : 0] = '\0';
    if (head[strspn(head, " \t\r\n")] != '{')
        return 0;
    for (size_t i = 0; i < sizeof s_members / sizeof s_members[0]; i++)
        if (strstr(head, s_members[i]))
            return 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ notes */

/* Categories that are left out, and how many events of each. */
struct left_out {
    char category[40];
    uint64_t count;
};

enum { MOST_LEFT_OUT = 8 };

struct conversion {
    struct stint_kineto_tables tables;
    struct left_out left_out[MOST_LEFT_OUT]; /* the last one is for all that have no place */
    int has_elements;
    uint64_t count;
};

static void leave_out(struct conversion *conversion, const char *category)
{
    struct left_out *row = conversion->left_out;
    for (int i = 0; i < MOST_LEFT_OUT - 1 && *row->category; i++, row++)
        if (strncmp(row->category, category, sizeof row->category - 1) == 0)
            break;
    if (!*row->category)
        (void)snprintf(row->category, sizeof row->category, "%s",
                       row == &conversion->left_out[MOST_LEFT_OUT - 1] || !*category ? "of other kinds" : category);
    row->count++;
}

static void describe_left_out(const struct conversion *conversion, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < MOST_LEFT_OUT && conversion->left_out[i].count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%llu %s", i ? ", " : "",
                                 (unsigned long long)conversion->left_out[i].count, conversion->left_out[i].category);
}

/* ---------------------------------------------------------------------------------------------------------- members */

static void read_device(struct conversion *conversion, struct stint_reader *reader)
{
    struct stint_kineto_device device = {.name = ""};
    const struct {
        const char *key;
        uint64_t *number;
    } numbers[] = {{"id", &device.id},
                   {"totalGlobalMem", &device.memory_bytes},
                   {"computeMajor", &device.compute_major},
                   {"computeMinor", &device.compute_minor},
                   {"numSms", &device.multiprocessors}};
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        uint64_t *number = NULL;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            if (stint_reader_is_key(&list, numbers[i].key))
                number = numbers[i].number;
        if (number)
            *number = stint_reader_u64(reader);
        else if (stint_reader_is_key(&list, "name"))
            device.name = stint_reader_text(reader);
        else
            stint_reader_skip(reader);
    }
    if (!reader->status)
        stint_kineto_add_device(&conversion->tables, &device);
}

static void read_devices(struct conversion *conversion, struct stint_reader *reader)
{
    struct stint_reader_list list = stint_reader_open(reader, '[');
    while (stint_reader_next(reader, &list))
        read_device(conversion, reader);
}

static void read_distribution(struct conversion *conversion, struct stint_reader *reader)
{
    struct stint_reader_list list = stint_reader_open(reader, '{');
    while (stint_reader_next(reader, &list)) {
        char rank[16];
        if (!stint_reader_is_key(&list, "rank")) {
            stint_reader_skip(reader);
            continue;
        }
        (void)snprintf(rank, sizeof rank, "%lld", (long long)stint_reader_i64(reader));
        stint_kineto_add_rank(&conversion->tables, rank);
    }
}

static void read_events(struct conversion *conversion, struct stint_reader *reader)
{
    struct stint_kineto_event event;
    struct stint_reader_list list = stint_reader_open(reader, '[');
    conversion->has_elements = 1;
    while (stint_reader_next(reader, &list) && !conversion->tables.sql->failed) {
        stint_kineto_read(&event, reader);
        if (reader->status)
            return;
        conversion->count++;
        if (event.kind == STINT_KINETO_LEFT_OUT)
            leave_out(conversion, event.category);
        else
            stint_kineto_add(&conversion->tables, &event);
    }
}

static void read_member(struct conversion *conversion, struct stint_reader *reader, const char *key)
{
    if (strcmp(key, "deviceProperties") == 0)
        read_devices(conversion, reader);
    else if (strcmp(key, "distributedInfo") == 0)
        read_distribution(conversion, reader);
    else if (strcmp(key, "baseTimeNanoseconds") == 0)
        conversion->tables.base_ns = stint_reader_at_most(reader, INT64_MAX / 2);
    else
        stint_reader_skip(reader);
}

/* ---------------------------------------------------------------------------------------------------------- convert */

/* Returns 0, or -1 with line and cause in `cut`. */
static int read_piece(struct conversion *conversion, const struct stint_json_piece *piece, char *cut, size_t size)
{
    struct stint_reader reader;
    struct stint_import_error error;
    stint_reader_begin(&reader, piece->text, piece->length, &error);
    if (piece->is_elements)
        read_events(conversion, &reader);
    else
        read_member(conversion, &reader, piece->key);
    if (!stint_reader_end(&reader))
        return 0;
    (void)snprintf(cut, size, "line %zu: %s", piece->line + (error.line ? error.line - 1 : 0), error.reason);
    return -1;
}

/* Reads as far as the file can be read. */
static void read_all(struct conversion *conversion, struct stint_json_pieces *pieces, char *cut, size_t size)
{
    struct stint_json_piece piece;
    int more;
    *cut = '\0';
    while ((more = stint_json_pieces_next(pieces, &piece)) > 0)
        if (conversion->tables.sql->failed || read_piece(conversion, &piece, cut, size))
            return;
    if (more < 0)
        (void)snprintf(cut, size, "line %zu: %s", pieces->line, pieces->reason);
}

int stint_kineto_convert(const char *path, struct stint_sql *sql, struct stint_kineto_notes *notes, char *reason,
                         size_t size)
{
    struct stint_json_pieces pieces;
    struct conversion conversion = {0};
    *notes = (struct stint_kineto_notes){0};
    if (stint_json_pieces_open(&pieces, path, "traceEvents")) {
        (void)snprintf(reason, size, "%s", pieces.reason);
        stint_json_pieces_close(&pieces);
        return -1;
    }
    stint_kineto_tables_begin(&conversion.tables, sql);
    read_all(&conversion, &pieces, notes->cut, sizeof notes->cut);
    describe_left_out(&conversion, notes->left_out, sizeof notes->left_out);
    stint_kineto_tables_end(&conversion.tables);
    stint_json_pieces_close(&pieces);
    if (sql->failed)
        (void)snprintf(reason, size, "%s", sql->reason);
    else if (!conversion.count && *notes->cut)
        (void)snprintf(reason, size, "%s", notes->cut);
    else if (!conversion.has_elements)
        (void)snprintf(reason, size, "this JSON is no trace: it has no traceEvents");
    else
        return 0;
    return -1;
}
