/* Converts a trace of torch.profiler: reads it piece by piece, and counts what it leaves out. */
#include "kineto/kineto.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- identity */

/* One of these is at the beginning. */
static const char *const s_members[] = {"\"schemaVersion\"", "\"deviceProperties\"", "\"traceEvents\"",
                                        "\"displayTimeUnit\"", "\"distributedInfo\""};
static const char *const s_elements[] = {"\"ph\""};

static int has_one(const char *head, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(head, words[i]))
            return 1;
    return 0;
}

int stint_kineto_is(const char *path)
{
    char head[16384];
    const char *reason;
    struct stint_piece_file *file = stint_piece_file_open(path);
    ssize_t length = file ? stint_piece_file_read(file, head, sizeof head - 1, &reason) : 0;
    stint_piece_file_close(file);
    head[length > 0 ? length : 0] = '\0';
    char first = head[strspn(head, "\xef\xbb\xbf \t\r\n")];
    if (first == '[')
        return has_one(head, s_elements, sizeof s_elements / sizeof s_elements[0]);
    return first == '{' && !strstr(head, "\"stint-report\"") &&
           has_one(head, s_members, sizeof s_members / sizeof s_members[0]);
}

/* ------------------------------------------------------------------------------------------------------------ notes */

/* Categories that are left out, and how many events of each. */
struct left_out {
    char category[40];
    uint64_t count;
};

enum { MOST_LEFT_OUT = 8 };

/* What may be wrong with events and their values. */
enum oddity { UNREAD, UNTIMED, BACKWARD, ENDS, WORDS, NUMBERS, MEMBERS, ODDITIES };

static const char *const s_oddities[ODDITIES][2] = {
    [UNREAD] = {"1 event cannot be read, and is left out", "%llu events cannot be read, and are left out"},
    [UNTIMED] = {"1 event has no time, and is left out", "%llu events have no time, and are left out"},
    [BACKWARD] = {"1 event ends before it begins, and is left out",
                  "%llu events end before they begin, and are left out"},
    [ENDS] = {"1 end has no beginning, and is left out", "%llu ends have no beginning, and are left out"},
    [WORDS] = {"1 value is no JSON, and is passed over", "%llu values are no JSON, and are passed over"},
    [NUMBERS] = {"an impossible value is unknown", "impossible values are unknown"},
    [MEMBERS] = {"1 member cannot be read, and is left out", "%llu members cannot be read, and are left out"},
};

struct tally {
    uint64_t count;
    size_t line;      /* of the first; 0: not known */
    char reason[160]; /* for the first */
};

struct conversion {
    struct stint_kineto_tables tables;
    struct left_out left_out[MOST_LEFT_OUT]; /* the last one is for all that have no place */
    struct tally tallies[ODDITIES];
    const struct stint_json_piece *piece; /* that is being read */
    int is_lost;                          /* behind something that cannot be read, before the next event */
    int is_cut;                           /* that has no end in the file */
    const char *close;                    /* the list's bracket in the last piece; NULL: not looked for */
    struct tally end;                     /* what cannot be read where the file ends, unless there are more events */
    int has_elements;
    char cut[200]; /* why the rest could not be read; "": all was read */
};

static void leave_out(struct conversion *conversion, const struct stint_kineto_event *event)
{
    struct left_out *row = conversion->left_out;
    char category[sizeof row->category];
    if (*event->category || !event->phase)
        (void)snprintf(category, sizeof category, "%s", *event->category ? event->category : "without a phase");
    else
        (void)snprintf(category, sizeof category, "of phase %c", event->phase);
    for (int i = 0; i < MOST_LEFT_OUT - 1 && *row->category; i++, row++)
        if (strcmp(row->category, category) == 0)
            break;
    if (!*row->category)
        (void)snprintf(row->category, sizeof row->category, "%s",
                       row == &conversion->left_out[MOST_LEFT_OUT - 1] ? "of other kinds" : category);
    row->count++;
}

static size_t line_of(const struct stint_json_piece *piece, const char *at)
{
    size_t line = piece->line;
    for (const char *c = piece->text; c < at; c++)
        line += *c == '\n';
    return line;
}

/* Notes `count` oddities of what begins there. */
static void note(struct conversion *conversion, struct tally *tally, uint64_t count, const char *at, const char *reason)
{
    if (count && !tally->count) {
        tally->line = line_of(conversion->piece, at);
        (void)snprintf(tally->reason, sizeof tally->reason, "%s", reason);
    }
    tally->count += count;
}

__attribute__((format(printf, 2, 3))) static char *add_line(struct stint_kineto_notes *notes, const char *format, ...)
{
    char *line = notes->lines[notes->count++];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof notes->lines[0], format, arguments);
    va_end(arguments);
    return line;
}

static void append(char *line, const char *format, ...)
{
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line + used, sizeof((struct stint_kineto_notes *)0)->lines[0] - used, format, arguments);
    va_end(arguments);
}

static void tell(struct stint_kineto_notes *notes, const struct conversion *conversion)
{
    *notes = (struct stint_kineto_notes){.count = 0};
    if (*conversion->cut)
        (void)add_line(notes, "read up to %s", conversion->cut);
    char *line = conversion->left_out->count ? add_line(notes, "left out: ") : NULL;
    for (int i = 0; i < MOST_LEFT_OUT && conversion->left_out[i].count; i++)
        append(line, "%s%llu %s", i ? ", " : "", (unsigned long long)conversion->left_out[i].count,
               conversion->left_out[i].category);
    for (int i = 0; i < ODDITIES; i++) {
        const struct tally *tally = &conversion->tallies[i];
        if (!tally->count)
            continue;
        line = add_line(notes, s_oddities[i][tally->count > 1], (unsigned long long)tally->count);
        if (tally->line)
            append(line, tally->count > 1 ? " (first at line %zu%s%s)" : " (line %zu%s%s)", tally->line,
                   *tally->reason ? ": " : "", tally->reason);
    }
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Returns whether its times are known, and possible. */
static int has_times(struct conversion *conversion, struct stint_kineto_event *event, const char *at)
{
    enum { MOST_BITS = 62 };
    int64_t most = (INT64_C(1) << MOST_BITS) - 1;
    int is_known = event->has_start && event->start_ns < most && event->start_ns > -most;
    int is_backward = event->has_end && event->end_ns < event->start_ns;
    event->has_end &= event->end_ns < most;
    note(conversion, &conversion->tallies[UNTIMED], !is_known, at, "");
    note(conversion, &conversion->tallies[BACKWARD], is_known && is_backward, at, "");
    return is_known && !is_backward;
}

static void add_event(struct conversion *conversion, struct stint_kineto_event *event,
                      const struct stint_reader *reader, const char *at)
{
    int is_timed =
        event->phase == STINT_KINETO_WHOLE || event->phase == STINT_KINETO_BEGIN || event->phase == STINT_KINETO_END;
    note(conversion, &conversion->tallies[WORDS], reader->odd_words, at, "");
    note(conversion, &conversion->tallies[NUMBERS], event->odd_numbers, at, "");
    note(conversion, &conversion->tallies[UNREAD], reader->odd_texts != 0, at, "a text in it is no JSON in UTF-8");
    if (reader->odd_texts)
        event->kind = STINT_KINETO_NOTHING;
    if (event->kind == STINT_KINETO_LEFT_OUT)
        leave_out(conversion, event);
    if (!is_timed || (event->kind == STINT_KINETO_LEFT_OUT && event->phase == STINT_KINETO_WHOLE) ||
        has_times(conversion, event, at))
        stint_kineto_add(&conversion->tables, event);
}

/* Returns where an object begins that may be an event, behind something that cannot be read; NULL: nowhere. */
static const char *next_object(const char *at, const char *end)
{
    for (const char *begin = at; (at = memchr(at, '{', (size_t)(end - at))); at++) {
        const char *before = at;
        while (before > begin && strchr(" \t\r\n", before[-1]))
            before--;
        if (before > begin && (before[-1] == ',' || before[-1] == '[') && at[1 + strspn(at + 1, " \t\r\n")] == '"')
            return at;
    }
    return NULL;
}

/* What is behind the list may be this long, where the list's end has to be looked for. */
enum { MOST_BEHIND = 1 << 14 };

/* Returns whether nothing but the other members of the trace is from there on to the end of the file. */
static int is_behind_list(const struct conversion *conversion, struct stint_reader *reader, const char *at)
{
    struct stint_reader_list members = {.close = '}', .begun = 1};
    stint_reader_begin_at(reader, at);
    while (*conversion->piece->key && stint_reader_next(reader, &members))
        stint_reader_skip(reader);
    stint_reader_finish(reader);
    return !reader->status;
}

/* Returns where the list's bracket is in the last piece; its end if there is none. */
static const char *find_close(const struct conversion *conversion, struct stint_reader *reader, const char *from)
{
    const char *end = reader->end;
    for (const char *at = from; (at = memchr(at, ']', (size_t)(end - at))); at++)
        if (is_behind_list(conversion, reader, at + 1))
            return at;
    return end;
}

/* Returns where the trace goes on behind something that cannot be read: with an object that may be an event, or the
 * list's bracket, which what cannot be read may hide. NULL: not in this piece. */
static const char *go_on(struct conversion *conversion, struct stint_reader *reader, const char *at)
{
    const char *end = reader->end - at > MOST_BEHIND ? reader->end - MOST_BEHIND : at;
    if (conversion->piece->is_last) {
        if (!conversion->close)
            conversion->close = find_close(conversion, reader, end);
        end = conversion->close < at ? reader->end : conversion->close;
    }
    const char *object = next_object(at, end);
    return object || end == reader->end || !conversion->piece->is_last ? object : end;
}

/* Notes what cannot be read, and has to be passed over. An object inside it is none of the trace's. */
static void lose(struct conversion *conversion, const struct stint_reader *reader, int is_event, const char *at)
{
    conversion->is_cut = reader->failed_at >= reader->end;
    if (!conversion->is_lost || is_event)
        note(conversion, conversion->is_cut ? &conversion->end : &conversion->tallies[UNREAD], 1, at,
             reader->error->reason);
    conversion->is_lost = 1;
}

/* Events behind what seemed to be the end show that it was none. */
static void find_again(struct conversion *conversion)
{
    struct tally *unread = &conversion->tallies[UNREAD];
    if (conversion->end.count && !unread->count)
        *unread = (struct tally){.line = conversion->end.line};
    unread->count += conversion->end.count;
    conversion->end.count = 0;
    conversion->is_lost = 0;
}

/* Reads an event, or passes over another value that stands in its place. */
static void read_element(struct conversion *conversion, struct stint_reader *reader, struct stint_kineto_event *event)
{
    const char *begin = reader->at;
    if (*begin == '{' || conversion->is_lost) {
        stint_kineto_read(event, reader);
        return;
    }
    event->phase = '\0';
    stint_reader_skip(reader);
    if (!reader->status && (reader->at < reader->end || conversion->piece->is_last))
        note(conversion, &conversion->tallies[UNREAD], 1, begin, "it is no object");
    else if (!reader->status)
        stint_reader_fail(reader, reader->end, "it may go on");
}

/* A list that is the whole file need not be closed, and nothing is missing if its last event is unreadable only. */
static int ends_readably(const struct conversion *conversion)
{
    return conversion->piece->is_last && !*conversion->piece->key && !conversion->is_cut;
}

/* Reads the events of which all is there. Returns where the rest begins; behind the list's bracket if that *has_ended.
 */
static const char *read_events(struct conversion *conversion, struct stint_reader *reader, int *has_ended)
{
    struct stint_kineto_event event;
    const char *at = reader->text;
    while (!conversion->tables.sql->failed) {
        const char *begin = conversion->is_lost ? go_on(conversion, reader, at) : at + strspn(at, ", \t\r\n");
        *has_ended = begin && *begin == ']';
        if (*has_ended)
            find_again(conversion);
        if (!begin)
            return ends_readably(conversion) ? reader->end : at;
        if (*has_ended || begin >= reader->end)
            return begin + *has_ended;
        stint_reader_begin_at(reader, begin);
        read_element(conversion, reader, &event);
        if (reader->status == STINT_ERROR_NO_MEMORY ||
            (reader->status && reader->failed_at >= reader->end && !conversion->piece->is_last))
            return conversion->is_lost ? at : begin;
        at = reader->status ? begin + 1 : reader->at;
        if (reader->status) {
            lose(conversion, reader, event.phase != '\0', begin);
        } else if (event.phase || (*begin == '{' && !conversion->is_lost)) {
            find_again(conversion);
            add_event(conversion, &event, reader, begin);
        }
    }
    return at;
}

/* ---------------------------------------------------------------------------------------------------------- convert */

/* Whether there is anything to show. */
static int has_rows(const struct stint_kineto_tables *tables)
{
    for (int i = STINT_KINETO_RANGES; i <= STINT_KINETO_SYNCS; i++)
        if (tables->rows[i])
            return 1;
    return 0;
}

/* Returns 0, or -1 without memory. */
static int read_piece(struct conversion *conversion, struct stint_json_pieces *pieces,
                      const struct stint_json_piece *piece)
{
    struct stint_reader reader;
    struct stint_import_error error;
    int has_ended = 0;
    conversion->piece = piece;
    stint_reader_begin(&reader, piece->text, piece->length, &error);
    reader.is_lenient = 1;
    if (piece->is_elements) {
        const char *rest = read_events(conversion, &reader, &has_ended);
        conversion->has_elements = 1;
        stint_json_pieces_take(pieces, (size_t)(rest - piece->text), has_ended);
    } else {
        stint_kineto_read_member(&conversion->tables, &reader, piece->key);
        note(conversion, &conversion->tallies[MEMBERS], reader.status != STINT_OK, piece->text, error.reason);
    }
    return stint_reader_end(&reader) == STINT_ERROR_NO_MEMORY
               ? stint_sql_fail(conversion->tables.sql, "there is not enough memory")
               : 0;
}

/* Reads as far as the file can be read. */
static void read_all(struct conversion *conversion, struct stint_json_pieces *pieces)
{
    struct stint_json_piece piece;
    int more;
    while ((more = stint_json_pieces_next(pieces, &piece)) > 0)
        if (conversion->tables.sql->failed || read_piece(conversion, pieces, &piece))
            return;
    if (more < 0)
        (void)snprintf(conversion->cut, sizeof conversion->cut, "line %zu: %s", pieces->line, pieces->reason);
}

int stint_kineto_convert(const char *path, struct stint_sql *sql, struct stint_kineto_notes *notes, char *reason,
                         size_t size)
{
    struct stint_json_pieces pieces;
    struct conversion conversion = {.is_lost = 0};
    *notes = (struct stint_kineto_notes){.count = 0};
    if (stint_json_pieces_open(&pieces, path, "traceEvents")) {
        (void)snprintf(reason, size, "%s", pieces.reason);
        stint_json_pieces_close(&pieces);
        return -1;
    }
    stint_kineto_tables_begin(&conversion.tables, sql);
    read_all(&conversion, &pieces);
    const struct tally *tallies = conversion.tallies;
    conversion.tables.left_out = tallies[UNREAD].count + tallies[UNTIMED].count + tallies[BACKWARD].count;
    conversion.tables.impossible = tallies[NUMBERS].count;
    stint_kineto_tables_end(&conversion.tables);
    conversion.tallies[ENDS].count = conversion.tables.ends;
    tell(notes, &conversion);
    stint_json_pieces_close(&pieces);
    if (sql->failed)
        (void)snprintf(reason, size, "%s", sql->reason);
    else if (!conversion.has_elements && !*conversion.cut)
        (void)snprintf(reason, size, "this JSON is no trace: it has no traceEvents");
    else if (!has_rows(&conversion.tables) && notes->count)
        (void)snprintf(reason, size, "it has nothing that can be shown: %s", notes->lines[0]);
    else
        return 0;
    return -1;
}
