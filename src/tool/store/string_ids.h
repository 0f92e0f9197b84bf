/* The texts of a store that is being written: each of them once in StringIds, and in nvprof's StringTable. */
#ifndef STINT_STORE_STRING_IDS_H
#define STINT_STORE_STRING_IDS_H

#include "store/sql.h"
#include "support/keyed_table.h"

/* Ids from here on are of texts that carry data (support/annotation.h). */
#define STINT_STRINGS_ANNOTATED UINT32_C(0x80000000)

struct stint_strings_recent;

struct stint_strings {
    struct stint_arena arena;
    struct stint_table rows; /* of the ids from 1 on */
    struct stint_sql_query inserts[2];
    uint32_t annotated;                  /* number of texts that carry data */
    struct stint_strings_recent *recent; /* some of them; NULL: none yet */
};

void stint_strings_begin(struct stint_strings *strings, struct stint_sql *sql);
void stint_strings_end(struct stint_strings *strings);

/* Returns the text's id; a new text is written first. Returns 0 if there is no memory. */
uint32_t stint_strings_id(struct stint_strings *strings, const char *text, size_t length);

/* Returns the id of a text that carries data. There may be as many of them as events, so only some are remembered, and
 * a text may be written more than once. */
uint32_t stint_strings_annotated_id(struct stint_strings *strings, const char *text, size_t length);

/* Returns the id of a kernel's short name, without namespaces, parameters and result: "fill" for "void
 * at::fill<float>(float*)". */
uint32_t stint_strings_short(struct stint_strings *strings, uint32_t id);

#endif
