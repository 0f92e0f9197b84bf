/* The texts of a foreign file, each kept once. The number of names is limited, the number of rows is not. */
#ifndef STINT_STORE_FOREIGN_NAMES_H
#define STINT_STORE_FOREIGN_NAMES_H

#include "stint/snapshot.h"
#include "store/sql.h"
#include "support/keyed_table.h"

/* Names and domains beyond these limits are skipped, and counted as dropped. */
enum { STINT_FOREIGN_MOST_NAMES = 1 << 18, STINT_FOREIGN_MOST_DOMAINS = 1 << 12, STINT_FOREIGN_MOST_NAME = 4095 };

/* A domain of NVTX: the sets that its statistics are in (stint/nvtx_stats.h). */
struct stint_foreign_domain {
    int64_t pid;
    int64_t id;
    const char *push_pop;
    const char *start_end;
    const char *marks;
};

struct stint_foreign_names {
    struct stint_sql *sql;
    struct stint_dropped *dropped;
    struct stint_sql_query lookup;
    struct stint_arena arena;
    struct stint_table texts;   /* struct stint_piece */
    struct stint_table ids;     /* in the file's table of strings */
    struct stint_table mangled; /* kernels */
    struct stint_table domains; /* struct stint_foreign_domain */
    const char *whole;          /* whole_text, if the text of the range that was named last carries data; else NULL */
    char whole_text[STINT_FOREIGN_MOST_NAME + 1];
};

/* Prepares to read numbered strings from that table, which has to have a key. Returns 0, or -1 if it has none (see
 * sql). */
int stint_foreign_names_begin(struct stint_foreign_names *names, struct stint_sql *sql, const char *table,
                              const char *id);

/* Return a text that stays valid and in place; equal texts have the same address. NULL if there is no such text, or no
 * room for more. */
const char *stint_foreign_name(struct stint_foreign_names *names, const char *text, size_t length);
const char *stint_foreign_name_of_id(struct stint_foreign_names *names, int64_t id);

/* The same for the name of a kernel, which may be mangled in the file. */
const char *stint_foreign_kernel_of_id(struct stint_foreign_names *names, int64_t id);

/* Notes the mangled name of a kernel, which stint_foreign_mangled returns; NULL: it is not known. */
void stint_foreign_add_mangled(struct stint_foreign_names *names, const char *kernel, int64_t id);
const char *stint_foreign_mangled(const struct stint_foreign_names *names, const char *kernel);

/* As the above for the text of a range, without the data that it carries. */
const char *stint_foreign_range(struct stint_foreign_names *names, const char *text, size_t length);
const char *stint_foreign_range_of_id(struct stint_foreign_names *names, int64_t id);

/* Returns the domain of a process; a domain that is not known yet is added with that name, "" for the default domain.
 * Returns NULL if there is no room for more. */
const struct stint_foreign_domain *stint_foreign_domain(struct stint_foreign_names *names, int64_t pid, int64_t id,
                                                        const char *name);

void stint_foreign_names_end(struct stint_foreign_names *names);

#endif
