/* Notes the numbers of statistics in the course of time, and says since when one is slower than it was. */
#include "ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/numbers.h"

enum { FIRST_INTERVAL_NS = 10000000 };

/* The sums of a statistic at the time of each note. */
struct sums {
    uint64_t count;
    uint64_t self_ns;
};

struct series {
    const char *set;
    const char *name;
    struct sums at[STINT_HISTORY_NOTES]; /* of activations: of each window */
    uint64_t *begin_ns;                  /* of windows of activations; NULL: these are notes */
    uint64_t count, stride;              /* activations, and how many are in a window */
};

/* ----------------------------------------------------------------------------------------------------------- noting */

static const struct stint_table_key s_series = STINT_TABLE_KEY_COPYING(struct series, set, name);

static struct series *find_series(const struct stint_history *history, const char *set, const char *name)
{
    struct series like;
    like.set = set;
    like.name = name;
    return stint_table_find(&history->series, &s_series, &like);
}

size_t stint_history_series(struct stint_history *history, const char *set, const char *name)
{
    struct series *series = find_series(history, set, name);
    struct series like = {.set = set, .name = name};
    if (!series && history->series.count < STINT_HISTORY_SERIES)
        series = stint_table_take(&history->series, &s_series, &history->arena, &like);
    return stint_table_position(&history->series, &s_series, series);
}

/* Keeps the second of each two notes: sums at a time need no sums before it. */
static void drop_every_other(struct stint_history *history)
{
    struct series *all = history->series.items;
    for (size_t i = 0; i < history->count / 2; i++) {
        history->time_ns[i] = history->time_ns[2 * i + 1];
        for (size_t j = 0; j < history->series.count; j++)
            all[j].at[i] = all[j].at[2 * i + 1];
    }
    history->count /= 2;
    history->interval_ns *= 2;
}

/* What this note lacks stays as it was: a statistic may have been deleted. */
static void carry_on(struct stint_history *history)
{
    struct series *all = history->series.items;
    for (size_t j = 0; j < history->series.count; j++)
        all[j].at[history->count] = history->count ? all[j].at[history->count - 1] : (struct sums){0, 0};
}

void stint_history_note(struct stint_history *history, const struct stint_snapshot *snapshot)
{
    if (!history->interval_ns)
        history->interval_ns = FIRST_INTERVAL_NS;
    if (history->count == STINT_HISTORY_NOTES)
        drop_every_other(history);
    carry_on(history);
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        size_t series = stint_history_series(history, stat->set, stat->name);
        if (series != STINT_INDEX_NONE)
            ((struct series *)history->series.items)[series].at[history->count] =
                (struct sums){stat->numbers.count, stat->numbers.self_ns};
    }
    history->time_ns[history->count++] = snapshot->process.wall_ns;
}

/* ----------------------------------------------------------------------------------------------------- activations */

static struct series *series_at(const struct stint_history *history, size_t at)
{
    return (struct series *)history->series.items + at;
}

/* Each two windows become one. */
static void join_windows(struct series *series)
{
    for (size_t i = 0; i < STINT_HISTORY_NOTES / 2; i++) {
        struct sums a = series->at[2 * i], b = series->at[2 * i + 1];
        series->at[i] = (struct sums){stint_sum_of(a.count, b.count), stint_sum_of(a.self_ns, b.self_ns)};
        series->begin_ns[i] = series->begin_ns[2 * i];
    }
    memset(series->at + STINT_HISTORY_NOTES / 2, 0, sizeof series->at / 2);
    series->stride *= 2;
}

uint64_t stint_history_add(struct stint_history *history, size_t at, uint64_t start_ns, uint64_t self_ns)
{
    struct series *series = series_at(history, at);
    uint64_t number = series->count++;
    if (!series->begin_ns) {
        series->begin_ns = stint_arena_alloc(&history->arena, STINT_HISTORY_NOTES * sizeof *series->begin_ns);
        series->stride = 1;
    }
    if (!series->begin_ns)
        return number;
    if (number / series->stride == STINT_HISTORY_NOTES)
        join_windows(series);
    size_t window = number / series->stride;
    if (!series->at[window].count++)
        series->begin_ns[window] = start_ns;
    stint_sum_up(&series->at[window].self_ns, self_ns);
    return number;
}

void stint_history_take_off(struct stint_history *history, size_t at, uint64_t number, uint64_t ns)
{
    struct series *series = series_at(history, at);
    if (series->begin_ns)
        series->at[number / series->stride].self_ns -= ns;
}

void stint_history_free(struct stint_history *history)
{
    stint_arena_free(&history->arena);
    *history = (struct stint_history){.count = 0};
}

/* ------------------------------------------------------------------------------------------------------------ drift */

/* Between two notes between which activations ended: when, how many, and their mean. */
struct window {
    uint64_t begin_ns;
    uint64_t count;
    uint64_t self_ns;
    double mean_ns;
};

/* Between two snapshots, the self time may also fall a little, as what is taken off for recording is measured anew. */
static struct window window_of(struct sums before, struct sums at, uint64_t begin_ns)
{
    uint64_t self_ns = at.self_ns > before.self_ns ? at.self_ns - before.self_ns : 0, count = at.count - before.count;
    return (struct window){begin_ns, count, self_ns, (double)self_ns / (double)count};
}

static size_t windows_of_activations(const struct stint_history *history, const struct series *series,
                                     struct window *windows)
{
    size_t count = 0;
    for (; count < STINT_HISTORY_NOTES && series->at[count].count; count++)
        windows[count] =
            window_of((struct sums){0, 0}, series->at[count], history->offset_ns + series->begin_ns[count]);
    return count;
}

static size_t windows_of(const struct stint_history *history, const struct series *series, struct window *windows)
{
    if (series->begin_ns)
        return windows_of_activations(history, series, windows);
    struct sums before = {0, 0};
    uint64_t begin_ns = 0;
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++) {
        struct sums at = series->at[i];
        if (at.count < before.count)
            count = 0; /* it was reset */
        else if (at.count > before.count)
            windows[count++] = window_of(before, at, begin_ns);
        before = at.count == before.count ? before : at;
        begin_ns = history->time_ns[i];
    }
    return count;
}

/* Pettitt's test: the number of pairs of a window before a place and one from it on, of which the second is slower,
 * less those of which the first is. Returns the probability that it is nowhere as great as it is, if nothing
 * changed. It asks only which window is slower, so a few very slow ones are no change. */
static double probability_of(const struct window *windows, size_t count)
{
    double n = (double)count, most = 0, sum = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        for (size_t j = 0; j < count; j++)
            sum += (windows[j].mean_ns > windows[i].mean_ns) - (windows[j].mean_ns < windows[i].mean_ns);
        most = sum > most ? sum : most;
    }
    return 2 * exp(-6 * most * most / (n * n * n + n * n));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct window *windows, size_t count)
{
    double means[STINT_HISTORY_NOTES];
    for (size_t i = 0; i < count; i++)
        means[i] = windows[i].mean_ns;
    qsort(means, count, sizeof *means, compare);
    return (means[(count - 1) / 2] + means[count / 2]) / 2;
}

static double deviation(const struct window *windows, size_t count)
{
    double middle = median(windows, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(windows[i].mean_ns - middle);
    return sum;
}

/* Returns the place at which the windows fall into two groups that differ least from their medians. */
static size_t find_change(const struct window *windows, size_t count)
{
    size_t place = 1;
    double least = INFINITY;
    for (size_t i = 1; i < count; i++) {
        double sum = deviation(windows, i) + deviation(windows + i, count - i);
        if (sum < least) {
            least = sum;
            place = i;
        }
    }
    return place;
}

int stint_history_drift(const struct stint_history *history, const char *set, const char *name,
                        struct stint_drift *drift)
{
    static const double by_chance = 0.001, slower = 1.1;
    struct window windows[STINT_HISTORY_NOTES];
    const struct series *series = find_series(history, set, name);
    size_t count = series ? windows_of(history, series, windows) : 0;
    if (count < 2 || probability_of(windows, count) > by_chance)
        return -1;
    size_t place = find_change(windows, count);
    double before = median(windows, place), after = median(windows + place, count - place);
    if (after < slower * before)
        return -1;
    double lost = 0;
    for (size_t i = place; i < count; i++)
        lost += (double)windows[i].self_ns - (double)windows[i].count * before;
    *drift = (struct stint_drift){windows[place].begin_ns, (uint64_t)before, (uint64_t)after, (uint64_t)lost};
    return lost > 0 ? 0 : -1;
}
