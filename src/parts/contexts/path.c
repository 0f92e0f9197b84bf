/* Numbers for calling contexts of the whole process: a table of (parent, statistic), without duplicates, that only
 * grows. A node learns its number when it is first asked for, and then has it at hand. */
#include "contexts/contexts.h"

#include <stddef.h>
#include <string.h>

#include "record/registry.h"
#include "record/thread.h"

/* What a node keeps if there was no room for its path. No path has this number, because there are fewer. */
enum { NO_ROOM = -1 };

/* Changed under the registry's lock; the table and `last` are read without. Neither moves, so a fork or the exit of a
 * thread changes nothing. */
static struct {
    struct stint_path *table; /* of the greatest possible length; parts that are never touched take no memory */
    uint32_t last;
    struct stint_arena arena;
    struct stint_index index;
} s_paths = {.last = STINT_PATH_ROOT};

uint32_t stint_path_last(void)
{
    return __atomic_load_n(&s_paths.last, __ATOMIC_ACQUIRE);
}

struct stint_path stint_path_at(uint32_t path)
{
    return path > STINT_PATH_ROOT && path <= stint_path_last() ? s_paths.table[path] : (struct stint_path){0};
}

/* -------------------------------------------------------------------------------------------------------- the table */

static int same_path(const void *array, size_t position, const void *key)
{
    const struct stint_path *path = (const struct stint_path *)array + position, *like = key;
    return path->parent == like->parent && path->id == like->id;
}

static int make_table(void)
{
    if (!s_paths.table)
        s_paths.table = stint_arena_alloc(&s_paths.arena,
                                          ((size_t)stint_limits.nodes + STINT_PATH_ROOT + 1) * sizeof *s_paths.table);
    return s_paths.table ? 0 : -1;
}

static uint32_t add(const struct stint_path *path, uint64_t hash)
{
    uint32_t number = s_paths.last + 1;
    if (number > stint_limits.nodes + STINT_PATH_ROOT || stint_index_add(&s_paths.index, &s_paths.arena, hash, number))
        return (uint32_t)NO_ROOM;
    s_paths.table[number] = *path;
    __atomic_store_n(&s_paths.last, number, __ATOMIC_RELEASE);
    return number;
}

/* Returns the number of a path, added if missing. Under the lock. */
static uint32_t number_of(uint32_t parent, uint32_t id)
{
    struct stint_path path = {parent, id};
    uint64_t hash = stint_hash(&path, sizeof path, 0);
    if (parent == (uint32_t)NO_ROOM || make_table())
        return (uint32_t)NO_ROOM;
    size_t at = stint_index_find(&s_paths.index, hash, same_path, s_paths.table, &path);
    return at == STINT_INDEX_NONE ? add(&path, hash) : (uint32_t)at;
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

/* Fills in the path of a node whose parent's is known. */
static void name_node(struct stint_i_node *node)
{
    uint32_t parent = STINT_I_LOAD(&node->parent->path);
    STINT_I_STORE(&node->path, stint_call_is(node->id) ? parent : number_of(parent, node->id));
}

/* Fills in the paths from the root down to `node`: for as many of the topmost nodes as fit at a time, without
 * recursion, because trees may be deeper than a thread's stack. */
__attribute__((cold)) static void name_nodes(struct stint_i_node *node)
{
    struct stint_i_node *chain[64];
    while (!STINT_I_LOAD(&node->path)) {
        size_t room = sizeof chain / sizeof chain[0];
        size_t height = 0;
        for (struct stint_i_node *at = node; !STINT_I_LOAD(&at->path); at = at->parent)
            chain[height++ % room] = at;
        for (size_t i = 0; i < height && i < room; i++)
            name_node(chain[(height - 1 - i) % room]);
    }
}

/* Gives a node of the calling thread its path, so that node->path is not 0 from now on; if there is no room, it is a
 * number that stint_path_at does not know. Inside the guard. */
static void learn_path(struct stint_i_node *node)
{
    stint_registry_lock();
    name_nodes(node);
    stint_registry_unlock();
}

uint32_t stint_path_below(struct stint_i_node *node, uint32_t id)
{
    name_nodes(node);
    uint32_t path = number_of(STINT_I_LOAD(&node->path), id);
    return path == (uint32_t)NO_ROOM ? (uint32_t)STINT_PATH_NONE : path;
}

/* Called the first time in a node, because the thread launches something there. */
static uint32_t learn(struct stint_i_node *node)
{
    if (!stint_guard_begin())
        return STINT_PATH_NONE;
    stint_adopt_see_launch();
    learn_path(node);
    stint_guard_end();
    return node->path;
}

uint32_t stint_path_current(void)
{
    struct stint_i_node *node = stint_i_self->current;
    uint32_t path = STINT_PATH_ROOT;
    if (node)
        path = STINT_I_LOAD(&node->path);
    if (STINT_I_UNLIKELY(path == STINT_PATH_NONE))
        path = learn(node);
    return STINT_I_UNLIKELY(path == (uint32_t)NO_ROOM) ? STINT_PATH_NONE : path;
}

uint32_t stint_path_now(void)
{
    const struct stint_i_node *node = __atomic_load_n(&stint_i_self->current, __ATOMIC_ACQUIRE);
    uint32_t path = node ? STINT_I_LOAD(&node->path) : STINT_PATH_ROOT;
    return path == (uint32_t)NO_ROOM ? STINT_PATH_NONE : path;
}

void stint_paths_start(void)
{
    STINT_I_STORE(&stint_tree_tell_child, learn_path);
    stint_registry_lock();
    for (struct stint_thread_record *record = stint_thread_first(); record; record = record->next)
        for (struct stint_i_node *node = record->tree.root; node; node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE))
            name_nodes(node);
    stint_registry_unlock();
}
