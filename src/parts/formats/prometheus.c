/* Prometheus' text format, and OpenMetrics: https://prometheus.io/docs/instrumenting/exposition_formats/ */
#include <string.h>

#include "base/text.h"
#include "formats/formats.h"
#include "model/model.h"
#include "report/summary.h"
#include "stat/numbers.h"
#include "stint/version.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

enum kind { GAUGE, COUNTER, INFO, HISTOGRAM };

/* A metric is written for all processes before the next one, of which each may have none. */
struct exposition {
    struct stint_text *text;
    const struct stint_snapshot *snapshot; /* of the process whose turn it is */
    struct stint_series_memory *memory;    /* what was said about it before; NULL: unknown */
    int open;                              /* OpenMetrics */
    int are_many;                          /* processes may be added */
    size_t which;                          /* the metric, of those that are written alike */
    int is_described;                      /* it is */
    int labels;                            /* that the sample has so far */
};

/* ------------------------------------------------------------------------------------------------------------- text */

static void string(const struct exposition *out, const char *string)
{
    stint_text_string(out->text, string);
}

/* Writes the lines in front of a metric's samples. In OpenMetrics, what a metric's samples end with is no part of its
 * name. */
static void describe(struct exposition *out, enum kind kind, const char *name, const char *unit, const char *help)
{
    static const char *const types[] = {"gauge", "counter", "info", "histogram"};
    static const char *const endings[] = {"", "_total", "_info", ""};
    const char *ending = out->open ? "" : endings[kind];
    if (out->is_described++)
        return;
    const char *const lines[][6] = {
        {"# HELP ", name, ending, " ", help, "\n"},
        {"# TYPE ", name, ending, " ", types[kind == INFO && !out->open ? GAUGE : kind], "\n"},
        {"# UNIT ", name, ending, " ", unit, "\n"}};
    for (size_t line = 0; line < (out->open && unit[0] ? 3 : 2); line++)
        for (size_t i = 0; i < 6; i++)
            string(out, lines[line][i]);
}

/* A stint_escape_fn. */
static size_t escape(char *out, const char *text, size_t *taken)
{
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    if (code == STINT_UTF8_INVALID) {
        memcpy(out, STINT_UTF8_REPLACEMENT, sizeof STINT_UTF8_REPLACEMENT - 1);
        return sizeof STINT_UTF8_REPLACEMENT - 1;
    }
    out[0] = '\\';
    out[1] = *text == '\n' ? 'n' : *text;
    if (*text == '\n' || *text == '"' || *text == '\\')
        return 2;
    size_t length = *text == '\t' ? 0 : stint_escape_terminal(out + 1, text, taken); /* whose backslash is escaped */
    return length ? 1 + length : 0;
}

static void label(struct exposition *out, const char *key, const char *value)
{
    string(out, out->labels++ ? "," : "{");
    string(out, key);
    string(out, "=\"");
    (void)stint_escape_put(out->text, escape, value);
    string(out, "\"");
}

static void number_label(struct exposition *out, const char *key, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_number_u64(number, value);
    label(out, key, number);
}

/* A file of a process is collected beside those of others, of which each sample has to differ. What asks a process adds
 * labels itself. */
static void process_labels(struct exposition *out)
{
    const struct stint_process *process = &out->snapshot->process;
    const char *program = stint_frame_command(process->command);
    char name[256];
    if (!out->snapshot->process_count && process->rank[0])
        label(out, "rank", process->rank);
    if ((out->open && !out->are_many) || out->snapshot->process_count)
        return;
    size_t length = strcspn(program, " ");
    if (length > sizeof name - 1)
        length = sizeof name - 1;
    memcpy(name, program, length);
    name[length] = '\0';
    label(out, "program", name);
    number_label(out, "pid", (uint64_t)process->pid);
    if (out->are_many)
        label(out, "host", process->host);
}

static void begin_sample(struct exposition *out, const char *name)
{
    string(out, name);
    out->labels = 0;
    process_labels(out);
}

static void close_labels(const struct exposition *out)
{
    string(out, out->labels ? "} " : " ");
}

static void end_sample(const struct exposition *out, uint64_t value)
{
    close_labels(out);
    stint_text_u64(out->text, value);
    string(out, "\n");
}

static void end_seconds(const struct exposition *out, uint64_t ns)
{
    char digits[] = ".000000000\n";
    uint64_t rest = ns % 1000000000;
    for (size_t i = 9; i > 0; i--, rest /= 10)
        digits[i] = (char)('0' + rest % 10);
    close_labels(out);
    stint_text_u64(out->text, ns / 1000000000);
    string(out, digits);
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

static struct stint_scope_series series_of(const struct exposition *out, const struct stint_stat *stat)
{
    return out->memory ? stint_scope_series_steady(out->memory, stat) : stint_scope_series_of(stat);
}

static void begin_scope(struct exposition *out, const char *name, const struct stint_stat *stat)
{
    begin_sample(out, name);
    label(out, "set", stat->set);
    label(out, "scope", stat->name);
}

static void write_buckets(struct exposition *out, const struct stint_stat *stat,
                          const struct stint_scope_series *series)
{
    static const char bounds[STINT_SERIES_BOUNDS + 1][8] = {
        "1e-06", "2e-06", "5e-06", "1e-05", "2e-05", "5e-05", "0.0001", "0.0002", "0.0005",
        "0.001", "0.002", "0.005", "0.01",  "0.02",  "0.05",  "0.1",    "0.2",    "0.5",
        "1.0",   "2.0",   "5.0",   "10.0",  "20.0",  "50.0",  "100.0",  "+Inf"};
    for (size_t i = stat->numbers.bin_count ? 0 : STINT_SERIES_BOUNDS; i <= STINT_SERIES_BOUNDS; i++) {
        begin_scope(out, "stint_scope_duration_seconds_bucket", stat);
        label(out, "le", bounds[i]);
        end_sample(out, i < STINT_SERIES_BOUNDS ? series->below[i] : series->samples);
    }
}

static void write_durations(struct exposition *out)
{
    describe(out, HISTOGRAM, "stint_scope_duration_seconds", "seconds",
             "Inclusive time of a scope; of nested scopes with the same name, of the outermost.");
    for (size_t i = 0; i < out->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &out->snapshot->stats[i];
        struct stint_scope_series series = series_of(out, stat);
        write_buckets(out, stat, &series);
        begin_scope(out, "stint_scope_duration_seconds_sum", stat);
        end_seconds(out, series.sum_ns);
        begin_scope(out, "stint_scope_duration_seconds_count", stat);
        end_sample(out, series.samples);
    }
}

/* What is known of a scope beside its durations. */
struct scope_values {
    uint64_t self_ns, nested, cpu_ns, left_out, gpu_ns, kernels;
};

/* A number of each scope; those that are 0 are left out unless `always`. */
static const struct {
    const char *name; /* of the samples, which is that of the metric and "_total" */
    const char *unit;
    const char *help;
    size_t at;
    int always;
} s_scope_metrics[] = {
    {"stint_scope_self_seconds_total", "seconds", "Self time of a scope: its time without that of the scopes below it.",
     offsetof(struct scope_values, self_ns), 1},
    {"stint_scope_nested_total", "", "Scopes that ended within another of the same name.",
     offsetof(struct scope_values, nested), 0},
    {"stint_scope_cpu_seconds_total", "seconds", "CPU time of a scope.", offsetof(struct scope_values, cpu_ns), 0},
    {"stint_scope_left_out_total", "", "Scopes that were left out to keep STINT_BUDGET, and whose times are estimated.",
     offsetof(struct scope_values, left_out), 0},
    {"stint_scope_gpu_seconds_total", "seconds", "Time of GPU work that a scope launched.",
     offsetof(struct scope_values, gpu_ns), 0},
    {"stint_scope_gpu_kernels_total", "", "Kernels that a scope launched.", offsetof(struct scope_values, kernels), 0},
};

static struct scope_values values_of(const struct exposition *out, const struct stint_stat *stat)
{
    struct stint_scope_series series = series_of(out, stat);
    return (struct scope_values){
        series.self_ns,   series.recursive, series.cpu_ns, stat->numbers.left_out, stint_gpu_use_ns(&stat->gpu),
        stat->gpu.kernels};
}

static void describe_total(struct exposition *out, const char *sample, const char *unit, const char *help)
{
    char name[64];
    size_t length = strlen(sample) - (sizeof "_total" - 1);
    memcpy(name, sample, length);
    name[length] = '\0';
    describe(out, COUNTER, name, unit, help);
}

static void write_scope_metric(struct exposition *out)
{
    const char *name = s_scope_metrics[out->which].name, *unit = s_scope_metrics[out->which].unit;
    for (size_t i = 0; i < out->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &out->snapshot->stats[i];
        struct scope_values values = values_of(out, stat);
        uint64_t value = *(uint64_t *)(void *)((char *)&values + s_scope_metrics[out->which].at);
        if (!value && !s_scope_metrics[out->which].always)
            continue;
        describe_total(out, name, unit, s_scope_metrics[out->which].help);
        begin_scope(out, name, stat);
        (*unit ? end_seconds : end_sample)(out, value);
    }
}

/* Of what stint_scope_duration_seconds has as the sum. */
static void write_error(struct exposition *out)
{
    for (size_t i = 0; i < out->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &out->snapshot->stats[i];
        if (!(stat->numbers.error_ns > 0))
            continue;
        describe(out, GAUGE, "stint_scope_error_seconds", "seconds",
                 "The total time of a scope, of which some are left out, is true within this, in 95 % of cases.");
        begin_scope(out, "stint_scope_error_seconds", stat);
        end_seconds(out, stint_whole_ns(stat->numbers.error_ns));
    }
}

static void write_running(struct exposition *out)
{
    describe(out, GAUGE, "stint_scope_active", "", "Scopes that have not ended.");
    for (size_t i = 0; i < out->snapshot->stat_count; i++) {
        begin_scope(out, "stint_scope_active", &out->snapshot->stats[i]);
        end_sample(out, out->snapshot->stats[i].numbers.running);
    }
}

/* --------------------------------------------------------------------------------------------------------- barriers */

static void begin_barrier(struct exposition *out, const char *name, const struct stint_barrier_stat *barrier)
{
    begin_sample(out, name);
    label(out, "set", barrier->set);
    label(out, "barrier", barrier->name);
}

static void write_rounds(struct exposition *out)
{
    for (size_t i = 0; i < out->snapshot->barrier_count; i++) {
        describe_total(out, "stint_barrier_rounds_total", "",
                       "Rounds of a barrier that have ended, without the first.");
        begin_barrier(out, "stint_barrier_rounds_total", &out->snapshot->barriers[i]);
        end_sample(out, out->snapshot->barriers[i].total.rounds);
    }
}

static void write_gaps(struct exposition *out)
{
    for (size_t i = 0; i < out->snapshot->barrier_count; i++) {
        describe_total(out, "stint_barrier_gap_seconds_total", "seconds",
                       "Time between the first and the last of each round.");
        begin_barrier(out, "stint_barrier_gap_seconds_total", &out->snapshot->barriers[i]);
        end_seconds(out, out->snapshot->barriers[i].total.gap_ns);
    }
}

static void write_slowest(struct exposition *out)
{
    for (size_t i = 0; i < out->snapshot->barrier_count; i++) {
        const struct stint_barrier_stat *barrier = &out->snapshot->barriers[i];
        describe_total(out, "stint_barrier_slowest_total", "", "Rounds in which a participant was the slowest.");
        for (size_t j = 0; j < barrier->slowest_count; j++) {
            begin_barrier(out, "stint_barrier_slowest_total", barrier);
            number_label(out, "participant", barrier->slowest[j].participant);
            end_sample(out, barrier->slowest[j].rounds);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- GPUs */

enum { TIME, COUNT, BYTES };

struct gpu_metric {
    const char *name;
    const char *unit;
    const char *help;
    enum stint_gpu_kind kind;
    int what;
};

static const struct gpu_metric s_gpu_metrics[] = {
    {"stint_gpu_kernel_seconds_total", "seconds", "Time of kernels.", STINT_GPU_KERNEL, TIME},
    {"stint_gpu_kernels_total", "", "Kernels that ended.", STINT_GPU_KERNEL, COUNT},
    {"stint_gpu_memcpy_seconds_total", "seconds", "Time of copies.", STINT_GPU_COPY, TIME},
    {"stint_gpu_memcpy_bytes_total", "bytes", "Bytes copied.", STINT_GPU_COPY, BYTES},
    {"stint_gpu_memset_seconds_total", "seconds", "Time of operations that set memory.", STINT_GPU_SET, TIME},
    {"stint_gpu_memset_bytes_total", "bytes", "Bytes that were set.", STINT_GPU_SET, BYTES},
};

static uint64_t sum_of(const struct stint_snapshot *snapshot, const struct gpu_metric *metric, uint32_t device,
                       int direction)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == metric->kind && activity->device == device && (int)activity->direction == direction)
            stint_sum_up(&sum, metric->what == TIME    ? activity->numbers.total_ns
                               : metric->what == COUNT ? activity->numbers.count
                                                       : activity->bytes);
    }
    return sum;
}

static void write_gpu_sample(struct exposition *out, const struct gpu_metric *metric, uint32_t device, int direction)
{
    uint64_t value = sum_of(out->snapshot, metric, device, direction);
    if (!value && (direction || metric->kind == STINT_GPU_COPY))
        return;
    begin_sample(out, metric->name);
    number_label(out, "device", device);
    if (metric->kind == STINT_GPU_COPY)
        label(out, "direction", stint_gpu_direction_words[direction].constant);
    (metric->what == TIME ? end_seconds : end_sample)(out, value);
}

static void write_gpu_metric(struct exposition *out)
{
    const struct gpu_metric *metric = &s_gpu_metrics[out->which];
    for (size_t device = 0; device < out->snapshot->gpu_device_count; device++) {
        describe_total(out, metric->name, metric->unit, metric->help);
        for (int direction = 0; direction < STINT_GPU_DIRECTIONS; direction++)
            write_gpu_sample(out, metric, out->snapshot->gpu_devices[device].id, direction);
    }
}

static void write_gpu_memory(struct exposition *out)
{
    for (size_t i = 0; out->snapshot->gpu_device_count && i < out->snapshot->gpu_memory_count; i++) {
        const struct stint_gpu_memory *memory = &out->snapshot->gpu_memory[i];
        describe(out, GAUGE, "stint_gpu_memory_bytes", "bytes", "Allocated memory.");
        begin_sample(out, "stint_gpu_memory_bytes");
        number_label(out, "device", memory->device);
        label(out, "kind", stint_gpu_memory_name(memory->kind));
        label(out, "pool", memory->pool ? "1" : "0");
        end_sample(out, memory->current_bytes);
    }
}

/* ---------------------------------------------------------------------------------------------------------- process */

static void write_build(struct exposition *out)
{
    describe(out, INFO, "stint_build", "", "The version of stint.");
    begin_sample(out, "stint_build_info");
    label(out, "version", TEXT(STINT_VERSION_MAJOR) "." TEXT(STINT_VERSION_MINOR) "." TEXT(STINT_VERSION_PATCH));
    end_sample(out, 1);
}

static void write_start(struct exposition *out)
{
    describe(out, GAUGE, "stint_start_time_seconds", "seconds", "When the process first used stint, since 1970.");
    begin_sample(out, "stint_start_time_seconds");
    end_seconds(out, out->snapshot->process.start_unix_ns);
}

static void write_threads(struct exposition *out)
{
    describe(out, GAUGE, "stint_threads", "", "Threads that record and have not exited.");
    begin_sample(out, "stint_threads");
    end_sample(out, stint_summarize(out->snapshot).live_threads);
}

static void write_losses(struct exposition *out)
{
    describe_total(out, "stint_dropped_total", "", "What a limit or an error kept out of the other numbers.");
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(&out->snapshot->dropped, i);
        begin_sample(out, "stint_dropped_total");
        label(out, "reason", loss.key);
        end_sample(out, loss.count);
    }
}

/* ---------------------------------------------------------------------------------------------------------- metrics */

/* Each writes the metric whose turn it is for the process whose turn it is. */
static const struct {
    void (*write)(struct exposition *out);
    size_t count;
} s_metrics[] = {
    {write_build, 1},
    {write_start, 1},
    {write_threads, 1},
    {write_durations, 1},
    {write_scope_metric, sizeof s_scope_metrics / sizeof s_scope_metrics[0]},
    {write_error, 1},
    {write_running, 1},
    {write_rounds, 1},
    {write_gaps, 1},
    {write_slowest, 1},
    {write_gpu_metric, sizeof s_gpu_metrics / sizeof s_gpu_metrics[0]},
    {write_gpu_memory, 1},
    {write_losses, 1},
};

static void write_all(struct exposition *out, const struct stint_exposed *processes, size_t count)
{
    for (size_t i = 0; i < sizeof s_metrics / sizeof s_metrics[0]; i++)
        for (out->which = 0; out->which < s_metrics[i].count; out->which++) {
            out->is_described = 0;
            for (size_t process = 0; process < count; process++) {
                out->snapshot = processes[process].snapshot;
                out->memory = processes[process].memory;
                s_metrics[i].write(out);
            }
        }
    if (out->open)
        string(out, "# EOF\n");
}

void stint_expose_processes(struct stint_text *text, const struct stint_exposed *processes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stint_series_memory_of(processes[i].memory, &processes[i].snapshot->process);
    write_all(&(struct exposition){.text = text, .open = 1, .are_many = 1}, processes, count);
}

static void write_one(struct stint_text *text, const struct stint_snapshot *snapshot, int open)
{
    struct stint_exposed process = {snapshot, stint_scope_series_begin(&snapshot->process)};
    write_all(&(struct exposition){.text = text, .open = open}, &process, 1);
    if (process.memory)
        stint_scope_series_end();
}

void stint_report_prometheus(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    (void)layout;
    (void)csv;
    write_one(text, snapshot, 0);
}

void stint_report_openmetrics(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_layout *layout, int csv)
{
    (void)layout;
    (void)csv;
    write_one(text, snapshot, 1);
}
