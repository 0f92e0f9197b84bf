/* Folds calling contexts that few readers want to see one by one: XLA compiles a program of a few lines in hundreds of
 * passes, each a range of its own, which would fill many screens. */
#include "report/row_order.h"

#include <string.h>

#include "base/text.h"
#include "model/model.h"
#include "report/line.h"
#include "stat/numbers.h"

/* How the contexts of the snapshot become those of the copy. Parents come before their children in both. */
struct folding {
    const struct stint_snapshot *from;
    struct stint_context *contexts;
    struct stint_stat *stats;
    struct stint_arena *arena;
    size_t *to;     /* by context of the snapshot: that of the copy */
    size_t *folded; /* by context of the copy, with the roots' parent after the last: that which its folded children
                       became + 1; 0: none */
    size_t *rows;   /* by context of the copy: the number of contexts that it consists of, if it is a fold; else 0 */
    size_t context_count;
};

/* XLA's ranges are called XlaCompile, XlaPass and so on. XlaModule alone is not compilation but execution. */
static int is_compilation(const struct stint_stat *stat)
{
    const char *name = stat->name;
    return stint_begins_with(stat->set, STINT_NVTX_SET) && stint_begins_with(name, "Xla") && name[3] >= 'A' &&
           name[3] <= 'Z' && !stint_begins_with(name, "XlaModule");
}

static int has_any(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (is_compilation(&snapshot->stats[i]))
            return 1;
    return 0;
}

/* Returns where the copy has the context's children that are folded, or the roots. */
static size_t *folded_of(struct folding *folding, size_t parent)
{
    return &folding->folded[parent == STINT_NO_PARENT ? folding->from->context_count : parent];
}

static size_t add_context(struct folding *folding, const struct stint_context *like, size_t parent)
{
    size_t at = folding->context_count++;
    folding->contexts[at] = *like;
    folding->contexts[at].parent = parent;
    return at;
}

/* Adds a context to a fold. What is below its outermost contexts is in their total already. */
static void fold(struct folding *folding, size_t at, const struct stint_context *context, int is_outermost)
{
    struct stint_context *into = &folding->contexts[at];
    uint64_t self_ns = stint_sum_of(into->numbers.self_ns, context->numbers.self_ns);
    if (is_outermost) {
        (void)stint_numbers_add(&into->numbers, &context->numbers, folding->arena);
        stint_gpu_use_merge(&into->gpu, &context->gpu);
        into->gpu_self = into->gpu;
    }
    into->numbers.self_ns = self_ns;
    folding->rows[at]++;
}

static size_t begin_fold(struct folding *folding, const struct stint_context *context, size_t parent)
{
    struct stint_context empty = {.stat = context->stat, .depth = context->depth};
    size_t at = add_context(folding, &empty, parent);
    *folded_of(folding, parent) = at + 1;
    return at;
}

static void take(struct folding *folding, size_t i)
{
    const struct stint_context *context = &folding->from->contexts[i];
    size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : folding->to[context->parent];
    if (parent != STINT_NO_PARENT && folding->rows[parent]) {
        folding->to[i] = parent;
        fold(folding, parent, context, 0);
    } else if (is_compilation(&folding->from->stats[context->stat])) {
        size_t found = *folded_of(folding, parent);
        folding->to[i] = found ? found - 1 : begin_fold(folding, context, parent);
        fold(folding, folding->to[i], context, 1);
    } else {
        folding->to[i] = add_context(folding, context, parent);
    }
}

/* Returns the statistic of a fold. It is of the global set, whose name is not shown. */
static struct stint_stat stat_of(const struct folding *folding, size_t at)
{
    struct stint_stat stat = folding->from->stats[folding->contexts[at].stat];
    struct stint_line line = {0};
    stint_line_string(&line, "XLA compilation, ");
    stint_line_count(&line, folding->rows[at], "row", "rows");
    stint_line_string(&line, " (--top 0)");
    char *name = stint_arena_copy(folding->arena, line.text, line.used);
    if (name)
        stat.name = name;
    stat.set = folding->from->sets[0];
    return stat;
}

static size_t name_folds(struct folding *folding)
{
    size_t count = folding->from->stat_count;
    memcpy(folding->stats, folding->from->stats, count * sizeof *folding->stats);
    for (size_t i = 0; i < folding->context_count; i++) {
        if (!folding->rows[i])
            continue;
        folding->stats[count] = stat_of(folding, i);
        folding->contexts[i].stat = count++;
    }
    return count;
}

const struct stint_snapshot *stint_fold(const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                                        struct stint_arena *arena)
{
    size_t count = snapshot->context_count;
    if (!layout->top || layout->top == STINT_TOP_ALL || !has_any(snapshot))
        return snapshot;
    struct folding folding = {.from = snapshot, .arena = arena};
    folding.contexts = stint_arena_alloc(arena, (count + 1) * sizeof *folding.contexts);
    folding.stats = stint_arena_alloc(arena, (snapshot->stat_count + count + 1) * sizeof *folding.stats);
    folding.to = stint_arena_alloc(arena, (count + 1) * sizeof *folding.to);
    folding.folded = stint_arena_alloc(arena, (count + 1) * sizeof *folding.folded);
    folding.rows = stint_arena_alloc(arena, (count + 1) * sizeof *folding.rows);
    struct stint_snapshot *copy = stint_arena_alloc(arena, sizeof *copy);
    if (!folding.contexts || !folding.stats || !folding.to || !folding.folded || !folding.rows || !copy)
        return snapshot;
    *copy = *snapshot;
    for (size_t i = 0; i < count; i++)
        take(&folding, i);
    copy->stat_count = name_folds(&folding);
    copy->stats = folding.stats;
    copy->contexts = folding.contexts;
    copy->context_count = folding.context_count;
    return copy;
}
