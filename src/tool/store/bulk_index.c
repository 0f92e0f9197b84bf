#include "store/bulk_index.h"

#include <stdlib.h>
#include <string.h>

/* Each leaf has room for two more entries, which are added when it turns out that there is no better place for them. */
enum { SPARE = 2 * (STINT_BULK_LONGEST_CELL + 2), MOST_THREADS = 4096 };

struct stint_bulk_thread {
    int64_t id;
    int64_t last_start;
    struct stint_btree_page leaf;
    struct stint_bulk_children full; /* leaves before it */
};

/* --------------------------------------------------------------------------------------------------------- children */

/* A child is its page, the size of its cell, and the cell. */
enum { SIZE_AT = sizeof(uint32_t), CELL_AT = SIZE_AT + 1 };

static unsigned char *child_at(const struct stint_bulk_children *children, size_t position)
{
    return children->all + position * (CELL_AT + children->longest);
}

struct stint_bulk_child stint_bulk_child_at(const struct stint_bulk_children *children, size_t position)
{
    const unsigned char *at = child_at(children, position);
    struct stint_bulk_child child = {.size = at[SIZE_AT]};
    memcpy(&child.page, at, sizeof child.page);
    memcpy(child.cell, at + CELL_AT, child.size);
    return child;
}

static void put_child(unsigned char *at, uint32_t page, const unsigned char *cell, size_t size)
{
    memcpy(at, &page, sizeof page);
    at[SIZE_AT] = (unsigned char)size;
    memcpy(at + CELL_AT, cell, size);
}

void stint_bulk_child_set(struct stint_bulk_children *children, size_t position, const struct stint_bulk_child *child)
{
    put_child(child_at(children, position), child->page, child->cell, child->size);
}

void stint_bulk_child_add(struct stint_bulk_children *children, struct stint_sql *sql, uint32_t page,
                          const unsigned char *cell, size_t size)
{
    if (children->count == children->size) {
        size_t wanted = children->size ? 2 * children->size : 64;
        unsigned char *all = realloc(children->all, wanted * (CELL_AT + children->longest));
        if (!all) {
            (void)stint_sql_fail(sql, "there is not enough memory");
            return;
        }
        children->all = all;
        children->size = wanted;
    }
    put_child(child_at(children, children->count++), page, cell, size);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static struct stint_bulk_thread *thread_at(const struct stint_bulk_index *index, size_t position)
{
    return ((struct stint_bulk_thread *const *)index->threads.items)[position];
}

static int is_thread(const void *index, size_t position, const void *id)
{
    return thread_at(index, position)->id == *(const int64_t *)id;
}

/* Returns NULL without memory, or beyond a number of threads for which memory would be needed all the time. */
static struct stint_bulk_thread *add_thread(struct stint_bulk_index *index, int64_t id, uint64_t hash)
{
    struct stint_bulk_thread *thread = index->threads.count < MOST_THREADS ? calloc(1, sizeof *thread) : NULL;
    struct stint_bulk_thread **row = thread ? stint_array_add(&index->threads, &index->arena, sizeof *row) : NULL;
    if (!row || stint_index_add(&index->by_id, &index->arena, hash, index->threads.count - 1)) {
        index->threads.count -= row != NULL;
        free(thread);
        return NULL;
    }
    thread->id = id;
    thread->full.longest = STINT_BULK_LONGEST_CELL;
    stint_btree_begin(&thread->leaf, STINT_BTREE_INDEX_LEAF);
    *row = thread;
    return thread;
}

static struct stint_bulk_thread *thread_of(struct stint_bulk_index *index, int64_t id)
{
    uint64_t hash = stint_hash_mix((uint64_t)id, 0);
    if (index->last && index->last->id == id)
        return index->last;
    size_t at = stint_index_find(&index->by_id, hash, is_thread, index, &id);
    index->last = at == STINT_INDEX_NONE ? add_thread(index, id, hash) : thread_at(index, at);
    return index->last;
}

void stint_bulk_index_end(struct stint_bulk_index *index)
{
    for (size_t i = 0; i < index->threads.count; i++) {
        free(thread_at(index, i)->full.all);
        free(thread_at(index, i));
    }
    stint_arena_free(&index->arena);
}

/* ---------------------------------------------------------------------------------------------------------- entries */

static size_t put_entry(unsigned char *to, int64_t thread, uint64_t start, int64_t row)
{
    struct stint_btree_record record = {.types = 0, .size = 0};
    stint_btree_i64(&record, thread);
    stint_btree_i64(&record, (int64_t)start);
    stint_btree_i64(&record, row);
    return (size_t)(stint_btree_put_record(to, &record, NULL) - to);
}

/* Adds an entry to the leaf or, if that is full, behind it. */
static void add_cell(struct stint_btree_page *leaf, struct stint_bulk_children *full, struct stint_pages *pages,
                     const unsigned char *cell, size_t size)
{
    if (stint_btree_room(leaf) >= size + SPARE) {
        stint_btree_add(leaf, cell, size);
        return;
    }
    stint_bulk_child_add(full, pages->sql, stint_pages_add(pages, leaf, 0), cell, size);
    stint_btree_begin(leaf, STINT_BTREE_INDEX_LEAF);
}

void stint_bulk_index_add(struct stint_bulk_index *index, struct stint_pages *pages, int64_t thread, uint64_t start,
                          int64_t row)
{
    unsigned char cell[STINT_BULK_LONGEST_CELL];
    struct stint_bulk_thread *of = index->is_unordered ? NULL : thread_of(index, thread);
    index->is_unordered |= !of || (int64_t)start < of->last_start;
    if (index->is_unordered)
        return;
    of->last_start = (int64_t)start;
    add_cell(&of->leaf, &of->full, pages, cell, put_entry(cell, thread, start, row));
}

/* ----------------------------------------------------------------------------------------------------------- finish */

static int by_id(const void *a, const void *b)
{
    int64_t x = (*(struct stint_bulk_thread *const *)a)->id, y = (*(struct stint_bulk_thread *const *)b)->id;
    return x < y ? -1 : x > y;
}

/* What is not yet in a leaf that is complete. */
struct tail {
    struct stint_pages *pages;
    struct stint_bulk_children *leaves;
    struct stint_btree_page leaf;
};

/* The size of a cell's content is its first byte. */
static size_t size_of(const unsigned char *cell)
{
    return (size_t)cell[0] + 1;
}

static void complete_leaf(struct tail *tail, const unsigned char *cell, size_t size)
{
    stint_bulk_child_add(tail->leaves, tail->pages->sql, stint_pages_add(tail->pages, &tail->leaf, 0), cell, size);
    stint_btree_begin(&tail->leaf, STINT_BTREE_INDEX_LEAF);
}

static void change_leaf(struct tail *tail, uint32_t number, const unsigned char *cell,
                        void (*add)(struct stint_btree_page *page, const unsigned char *cell, size_t size))
{
    struct stint_btree_page page;
    stint_pages_read(tail->pages, number, &page);
    if (tail->pages->sql->failed)
        return;
    add(&page, cell, size_of(cell));
    stint_pages_write(tail->pages, number, &page);
}

/* Ends the leaf before another one that is complete. The last entry separates them; the only one becomes the first of
 * the other, and the entry before it separates that from the leaf before. */
static void end_leaf(struct tail *tail, uint32_t next)
{
    unsigned char cell[STINT_BULK_LONGEST_CELL];
    const unsigned char *last = stint_btree_cell(&tail->leaf, tail->leaf.cells - 1);
    size_t size = size_of(last);
    memcpy(cell, last, size);
    stint_btree_remove_last(&tail->leaf, size);
    if (tail->leaf.cells) {
        complete_leaf(tail, cell, size);
        return;
    }
    change_leaf(tail, next, cell, stint_btree_add_first);
    stint_btree_begin(&tail->leaf, STINT_BTREE_INDEX_LEAF);
}

/* Moves the leaves that are full, so that they are not in memory twice. */
static void move_leaves(struct tail *tail, struct stint_bulk_children *full)
{
    if (!tail->leaves->count) {
        *tail->leaves = *full;
    } else {
        for (size_t i = 0; i < full->count; i++) {
            struct stint_bulk_child child = stint_bulk_child_at(full, i);
            stint_bulk_child_add(tail->leaves, tail->pages->sql, child.page, child.cell, child.size);
        }
        free(full->all);
    }
    *full = (struct stint_bulk_children){0};
}

static void add_thread_leaves(struct tail *tail, struct stint_bulk_thread *thread)
{
    if (thread->full.count && tail->leaf.cells)
        end_leaf(tail, stint_bulk_child_at(&thread->full, 0).page);
    if (thread->full.count)
        move_leaves(tail, &thread->full);
    for (unsigned i = 0; i < thread->leaf.cells; i++) {
        const unsigned char *cell = stint_btree_cell(&thread->leaf, i);
        add_cell(&tail->leaf, tail->leaves, tail->pages, cell, size_of(cell));
    }
}

void stint_bulk_index_finish(struct stint_bulk_index *index, struct stint_pages *pages,
                             struct stint_bulk_children *leaves)
{
    struct tail tail = {.pages = pages, .leaves = leaves};
    leaves->longest = STINT_BULK_LONGEST_CELL;
    stint_btree_begin(&tail.leaf, STINT_BTREE_INDEX_LEAF);
    if (index->threads.count)
        qsort(index->threads.items, index->threads.count, sizeof(struct stint_bulk_thread *), by_id);
    for (size_t i = 0; i < index->threads.count; i++)
        add_thread_leaves(&tail, thread_at(index, i));
    if (tail.leaf.cells) {
        complete_leaf(&tail, (const unsigned char *)"", 0);
    } else if (leaves->count) { /* nothing comes behind the last entry */
        struct stint_bulk_child last = stint_bulk_child_at(leaves, leaves->count - 1);
        change_leaf(&tail, last.page, last.cell, stint_btree_add);
    }
}
