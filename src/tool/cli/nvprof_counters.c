/* Translates nvprof's options for metrics and events to hardware counters of today, and prints what they counted in
 * nvprof's tables. */
#include "cli/nvprof_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/nvprof_metric_list.h"
#include "counters/counter_plan.h"

enum { NAME_SIZE = 256 };

/* ----------------------------------------------------------------------------------------------------- command line */

static int has_word(const char *list, const char *word, size_t length)
{
    size_t at_length;
    for (const char *at = list; *at; at += at_length + (at[at_length] == ',')) {
        at_length = strcspn(at, ",");
        if (at_length == length && memcmp(at, word, length) == 0)
            return 1;
    }
    return 0;
}

/* Adds a word, unless the list has it. */
static int append(char *list, size_t size, const char *word, size_t length)
{
    size_t used = strlen(list);
    if (has_word(list, word, length))
        return 0;
    if (used + length + 2 > size) {
        stint_cli_say("there are too many metrics");
        return -1;
    }
    (void)snprintf(list + used, size - used, "%s%.*s", used ? "," : "", (int)length, word);
    return 0;
}

static int append_metric(struct stint_nvprof_counters *counters, const struct stint_nvprof_metric *metric)
{
    for (size_t i = 0; i < STINT_NVPROF_TERMS && metric->terms[i].metric; i++)
        if (append(counters->metrics, sizeof counters->metrics, metric->terms[i].metric,
                   strlen(metric->terms[i].metric)))
            return -1;
    return 0;
}

static int append_all(struct stint_nvprof_counters *counters)
{
    const struct stint_nvprof_metric *metric;
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++)
        if (append_metric(counters, metric))
            return -1;
    return append(counters->metrics, sizeof counters->metrics, "all", 3);
}

static int add_word(struct stint_nvprof_counters *counters, const char *option, const char *word, size_t length)
{
    const struct stint_nvprof_metric *metric = stint_nvprof_metric(word, length);
    if (append(counters->words, sizeof counters->words, word, length))
        return -1;
    if (metric)
        return append_metric(counters, metric);
    if (length == 3 && memcmp(word, "all", 3) == 0)
        return append_all(counters);
    if (memmem(word, length, "__", 2) || stint_counter_group(word, length))
        return append(counters->metrics, sizeof counters->metrics, word, length);
    stint_cli_say("--%s %.*s: there is no such metric today; --query-metrics lists those that there are", option,
                  (int)length, word);
    return -1;
}

int stint_nvprof_counters_add(struct stint_nvprof_counters *counters, const char *option, const char *words)
{
    size_t length, count = 0;
    for (const char *at = words; *(at += strspn(at, ", ")); at += length, count++) {
        length = strcspn(at, ", ");
        if (add_word(counters, option, at, length))
            return -1;
    }
    if (count)
        return 0;
    stint_cli_say("--%s: expected all, or names of metrics", option);
    return -1;
}

int stint_nvprof_counters_filter(struct stint_nvprof_counters *counters, const char *filter)
{
    const char *first = strchr(filter, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    const char *third = second ? strchr(second + 1, ':') : NULL;
    if (!third) {
        (void)snprintf(counters->kernels, sizeof counters->kernels, "%s", filter);
        return 0;
    }
    if (first > filter || second > first + 1) {
        stint_cli_say("--kernels %.60s: contexts and streams cannot be chosen; leave them empty: ::NAME:INVOCATION",
                      filter);
        return -1;
    }
    (void)snprintf(counters->kernels, sizeof counters->kernels, "%.*s", (int)(third - second - 1), second + 1);
    (void)snprintf(counters->launches, sizeof counters->launches, "%s", third + 1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- list */

void stint_nvprof_counters_list(void)
{
    const struct stint_nvprof_metric *metric;
    const char *group, *metrics;
    (void)printf("Available Metrics:\n                            Name   Description\n");
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++)
        (void)printf("%32s:  %s%s\n", metric->name, metric->is_event ? "(event) " : "", metric->description);
    (void)printf("\nGroups, and what they consist of:\n");
    for (size_t i = 0; (group = stint_counter_group_at(i, &metrics)); i++)
        (void)printf("%32s:  %s\n", group, metrics);
}

/* ------------------------------------------------------------------------------------------------------------ print */

struct page {
    const struct stint_snapshot *snapshot;
    int csv;
    int file;
    const char *kernel;
    int has_title; /* the kernel's name has been written */
};

struct value {
    uint64_t count;
    double min, max, avg;
};

static const struct stint_nvtx_value *find(const struct page *page, const char *metric)
{
    for (size_t i = 0; i < page->snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &page->snapshot->nvtx_values[i];
        if (strcmp(value->set, STINT_COUNTER_SET) == 0 && strcmp(value->name, page->kernel) == 0 &&
            strcmp(value->field, metric) == 0)
            return value;
    }
    return NULL;
}

/* The least and greatest sums of several counters are not known, only those of each; so sums of these are shown, which
 * are the same where all launches do the same. */
static struct value value_of(const struct page *page, const struct stint_nvprof_metric *metric)
{
    struct value sum = {.count = UINT64_MAX};
    for (size_t i = 0; i < STINT_NVPROF_TERMS && metric->terms[i].metric; i++) {
        const struct stint_nvtx_value *value = find(page, metric->terms[i].metric);
        double factor = metric->terms[i].factor;
        if (!value)
            return (struct value){.count = 0};
        sum.count = value->count < sum.count ? value->count : sum.count;
        sum.min += factor * value->min;
        sum.max += factor * value->max;
        sum.avg += factor * value->sum / (double)value->count;
    }
    return sum;
}

static void put_row(struct page *page, const char *name, const char *description, const struct value *value)
{
    if (!value->count)
        return;
    if (!page->csv && !page->has_title)
        (void)dprintf(page->file, "    Kernel: %s\n", page->kernel);
    page->has_title = 1;
    if (page->csv)
        (void)dprintf(page->file, "\"%s\",%" PRIu64 ",\"%s\",\"%s\",%.6f,%.6f,%.6f\n", page->kernel, value->count, name,
                      description, value->min, value->max, value->avg);
    else
        (void)dprintf(page->file, "%11" PRIu64 "  %40s  %-50s  %12.6g  %12.6g  %12.6g\n", value->count, name,
                      description, value->min, value->max, value->avg);
}

static void put_raw(struct page *page, const char *name)
{
    const struct stint_nvtx_value *value = find(page, name);
    if (!value)
        return;
    put_row(page, name, "", &(struct value){value->count, value->min, value->max, value->sum / (double)value->count});
}

static void put_every(struct page *page)
{
    const struct stint_nvprof_metric *metric;
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++) {
        struct value value = value_of(page, metric);
        put_row(page, metric->name, metric->description, &value);
    }
}

static void put_group(struct page *page, const char *metrics)
{
    char name[NAME_SIZE];
    for (size_t length; (length = strcspn(metrics, " ")); metrics += length + 1) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length, metrics);
        put_raw(page, name);
    }
}

static void put_word(struct page *page, const char *word, size_t length)
{
    const struct stint_nvprof_metric *metric = stint_nvprof_metric(word, length);
    const char *group = stint_counter_group(word, length);
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (strcmp(name, "all") == 0) {
        put_every(page);
    } else if (metric) {
        struct value value = value_of(page, metric);
        put_row(page, metric->name, metric->description, &value);
    } else if (group) {
        put_group(page, group);
    } else {
        put_raw(page, name);
    }
}

static void put_kernel(struct page *page, const struct stint_nvprof_counters *counters)
{
    size_t length;
    page->has_title = 0;
    for (const char *at = counters->words; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        put_word(page, at, length);
    }
}

void stint_nvprof_counters_print(const struct stint_nvprof_counters *counters, const struct stint_snapshot *snapshot,
                                 int csv, int file)
{
    struct page page = {.snapshot = snapshot, .csv = csv, .file = file, .kernel = ""};
    if (snapshot->process.pid)
        (void)dprintf(file, "==%lld== Metric result:\n", (long long)snapshot->process.pid);
    else
        (void)dprintf(file, "======== Metric result:\n");
    (void)dprintf(file,
                  csv ? "\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\",\"Avg\"\n"
                      : "Invocations                               Metric Name  Metric Description               "
                        "                            Min           Max           Avg\n");
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        if (strcmp(value->set, STINT_COUNTER_SET) != 0 || strcmp(value->name, page.kernel) == 0)
            continue;
        page.kernel = value->name;
        put_kernel(&page, counters);
    }
}
