/* Resolves the numbers in rows of a store: texts, domains, contexts. These are read once, except texts that carry data;
 * memory is needed for them, but not for events. */
#ifndef STINT_STORE_LOOKUP_H
#define STINT_STORE_LOOKUP_H

#include "stint/snapshot.h"
#include "store/sql.h"
#include "support/keyed_table.h"

/* A calling context of the file. */
struct stint_lookup_context {
    int64_t path;
    size_t context; /* the same context in the snapshot; STINT_GPU_UNATTRIBUTED if it has none */
    const char *set;
    const char *name;
};

struct stint_lookup {
    struct stint_arena arena;
    struct stint_table texts;
    struct stint_table contexts; /* struct stint_lookup_context */
    struct stint_table domains;
    size_t stack_count;                /* of the snapshot's call chains */
    struct stint_table data;           /* of operations */
    struct stint_sql_query other_data; /* reads one of those that are too many */
    struct stint_sql_query annotated;  /* reads one text; there may be as many of these as events */
};

/* Reads all of them. A context of the file is matched to the snapshot's context with the same sets and names from the
 * root down. */
void stint_lookup_read(struct stint_lookup *lookup, struct stint_sql *sql, const struct stint_snapshot *snapshot);
void stint_lookup_free(struct stint_lookup *lookup);

/* Returns the text; "" if there is none with that id. */
const char *stint_lookup_text(const struct stint_lookup *lookup, int64_t id);

/* Returns the text as a kernel's name, demangled. */
const char *stint_lookup_kernel(struct stint_lookup *lookup, int64_t id);

/* Returns a text that carries data, which lives until the next call; NULL if there is none with that id. */
const char *stint_lookup_annotated(struct stint_lookup *lookup, int64_t id);

/* Returns the data of operations with that id, 0 for none, which lives until the next call; NULL if there is none. */
const char *stint_lookup_data(struct stint_lookup *lookup, uint32_t id);

/* Returns the context with that path; NULL if there is none. */
const struct stint_lookup_context *stint_lookup_context(const struct stint_lookup *lookup, int64_t path);

/* Returns the name of the set of a range, by its type: push/pop, start/end, or mark. */
const char *stint_lookup_set(const struct stint_lookup *lookup, int type, int64_t domain);

#endif
