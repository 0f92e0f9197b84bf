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
uint64_t stint_reader_at_most(struct stint_reader *reader, uint64_t most);
int64_t stint_reader_i64(struct stint_reader *reader);
size_t stint_reader_index(struct stint_reader *reader);  /* null is SIZE_MAX */
double stint_reader_number(struct stint_reader *reader); /* null is NaN */
int stint_reader_switch(struct stint_reader *reader);
const char *stint_reader_text(struct stint_reader *reader);
int stint_reader_is_text(struct stint_reader *reader); /* whether a text comes next */
void stint_reader_skip(struct stint_reader *reader);

/* Returns where the next value is, which is for reader->at to be set to when it is to be read once more. */
const char *stint_reader_place(struct stint_reader *reader);

/* Requires that nothing follows. */
void stint_reader_finish(struct stint_reader *reader);

#endif
