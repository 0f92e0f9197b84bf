/* The index of NVTX_EVENTS by thread, start and row, as leaves of SQLite's format. The rows come in the order of their
 * starts, so that those of a thread are in the index's order already. */
#ifndef STINT_STORE_BULK_INDEX_H
#define STINT_STORE_BULK_INDEX_H

#include "base/array.h"
#include "base/index.h"
#include "store/page_file.h"

/* A cell of an index, without the page below it: its size, the types of three numbers, and these. */
enum { STINT_BULK_LONGEST_CELL = 1 + 4 + 3 * 8 };

/* A page below an inner page, and what separates it from the next: of a table the number of the last row in it, of an
 * index an entry that is between the two. */
struct stint_bulk_child {
    uint32_t page;
    size_t size;
    unsigned char cell[STINT_BULK_LONGEST_CELL];
};

/* Children of a tree. There are millions of them, so each takes no more than the longest cell of the tree needs. */
struct stint_bulk_children {
    size_t longest; /* of the cells */
    unsigned char *all;
    size_t count, size;
};

/* Adds a child. Without memory `sql` fails. */
void stint_bulk_child_add(struct stint_bulk_children *children, struct stint_sql *sql, uint32_t page,
                          const unsigned char *cell, size_t size);

/* Reads a child, and writes one in the place of another. */
struct stint_bulk_child stint_bulk_child_at(const struct stint_bulk_children *children, size_t position);
void stint_bulk_child_set(struct stint_bulk_children *children, size_t position, const struct stint_bulk_child *child);

struct stint_bulk_thread;

struct stint_bulk_index {
    struct stint_arena arena;
    struct stint_array threads; /* struct stint_bulk_thread * */
    struct stint_index by_id;
    struct stint_bulk_thread *last;
    int is_unordered; /* 1: SQLite has to make it */
};

/* Adds the entry of a row. */
void stint_bulk_index_add(struct stint_bulk_index *index, struct stint_pages *pages, int64_t thread, uint64_t start,
                          int64_t row);

/* Completes the leaves, and adds them in order to `leaves`, which has none yet. */
void stint_bulk_index_finish(struct stint_bulk_index *index, struct stint_pages *pages,
                             struct stint_bulk_children *leaves);

void stint_bulk_index_end(struct stint_bulk_index *index);

#endif
