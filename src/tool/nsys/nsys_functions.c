/* Functions of SQL that the reports use beside SQLite's own: medians and deviations of samples, sums of numbers that
 * a snapshot has, and names. */
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "ctf_writer/ctf_writer.h"
#include "nsys/nsys.h"
#include "stat/numbers.h"
#include "store/schema.h"

/* --------------------------------------------------------------------------------------------------------- samples */

/* The values of a group: median(x), deviation(x). */
struct samples {
    int64_t *values;
    size_t count;
    size_t room;
};

static void add_sample(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    enum { FIRST_ROOM = 16 };
    struct samples *samples = sqlite3_aggregate_context(context, sizeof *samples);
    (void)count;
    if (!samples || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    if (samples->count == samples->room) {
        size_t room = samples->room ? 2 * samples->room : FIRST_ROOM;
        int64_t *values = sqlite3_realloc64(samples->values, room * sizeof *values);
        if (!values) {
            sqlite3_result_error_nomem(context);
            return;
        }
        samples->values = values;
        samples->room = room;
    }
    samples->values[samples->count++] = sqlite3_value_int64(arguments[0]);
}

static void exchange(int64_t *a, int64_t *b)
{
    int64_t value = *a;
    *a = *b;
    *b = value;
}

/* Moves the value that belongs at `place` in ascending order there, lower ones before it, greater ones behind it. */
static void select_at(int64_t *values, size_t count, ptrdiff_t place)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1;
    while (low < high) {
        int64_t middle = values[low + (high - low) / 2];
        ptrdiff_t left = low, right = high;
        while (left <= right) {
            while (values[left] < middle)
                left++;
            while (values[right] > middle)
                right--;
            if (left <= right)
                exchange(&values[left++], &values[right--]);
        }
        if (place <= right)
            high = right;
        else if (place >= left)
            low = left;
        else
            return;
    }
}

static void end_median(sqlite3_context *context)
{
    struct samples *samples = sqlite3_aggregate_context(context, 0);
    if (!samples || !samples->count)
        return;
    size_t above = samples->count / 2;
    select_at(samples->values, samples->count, (ptrdiff_t)above);
    int64_t low = samples->values[above];
    if (samples->count % 2 == 0) { /* the greatest of those before it */
        low = samples->values[0];
        for (size_t i = 1; i < above; i++)
            low = samples->values[i] > low ? samples->values[i] : low;
    }
    sqlite3_result_double(context, ((double)low + (double)samples->values[above]) / 2);
    sqlite3_free(samples->values);
}

/* Of the sample: divided by n - 1. */
static double deviation_of(const int64_t *values, size_t count)
{
    double mean = 0, square = 0;
    if (count == 2)
        return fabs((double)values[0] - (double)values[1]) / sqrt(2);
    for (size_t i = 0; i < count; i++)
        mean += (double)values[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double away = (double)values[i] - mean;
        square += away * away;
    }
    return count > 1 ? sqrt(square / (double)(count - 1)) : 0;
}

static void end_deviation(sqlite3_context *context)
{
    struct samples *samples = sqlite3_aggregate_context(context, 0);
    if (!samples || !samples->count)
        return;
    sqlite3_result_double(context, deviation_of(samples->values, samples->count));
    sqlite3_free(samples->values);
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* Numbers of a snapshot's rows, which tables refer to by position, added up. Two memories alternate: one holds the
 * sum's histogram while the next one grows in the other. */
struct sum {
    struct stint_numbers numbers;
    struct stint_arena memories[2];
    int used;
};

static void add_numbers(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const struct stint_nsys *nsys = sqlite3_user_data(context);
    struct sum *sum = sqlite3_aggregate_context(context, sizeof *sum);
    sqlite3_int64 at = sqlite3_value_int64(arguments[0]);
    (void)count;
    if (!sum || sqlite3_value_type(arguments[0]) != SQLITE_INTEGER || at < 0 || (size_t)at >= nsys->numbers.count)
        return;
    const struct stint_numbers *from = ((const struct stint_numbers *const *)nsys->numbers.items)[at];
    if (!sum->numbers.count && !sum->numbers.running) {
        sum->numbers = *from;
        return;
    }
    if (from->bin_count) {
        sum->used = !sum->used;
        stint_arena_reuse(&sum->memories[sum->used]);
    }
    if (stint_numbers_add(&sum->numbers, from, &sum->memories[sum->used]))
        sqlite3_result_error_nomem(context);
}

/* The distribution that numbers describe. */
struct spread {
    uint64_t count, total, min, max;
    int is_exact;
    double median; /* NAN: not known, like the next */
    double deviation;
};

static struct spread spread_of(const struct stint_numbers *numbers)
{
    struct spread spread = {.count = numbers->count - numbers->recursive,
                            .total = numbers->total_ns,
                            .min = numbers->min_ns,
                            .max = numbers->max_ns,
                            .median = NAN,
                            .deviation = NAN};
    double n = (double)spread.count;
    if (spread.count <= 2 || spread.min == spread.max) {
        spread.is_exact = 1;
        spread.median = ((double)spread.min + (double)spread.max) / 2;
        spread.deviation = ((double)spread.max - (double)spread.min) / sqrt(2);
        return spread;
    }
    if (numbers->square_ns2 > 0)
        spread.deviation = stint_numbers_stddev_ns(numbers) * sqrt(n / (n - 1));
    if (numbers->bin_count)
        spread.median = (double)stint_numbers_percentile_ns(numbers, 0.5);
    return spread;
}

static void result_u64(sqlite3_context *context, uint64_t value)
{
    char text[STINT_NUMBER_SIZE];
    if (value <= INT64_MAX) {
        sqlite3_result_int64(context, (sqlite3_int64)value);
        return;
    }
    stint_nsys_digits(text, value);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void result_double(sqlite3_context *context, double value)
{
    sqlite3_result_double(context, value); /* NULL if it is not a number */
}

static struct spread end_sum(sqlite3_context *context)
{
    struct sum *sum = sqlite3_aggregate_context(context, 0);
    if (!sum)
        return (struct spread){.median = NAN, .deviation = NAN};
    struct spread spread = spread_of(&sum->numbers);
    stint_arena_free(&sum->memories[0]);
    stint_arena_free(&sum->memories[1]);
    return spread;
}

static void end_count(sqlite3_context *context)
{
    result_u64(context, end_sum(context).count);
}

static void end_total(sqlite3_context *context)
{
    result_u64(context, end_sum(context).total);
}

static void end_min(sqlite3_context *context)
{
    result_u64(context, end_sum(context).min);
}

static void end_max(sqlite3_context *context)
{
    result_u64(context, end_sum(context).max);
}

static void end_spread_median(sqlite3_context *context)
{
    result_double(context, end_sum(context).median);
}

static void end_spread_deviation(sqlite3_context *context)
{
    result_double(context, end_sum(context).deviation);
}

/* Whether the median is that of all samples; NULL: it is not known. */
static void end_is_exact(sqlite3_context *context)
{
    struct spread spread = end_sum(context);
    if (!isnan(spread.median))
        sqlite3_result_int(context, spread.is_exact);
}

/* median_note(exact): what is to be said of a median that is not that of all samples. */
static void median_note(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        sqlite3_result_text(context, "Med: - where no histogram was kept (STINT_PERCENTILES=off)", -1, SQLITE_STATIC);
    else if (!sqlite3_value_int(arguments[0]))
        sqlite3_result_text(context, "Med: from histograms, within 0.8 %", -1, SQLITE_STATIC);
}

/* sample_deviation(count, total, sum of squares) */
static void sample_deviation(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct stint_numbers numbers = {.count = (uint64_t)sqlite3_value_int64(arguments[0]),
                                    .total_ns = (uint64_t)sqlite3_value_int64(arguments[1]),
                                    .max_ns = UINT64_MAX,
                                    .square_ns2 = sqlite3_value_double(arguments[2])};
    (void)count;
    result_double(context, spread_of(&numbers).deviation);
}

/* add_up(x): as sum(x) for numbers that are not negative, but where that would overflow and fail, the greatest number
 * that there is. NULL if there is none. */
struct whole {
    uint64_t sum;
    int any;
};

static uint64_t u64_of(sqlite3_value *value)
{
    double number = sqlite3_value_double(value);
    if (sqlite3_value_type(value) == SQLITE_INTEGER)
        return (uint64_t)(number < 0 ? 0 : sqlite3_value_int64(value));
    if (!(number > 0))
        return 0;
    return number < 18446744073709551615.0 ? (uint64_t)number : UINT64_MAX;
}

static void add_whole(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct whole *whole = sqlite3_aggregate_context(context, sizeof *whole);
    (void)count;
    if (!whole || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    stint_sum_up(&whole->sum, u64_of(arguments[0]));
    whole->any = 1;
}

static void end_whole(sqlite3_context *context)
{
    const struct whole *whole = sqlite3_aggregate_context(context, 0);
    if (whole && whole->any)
        result_u64(context, whole->sum);
}

/* ----------------------------------------------------------------------------------------------------------- names */

static const char *text_of(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    return text ? text : "";
}

/* kernel_name(name, mangled) */
static void kernel_name(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct stint_nsys *nsys = sqlite3_user_data(context);
    (void)count;
    if (!nsys->kernels) {
        sqlite3_result_value(context, arguments[0]);
        return;
    }
    const char *name = stint_nsys_kernel_name(nsys, text_of(arguments[0]), text_of(arguments[1]));
    sqlite3_result_text(context, name, -1, SQLITE_TRANSIENT);
}

/* copy_name(copyKind, name): "[CUDA memcpy Host-to-Device]"; its name, if it has no direction. */
static void copy_name(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[64];
    struct stint_gpu_event event = {0};
    (void)count;
    stint_nsys_read_copy(sqlite3_value_int64(arguments[0]), &event);
    if (event.direction == STINT_GPU_DIRECTION_UNKNOWN)
        sqlite3_result_value(context, arguments[1]);
    else
        sqlite3_result_text(context, stint_nsys_operation(event.kind, event.direction, "", text, sizeof text), -1,
                            SQLITE_TRANSIENT);
}

/* copy_is_move(copyKind): whether it is a move of unified memory. */
static void copy_is_move(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct stint_gpu_event event = {0};
    (void)count;
    stint_nsys_read_copy(sqlite3_value_int64(arguments[0]), &event);
    sqlite3_result_int(context, event.kind == STINT_GPU_UNIFIED);
}

/* memory_name(kind): "Pinned"; NULL if it is not known. */
static void memory_name(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    const char *name = stint_gpu_memory_name(stint_nsys_memory_kind(sqlite3_value_int64(arguments[0])));
    if (*name)
        sqlite3_result_text(context, name, -1, SQLITE_STATIC);
}

/* operation_text(name, seq, op_id, data): the text of an operation of PyTorch (ctf_writer/ctf_writer.h). */
static void operation_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[STINT_INSTANCE_TEXT];
    struct stint_instance instance = {.has_seq = sqlite3_value_type(arguments[1]) != SQLITE_NULL,
                                      .seq = (uint64_t)sqlite3_value_int64(arguments[1]),
                                      .op_id = (uint64_t)sqlite3_value_int64(arguments[2]),
                                      .data = text_of(arguments[3])};
    (void)count;
    instance.length = strlen(instance.data);
    size_t length = stint_instance_join(text, sizeof text, text_of(arguments[0]), &instance);
    if (length)
        sqlite3_result_text(context, text, (int)length, SQLITE_TRANSIENT);
    else
        sqlite3_result_value(context, arguments[0]);
}

/* ------------------------------------------------------------------------------------------------------------- all */

void stint_nsys_add_functions(struct stint_nsys *nsys)
{
    static const struct {
        const char *name;
        int arguments;
        void (*scalar)(sqlite3_context *context, int count, sqlite3_value **arguments);
        void (*step)(sqlite3_context *context, int count, sqlite3_value **arguments);
        void (*end)(sqlite3_context *context);
    } functions[] = {
        {"median", 1, NULL, add_sample, end_median},
        {"deviation", 1, NULL, add_sample, end_deviation},
        {"add_up", 1, NULL, add_whole, end_whole},
        {"numbers_count", 1, NULL, add_numbers, end_count},
        {"numbers_total", 1, NULL, add_numbers, end_total},
        {"numbers_min", 1, NULL, add_numbers, end_min},
        {"numbers_max", 1, NULL, add_numbers, end_max},
        {"numbers_median", 1, NULL, add_numbers, end_spread_median},
        {"numbers_deviation", 1, NULL, add_numbers, end_spread_deviation},
        {"numbers_are_exact", 1, NULL, add_numbers, end_is_exact},
        {"median_note", 1, median_note, NULL, NULL},
        {"sample_deviation", 3, sample_deviation, NULL, NULL},
        {"kernel_name", 2, kernel_name, NULL, NULL},
        {"copy_name", 2, copy_name, NULL, NULL},
        {"copy_is_move", 1, copy_is_move, NULL, NULL},
        {"memory_name", 1, memory_name, NULL, NULL},
        {"operation_text", 4, operation_text, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (sqlite3_create_function(nsys->database, functions[i].name, functions[i].arguments,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nsys, functions[i].scalar,
                                    functions[i].step, functions[i].end))
            stint_nsys_fail(nsys);
}
