/* What scopes had GPUs do. A tree of scopes is written as one string of paths, "a a/b a/b/c"; "CUDA API" is the set of
 * names that begin with cu. */
#include <string.h>

#include "model/model.h"
#include "stat/builder.h"
#include "stint_test.h"

static const struct stint_process s_process = {.command = "", .host = "", .clock = "monotonic"};
static const struct stint_dropped s_dropped = {0};

static struct stint_builder s_builder;
static struct stint_snapshot *s_snapshot;

static int begin(void **state)
{
    stint_builder_begin(&s_builder);
    s_snapshot = NULL;
    return 0;
}

static int finish(void **state)
{
    stint_snapshot_free(s_snapshot);
    return 0;
}

static size_t stat_of(const char *name)
{
    const int call = !strncmp(name + strspn(name, "_"), "cu", 2);
    const struct stint_stat like = {
        .set = call ? STINT_API_SET : "GlobalStatInfo", .name = name, .file = "", .function = ""};
    return stint_builder_stat(&s_builder, &like);
}

static size_t context_at(const char *path)
{
    char names[256];
    size_t context = STINT_NO_PARENT;
    strcpy(names, path);
    for (char *name = strtok(names, "/"); name; name = strtok(NULL, "/"))
        context = stint_builder_context(&s_builder, context, stat_of(name));
    return context;
}

/* Runs the scope or call `count` times, `ns` each. */
static void run(const char *path, uint64_t count, uint64_t ns)
{
    const struct stint_numbers numbers = {.count = count, .total_ns = count * ns, .min_ns = ns, .max_ns = ns};
    stint_builder_add_context(&s_builder, context_at(path), &numbers);
}

/* One activation of `ns` and 10 * ns bytes, charged to the context. */
static void work(enum stint_gpu_kind kind, const char *path, uint64_t ns)
{
    const struct stint_gpu_activity like = {
        .kind = kind, .name = "activity", .mangled = "", .numbers = {.count = 1, .total_ns = ns}};
    const struct stint_gpu_charge charge = {
        .activity = stint_builder_gpu_activity(&s_builder, &like),
        .context = path ? context_at(path) : STINT_GPU_NO_SCOPE,
        .count = 1,
        .total_ns = ns,
        .bytes = 10 * ns,
    };
    stint_builder_add_gpu_activity(&s_builder, charge.activity, &like);
    stint_builder_add(&s_builder, STINT_ROWS_GPU_CHARGES, &charge);
}

static const struct stint_snapshot *snapshot(void)
{
    if (!s_snapshot)
        s_snapshot = stint_builder_end(&s_builder, &s_process, &s_dropped);
    assert_non_null(s_snapshot);
    return s_snapshot;
}

static int is_at(size_t context, const char *path)
{
    const struct stint_context *row = &snapshot()->contexts[context];
    const char *slash = strrchr(path, '/');
    char above[256];
    if (strcmp(snapshot()->stats[row->stat].name, slash ? slash + 1 : path) != 0)
        return 0;
    if (!slash)
        return row->parent == STINT_NO_PARENT;
    memcpy(above, path, (size_t)(slash - path));
    above[slash - path] = '\0';
    return row->parent != STINT_NO_PARENT && is_at(row->parent, above);
}

static const struct stint_context *at(const char *path)
{
    for (size_t i = 0; i < snapshot()->context_count; ++i)
        if (is_at(i, path))
            return &snapshot()->contexts[i];
    fail_msg("no context %s", path);
    return NULL;
}

static const struct stint_stat *stat(const char *name)
{
    const struct stint_stat *found =
        stint_snapshot_find(snapshot(), strncmp(name + strspn(name, "_"), "cu", 2) ? NULL : STINT_API_SET, name);
    assert_non_null(found);
    return found;
}

/* ------------------------------------------------------------------------------------------------------------ kinds */

TEST_EACH(begin, finish)

TEST(each_kind_has_numbers_of_its_own)
{

    work(STINT_GPU_KERNEL, "a", 1);
    work(STINT_GPU_KERNEL, "a", 2);
    work(STINT_GPU_COPY, "a", 10);
    work(STINT_GPU_UNIFIED, "a", 20);
    work(STINT_GPU_SET, "a", 100);
    work(STINT_GPU_SPAN, "a", 1000);
    const struct stint_gpu_use *use = &at("a")->gpu_self;
    assert_int_equal(use->kernels, 2);
    assert_int_equal(use->kernel_ns, 3);
    assert_int_equal(use->copies, 2);
    assert_int_equal(use->copy_ns, 30);
    assert_int_equal(use->copy_bytes, 300);
    assert_int_equal(use->sets, 1);
    assert_int_equal(use->set_ns, 100);
    assert_int_equal(use->set_bytes, 1000);
    assert_int_equal(use->spans, 1);
    assert_int_equal(use->span_ns, 1000);
    assert_int_equal(stint_gpu_use_ns(use), 133);
}

TEST(waits_faults_and_overhead_use_no_device)
{
    static const struct stint_gpu_use none;
    work(STINT_GPU_SYNC, "a", 1);
    work(STINT_GPU_FAULT, "a", 2);
    work(STINT_GPU_OVERHEAD, "a", 3);
    assert_memory_equal(&at("a")->gpu_self, &none, sizeof none);
    assert_memory_equal(&at("a")->gpu, &none, sizeof none);
    assert_int_equal(snapshot()->gpu_charge_count, 3);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

TEST(a_scope_has_what_it_launched_and_what_those_within_did)
{
    work(STINT_GPU_KERNEL, "a", 1);
    work(STINT_GPU_KERNEL, "a/b", 10);
    work(STINT_GPU_COPY, "a/b/c", 100);
    work(STINT_GPU_KERNEL, "a/c", 1000);
    work(STINT_GPU_KERNEL, "d", 10000);
    work(STINT_GPU_KERNEL, NULL, 100000);
    assert_int_equal(stint_gpu_use_ns(&at("a")->gpu_self), 1);
    assert_int_equal(stint_gpu_use_ns(&at("a")->gpu), 1111);
    assert_int_equal(at("a")->gpu.kernels, 3);
    assert_int_equal(at("a")->gpu.copies, 1);
    assert_int_equal(stint_gpu_use_ns(&at("a/b")->gpu_self), 10);
    assert_int_equal(stint_gpu_use_ns(&at("a/b")->gpu), 110);
    assert_int_equal(stint_gpu_use_ns(&at("a/b/c")->gpu), 100);
    assert_int_equal(stint_gpu_use_ns(&at("a/c")->gpu), 1000);
    assert_int_equal(stint_gpu_use_ns(&at("d")->gpu), 10000);
}

TEST(every_part_of_a_use_is_passed_on)
{
    for (int kind = 0; kind < STINT_GPU_KINDS; ++kind)
        work((enum stint_gpu_kind)kind, "a/b", (uint64_t)kind + 1);
    run("a/b/cudaLaunchKernel", 3, 5);
    assert_int_equal(at("a/b")->gpu.launches, 3);
    assert_memory_equal(&at("a")->gpu, &at("a/b")->gpu_self, sizeof(struct stint_gpu_use));
    assert_memory_equal(&stat("b")->gpu, &at("a/b")->gpu_self, sizeof(struct stint_gpu_use));
    for (size_t i = 0; i < sizeof(struct stint_gpu_use) / sizeof(uint64_t); ++i)
        assert_int_not_equal(((const uint64_t *)&at("a")->gpu)[i], 0);
}

/* ------------------------------------------------------------------------------------------------------- statistics */

TEST(a_statistic_has_the_sum_over_its_contexts)
{
    work(STINT_GPU_KERNEL, "a/x", 1);
    work(STINT_GPU_KERNEL, "b/x", 10);
    work(STINT_GPU_KERNEL, "b/x/y", 100);
    work(STINT_GPU_KERNEL, "x", 1000);
    assert_int_equal(stint_gpu_use_ns(&stat("x")->gpu_self), 1011);
    assert_int_equal(stint_gpu_use_ns(&stat("x")->gpu), 1111);
    assert_int_equal(stint_gpu_use_ns(&stat("b")->gpu), 110);
    assert_int_equal(stint_gpu_use_ns(&stat("b")->gpu_self), 0);
}

TEST(work_of_nested_activations_of_a_name_counts_once)
{
    work(STINT_GPU_KERNEL, "f", 1);
    work(STINT_GPU_KERNEL, "f/f", 10);
    work(STINT_GPU_KERNEL, "f/f/g/f", 100);
    work(STINT_GPU_KERNEL, "f/g/g", 1000);
    work(STINT_GPU_KERNEL, "g/f/f", 10000);
    assert_int_equal(stint_gpu_use_ns(&stat("f")->gpu), 11111);
    assert_int_equal(stint_gpu_use_ns(&stat("f")->gpu_self), 10111);
    assert_int_equal(stint_gpu_use_ns(&stat("g")->gpu), 11100);
    assert_int_equal(stint_gpu_use_ns(&stat("g")->gpu_self), 1000);
}

/* --------------------------------------------------------------------------------------------------------- launches */

TEST(a_launch_is_the_scopes_around_it)
{
    run("a/b/cudaLaunchKernel", 7, 10);
    run("a/b/cuGraphLaunch", 2, 100);
    run("a/b/__cudaLaunchKernel", 3, 10000); /* a compiled launch from CUDA 13 on */
    run("a/cudaGraphLaunch", 1, 1000);
    assert_int_equal(at("a/b")->gpu_self.launches, 12);
    assert_int_equal(at("a/b")->gpu_self.launch_ns, 30270);
    assert_int_equal(at("a")->gpu_self.launches, 1);
    assert_int_equal(at("a")->gpu.launches, 13);
    assert_int_equal(at("a")->gpu.launch_ns, 31270);
    assert_int_equal(stat("a")->gpu.launches, 13);
    assert_int_equal(at("a/b/cudaLaunchKernel")->gpu.launches, 0);
    assert_int_equal(stat("cudaLaunchKernel")->gpu_self.launches, 0);
}

TEST(a_launch_within_another_call_is_the_scopes_around_both)
{
    run("a/cudaMalloc/cuLaunchKernel", 1, 10);
    assert_int_equal(at("a")->gpu_self.launches, 1);
    assert_int_equal(at("a/cudaMalloc")->gpu.launches, 0);
}

TEST(a_launch_outside_of_any_scope_is_nobodys)
{
    run("cudaLaunchKernel", 1, 10);
    run("a", 1, 10);
    assert_int_equal(at("a")->gpu.launches, 0);
    assert_int_equal(at("cudaLaunchKernel")->gpu.launches, 0);
}

TEST(only_calls_that_launch_kernels_or_graphs_are_launches)
{
    static const char *const others[] = {"a/cudaMemcpy",         "a/cudaGraphInstantiate", "a/cuMemAlloc_v2",
                                         "a/cudaLaunchHostFunc", "a/cuLaunchHostFunc",     "a/x"};
    static const char *const launches[] = {"a/cudaLaunchKernel_v7000", "a/cuLaunchKernelEx",
                                           "a/cudaLaunchCooperativeKernel", "a/cudaGraphLaunch_v10000",
                                           "a/cuGraphLaunch"};
    for (size_t i = 0; i < TEST_COUNT(others); ++i)
        run(others[i], 1, 1);
    for (size_t i = 0; i < TEST_COUNT(launches); ++i)
        run(launches[i], 1, 10);
    assert_int_equal(at("a")->gpu.launches, TEST_COUNT(launches));
    assert_int_equal(at("a")->gpu.launch_ns, 10 * TEST_COUNT(launches));
}

TEST(a_users_scope_named_as_a_launch_is_none)
{
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = "cudaLaunchKernel", .file = "", .function = ""};
    const struct stint_numbers numbers = {.count = 1, .total_ns = 10};
    stint_builder_add_context(&s_builder,
                              stint_builder_context(&s_builder, context_at("a"), stint_builder_stat(&s_builder, &like)),
                              &numbers);
    assert_int_equal(at("a")->gpu.launches, 0);
}
