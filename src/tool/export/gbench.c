/* What Google Benchmark writes with --benchmark_format=json, so that its tools can compare two recordings: a benchmark
 * for each scope, and for each kind of work that devices did. CPU time is not known, so cpu_time repeats the real
 * time. */
#include <string.h>
#include <time.h>

#include "export/format.h"
#include "report/gpu_sum.h"
#include "report/label.h"

struct list {
    const struct stint_export_job *job;
    struct stint_out *out;
    int begun;
    uint64_t families;
};

struct benchmark {
    const char *set; /* written in front of the name */
    const char *name;
    const struct stint_numbers *numbers;
    uint64_t samples; /* number of samples in total_ns */
    uint64_t gpu_ns;
    uint64_t bytes;
    int has_distribution;
};

static void put_context(const struct stint_export_job *job)
{
    const struct stint_process *process = &job->snapshot->process;
    time_t seconds = (time_t)(process->start_unix_ns / 1000000000);
    char date[32] = "";
    struct tm parts;
    if (gmtime_r(&seconds, &parts))
        (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", &parts);
    stint_out_string(job->out, "{\n\"context\": {\"date\": ");
    stint_out_json(job->out, date);
    stint_out_string(job->out, ", \"host_name\": ");
    stint_out_json(job->out, process->host);
    stint_out_string(job->out, ", \"executable\": ");
    stint_out_json(job->out, process->command);
    stint_out_string(job->out, ", \"caches\": [], \"load_avg\": [], \"library_build_type\": \"release\"},\n");
}

/* ----------------------------------------------------------------------------------------------------------- fields */

static void begin_row(struct list *list, const struct benchmark *benchmark, const char *aggregate)
{
    struct stint_out *out = list->out;
    stint_out_string(out, list->begun ? ",\n{\"name\": \"" : "\n{\"name\": \"");
    list->begun = 1;
    stint_out_json_part(out, benchmark->set);
    stint_out_string(out, *benchmark->set ? "/" : "");
    stint_out_json_part(out, benchmark->name);
    stint_out_string(out, aggregate ? "_" : "");
    stint_out_string(out, aggregate ? aggregate : "");
    stint_out_string(out, "\", \"family_index\": ");
    stint_out_u64(out, list->families);
    stint_out_string(out, ", \"per_family_instance_index\": 0, \"run_name\": ");
    stint_out_json_label(out, benchmark->set, benchmark->name);
    stint_out_string(out, ", \"run_type\": \"");
    stint_out_string(out, aggregate ? "aggregate" : "iteration");
    stint_out_string(out, "\", \"repetitions\": 1");
    stint_out_string(out, aggregate ? "" : ", \"repetition_index\": 0");
    stint_out_string(out, ", \"threads\": 1");
}

static void put_time(struct list *list, uint64_t iterations, double ns)
{
    stint_out_string(list->out, ", \"iterations\": ");
    stint_out_u64(list->out, iterations);
    stint_out_string(list->out, ", \"real_time\": ");
    stint_out_number(list->out, ns);
    stint_out_string(list->out, ", \"cpu_time\": ");
    stint_out_number(list->out, ns);
    stint_out_string(list->out, ", \"time_unit\": \"ns\"");
}

static void put_counter(struct list *list, const char *name, double value)
{
    stint_out_string(list->out, ", \"");
    stint_out_string(list->out, name);
    stint_out_string(list->out, "\": ");
    stint_out_number(list->out, value);
}

static void put_aggregate(struct list *list, const struct benchmark *benchmark, const char *name, double ns)
{
    begin_row(list, benchmark, name);
    stint_out_string(list->out, ", \"aggregate_name\": \"");
    stint_out_string(list->out, name);
    stint_out_string(list->out, "\", \"aggregate_unit\": \"time\"");
    put_time(list, 1, ns);
    stint_out_string(list->out, "}");
}

static void put_benchmark(struct list *list, const struct benchmark *benchmark)
{
    const struct stint_numbers *numbers = benchmark->numbers;
    double count = (double)benchmark->samples, mean = (double)numbers->total_ns / count;
    begin_row(list, benchmark, NULL);
    put_time(list, benchmark->samples, mean);
    put_counter(list, "min_ns", (double)numbers->min_ns);
    put_counter(list, "max_ns", (double)numbers->max_ns);
    if (numbers->bin_count) {
        put_counter(list, "p90_ns", (double)stint_numbers_percentile_ns(numbers, 0.9));
        put_counter(list, "p99_ns", (double)stint_numbers_percentile_ns(numbers, 0.99));
    }
    if (benchmark->gpu_ns)
        put_counter(list, "gpu_ns", (double)benchmark->gpu_ns / count);
    if (benchmark->bytes && numbers->total_ns)
        put_counter(list, "bytes_per_second", (double)benchmark->bytes * 1e9 / (double)numbers->total_ns);
    stint_out_string(list->out, "}");
    put_aggregate(list, benchmark, "mean", mean);
    if (numbers->bin_count)
        put_aggregate(list, benchmark, "median", (double)stint_numbers_percentile_ns(numbers, 0.5));
    if (benchmark->has_distribution)
        put_aggregate(list, benchmark, "stddev", stint_numbers_stddev_ns(numbers));
    list->families++;
}

/* ------------------------------------------------------------------------------------------------------- benchmarks */

static void put_scopes(struct list *list)
{
    const struct stint_snapshot *snapshot = list->job->snapshot;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        struct stint_label label = stint_label_of(snapshot, stat);
        struct benchmark benchmark = {.set = label.set,
                                      .name = label.name,
                                      .numbers = &stat->numbers,
                                      .samples = stat->numbers.count - stat->numbers.recursive,
                                      .gpu_ns = stint_gpu_use_ns(&stat->gpu),
                                      .has_distribution = stat->numbers.bin_count != 0};
        if (benchmark.samples)
            put_benchmark(list, &benchmark);
    }
}

static int is_same(const struct stint_gpu_activity *a, const struct stint_gpu_activity *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

/* Sums over all streams; activities of one name are adjacent. Distributions of several activities cannot be added. */
static void put_activities(struct list *list)
{
    const struct stint_snapshot *snapshot = list->job->snapshot;
    const struct stint_gpu_activity *activity = snapshot->gpu_activities,
                                    *end = activity + snapshot->gpu_activity_count;
    while (activity < end) {
        const struct stint_gpu_activity *first = activity;
        struct stint_numbers numbers = {0};
        uint64_t bytes = 0;
        for (; activity < end && is_same(activity, first); activity++) {
            stint_gpu_add_numbers(&numbers, &activity->numbers);
            bytes += activity->bytes;
        }
        int single = activity == first + 1;
        struct benchmark benchmark = {.set = "GPU",
                                      .name = first->name,
                                      .numbers = single ? &first->numbers : &numbers,
                                      .samples = numbers.count,
                                      .bytes = bytes,
                                      .has_distribution = single && first->numbers.bin_count};
        if (benchmark.samples && stint_gpu_occupies(first->kind))
            put_benchmark(list, &benchmark);
    }
}

enum stint_export_result stint_export_gbench(const struct stint_export_job *job)
{
    struct list list = {.job = job, .out = job->out};
    put_context(job);
    stint_out_string(job->out, "\"benchmarks\": [");
    put_scopes(&list);
    put_activities(&list);
    stint_out_string(job->out, "\n]\n}\n");
    return STINT_EXPORT_DONE;
}
