/* The texts of a store that is being written: each of them once in StringIds, and in nvprof's StringTable. */
#ifndef STINT_STORE_STRING_IDS_H
#define STINT_STORE_STRING_IDS_H

#include "base/array.h"
#include "base/index.h"
#include "store/sql.h"

struct stint_strings {
    struct stint_arena arena;
    struct stint_array rows; /* of the ids from 1 on */
    struct stint_index index;
    struct stint_sql_query inserts[2];
};

void stint_strings_begin(struct stint_strings *strings, struct stint_sql *sql);
void stint_strings_end(struct stint_strings *strings);

/* Returns the text's id; a new text is written first. Returns 0 after a failure. */
uint32_t stint_strings_id(struct stint_strings *strings, const char *text, size_t length);

/* Returns the id of a kernel's short name, without namespaces, parameters and result: "fill" for "void
 * at::fill<float>(float*)". */
uint32_t stint_strings_short(struct stint_strings *strings, uint32_t id);

#endif
