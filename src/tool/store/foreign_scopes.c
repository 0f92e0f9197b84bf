/* Finds the scope that each row of a foreign file is in: those that are open on its thread, and those that wait for
 * work of another thread. */
#include "store/foreign_dialect.h"

/* Calling contexts beyond this limit are skipped, and counted as dropped. */
enum { MOST_CONTEXTS = 1 << 18 };

/* Only this many of the outermost open scopes are moved: domains of real programs do not overlap in more. */
enum { MOST_MOVED = 64 };

/* A calling context, in the order in which they occurred. Texts are kept once, so that equal texts have the same
 * address. */
struct node {
    size_t parent; /* position in nodes; STINT_NO_PARENT if there is none */
    const char *set;
    const char *name;
    size_t context; /* position in the builder while the file is read for the first time; afterwards in the snapshot */
};

static const struct stint_table_key s_node = STINT_TABLE_KEY_BY_ADDRESS(struct node, parent, set, name);

static struct node *node_at(const struct stint_foreign_scopes *scopes, size_t node)
{
    return (struct node *)scopes->nodes.items + node;
}

static size_t context_in_builder(struct stint_foreign_scopes *scopes, const struct node *node)
{
    struct stint_builder *builder = scopes->builder;
    struct stint_stat like = {.set = node->set, .name = node->name, .file = "", .function = ""};
    size_t stat = stint_builder_stat(builder, &like);
    size_t parent = node->parent == STINT_NO_PARENT ? STINT_NO_PARENT : node_at(scopes, node->parent)->context;
    return stint_builder_context(builder, parent, stat);
}

/* Returns the number of the node; STINT_NO_PARENT, as STINT_INDEX_NONE, if there is no room for it. */
static size_t node_of(struct stint_foreign_scopes *scopes, size_t parent, const char *set, const char *name)
{
    struct node like = {.parent = parent, .set = set, .name = name};
    const struct node *row = stint_table_find(&scopes->nodes, &s_node, &like);
    if (!row && scopes->builder && scopes->nodes.count < MOST_CONTEXTS) {
        like.context = context_in_builder(scopes, &like);
        row = stint_table_take(&scopes->nodes, &s_node, &scopes->arena, &like);
        scopes->builder->failed |= !row;
    }
    scopes->dropped->nodes += !row;
    return stint_table_position(&scopes->nodes, &s_node, row);
}

/* As in snapshots of programs that stint recorded. */
static const char s_adopted_set[] = "GlobalStatInfo", s_adopted[] = STINT_ADOPTED;

/* Returns the node STINT_ADOPTED that the node is in; STINT_NO_PARENT: it is in none. */
static size_t adopted_around(const struct stint_foreign_scopes *scopes, size_t node)
{
    while (node != STINT_NO_PARENT && node_at(scopes, node)->name != s_adopted)
        node = node_at(scopes, node)->parent;
    return node;
}

/* When a range ends before one of another domain that began inside it, the latter moves to the context around the
 * former, and so does what begins in it from now on. Otherwise ranges that overlap in turn would nest ever deeper. */
static void move_scopes(struct stint_foreign_scopes *scopes, struct stint_open_thread *thread)
{
    struct stint_open *open = thread->open.items;
    size_t parent = thread->open.count ? adopted_around(scopes, open[0].context) : STINT_NO_PARENT;
    thread->has_moved = 0;
    for (size_t i = 0; i < thread->open.count && i < MOST_MOVED; i++) {
        const struct node *node = node_at(scopes, open[i].context);
        size_t moved = node->parent == parent ? open[i].context : node_of(scopes, parent, node->set, node->name);
        if (moved != STINT_NO_PARENT)
            open[i].context = moved;
        parent = open[i].context;
    }
}

struct stint_open_thread *stint_foreign_thread_at(struct stint_foreign_scopes *scopes, const struct stint_event *event)
{
    struct stint_open_thread *thread = stint_open_at(&scopes->open, event->pid, event->tid, event->start_ns);
    if (thread && thread->has_moved)
        move_scopes(scopes, thread);
    return thread;
}

/* Returns the node that what begins on the thread is in: that of the innermost open scope or, if none is open, that of
 * work for another thread. STINT_NO_PARENT: none. */
static size_t node_around(struct stint_foreign_scopes *scopes, const struct stint_open_thread *thread,
                          const struct stint_event *event)
{
    const struct stint_open *scope = thread ? stint_open_scope(thread) : NULL;
    if (scope || !thread)
        return scope ? scope->context : STINT_NO_PARENT;
    scope = stint_helpers_waiting(&scopes->helpers, &scopes->open, thread, event->start_ns,
                                  event->kind != STINT_EVENT_CALL);
    return scope ? node_of(scopes, scope->context, s_adopted_set, s_adopted) : STINT_NO_PARENT;
}

size_t stint_foreign_context_around(struct stint_foreign_scopes *scopes, const struct stint_open_thread *thread,
                                    const struct stint_event *event)
{
    size_t node = node_around(scopes, thread, event);
    return node == STINT_NO_PARENT ? STINT_GPU_NO_SCOPE : node_at(scopes, node)->context;
}

int stint_foreign_scope_open(struct stint_foreign_scopes *scopes, struct stint_event *event,
                             struct stint_open_thread *thread)
{
    size_t node = node_of(scopes, node_around(scopes, thread, event), event->set, event->name);
    struct stint_open *open =
        thread && node != STINT_NO_PARENT ? stint_open_push(&scopes->open, thread, event->end_ns) : NULL;
    if (!open)
        return 0;
    open->context = node;
    event->context = node_at(scopes, node)->context;
    return 1;
}

/* Parents come before their children. */
int stint_foreign_contexts_find(struct stint_foreign_scopes *scopes, const struct stint_snapshot *snapshot)
{
    struct stint_context_tree tree;
    struct stint_arena scratch = {0};
    int failed = stint_context_tree_begin(&tree, &scratch, snapshot);
    for (size_t i = 0; i < scopes->nodes.count && !failed; i++) {
        struct node *node = node_at(scopes, i);
        size_t parent = node->parent == STINT_NO_PARENT ? STINT_NO_PARENT : node_at(scopes, node->parent)->context;
        node->context = stint_context_tree_find(&tree, parent, node->set, node->name);
    }
    stint_arena_free(&scratch);
    return failed;
}
