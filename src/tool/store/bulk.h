/* Writes the rows of NVTX_EVENTS, and the index of them by thread and time, as pages of SQLite's file format: having
 * SQLite insert the rows, and sort them again for the index, takes most of the time of a conversion. Pages are gathered
 * in a file of their own and appended to the database when SQLite has closed it. */
#ifndef STINT_STORE_BULK_H
#define STINT_STORE_BULK_H

#include "store/bulk_index.h"
#include "store/event_columns.h"

struct stint_bulk {
    struct stint_pages pages;
    struct stint_btree_page leaf; /* of the table */
    struct stint_bulk_children leaves;
    struct stint_bulk_index index;
    struct stint_pages index_pages; /* apart, because it may turn out that SQLite has to make the index */
    int64_t rows;
    uint32_t table_root, index_root;
};

/* Begins with the empty database, which makes what is written here fail if it fails, and the other way round. */
void stint_bulk_begin(struct stint_bulk *bulk, struct stint_sql *sql, const char *path);

/* Adds the next row. */
void stint_bulk_add(struct stint_bulk *bulk, const struct stint_range_row *row);

/* Notes where SQLite has put the table and, if it is made here, the index; call it before SQLite closes the file. */
void stint_bulk_prepare(struct stint_bulk *bulk);

/* Whether the index is made here. If not, because rows of a thread were not in the order of their starts, SQLite can
 * make it when the rows are in the database. */
static inline int stint_bulk_has_index(const struct stint_bulk *bulk)
{
    return !bulk->index.is_unordered;
}

/* Puts the rows into the database, which SQLite has closed. */
void stint_bulk_finish(struct stint_bulk *bulk, const char *path);

void stint_bulk_end(struct stint_bulk *bulk);

#endif
