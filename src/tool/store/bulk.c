#include "store/bulk.h"

#include <stdlib.h>
#include <string.h>

/* Children of an inner page, which fit whatever their keys are: a cell has a page, a key, and a place in the page. */
enum {
    OF_TABLE = STINT_BTREE_PAGE / (4 + 9 + 2) - 1,
    OF_INDEX = STINT_BTREE_PAGE / (4 + STINT_BULK_LONGEST_CELL + 2) - 1
};

enum { LONGEST_KEY = 9 };

/* A tree of pages: leaves, or inner pages with the level below them. */
struct tree {
    enum stint_btree_kind inner;
    size_t most; /* children of an inner page */
    uint32_t root;
    struct stint_bulk_children *children;
};

void stint_bulk_begin(struct stint_bulk *bulk, struct stint_sql *sql, const char *path)
{
    *bulk = (struct stint_bulk){.leaves.longest = LONGEST_KEY};
    stint_pages_begin(&bulk->pages, sql, path);
    stint_pages_begin(&bulk->index_pages, sql, path);
    stint_btree_begin(&bulk->leaf, STINT_BTREE_TABLE_LEAF);
}

void stint_bulk_end(struct stint_bulk *bulk)
{
    stint_bulk_index_end(&bulk->index);
    free(bulk->leaves.all);
    stint_pages_end(&bulk->pages);
    stint_pages_end(&bulk->index_pages);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static void end_leaf(struct stint_bulk *bulk)
{
    unsigned char key[LONGEST_KEY];
    size_t size = (size_t)(stint_btree_put_varint(key, (uint64_t)bulk->rows) - key);
    stint_bulk_child_add(&bulk->leaves, bulk->pages.sql, stint_pages_add(&bulk->pages, &bulk->leaf, 0), key, size);
    stint_btree_begin(&bulk->leaf, STINT_BTREE_TABLE_LEAF);
}

void stint_bulk_add(struct stint_bulk *bulk, const struct stint_range_row *row)
{
    struct stint_btree_record record = {.types = 0, .size = 0};
    unsigned char cell[2 * sizeof record];
    int64_t number = bulk->rows + 1;
    stint_event_columns_record(row, &record);
    size_t size = (size_t)(stint_btree_put_record(cell, &record, &number) - cell);
    if (stint_btree_room(&bulk->leaf) < size + 2)
        end_leaf(bulk);
    stint_btree_add(&bulk->leaf, cell, size);
    bulk->rows = number;
    stint_bulk_index_add(&bulk->index, &bulk->index_pages, row->thread, row->start_ns, number);
}

/* ------------------------------------------------------------------------------------------------------------ trees */

/* Fills an inner page with children, and makes the last one's key that of the page. */
static void fill(struct stint_btree_page *page, const struct tree *tree, size_t first, size_t end)
{
    unsigned char cell[4 + STINT_BULK_LONGEST_CELL];
    stint_btree_begin(page, tree->inner);
    for (size_t i = first; i + 1 < end; i++) {
        struct stint_bulk_child child = stint_bulk_child_at(tree->children, i);
        unsigned char *to = stint_btree_put_u32(cell, child.page);
        memcpy(to, child.cell, child.size);
        stint_btree_add(page, cell, 4 + child.size);
    }
}

/* Puts inner pages above the children, each with about as many as the others, until a single page is enough, which is
 * the root. */
static void build(struct stint_pages *pages, int database, const struct tree *tree)
{
    struct stint_bulk_children *children = tree->children;
    struct stint_btree_page page;
    for (size_t i = 0; i < children->count; i++) {
        struct stint_bulk_child child = stint_bulk_child_at(children, i);
        child.page = stint_pages_place(pages, child.page);
        stint_bulk_child_set(children, i, &child);
    }
    while (children->count > tree->most) {
        size_t parents = (children->count + tree->most - 1) / tree->most, first = 0;
        for (size_t i = 0; i < parents; i++) {
            size_t end = children->count * (i + 1) / parents;
            fill(&page, tree, first, end);
            struct stint_bulk_child parent = stint_bulk_child_at(children, end - 1);
            parent.page = stint_pages_place(pages, stint_pages_add(pages, &page, parent.page));
            stint_bulk_child_set(children, i, &parent);
            first = end;
        }
        children->count = parents;
    }
    fill(&page, tree, 0, children->count);
    stint_pages_replace(pages, database, tree->root, &page, stint_bulk_child_at(children, children->count - 1).page);
}

/* A tree of one leaf is a root only. */
static void put_tree(struct stint_pages *pages, int database, const struct tree *tree)
{
    struct stint_btree_page leaf;
    if (tree->children->count == 1) {
        stint_pages_read(pages, stint_bulk_child_at(tree->children, 0).page, &leaf);
        stint_pages_replace(pages, database, tree->root, &leaf, 0);
    } else if (tree->children->count) {
        build(pages, database, tree);
        stint_pages_append(pages, database);
    }
}

static void add_tree(struct stint_pages *pages, const char *path, const struct tree *tree)
{
    int database = pages->sql->failed ? -1 : stint_pages_open_database(pages, path);
    if (database < 0)
        return;
    put_tree(pages, database, tree);
    stint_pages_close_database(pages, database);
}

static uint32_t root_of(struct stint_sql *sql, const char *name)
{
    struct stint_sql_query query = stint_sql_query(sql, "SELECT rootpage FROM sqlite_master WHERE name = ?1");
    stint_sql_bind_text(&query, 1, name, strlen(name));
    uint32_t root = stint_sql_step(&query) ? (uint32_t)stint_sql_i64(&query, 0) : 0;
    stint_sql_end(&query);
    return root;
}

void stint_bulk_prepare(struct stint_bulk *bulk)
{
    bulk->table_root = root_of(bulk->pages.sql, "NVTX_EVENTS");
    bulk->index_root = root_of(bulk->pages.sql, "stint_ranges_by_thread");
}

static void add_index(struct stint_bulk *bulk, const char *path)
{
    struct stint_bulk_children entries = {0};
    struct tree index = {STINT_BTREE_INDEX_INNER, OF_INDEX, bulk->index_root, &entries};
    stint_bulk_index_finish(&bulk->index, &bulk->index_pages, &entries);
    add_tree(&bulk->index_pages, path, &index);
    free(entries.all);
}

void stint_bulk_finish(struct stint_bulk *bulk, const char *path)
{
    struct tree table = {STINT_BTREE_TABLE_INNER, OF_TABLE, bulk->table_root, &bulk->leaves};
    if (bulk->leaf.cells)
        end_leaf(bulk);
    add_tree(&bulk->pages, path, &table);
    free(bulk->leaves.all);
    bulk->leaves = (struct stint_bulk_children){0};
    if (stint_bulk_has_index(bulk))
        add_index(bulk, path);
}
