/* The kinds of things that are compared, and the metrics they have, with their names and units, as two tables. */
#include "diff/kind.h"

#include <string.h>

static const struct {
    const char *name;
    const char *title;
} s_kinds[STINT_DIFF_KINDS] = {
    [STINT_DIFF_TOTAL] = {"total", "Totals"},
    [STINT_DIFF_SCOPE] = {"scope", "Scopes"},
    [STINT_DIFF_CONTEXT] = {"context", "Calling contexts"},
    [STINT_DIFF_KERNEL] = {"kernel", "Kernels"},
    [STINT_DIFF_COPY] = {"copy", "Copies and sets"},
    [STINT_DIFF_API] = {"api", "Calls of CUDA's API"},
    [STINT_DIFF_COUNTER] = {"counter", "Counters of kernels"},
    [STINT_DIFF_SCOPE_COUNTER] = {"scope-counter", "Counters of scopes"},
    [STINT_DIFF_FUNCTION] = {"function", "Functions, by samples"},
};

static const struct {
    const char *name;
    const char *key;
    enum stint_metric_unit unit;
} s_metrics[STINT_METRICS] = {
    [STINT_METRIC_COUNT] = {"count", "count", STINT_METRIC_NUMBER},
    [STINT_METRIC_TOTAL] = {"total", "total_ns", STINT_METRIC_NS},
    [STINT_METRIC_SELF] = {"self", "self_ns", STINT_METRIC_NS},
    [STINT_METRIC_MIN] = {"min", "min_ns", STINT_METRIC_NS},
    [STINT_METRIC_MAX] = {"max", "max_ns", STINT_METRIC_NS},
    [STINT_METRIC_AVG] = {"avg", "avg_ns", STINT_METRIC_NS},
    [STINT_METRIC_P50] = {"p50", "p50_ns", STINT_METRIC_NS},
    [STINT_METRIC_P90] = {"p90", "p90_ns", STINT_METRIC_NS},
    [STINT_METRIC_P99] = {"p99", "p99_ns", STINT_METRIC_NS},
    [STINT_METRIC_GPU] = {"gpu", "gpu_ns", STINT_METRIC_NS},
    [STINT_METRIC_KERNELS] = {"kernels", "kernels", STINT_METRIC_NUMBER},
    [STINT_METRIC_BYTES] = {"bytes", "bytes", STINT_METRIC_OF_BYTES},
    [STINT_METRIC_VALUE] = {"value", "value", STINT_METRIC_NUMBER},
};

int stint_diff_kind_is_counter(enum stint_diff_kind kind)
{
    return kind == STINT_DIFF_COUNTER || kind == STINT_DIFF_SCOPE_COUNTER;
}

const char *stint_diff_kind_name(enum stint_diff_kind kind)
{
    return s_kinds[kind].name;
}

const char *stint_diff_kind_title(enum stint_diff_kind kind)
{
    return s_kinds[kind].title;
}

const char *stint_metric_key(enum stint_metric metric)
{
    return s_metrics[metric].key;
}

const char *stint_metric_name(enum stint_metric metric)
{
    return s_metrics[metric].name;
}

enum stint_metric_unit stint_metric_unit(enum stint_metric metric)
{
    return s_metrics[metric].unit;
}

const char *stint_metric_unit_name(enum stint_metric metric)
{
    static const char *const names[] = {
        [STINT_METRIC_NUMBER] = "", [STINT_METRIC_NS] = "ns", [STINT_METRIC_OF_BYTES] = "B"};
    return names[s_metrics[metric].unit];
}

static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

int stint_diff_kind_read(const char *text, size_t length, enum stint_diff_kind *kind)
{
    for (int i = 0; i < STINT_DIFF_KINDS; i++) {
        if (!is_name(s_kinds[i].name, text, length))
            continue;
        *kind = (enum stint_diff_kind)i;
        return 0;
    }
    return -1;
}

int stint_metric_read(const char *text, size_t length, enum stint_metric *metric)
{
    for (int i = 0; i < STINT_METRICS; i++) {
        if (!is_name(s_metrics[i].name, text, length))
            continue;
        *metric = (enum stint_metric)i;
        return 0;
    }
    return -1;
}
