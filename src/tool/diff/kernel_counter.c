/* Lists the hardware counters of kernels and scopes as values that can be compared, and adds sums of them under short
 * names, with the error that comes from averaging over launches. */
#include "diff/metric.h"

#include <math.h>
#include <string.h>

#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"

enum { TERMS = 3 };

/* Sums of what CUPTI counts. docs/counters.md has them, too. */
static const struct {
    const char *name;
    struct {
        double factor;
        const char *metric; /* NULL: no more */
    } terms[TERMS];
} s_short[] = {
    {"dram_bytes", {{1, "dram__bytes_read.sum"}, {1, "dram__bytes_write.sum"}}},
    {"l2_bytes", {{1, "lts__t_bytes.sum"}}},
    {"l1_bytes", {{1, "l1tex__t_bytes.sum"}}},
    {"fp32_flops", {{1, THREADS("fadd")}, {1, THREADS("fmul")}, {2, THREADS("ffma")}}},
    {"fp64_flops", {{1, THREADS("dadd")}, {1, THREADS("dmul")}, {2, THREADS("dfma")}}},
};

enum { SHORT = sizeof s_short / sizeof s_short[0] };

/* ---------------------------------------------------------------------------------------------------------- values */

/* Of a scope, only what adds up over launches. */
static int is_summed(const struct stint_nvtx_value *value)
{
    const char *suffix = value->field + strcspn(value->field, ".");
    return strcmp(value->set, STINT_COUNTER_SCOPE_SET) == 0 && strcmp(suffix, ".sum") == 0;
}

static int is_of_kernel(const struct stint_nvtx_value *value)
{
    return (strcmp(value->set, STINT_COUNTER_SET) == 0 || is_summed(value)) && *value->field != '(' && value->count &&
           strcmp(value->name, STINT_COUNTER_ABSENT) != 0;
}

/* Launches whose least and greatest values are known differ most if half of them has the least value, and half the
 * greatest. */
static double error_of(const struct stint_nvtx_value *value)
{
    if (value->count < 2)
        return NAN;
    return (value->max - value->min) / 2 / sqrt((double)value->count - 1);
}

static struct stint_counter counter_of(const struct stint_nvtx_value *value)
{
    if (is_summed(value))
        return (struct stint_counter){
            .kernel = value->name, .name = value->field, .value = value->sum, .error = (double)NAN};
    return (struct stint_counter){.kernel = value->name,
                                  .name = value->field,
                                  .value = value->sum / (double)value->count,
                                  .error = error_of(value)};
}

/* Looks among the values of one kernel, which are adjacent and end in front of `end`. */
static const struct stint_nvtx_value *find_metric(const struct stint_snapshot *snapshot, size_t end, const char *metric)
{
    const struct stint_nvtx_value *last = &snapshot->nvtx_values[end - 1];
    while (end--) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[end];
        if (strcmp(value->set, last->set) != 0 || strcmp(value->name, last->name) != 0)
            return NULL;
        if (strcmp(value->field, metric) == 0)
            return value->count ? value : NULL;
    }
    return NULL;
}

/* Errors are added up as if they all had the same sign. Returns 0 if a term was not counted. */
static int add_up(struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t end, size_t which)
{
    *counter = (struct stint_counter){.kernel = snapshot->nvtx_values[end - 1].name, .name = s_short[which].name};
    for (size_t i = 0; i < TERMS && s_short[which].terms[i].metric; i++) {
        const struct stint_nvtx_value *value = find_metric(snapshot, end, s_short[which].terms[i].metric);
        if (!value)
            return 0;
        struct stint_counter term = counter_of(value);
        counter->value += s_short[which].terms[i].factor * term.value;
        counter->error += s_short[which].terms[i].factor * term.error;
    }
    return 1;
}

static int is_last_of_kernel(const struct stint_snapshot *snapshot, size_t i)
{
    const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
    return i + 1 == snapshot->nvtx_value_count || strcmp(value[1].set, value->set) != 0 ||
           strcmp(value[1].name, value->name) != 0;
}

/* Each value has a place in *next, and SHORT places behind it, which are used behind the last one of a kernel. */
static int next_of(const char *set, struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t *next)
{
    for (; *next < snapshot->nvtx_value_count * (SHORT + 1); (*next)++) {
        size_t i = *next / (SHORT + 1), place = *next % (SHORT + 1);
        if (strcmp(snapshot->nvtx_values[i].set, set) != 0)
            continue;
        if (!place && is_of_kernel(&snapshot->nvtx_values[i]))
            *counter = counter_of(&snapshot->nvtx_values[i]);
        else if (!place || !is_last_of_kernel(snapshot, i) || !add_up(counter, snapshot, i + 1, place - 1))
            continue;
        (*next)++;
        return 1;
    }
    return 0;
}

int stint_counter_next(struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t *next)
{
    return next_of(STINT_COUNTER_SET, counter, snapshot, next);
}

int stint_scope_counter_next(struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t *next)
{
    return next_of(STINT_COUNTER_SCOPE_SET, counter, snapshot, next);
}

/* ----------------------------------------------------------------------------------------------------------- names */

int stint_counter_is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < SHORT; i++)
        if (strlen(s_short[i].name) == length && memcmp(s_short[i].name, name, length) == 0)
            return 1;
    for (size_t i = 1; i + 2 < length; i++)
        if (memcmp(name + i, "__", 2) == 0)
            return 1;
    return 0;
}

int stint_counter_is(const char *asked, const char *name)
{
    size_t length = strlen(asked);
    return strncmp(asked, name, length) == 0 && (!name[length] || strcmp(name + length, ".sum") == 0);
}

/* Whether it is a number of what the counter counts, not a part or a rate of it. */
static int is_amount(const char *name)
{
    static const char *const suffixes[] = {"", ".sum", ".avg", ".min", ".max"};
    const char *suffix = name + strcspn(name, ".");
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(suffix, suffixes[i]) == 0)
            return 1;
    return 0;
}

enum stint_metric stint_counter_metric(const char *name)
{
    if (is_amount(name) && strstr(name, "bytes"))
        return STINT_METRIC_BYTES;
    return is_amount(name) && strncmp(name, "gpu__time_duration", 18) == 0 ? STINT_METRIC_AVG : STINT_METRIC_VALUE;
}
