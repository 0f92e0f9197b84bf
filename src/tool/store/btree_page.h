/* Pages of trees in SQLite's file format (sqlite.org/fileformat2.html, sections 1.6 and 2.1), which is the same for all
 * versions of SQLite 3. */
#ifndef STINT_STORE_BTREE_PAGE_H
#define STINT_STORE_BTREE_PAGE_H

#include <stddef.h>
#include <stdint.h>

enum stint_btree_kind {
    STINT_BTREE_INDEX_INNER = 2,
    STINT_BTREE_TABLE_INNER = 5,
    STINT_BTREE_INDEX_LEAF = 10,
    STINT_BTREE_TABLE_LEAF = 13
};

enum { STINT_BTREE_PAGE = 4096 };

struct stint_btree_page {
    unsigned char bytes[STINT_BTREE_PAGE];
    unsigned cells;
    unsigned content; /* where the cells begin; they fill the page from its end */
};

void stint_btree_begin(struct stint_btree_page *page, enum stint_btree_kind kind);

/* Goes on with a page whose bytes are complete. */
void stint_btree_resume(struct stint_btree_page *page);

/* Returns how many bytes are free for another cell. */
size_t stint_btree_room(const struct stint_btree_page *page);

/* Add a cell, for which there has to be room, behind and before the others. */
void stint_btree_add(struct stint_btree_page *page, const unsigned char *cell, size_t size);
void stint_btree_add_first(struct stint_btree_page *page, const unsigned char *cell, size_t size);

/* Returns a cell, counted from 0. */
const unsigned char *stint_btree_cell(const struct stint_btree_page *page, unsigned cell);

/* Removes the last cell of a page whose cells were all added behind the others. */
void stint_btree_remove_last(struct stint_btree_page *page, size_t size);

/* Completes the head. `right` is the last child of an inner page. */
void stint_btree_end(struct stint_btree_page *page, uint32_t right);

/* Writes a number; returns where the next goes. A varint has nine bytes at most. */
unsigned char *stint_btree_put_u32(unsigned char *to, uint32_t value);
unsigned char *stint_btree_put_varint(unsigned char *to, uint64_t value);

/* A record of numbers that is being written: a type for each, and the values that have bytes. */
struct stint_btree_record {
    unsigned types, size;
    unsigned char type[16];
    unsigned char value[128];
};

void stint_btree_null(struct stint_btree_record *record);
void stint_btree_i64(struct stint_btree_record *record, int64_t value);

/* Writes the record, with its size in front and, for a table, the row's id. Returns where the next goes. */
unsigned char *stint_btree_put_record(unsigned char *to, const struct stint_btree_record *record,
                                      const int64_t *row_id);

#endif
