/* JSON on its way in (RFC 8259, nothing more lenient), one value after the other. A failure sticks: everything then
 * reads as nothing, and lists end, so that callers need not ask after each value. */
#ifndef STINT_IMPORT_READER_H
#define STINT_IMPORT_READER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "import/read_json.h"

struct stint_reader {
    const char *text; /* NUL-terminated */
    const char *end;
    const char *at;
    char *room; /* where decoded texts go; as long as the text, so it suffices for all of them */
    struct stint_arena arena;
    enum stint_status status;
    struct stint_import_error *error; /* whoever fails first fills it */
};

/* Begins to read `length` bytes with a NUL behind them. */
void stint_reader_begin(struct stint_reader *reader, const char *text, size_t length, struct stint_import_error *error);

/* Frees the texts that were read. Returns STINT_OK, or how reading failed. */
enum stint_status stint_reader_end(struct stint_reader *reader);

/* Fails at `at`, for a reason that is formatted like printf. */
__attribute__((format(printf, 3, 4))) void stint_reader_fail(struct stint_reader *reader, const char *at,
                                                             const char *format, ...);
void stint_reader_fail_memory(struct stint_reader *reader);

/* Lists: { … } whose values have a key, and [ … ] whose values have none.
 *
 *     struct stint_reader_list list = stint_reader_open(reader, '[');
 *     while (stint_reader_next(reader, &list))
 *         use(stint_reader_u64(reader)); */
struct stint_reader_list {
    char close;
    int begun;
    const char *key; /* of the next value, not terminated, escapes as they are; NULL in [ … ] */
    size_t key_length;
};

struct stint_reader_list stint_reader_open(struct stint_reader *reader, char open);
int stint_reader_next(struct stint_reader *reader, struct stint_reader_list *list);

/* Values. */
uint64_t stint_reader_u64(struct stint_reader *reader); /* digits only */
const char *stint_reader_text(struct stint_reader *reader);
void stint_reader_skip(struct stint_reader *reader);

/* Requires that nothing follows. */
void stint_reader_finish(struct stint_reader *reader);

/* ------------------------------------------------------------------------------------------------------------- rows */

enum stint_field_type {
    STINT_FIELD_U64,
    STINT_FIELD_U32,
    STINT_FIELD_I64,
    STINT_FIELD_NUMBER, /* double; null is NaN */
    STINT_FIELD_SWITCH, /* int */
    STINT_FIELD_TEXT,   /* const char * */
    STINT_FIELD_INDEX,  /* size_t; null is SIZE_MAX */
    STINT_FIELD_PLACE   /* const char *: the value is read later, with stint_reader_visit */
};

/* What an object's key means. */
struct stint_field {
    const char *key;
    enum stint_field_type type;
    int needed;
    size_t at; /* in the row */
};

#define STINT_FIELD(row, name, type, member)                                                                           \
    {                                                                                                                  \
        name, STINT_FIELD_##type, 0, offsetof(row, member)                                                             \
    }
#define STINT_FIELD_NEEDED(row, name, type, member)                                                                    \
    {                                                                                                                  \
        name, STINT_FIELD_##type, 1, offsetof(row, member)                                                             \
    }

/* Reads an object into `row`, at most 64 fields. What the object does not have stays as it is; what no field names is
 * passed over. */
void stint_reader_row(struct stint_reader *reader, const struct stint_field *fields, size_t count, void *row);

#define STINT_READER_ROW(reader, fields, row)                                                                          \
    stint_reader_row((reader), (fields), sizeof(fields) / sizeof(fields)[0], (row))

/* Reads with `read` the value at a place met before, then goes on where it was; NULL: there is none. */
void stint_reader_visit(struct stint_reader *reader, const char *place,
                        void (*read)(struct stint_reader *reader, void *context), void *context);

#endif
