/* Sorts rows by what the user asks for, with ties always in the same order, and counts what the limit on rows leaves
 * out. */
#include "report/row_order.h"

#include <string.h>

#include "base/arena.h"
#include "report/line.h"

/* ------------------------------------------------------------------------------------------------------------ ranks */

uint64_t stint_samples_of(const struct stint_numbers *numbers, int flat)
{
    uint64_t outermost = numbers->count - numbers->recursive;
    return outermost || flat ? outermost : numbers->count;
}

static uint64_t average_of(const struct stint_numbers *numbers, int flat)
{
    uint64_t samples = stint_samples_of(numbers, flat);
    return samples ? numbers->total_ns / samples : 0;
}

static uint64_t value_of(enum stint_sort sort, const struct stint_numbers *numbers, int flat)
{
    switch (sort) {
    case STINT_SORT_COUNT:
        return numbers->count;
    case STINT_SORT_AVERAGE:
        return average_of(numbers, flat);
    case STINT_SORT_MIN:
        return numbers->min_ns;
    case STINT_SORT_MAX:
        return numbers->max_ns;
    case STINT_SORT_SELF:
        return numbers->self_ns;
    case STINT_SORT_CPU:
        return numbers->cpu_ns;
    case STINT_SORT_NAME:
        return 0;
    default:
        return numbers->total_ns;
    }
}

struct stint_rank stint_rank_of(enum stint_sort sort, const struct stint_numbers *numbers, int flat, const char *set,
                                const char *name)
{
    struct stint_rank rank = {.value = value_of(sort, numbers, flat)};
    if (sort == STINT_SORT_NAME) {
        rank.set = set;
        rank.name = name;
    }
    return rank;
}

static int rank_before(const void *array, size_t a, size_t b)
{
    const struct stint_rank *x = (const struct stint_rank *)array + a, *y = (const struct stint_rank *)array + b;
    if (x->value != y->value)
        return x->value > y->value;
    int order = x->name && y->name ? strcmp(x->set, y->set) : 0;
    if (!order && x->name && y->name)
        order = strcmp(x->name, y->name);
    return order ? order < 0 : a < b;
}

size_t *stint_rank_order(const struct stint_rank *ranks, size_t count, struct stint_arena *arena)
{
    return stint_sorted(arena, count, rank_before, ranks);
}

const size_t *stint_stats_order(const struct stint_snapshot *snapshot, enum stint_sort sort, struct stint_arena *arena)
{
    struct stint_rank *ranks = sort ? stint_arena_alloc(arena, (snapshot->stat_count + 1) * sizeof *ranks) : NULL;
    for (size_t i = 0; ranks && i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        struct stint_label label = stint_label_of(snapshot, stat);
        ranks[i] = stint_rank_of(sort, &stat->numbers, 1, label.set, label.name);
    }
    return ranks ? stint_rank_order(ranks, snapshot->stat_count, arena) : NULL;
}

/* ------------------------------------------------------------------------------------------------------------- rest */

static void add_share(struct stint_line *line, const struct stint_rest *rest)
{
    double percent = 100 * (double)rest->part / (double)rest->whole;
    if (rest->part && percent < 0.05) {
        stint_line_string(line, "less than 0.1");
        return;
    }
    stint_line_fixed(line, percent, 1);
}

static int s_by_environment;

void stint_rest_is_by_environment(void)
{
    s_by_environment = 1;
}

const char *stint_rest_hint(int by_share)
{
    if (s_by_environment)
        return " (STINT_TOP=0 shows all)";
    return by_share ? " (--top 0 --min-percent 0 shows all)" : " (--top 0 shows all)";
}

void stint_rest_put(const struct stint_rest *rest, const char *whole, struct stint_text *text,
                    const struct stint_layout *layout)
{
    struct stint_line line = {0};
    if (!rest->rows)
        return;
    stint_line_string(&line, "… ");
    stint_line_count(&line, rest->rows, "more row", "more rows");
    if (rest->whole && rest->whole != UINT64_MAX) {
        stint_line_string(&line, ", ");
        add_share(&line, rest);
        stint_line_string(&line, " % of ");
        stint_line_string(&line, whole);
    }
    stint_line_string(&line, stint_rest_hint(rest->by_share));
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}
