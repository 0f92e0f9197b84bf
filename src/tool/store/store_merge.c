/* Merges the runs of all tables of a store by time, by means of a heap. */
#include "store/store_merge.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/event_columns.h"

/* Maximum number of runs that are open at a time. Runs overlap by as much as events arrive late; no program writes so
 * many. */
enum { MOST_OPEN = 1 << 14 };

/* ------------------------------------------------------------------------------------------------------------- heap */

static int is_before(const struct stint_store_run *a, const struct stint_store_run *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns;
    return a->table < b->table; /* scopes enclose calls, which enclose what they launched */
}

static void sift_down(struct stint_store_merge *merge)
{
    struct stint_store_run moved = merge->open[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < merge->open_count; at = child) {
        if (child + 1 < merge->open_count && is_before(&merge->open[child + 1], &merge->open[child]))
            child++;
        if (!is_before(&merge->open[child], &moved))
            break;
        merge->open[at] = merge->open[child];
    }
    merge->open[at] = moved;
}

static void sift_up(struct stint_store_merge *merge, size_t at)
{
    struct stint_store_run moved = merge->open[at];
    for (; at && is_before(&moved, &merge->open[(at - 1) / 2]); at = (at - 1) / 2)
        merge->open[at] = merge->open[(at - 1) / 2];
    merge->open[at] = moved;
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* Reads the next event's times; returns 0 if there is none. */
static int step(struct stint_store_run *run)
{
    if (!stint_sql_step(&run->rows))
        return 0;
    run->start_ns = (uint64_t)stint_sql_i64(&run->rows, 0);
    run->end_ns = stint_sql_is_null(&run->rows, 1) ? run->start_ns : (uint64_t)stint_sql_i64(&run->rows, 1);
    return 1;
}

static int grow(struct stint_store_merge *merge)
{
    size_t capacity = merge->open_capacity ? 2 * merge->open_capacity : 16;
    struct stint_store_run *open = realloc(merge->open, capacity * sizeof *open);
    if (!open || capacity > MOST_OPEN) {
        merge->open = open ? open : merge->open;
        return stint_sql_fail(merge->sql, "there is not enough memory: too many of its parts are out of order");
    }
    merge->open = open;
    merge->open_capacity = capacity;
    return 0;
}

static void open_run(struct stint_store_merge *merge)
{
    int64_t table = stint_sql_i64(&merge->runs, 1);
    if (table < 0 || table >= STINT_STORE_TABLES || (merge->open_count == merge->open_capacity && grow(merge)))
        return;
    struct stint_store_run run = (struct stint_store_run){.table = (enum stint_store_table)table};
    run.rows = stint_event_columns_select(merge->sql, run.table);
    stint_sql_bind_i64(&run.rows, 1, stint_sql_i64(&merge->runs, 2));
    stint_sql_bind_i64(&run.rows, 2, stint_sql_i64(&merge->runs, 3));
    if (step(&run)) {
        merge->open[merge->open_count++] = run;
        sift_up(merge, merge->open_count - 1);
    } else {
        stint_sql_end(&run.rows);
    }
}

/* Opens all runs that may have the next event. */
static void open_due(struct stint_store_merge *merge)
{
    while (merge->has_run &&
           (!merge->open_count || (uint64_t)stint_sql_i64(&merge->runs, 0) <= merge->open[0].start_ns)) {
        open_run(merge);
        merge->has_run = stint_sql_step(&merge->runs);
    }
}

/* Skips the event of the first run. */
static void advance(struct stint_store_merge *merge)
{
    if (!step(&merge->open[0])) {
        stint_sql_end(&merge->open[0].rows);
        merge->open[0] = merge->open[--merge->open_count];
    }
    if (merge->open_count)
        sift_down(merge);
}

/* ----------------------------------------------------------------------------------------------------------- source */

static struct stint_store_merge *of(struct stint_event_source *source)
{
    return (struct stint_store_merge *)(void *)source;
}

static int outcome(struct stint_store_merge *merge, int result)
{
    if (!merge->sql->failed)
        return result;
    (void)snprintf(merge->source.reason, sizeof merge->source.reason, "%s", merge->sql->reason);
    return -1;
}

static void close_runs(struct stint_store_merge *merge)
{
    for (size_t i = 0; i < merge->open_count; i++)
        stint_sql_end(&merge->open[i].rows);
    merge->open_count = 0;
    stint_sql_end(&merge->runs);
}

static int begin(struct stint_event_source *source)
{
    struct stint_store_merge *merge = of(source);
    close_runs(merge);
    merge->runs = stint_sql_query(merge->sql, "SELECT start, kind, first, last FROM stint_runs ORDER BY start");
    merge->has_run = stint_sql_step(&merge->runs);
    merge->told = 0;
    merge->last_ns = 0;
    return outcome(merge, 0);
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_store_merge *merge = of(source);
    if (merge->told)
        advance(merge);
    open_due(merge);
    merge->told = merge->open_count && !merge->sql->failed;
    if (!merge->told)
        return outcome(merge, 0);
    if (merge->open[0].start_ns < merge->last_ns || merge->open[0].end_ns < merge->open[0].start_ns)
        return outcome(merge, stint_sql_fail(merge->sql, "the database is damaged: its events are out of order"));
    merge->last_ns = merge->open[0].start_ns;
    stint_store_decode(&merge->open[0], merge->lookup, event, &merge->parts);
    return outcome(merge, 1);
}

void stint_store_merge_begin(struct stint_store_merge *merge, struct stint_sql *sql, struct stint_lookup *lookup)
{
    *merge = (struct stint_store_merge){.source = {.begin = begin, .next = next}, .sql = sql, .lookup = lookup};
}

void stint_store_merge_end(struct stint_store_merge *merge)
{
    close_runs(merge);
    free(merge->open);
}
