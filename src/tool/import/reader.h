/* Reads JSON (strictly RFC 8259) one value after the other. A failure is sticky: after it, all values read as empty or
 * 0, and lists end, so that callers do not have to check after each value. */
#ifndef STINT_IMPORT_READER_H
#define STINT_IMPORT_READER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "import/read_json.h"

struct stint_reader {
    const char *text; /* NUL-terminated */
    const char *end;
    const char *at;
    char *room; /* memory for decoded texts; as long as the JSON text, so it is enough for all of them */
    struct stint_arena arena;
    enum stint_status status;
    struct stint_import_error *error; /* filled by the first failure */
};

/* Begins to read `length` bytes that are followed by a NUL. */
void stint_reader_begin(struct stint_reader *reader, const char *text, size_t length, struct stint_import_error *error);

/* Frees the texts that were read. Returns STINT_OK, or the status of the first failure. */
enum stint_status stint_reader_end(struct stint_reader *reader);

/* Fails at the position `at`, for a reason that is formatted as by printf. */
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
    const char *key; /* key of the next value, not terminated, with its escapes; NULL in [ … ] */
    size_t key_length;
};

struct stint_reader_list stint_reader_open(struct stint_reader *reader, char open);
int stint_reader_next(struct stint_reader *reader, struct stint_reader_list *list);

/* Whether that is the key of the next value. */
static inline int stint_reader_is_key(const struct stint_reader_list *list, const char *key)
{
    return *list->key == *key && list->key_length == strlen(key) && memcmp(list->key, key, list->key_length) == 0;
}

/* Read a value. */
uint64_t stint_reader_u64(struct stint_reader *reader); /* digits only */
uint64_t stint_reader_at_most(struct stint_reader *reader, uint64_t most);
int64_t stint_reader_i64(struct stint_reader *reader);
size_t stint_reader_index(struct stint_reader *reader);  /* null is SIZE_MAX */
double stint_reader_number(struct stint_reader *reader); /* null is NaN */
int stint_reader_switch(struct stint_reader *reader);
const char *stint_reader_text(struct stint_reader *reader);
int stint_reader_is_text(struct stint_reader *reader); /* whether a text comes next */
void stint_reader_skip(struct stint_reader *reader);

/* Returns where the next value begins. To read the value again later, set reader->at to that. */
const char *stint_reader_place(struct stint_reader *reader);

/* Fails if anything but white space follows. */
void stint_reader_finish(struct stint_reader *reader);

#endif
