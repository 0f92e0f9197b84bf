/* Reads reports in JSON back into snapshots, and JSON of others. */
#ifndef STINT_IMPORT_IMPORT_H
#define STINT_IMPORT_IMPORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "demangle/demangle.h"
#include "stat/builder.h"
#include "stat/members.h"
#include "stint/snapshot.h"

/* ------------------------------------------------------------------------------------------------------ read_json.c */

/* Reads reports of format "stint-report" (docs/formats.md) back into the snapshot that they were written from. */

/* The reason why a text cannot be read. */
struct stint_import_error {
    size_t line; /* counted from 1; 0: the text as a whole */
    char reason[160];
};

/* Reads a report: `length` bytes, followed by a NUL. Free the snapshot with stint_snapshot_free.
 *
 * Returns STINT_OK; STINT_ERROR_INVALID_ARGUMENT if the text is not such a report or contradicts itself: `error` says
 * why; or STINT_ERROR_NO_MEMORY. After an error, *snapshot is NULL. The locale's decimal point has to be that of the C
 * locale. */
enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

/* Returns the length of a byte order mark at the beginning, which some editors put in front of UTF-8; 0: none. */
size_t stint_mark_length(const char *text, size_t length);

/* Like stint_import_json, for the file `path`. Also returns STINT_ERROR_IO: `error` says why. */
enum stint_status stint_import_file(const char *path, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

/* Memory for many files, one after the other: to map it anew would take longer than to read a small file. Zeroed, there
 * is none yet. */
struct stint_import_memory {
    struct stint_arena text, values;
    struct stint_arena snapshot; /* for the next one, whose it then is */
};

typedef enum stint_status stint_import_fn(struct stint_import_memory *memory, const char *path,
                                          struct stint_snapshot **snapshot, struct stint_import_error *error);

/* Like stint_import_file. */
stint_import_fn stint_import_next;

/* The same, but if the file begins as reports do, the snapshot has the process only, and the rest is not looked at. */
stint_import_fn stint_import_process;

/* Frees the snapshot, which may be NULL, for the next one. */
void stint_import_recycle(struct stint_import_memory *memory, struct stint_snapshot *snapshot);

void stint_import_memory_free(struct stint_import_memory *memory);

/* --------------------------------------------------------------------------------------------------------- reader.c */

/* Reads JSON (strictly RFC 8259) one value after the other. A failure is sticky: after it, all values read as empty or
 * 0, and lists end, so that callers do not have to check after each value.
 *
 * JSON of others may be read leniently: backslashes, control characters and bytes in texts that should not be there are
 * taken as they stand, words like NaN and N/A are passed over, and both are counted. */

struct stint_reader {
    const char *text; /* NUL-terminated */
    const char *end;
    const char *at;
    char *texts; /* memory for decoded texts; as long as the JSON text, so it is enough for all of them */
    char *room;  /* what is left of it */
    struct stint_arena arena;
    enum stint_status status;
    const char *failed_at;            /* where the first failure was */
    struct stint_import_error *error; /* filled by the first failure */
    int is_lenient;
    size_t odd_texts, odd_words; /* only texts that were read are counted */
};

/* Begins to read `length` bytes that are followed by a NUL; in memory of its own, or that of `arena`, too. */
void stint_reader_begin(struct stint_reader *reader, const char *text, size_t length, struct stint_import_error *error);
void stint_reader_begin_in(struct stint_reader *reader, struct stint_arena arena, const char *text, size_t length,
                           struct stint_import_error *error);

/* Goes on at another place as if nothing had been read yet: texts that were read are gone, and so is a failure. */
void stint_reader_begin_at(struct stint_reader *reader, const char *at);

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

/* ------------------------------------------------------------------------------------------------------- read_row.c */

/* A report that is being read into a snapshot. */

struct stint_import {
    struct stint_reader *reader;
    struct stint_builder builder;
    struct stint_snapshot whole;                /* values that occur once and that the builder does not take */
    struct stint_array places[STINT_ROW_KINDS]; /* size_t: the builder's position of each row that others refer to */
    struct stint_demangled_names kernels;
    struct stint_array parts; /* struct stint_thread_stat: the parts of the statistic that was read last */
};

/* Returns the member that the next value of `list` belongs to; NULL if it is not one that is read. */
const struct stint_member *stint_import_member(const struct stint_reader_list *list, enum stint_row_kind kind);

/* Reads an object as a row of this kind. Members that the object lacks are left unchanged, except texts, which become
 * "", and positions of other rows, which become none. Texts and bins live as long as the reader. */
void stint_import_row(struct stint_import *import, enum stint_row_kind kind, void *row);

#endif
