/* Pages of trees that are gathered in a file without a name, and appended to a database. */
#ifndef STINT_STORE_PAGE_FILE_H
#define STINT_STORE_PAGE_FILE_H

#include <stdint.h>

#include "store/btree_page.h"
#include "store/sql.h"

enum { STINT_PAGES_BUFFERED = 64 };

struct stint_pages {
    struct stint_sql *sql; /* fails if a page cannot be written */
    int file;
    uint32_t count, written;
    uint32_t base; /* pages of the database before these */
    unsigned char *buffer;
};

/* Begins; the file is in the folder of `path`. */
void stint_pages_begin(struct stint_pages *pages, struct stint_sql *sql, const char *path);

/* Completes the page and adds it. Returns its number among these, from 0 on. */
uint32_t stint_pages_add(struct stint_pages *pages, struct stint_btree_page *page, uint32_t right);

/* Read a page of those, and write it in its place. */
void stint_pages_read(struct stint_pages *pages, uint32_t number, struct stint_btree_page *page);
void stint_pages_write(struct stint_pages *pages, uint32_t number, struct stint_btree_page *page);

/* Opens the database, which SQLite has closed, to append the pages. Returns its descriptor, or -1. From then on
 * stint_pages_place tells the number that a page has there. */
int stint_pages_open_database(struct stint_pages *pages, const char *path);
uint32_t stint_pages_place(const struct stint_pages *pages, uint32_t number);

/* Writes a page of the database that SQLite made. */
void stint_pages_replace(struct stint_pages *pages, int database, uint32_t place, struct stint_btree_page *page,
                         uint32_t right);

/* Appends the pages. */
void stint_pages_append(struct stint_pages *pages, int database);

void stint_pages_close_database(struct stint_pages *pages, int database);

void stint_pages_end(struct stint_pages *pages);

#endif
