/* Chooses which rows of a comparison are shown, and sorts them by how much they changed, by how large they are, or by
 * name. Counters have different units, so they are compared as parts. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "diff/diff_formats.h"

struct key {
    double size;
    const struct stint_diff_row *row;
};

static int by_name(const struct stint_diff_row *a, const struct stint_diff_row *b)
{
    int order = strcmp(a->path, b->path);
    return order ? order : strcmp(a->set, b->set);
}

static int comes_before(const void *array, size_t a, size_t b)
{
    const struct key *keys = array;
    if (keys[a].row->kind != keys[b].row->kind)
        return keys[a].row->kind < keys[b].row->kind;
    if (keys[a].size > keys[b].size || keys[a].size < keys[b].size)
        return keys[a].size > keys[b].size;
    int order = by_name(keys[a].row, keys[b].row);
    return order ? order < 0 : a < b;
}

/* Counters have different units: their changes are compared as parts. */
static double part_of(const struct stint_diff_row *row, double a, double b)
{
    if (!row->files[STINT_DIFF_A] || !row->files[STINT_DIFF_B] || !(fabs(b - a) > 0))
        return 0;
    return a > 0 ? fabs(b - a) / a : INFINITY;
}

static double size_of(const struct stint_diff_report *report, const struct stint_diff_row *row)
{
    double a = stint_change_mean(report->diff, row, STINT_DIFF_A, stint_diff_main_metric(row));
    double b = stint_change_mean(report->diff, row, STINT_DIFF_B, stint_diff_main_metric(row));
    if (report->sort == STINT_DIFF_SORT_NAME)
        return 0;
    if (stint_diff_kind_is_counter(row->kind))
        return part_of(row, a, b);
    return report->sort == STINT_DIFF_SORT_TOTAL ? fmax(a, b) : fabs(b - a);
}

struct stint_diff_rows stint_diff_rows_of(const struct stint_diff_report *report, unsigned kinds,
                                          struct stint_arena *arena)
{
    size_t all = report->diff->rows.count, count = 0;
    struct key *keys = stint_arena_alloc(arena, (all + 1) * sizeof *keys);
    size_t *order = stint_arena_alloc(arena, (all + 1) * sizeof *order);
    size_t *position = stint_arena_alloc(arena, (all + 1) * sizeof *position);
    if (!keys || !order || !position)
        return (struct stint_diff_rows){0};
    for (size_t i = 0; i < all; i++) {
        const struct stint_diff_row *row = stint_diff_row_at(report->diff, i);
        if (!(report->kinds & kinds & 1U << row->kind))
            continue;
        order[count] = count;
        keys[count++] = (struct key){.size = size_of(report, row), .row = row};
    }
    stint_sort(order, count, comes_before, keys);
    for (size_t i = 0; i < count; i++)
        position[i] = (size_t)(keys[order[i]].row - stint_diff_row_at(report->diff, 0));
    return (struct stint_diff_rows){.position = position, .count = count};
}
