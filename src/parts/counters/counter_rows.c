/* Adds up what was counted, and picks sums of it. */
#include "counters/counted_device.h"

#include <string.h>

#include "counters/counter_plan.h"
#include "counters/kernel_choice.h"
#include "stat/numbers.h"

static const struct stint_table_key s_row = STINT_TABLE_KEY_COPYING(struct stint_nvtx_value, set, name, field);

void stint_counter_rows_add(struct stint_counter_rows *rows, const char *set, const char *name, const char *metric,
                            double value)
{
    struct stint_nvtx_value like = {.set = set, .name = name, .field = metric, .min = value, .max = value};
    struct stint_nvtx_value *row = stint_table_take(&rows->rows, &s_row, &rows->arena, &like);
    if (!row)
        return;
    row->count++;
    row->sum += value;
    row->min = value < row->min ? value : row->min;
    row->max = value > row->max ? value : row->max;
}

static int is_metric(const char *field, const char *metric, const char *suffix)
{
    size_t length = strlen(metric);
    return strncmp(field, metric, length) == 0 && strcmp(field + length, suffix) == 0;
}

static void add_up(struct stint_counter *sum, const struct stint_nvtx_value *row)
{
    sum->min = !sum->launches || row->min < sum->min ? row->min : sum->min;
    sum->max = !sum->launches || row->max > sum->max ? row->max : sum->max;
    stint_sum_up(&sum->launches, row->count);
    sum->sum += row->sum;
}

static struct stint_counter sum_of(const struct stint_counter_rows *rows, const char *set, const char *patterns,
                                   const char *metric, const char *suffix)
{
    int (*is_among)(const char *patterns, const char *name) =
        strcmp(set, STINT_COUNTER_SET) == 0 ? stint_kernel_is_among : stint_scope_name_is_among;
    const struct stint_nvtx_value *all = rows->rows.items;
    struct stint_counter sum = {0};
    for (size_t i = 0; i < rows->rows.count; i++)
        if (is_metric(all[i].field, metric, suffix) && strcmp(all[i].set, set) == 0 && is_among(patterns, all[i].name))
            add_up(&sum, &all[i]);
    return sum;
}

struct stint_counter stint_counter_rows_sum(const struct stint_counter_rows *rows, const char *set,
                                            const char *patterns, const char *metric)
{
    struct stint_counter sum = sum_of(rows, set, patterns, metric, "");
    for (size_t i = 0; !sum.launches && i < STINT_COUNTER_SUFFIXES; i++)
        sum = sum_of(rows, set, patterns, metric, stint_counter_suffixes[i]);
    return sum;
}

void stint_counter_rows_put(const struct stint_counter_rows *rows, stint_counting_put_fn *put, void *context)
{
    for (size_t i = 0; i < rows->rows.count; i++)
        put(context, (const struct stint_nvtx_value *)rows->rows.items + i);
}
