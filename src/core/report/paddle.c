/* PaddlePaddle's lines, byte for byte: microseconds, truncated, times 0.001, as "%-10g"; the average is a division of
 * whole microseconds. Programs parse these lines, so trailing blanks are kept. */
#include <string.h>

#include "base/text.h"
#include "report/line.h"
#include "report/report.h"
#include "report/summary.h"

void stint_report_barriers(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                           const char *name) __attribute__((weak));

void stint_paddle_put_left(struct stint_text *text, const char *string, size_t length, size_t width)
{
    stint_text_put(text, string, length);
    stint_text_fill(text, ' ', length < width ? width - length : 0);
}

void stint_paddle_put_name(struct stint_text *text, const char *name, size_t width)
{
    size_t length = stint_escape_put(text, stint_escape_terminal, name);
    stint_text_fill(text, ' ', length < width ? width - length : 0);
}

void stint_paddle_put_number(struct stint_text *text, double value, size_t width)
{
    char number[STINT_NUMBER_SIZE];
    stint_paddle_put_left(text, number, stint_number_general(number, value), width);
}

static void put_time(struct stint_text *text, const char *key, uint64_t us)
{
    stint_text_string(text, key);
    stint_paddle_put_number(text, (double)us * 0.001, 10);
}

static void put_count(struct stint_text *text, uint64_t count)
{
    char number[STINT_NUMBER_SIZE];
    size_t length = stint_number_u64(number, count);
    stint_text_string(text, " count=");
    stint_paddle_put_left(text, number, length, 10);
}

static void put_tid(struct stint_text *text, int64_t tid)
{
    char number[STINT_NUMBER_SIZE];
    size_t length = stint_number_i64(number, tid);
    stint_text_string(text, " TID=");
    stint_paddle_put_left(text, number, length, 6);
}

static void put_numbers(struct stint_text *text, const struct stint_numbers *numbers)
{
    uint64_t total_us = numbers->total_ns / 1000;
    uint64_t samples = numbers->count - numbers->recursive;
    put_time(text, " total=", total_us);
    put_time(text, " avg=", samples ? total_us / samples : 0);
    put_time(text, " max=", numbers->max_ns / 1000);
    put_time(text, " min=", numbers->min_ns / 1000);
    put_count(text, numbers->count);
}

/* Written after everything that Paddle prints, so that programs that parse its lines find their fields in the same
 * place. */
static void put_gpu(struct stint_text *text, const struct stint_gpu_sum *sum, const struct stint_gpu_use *use)
{
    char number[STINT_NUMBER_SIZE];
    if (!sum->any)
        return;
    stint_text_string(text, " gpu=");
    stint_text_put(text, number, stint_number_fixed(number, (double)stint_gpu_shown_ns(sum, use) * 1e-6, 3));
    stint_text_string(text, " kernels=");
    stint_text_u64(text, use->kernels);
}

static void put_stat(struct stint_text *text, const char *name)
{
    stint_text_string(text, "Stat=");
    stint_paddle_put_name(text, name, 30);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

/* The line of the first live thread begins like any other; those of further threads are indented by this much. */
enum { THREAD_INDENT = 42 };

/* The rows are sorted by statistic: returns the first row of `stat` or of a later statistic. */
static size_t first_row(const struct stint_snapshot *snapshot, size_t stat)
{
    size_t low = 0, high = snapshot->thread_stat_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (snapshot->thread_stats[middle].stat < stat)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the next row of `stat`, from *index on, that has samples: with `exited`, of threads that have exited, else of
 * live ones. NULL if there is none. */
static const struct stint_thread_stat *next_thread_row(const struct stint_snapshot *snapshot, size_t stat, int exited,
                                                       size_t *index)
{
    for (; *index < snapshot->thread_stat_count && snapshot->thread_stats[*index].stat == stat; (*index)++) {
        const struct stint_thread_stat *row = &snapshot->thread_stats[*index];
        if (snapshot->threads[row->thread].exited == exited && row->numbers.count) {
            (*index)++;
            return row;
        }
    }
    return NULL;
}

static void put_threads(struct stint_text *text, const struct stint_snapshot *snapshot, size_t stat)
{
    const char *name = snapshot->stats[stat].name;
    const struct stint_thread_stat *row;
    size_t indent = 0;
    for (size_t i = first_row(snapshot, stat); (row = next_thread_row(snapshot, stat, 0, &i));) {
        stint_text_fill(text, ' ', indent);
        put_stat(text, name);
        put_tid(text, snapshot->threads[row->thread].tid);
        put_numbers(text, &row->numbers);
        stint_text_string(text, "\n");
        indent = THREAD_INDENT;
    }
    for (size_t i = first_row(snapshot, stat); (row = next_thread_row(snapshot, stat, 1, &i));) {
        put_stat(text, name);
        put_numbers(text, &row->numbers);
        stint_text_string(text, "\n");
    }
}

/* ------------------------------------------------------------------------------------------------------------- sets */

static void put_statistic(struct stint_text *text, const struct stint_snapshot *snapshot, size_t stat,
                          const struct stint_gpu_sum *gpu)
{
    if (snapshot->stats[stat].by_thread) {
        put_threads(text, snapshot, stat);
    } else if (snapshot->stats[stat].numbers.count) {
        put_stat(text, snapshot->stats[stat].name);
        put_numbers(text, &snapshot->stats[stat].numbers);
        put_gpu(text, gpu, &snapshot->stats[stat].gpu);
        stint_text_string(text, "\n");
    }
}

void stint_report_paddle_set(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name)
{
    struct stint_gpu_sum gpu = stint_gpu_sum_of(snapshot);
    if (!name) {
        stint_text_string(text, "======= StatSet: [");
        stint_paddle_put_name(text, set, 0);
        stint_text_string(text, "] status ======\n");
    }
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        if (strcmp(stat->set, set) == 0 && (!name || strcmp(stat->name, name) == 0))
            put_statistic(text, snapshot, i, &gpu);
    }
}

/* Of the barriers of a set, or of all, and of one name, or of all. */
static void put_trailer(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                        const char *name)
{
    if (stint_report_barriers)
        stint_report_barriers(text, snapshot, set, name);
    stint_text_fill(text, '-', 50);
    stint_text_string(text, "\n");
}

void stint_report_paddle(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout)
{
    (void)layout;
    for (size_t i = 0; i < snapshot->set_count; i++)
        if (strcmp(snapshot->sets[i], STINT_API_SET) != 0 && strcmp(snapshot->sets[i], STINT_OS_SET) != 0)
            stint_report_paddle_set(text, snapshot, snapshot->sets[i], NULL);
    put_trailer(text, snapshot, NULL, NULL);
}

void stint_report_paddle_one(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name)
{
    stint_report_paddle_set(text, snapshot, set, name);
    put_trailer(text, snapshot, set, name);
}
