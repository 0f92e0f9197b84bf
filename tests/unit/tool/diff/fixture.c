#include "diff/fixture.h"

#include <string.h>

#include "model/model.h"
#include "stat/builder.h"
#include "stint_test.h"

static void add_scope(struct stint_builder *builder, const struct fixture_scope *scope, uint64_t times,
                      size_t *contexts, size_t i)
{
    const struct stint_stat like = {.set = scope->set, .name = scope->name, .file = "", .function = ""};
    const uint64_t fast = scope->count - scope->slow;
    const uint64_t total_ns = scope->ns * (fast + times * scope->slow);
    const struct stint_bin bins[] = {{scope->ns, fast}, {times * scope->ns, scope->slow}};
    double ns = (double)scope->ns;
    const struct stint_numbers numbers = {.count = scope->count,
                                          .total_ns = total_ns,
                                          .self_ns = total_ns,
                                          .min_ns = scope->ns,
                                          .max_ns = scope->slow ? times * scope->ns : scope->ns,
                                          .square_ns2 = ns * ns * (double)(fast + times * times * scope->slow),
                                          .error_ns = scope->error_ns,
                                          .self_error_ns = scope->error_ns,
                                          .bins = bins,
                                          .bin_count = scope->slow ? 2 : 1};
    size_t stat = stint_builder_stat(builder, &like);
    stint_builder_add_stat(builder, stat, &numbers);
    contexts[i] = stint_builder_context(builder, scope->parent < 0 ? STINT_NO_PARENT : contexts[scope->parent], stat);
    stint_builder_add_context(builder, contexts[i], &numbers);
}

static void add_work(struct stint_builder *builder, const struct fixture_work *work, size_t context)
{
    struct stint_gpu_activity like = {
        .kind = work->kind,
        .name = work->name,
        .mangled = "",
        .stream = work->stream,
        .numbers = {.count = work->count,
                    .total_ns = work->count * work->ns,
                    .self_ns = work->count * work->ns,
                    .min_ns = work->ns,
                    .max_ns = work->ns,
                    .square_ns2 = (double)work->count * (double)work->ns * (double)work->ns},
        .bytes = work->bytes,
    };
    const struct stint_bin bin = {work->ns, work->count};
    like.numbers.bins = &bin;
    like.numbers.bin_count = 1;
    size_t activity = stint_builder_gpu_activity(builder, &like);
    const struct stint_gpu_charge charge = {.activity = activity,
                                            .context = context,
                                            .count = work->count,
                                            .total_ns = work->count * work->ns,
                                            .min_ns = work->ns,
                                            .max_ns = work->ns,
                                            .bytes = work->bytes};
    stint_builder_add_gpu_activity(builder, activity, &like);
    stint_builder_add(builder, STINT_ROWS_GPU_CHARGES, &charge);
}

static void add_counter(struct stint_builder *builder, const struct fixture_counter *counter)
{
    int is_scope = strncmp(counter->kernel, "scope:", 6) == 0;
    stint_builder_add(builder, STINT_ROWS_NVTX_VALUES,
                      &(const struct stint_nvtx_value){.set = is_scope ? STINT_COUNTER_SCOPE_SET : STINT_COUNTER_SET,
                                                       .name = counter->kernel + (is_scope ? 6 : 0),
                                                       .field = counter->metric,
                                                       .count = counter->count,
                                                       .sum = counter->sum,
                                                       .min = counter->min,
                                                       .max = counter->max});
}

struct stint_snapshot *fixture_take(const struct fixture *fixture)
{
    struct stint_builder builder;
    size_t contexts[FIXTURE_ROWS];
    const struct stint_process process = {.pid = 7,
                                          .command = "./train",
                                          .host = fixture->host ? fixture->host : "node07",
                                          .clock = fixture->clock ? fixture->clock : "tsc",
                                          .start_unix_ns = 1000,
                                          .wall_ns = fixture->wall_ns};
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    for (size_t i = 0; i < FIXTURE_ROWS && fixture->scopes[i].name; i++)
        add_scope(&builder, &fixture->scopes[i], fixture->slow_times ? fixture->slow_times : 2, contexts, i);
    if (fixture->gpu)
        stint_builder_add(&builder, STINT_ROWS_GPU_DEVICES, &(const struct stint_gpu_device){.name = fixture->gpu});
    for (size_t i = 0; i < FIXTURE_ROWS && fixture->works[i].name; i++)
        add_work(&builder, &fixture->works[i], fixture->scopes[0].name ? contexts[0] : STINT_GPU_NO_SCOPE);
    for (size_t i = 0; i < FIXTURE_ROWS && fixture->counters[i].kernel; i++)
        add_counter(&builder, &fixture->counters[i]);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &fixture->dropped);
    assert_non_null(snapshot);
    return snapshot;
}

static struct stint_diff_functions functions_of(const struct fixture *fixture)
{
    size_t count = 0;
    while (count < FIXTURE_ROWS && fixture->functions[count].name)
        count++;
    return (struct stint_diff_functions){.items = fixture->functions,
                                         .count = count,
                                         .samples = fixture->samples,
                                         .time_ns = fixture->samples * 1000000};
}

/* The last comparison, and what it is made of. */
static struct {
    const struct stint_snapshot *snapshots[12];
    struct stint_diff_functions functions[12];
    size_t count;
    struct stint_diff diff;
    struct stint_arena arena;
    struct stint_array rules, checks;
} s_compared;

static void forget(void)
{
    stint_diff_free(&s_compared.diff);
    for (size_t i = 0; i < s_compared.count; i++)
        stint_snapshot_free((struct stint_snapshot *)s_compared.snapshots[i]);
    stint_arena_free(&s_compared.arena);
    memset(&s_compared, 0, sizeof s_compared);
}

const struct stint_diff *fixture_compare(const struct fixture *fixtures, size_t a, size_t b)
{
    assert_true(a + b <= TEST_COUNT(s_compared.snapshots));
    forget();
    for (; s_compared.count < a + b; s_compared.count++) {
        s_compared.snapshots[s_compared.count] = fixture_take(&fixtures[s_compared.count]);
        s_compared.functions[s_compared.count] = functions_of(&fixtures[s_compared.count]);
    }
    const struct stint_diff_side left = {s_compared.snapshots, a, s_compared.functions},
                                 right = {s_compared.snapshots + a, b, s_compared.functions + a};
    assert_int_equal(stint_diff_begin(&s_compared.diff, &left, &right), 0);
    return &s_compared.diff;
}

const struct stint_array *fixture_checks(const struct stint_diff *diff, const char *rules)
{
    struct stint_gate_error error;
    assert_int_equal(stint_gate_read(&s_compared.rules, &s_compared.arena, rules, &error), 0);
    assert_int_equal(stint_gate_check(diff, &s_compared.rules, &s_compared.checks, &s_compared.arena), 0);
    return &s_compared.checks;
}

const struct stint_diff_row *fixture_row(const struct stint_diff *diff, enum stint_diff_kind kind, const char *path)
{
    for (size_t i = 0; i < diff->rows.count; i++) {
        const struct stint_diff_row *row = stint_diff_row_at(diff, i);
        if (row->kind == kind && strcmp(row->path, path) == 0)
            return row;
    }
    fail_msg("there is no %s \"%s\"", stint_diff_kind_name(kind), path);
    return NULL;
}

const struct fixture fixture_before = {
    .scopes = {{"GlobalStatInfo", "train", -1, 1, 900000000, 0},
               {"GlobalStatInfo", "forward", 0, 100, 3000000, 10},
               {"GlobalStatInfo", "backward", 0, 100, 4000000, 10},
               {"Layers", "convolution", 1, 400, 500000, 20},
               {"GlobalStatInfo", "prefetch", 0, 100, 100000, 0},
               {"CUDA API", "cudaLaunchKernel", 1, 800, 4000, 80}},
    .works = {{STINT_GPU_KERNEL, "void gemm<float, 128>(float *, int)", 7, 600, 200000, 0},
              {STINT_GPU_KERNEL, "void gemm<float, 128>(float *, int)", 8, 200, 200000, 0},
              {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 7, 100, 50000, 104857600}},
    .gpu = "NVIDIA H200",
    .wall_ns = 950000000,
};

const struct fixture fixture_after = {
    .scopes = {{"GlobalStatInfo", "train", -1, 1, 990000000, 0},
               {"GlobalStatInfo", "forward", 0, 100, 3900000, 10},
               {"GlobalStatInfo", "backward", 0, 100, 4010000, 10},
               {"Layers", "convolution", 1, 400, 500000, 20},
               {"GlobalStatInfo", "checkpoint", 0, 2, 9000000, 0},
               {"CUDA API", "cudaLaunchKernel", 1, 810, 3800, 81}},
    .works = {{STINT_GPU_KERNEL, "void gemm<float, 128>(float *, int)", 7, 600, 260000, 0},
              {STINT_GPU_KERNEL, "void gemm<float, 128>(float *, int)", 8, 200, 260000, 0},
              {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 7, 100, 50000, 104857600}},
    .gpu = "NVIDIA H200",
    .wall_ns = 1040000000,
};

const struct fixture fixture_names = {
    .scopes = {{"GlobalStatInfo", "a \"quoted\", comma", -1, 3, 1000, 1},
               {"Set|with <bars>", "line\nbreak\tand\x1b[31m", -1, 3, 2000, 1},
               {"GlobalStatInfo", "broken \xff utf-8 & *stars* `code` ]]> \xe2\x80\xae", -1, 3, 3000, 0},
               {"GlobalStatInfo", "100 %", -1, 3, 4000, 0}},
    .wall_ns = 100000,
};
