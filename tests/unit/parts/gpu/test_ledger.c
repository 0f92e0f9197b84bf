#include "gpu/activity_table.h"
#include "gpu/timeline.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contexts/contexts.h"
#include "gpu/correlate.h"
#include "memory.h"
#include "model/model.h"
#include "record/collect.h"
#include "record/fixture.h"
#include "stint_test.h"

/* The process began at tick 0 of the fixture's clock, a tick is a ns; CUPTI's clock is AHEAD of it. */
#define AHEAD UINT64_C(1790000000000000000)

enum { LIMIT = 500, EVENTS = 400 };

static uint32_t s_correlation;

static int start(void **state)
{
    if (fixture_start(state) || stint_correlate_start(1))
        return -1;
    return 0;
}

/* In these tests nothing comes from CUPTI. */
void __wrap_stint_collector_collect(struct stint_builder *builder, int emergency)
{
    stint_ledger_collect(builder, emergency);
}

/* Each test begins with empty tables, as a forked child does. */
static int setup(void **state)
{
    s_correlation = 0;
    stint_correlate_forget();
    stint_ledger_after_fork();
    if (fixture_reset(state) || stint_ledger_start(LIMIT, 0))
        return -1;
    stint_ledger_align(clock_now(), AHEAD + clock_now(), clock_now());
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ input */

static uint32_t launch(void)
{
    stint_correlate_put(++s_correlation, stint_path_current(), clock_now());
    return s_correlation;
}

/* A launch in a scope of that name. */
static uint32_t launch_in(const char *scope)
{
    struct stint_i_node *node = enter(scope);
    const uint32_t correlation = launch();
    stint_i_leave(node);
    return correlation;
}

static struct stint_activity kernel(const char *name, uint32_t correlation, uint64_t ns)
{
    const uint64_t now = AHEAD + clock_now();
    return (struct stint_activity){
        .kind = STINT_GPU_KERNEL, .name = name, .start = now, .end = now + ns, .correlation = correlation};
}

static void add(struct stint_activity activity)
{
    stint_ledger_lock();
    stint_ledger_add(&activity);
    stint_ledger_unlock();
}

static void run_kernel(const char *name, uint32_t correlation, uint64_t ns)
{
    add(kernel(name, correlation, ns));
}

/* ----------------------------------------------------------------------------------------------------------- output */

/* Returns the position of the only activity of that name. */
static size_t activity_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i)
        if (!strcmp(snapshot->gpu_activities[i].name, name))
            return i;
    fail_msg("no activity %s", name);
    return 0;
}

static int is_charged_to(const struct stint_snapshot *snapshot, size_t context, const char *scope)
{
    if (context == STINT_GPU_NO_SCOPE)
        return !strcmp(scope, "(no scope)");
    if (context == STINT_GPU_UNATTRIBUTED)
        return !strcmp(scope, "(unattributed)");
    return !strcmp(snapshot->stats[snapshot->contexts[context].stat].name, scope);
}

/* Returns the ns of an activity that were launched in scopes of that name. */
static uint64_t charged(const struct stint_snapshot *snapshot, const char *activity, const char *scope)
{
    const size_t position = activity_of(snapshot, activity);
    uint64_t ns = 0;
    for (size_t i = 0; i < snapshot->gpu_charge_count; ++i)
        if (snapshot->gpu_charges[i].activity == position &&
            is_charged_to(snapshot, snapshot->gpu_charges[i].context, scope))
            ns += snapshot->gpu_charges[i].total_ns;
    return ns;
}

/* Fails unless the charges of every activity add up to it. */
static void check_sums(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; ++i) {
        struct stint_gpu_charge sum = {0};
        for (size_t j = 0; j < snapshot->gpu_charge_count; ++j) {
            if (snapshot->gpu_charges[j].activity != i)
                continue;
            sum.count += snapshot->gpu_charges[j].count;
            sum.total_ns += snapshot->gpu_charges[j].total_ns;
            sum.bytes += snapshot->gpu_charges[j].bytes;
        }
        assert_int_equal(sum.count, snapshot->gpu_activities[i].numbers.count);
        assert_int_equal(sum.total_ns, snapshot->gpu_activities[i].numbers.total_ns);
        assert_int_equal(sum.bytes, snapshot->gpu_activities[i].bytes);
    }
}

/* ------------------------------------------------------------------------------------------------------- activities */

TEST_ONCE(start, NULL)

/* Must run first: the ledger is started once. */
TEST_SETUP(before_the_start_nothing_is_kept, fixture_reset)
{
    run_kernel("early", 0, 10);
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .bytes = 1});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count + snapshot->gpu_memory_count, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(without_memory_the_start_fails_and_can_be_repeated, fixture_reset)
{
    for (long calls = 0; calls < 5; ++calls) {
        memory_fail_once_after(0);
        assert_int_equal(stint_ledger_start(LIMIT, 0), -1);
        assert_int_equal(memory_recover(), 1);
        run_kernel("early", 0, 10);
    }
    assert_int_equal(stint_ledger_start(LIMIT, 0), 0);
}

TEST_SETUP(a_kernel_has_all_its_numbers, setup)
{
    run_kernel("k", launch_in("s"), 1000);
    run_kernel("k", launch_in("s"), 3000);
    struct stint_snapshot *snapshot = take();
    const struct stint_gpu_activity *row = &snapshot->gpu_activities[activity_of(snapshot, "k")];
    assert_int_equal(row->kind, STINT_GPU_KERNEL);
    assert_string_equal(row->mangled, "k");
    assert_int_equal(row->numbers.count, 2);
    assert_int_equal(row->numbers.total_ns, 4000);
    assert_int_equal(row->numbers.self_ns, 4000);
    assert_int_equal(row->numbers.min_ns, 1000);
    assert_int_equal(row->numbers.max_ns, 3000);
    assert_true(row->numbers.square_ns2 == 10000000);
    assert_int_equal(row->numbers.bin_count, 2);
    assert_in_range(stint_numbers_percentile_ns(&row->numbers, 0.5), 1000, 1063);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(devices_contexts_and_streams_are_told_apart, setup)
{
    struct stint_activity activity = kernel("k", 0, 10);
    add(activity);
    activity.stream = 7;
    add(activity);
    activity.context = 2;
    add(activity);
    activity.device = 1;
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 4);
    assert_int_equal(snapshot->gpu_device_count, 2);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_copy_has_its_bytes_and_nvprofs_name, setup)
{
    struct stint_activity copy = {.kind = STINT_GPU_COPY, .what = STINT_GPU_HTOD, .start = 1, .end = 11, .bytes = 4096};
    add(copy);
    copy.bytes = 100;
    add(copy);
    struct stint_snapshot *snapshot = take();
    const struct stint_gpu_activity *row = &snapshot->gpu_activities[activity_of(snapshot, "[CUDA memcpy HtoD]")];
    assert_string_equal(row->mangled, "");
    assert_int_equal(row->direction, STINT_GPU_HTOD);
    assert_int_equal(row->wait, STINT_GPU_WAIT_UNKNOWN);
    assert_int_equal(row->bytes, 4196);
    assert_int_equal(row->min_bytes, 100);
    assert_int_equal(row->max_bytes, 4096);
    assert_true(row->square_bytes2 == 4096.0 * 4096 + 100 * 100);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_kernels_name_need_not_outlive_the_record, setup)
{
    char name[] = "first";
    run_kernel(name, 0, 10);
    memcpy(name, "other", 5); /* its module was unloaded, and another's name is there now */
    run_kernel(name, 0, 20);
    memset(name, 0, sizeof name);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 2);
    assert_int_equal(snapshot->gpu_activities[activity_of(snapshot, "first")].numbers.total_ns, 10);
    assert_int_equal(snapshot->gpu_activities[activity_of(snapshot, "other")].numbers.total_ns, 20);
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------- validation */

/* A kernel with these times, between two that have been measured. */
static void check_unmeasured(uint64_t begin, uint64_t end)
{
    uint32_t launched = launch_in("scope");
    run_kernel("_Z3fooPf", launched, 10);
    add((struct stint_activity){
        .kind = STINT_GPU_KERNEL, .name = "_Z3fooPf", .start = begin, .end = end, .correlation = launched});
    run_kernel("_Z3fooPf", launched, 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 2);
    const struct stint_gpu_activity *measured = &snapshot->gpu_activities[0], *not = &snapshot->gpu_activities[1];
    assert_int_equal(measured->kind, STINT_GPU_KERNEL);
    assert_int_equal(measured->numbers.count, 2);
    assert_int_equal(measured->numbers.total_ns, 20);
    assert_int_equal(not ->kind, STINT_GPU_UNMEASURED);
    assert_string_equal(not ->name, measured->name);
    assert_int_equal(not ->numbers.count, 1);
    assert_int_equal(not ->numbers.total_ns, 0);
    assert_int_equal(snapshot->gpu_charge_count, 2);
    assert_true(is_charged_to(snapshot, snapshot->gpu_charges[1].context, "scope"));
    assert_int_equal(stint_dropped.gpu_invalid, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_kernel_without_times_is_not_measured, setup)
{
    check_unmeasured(0, 0);
}

TEST_SETUP(a_kernel_that_ends_before_it_begins_is_not_measured, setup)
{
    check_unmeasured(2000, 1999);
}

TEST_SETUP(a_kernel_without_an_end_is_not_measured, setup)
{
    check_unmeasured(2000, 0);
}

TEST_SETUP(copies_without_times_are_not_measured, setup)
{
    add((struct stint_activity){.kind = STINT_GPU_COPY, .what = STINT_GPU_HTOD, .bytes = 4096});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activities[0].kind, STINT_GPU_UNMEASURED);
    assert_string_equal(snapshot->gpu_activities[0].name, "[CUDA memcpy HtoD]");
    assert_int_equal(snapshot->gpu_activities[0].bytes, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(waits_without_times_are_dropped, setup)
{
    stint_dropped.gpu_invalid = 0;
    add((struct stint_activity){.kind = STINT_GPU_SYNC, .what = STINT_GPU_WAIT_STREAM});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 0);
    assert_int_equal(stint_dropped.gpu_invalid, 1);
    stint_snapshot_free(snapshot);
    stint_dropped.gpu_invalid = 0;
}

static void add_missing(void)
{
    stint_ledger_lock();
    stint_ledger_add_missing();
    stint_ledger_unlock();
}

TEST_SETUP(launches_without_a_record_are_charged_to_their_scopes, setup)
{
    struct stint_i_node *node = enter("scope");
    stint_correlate_put(1, STINT_CORRELATE_LAUNCH | stint_path_current(), 0);
    stint_correlate_put(2, STINT_CORRELATE_LAUNCH | stint_path_current(), 0);
    stint_i_leave(node);
    stint_correlate_put(3, STINT_CORRELATE_LAUNCH | STINT_PATH_HELD, 0);
    run_kernel("k", 2, 10);
    add_missing();
    add_missing();
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 2);
    size_t missing = activity_of(snapshot, "[launch without a record]");
    assert_int_equal(snapshot->gpu_activities[missing].kind, STINT_GPU_UNMEASURED);
    assert_int_equal(snapshot->gpu_activities[missing].numbers.count, 1);
    assert_true(is_charged_to(snapshot, snapshot->gpu_charges[1].context, "scope"));
    stint_snapshot_free(snapshot);
}

TEST_SETUP(records_that_cupti_dropped_are_not_counted_again, setup)
{
    stint_correlate_put(1, STINT_CORRELATE_LAUNCH | STINT_PATH_ROOT, 0);
    stint_dropped.gpu_records = 1;
    add_missing();
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 0);
    stint_snapshot_free(snapshot);
    stint_dropped.gpu_records = 0;
}

TEST_SETUP(a_span_of_0_ns_is_an_event, setup)
{
    run_kernel("k", 0, 0);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activities[activity_of(snapshot, "k")].numbers.count, 1);
    assert_int_equal(stint_dropped.gpu_invalid, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(faults_of_the_host_take_no_time, setup)
{
    const struct stint_activity fault = {.kind = STINT_GPU_FAULT, .start = 5, .end = 5, .bytes = 1};
    struct stint_activity group = fault;
    group.what = STINT_GPU_FAULT_DEVICE;
    group.end = 105;
    group.bytes = 16;
    add(fault);
    add(group);
    add((struct stint_activity){.kind = STINT_GPU_FAULT, .bytes = 1});
    struct stint_snapshot *snapshot = take();
    const struct stint_gpu_activity *row =
        &snapshot->gpu_activities[activity_of(snapshot, "[CUDA Unified Memory CPU page faults]")];
    assert_int_equal(row->numbers.count, 1);
    assert_int_equal(row->numbers.total_ns, 0);
    assert_int_equal(row->bytes, 1);
    row = &snapshot->gpu_activities[activity_of(snapshot, "[CUDA Unified Memory GPU page faults]")];
    assert_int_equal(row->numbers.count, 1);
    assert_int_equal(row->numbers.total_ns, 100);
    assert_int_equal(row->bytes, 16);
    assert_int_equal(stint_dropped.gpu_invalid, 1);
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------ attribution */

TEST_SETUP(work_is_charged_to_the_scope_that_launched_it, setup)
{
    run_kernel("k", launch_in("forward"), 100);
    run_kernel("k", launch_in("backward"), 1);
    run_kernel("k", launch_in("forward"), 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "forward"), 110);
    assert_int_equal(charged(snapshot, "k", "backward"), 1);
    assert_int_equal(charged(snapshot, "k", "(no scope)"), 0);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_charge_has_all_its_numbers, setup)
{
    const uint64_t now = AHEAD + clock_now();
    for (uint64_t ns = 10; ns <= 30; ns += 10)
        add((struct stint_activity){
            .kind = STINT_GPU_SET, .start = now, .end = now + ns, .bytes = ns / 10, .correlation = launch_in("s")});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_charge_count, 1);
    const struct stint_gpu_charge *charge = &snapshot->gpu_charges[0];
    assert_int_equal(charge->count, 3);
    assert_int_equal(charge->total_ns, 60);
    assert_int_equal(charge->min_ns, 10);
    assert_int_equal(charge->max_ns, 30);
    assert_int_equal(charge->bytes, 6);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_scope_below_another_is_that_very_context, setup)
{
    struct stint_i_node *outer = enter("outer");
    uint32_t in_outer, in_inner, alone;
    in_outer = launch();
    in_inner = launch_in("inner");
    stint_i_leave(outer);
    alone = launch_in("inner");
    run_kernel("k", in_inner, 10); /* the deeper first: its parents must come with it */
    run_kernel("k", in_outer, 100);
    run_kernel("k", alone, 1);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "inner"), 11);
    assert_int_equal(charged(snapshot, "k", "outer"), 100);
    assert_int_equal(snapshot->gpu_charge_count, 3);
    assert_int_equal(snapshot->context_count, 3);
    for (size_t i = 0; i < snapshot->gpu_charge_count; ++i) {
        const struct stint_context *context = &snapshot->contexts[snapshot->gpu_charges[i].context];
        assert_int_equal(context->depth, snapshot->gpu_charges[i].total_ns == 10);
        assert_int_equal(context->numbers.count, 1);
    }
    stint_snapshot_free(snapshot);
}

TEST_SETUP(records_may_come_in_any_order, setup)
{
    const uint32_t first = launch_in("a"), second = launch_in("b"), third = launch_in("a");
    run_kernel("k", third, 1);
    run_kernel("k", first, 10);
    run_kernel("k", second, 100);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "a"), 11);
    assert_int_equal(charged(snapshot, "k", "b"), 100);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(all_work_of_a_graph_is_charged_to_the_scope_of_its_launch, setup)
{
    const uint32_t graph = launch_in("graph");
    struct stint_activity node = kernel("k", graph, 10);
    node.graph = 2;
    for (node.graph_node = 1; node.graph_node <= 20; ++node.graph_node)
        add(node);
    add((struct stint_activity){
        .kind = STINT_GPU_SET, .start = 1, .end = 6, .correlation = graph, .bytes = 100, .graph = 2});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "graph"), 200);
    assert_int_equal(charged(snapshot, "[CUDA memset]", "graph"), 5);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(what_was_launched_outside_of_scopes_has_no_scope, setup)
{
    run_kernel("k", launch(), 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "(no scope)"), 10);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(what_was_launched_unseen_is_unattributed, setup)
{
    run_kernel("k", 12345, 10);
    run_kernel("k", 0, 100);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "(unattributed)"), 110);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_record_that_says_its_path_needs_no_correlation, setup)
{
    struct stint_i_node *node = enter("span");
    add((struct stint_activity){
        .kind = STINT_GPU_SPAN, .name = "span", .start = 5, .end = 25, .path = stint_path_current()});
    stint_i_leave(node);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "span", "span"), 20);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(an_id_used_again_belongs_to_its_last_launch, setup)
{
    const uint32_t id = launch_in("before");
    run_kernel("k", id, 1);
    s_correlation = id - 1; /* 2^32 launches later */
    launch_in("after");
    run_kernel("k", id, 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "before"), 1);
    assert_int_equal(charged(snapshot, "k", "after"), 10);
    stint_snapshot_free(snapshot);
}

static void *launch_and_exit(void *argument)
{
    *(uint32_t *)argument = launch_in("gone");
    return NULL;
}

TEST_SETUP(a_scope_of_a_thread_that_exited_is_still_charged, setup)
{
    uint32_t correlation = 0;
    in_thread(launch_and_exit, &correlation);
    run_kernel("k", correlation, 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "gone"), 10);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_scope_known_by_its_launches_alone_has_its_call_site, setup)
{
    static struct stint_i_site site = {"forward.cu", "forward", 12, 0};
    struct stint_i_node *node = stint_i_enter(&site, "site of a launch", NULL);
    const uint32_t correlation = launch();
    stint_i_leave(node);
    reset_set(NULL, STINT_RESET_ALL);
    run_kernel("k", correlation, 10);
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, "site of a launch");
    assert_non_null(stat);
    assert_int_equal(stat->numbers.count, 0);
    assert_int_equal(stat->gpu.kernel_ns, 10);
    assert_string_equal(stat->file, "forward.cu");
    assert_string_equal(stat->function, "forward");
    assert_int_equal(stat->line, 12);
    assert_int_equal(charged(snapshot, "k", "site of a launch"), 10);
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- limits */

TEST_SETUP(activities_beyond_the_limit_are_counted_and_charge_nothing, setup)
{
    const uint32_t correlation = launch_in("s");
    char name[32];
    for (int i = 0; i < LIMIT + 9; ++i) {
        snprintf(name, sizeof name, "kernel%d", i);
        run_kernel(name, correlation, 10);
    }
    run_kernel("kernel0", correlation, 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, LIMIT);
    assert_int_equal(stint_dropped.gpu_activities, 9);
    assert_int_equal(snapshot->gpu_activities[activity_of(snapshot, "kernel0")].numbers.count, 2);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(names_beyond_the_limit_take_no_memory, setup)
{
    char name[32];
    size_t mapped = 0;
    for (int i = 0; i < 50 * LIMIT; ++i) {
        if (i == LIMIT)
            mapped = memory_mapped();
        snprintf(name, sizeof name, "kernel%d", i);
        run_kernel(name, 0, 10);
    }
    assert_int_equal(memory_mapped(), mapped);
}

TEST_SETUP(charges_beyond_the_limit_are_unattributed_and_sums_exact, setup)
{
    char name[32];
    for (int i = 0; i < LIMIT + 9; ++i) {
        snprintf(name, sizeof name, "scope%d", i);
        run_kernel("k", launch_in(name), 10);
    }
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_charge_count, LIMIT + 1);
    assert_int_equal(charged(snapshot, "k", "(unattributed)"), 90);
    assert_int_equal(stint_dropped.gpu_activities, 9);
    check_sums(snapshot);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(cuptis_losses_are_counted, setup)
{
    stint_ledger_count_dropped(41);
    stint_ledger_count_dropped(1);
    stint_ledger_count_unknown();
    assert_int_equal(stint_dropped.gpu_records, 42);
    assert_int_equal(stint_dropped.gpu_unknown, 1);
}

/* --------------------------------------------------------------------------------------------------------- hardware */

TEST_SETUP(memory_is_in_the_snapshot, setup)
{
    stint_ledger_allocate(&(struct stint_allocation){
        .address = 1, .bytes = 100, .device = 1, .kind = STINT_GPU_MEMORY_DEVICE, .pool = 1});
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .freed = 1});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_memory_count, 1);
    assert_int_equal(snapshot->gpu_memory[0].device, 1);
    assert_int_equal(snapshot->gpu_memory[0].pool, 1);
    assert_int_equal(snapshot->gpu_memory[0].frees, 1);
    assert_int_equal(snapshot->gpu_memory[0].current_bytes, 0);
    assert_int_equal(snapshot->gpu_memory[0].peak_bytes, 100);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_device_is_what_all_said_of_it, setup)
{
    char name[] = "NVIDIA H200";
    run_kernel("k", 0, 10);
    stint_ledger_device(&(struct stint_gpu_device){
        .name = name, .compute_major = 9, .compute_minor = 0, .memory_bytes = 1000, .multiprocessors = 132});
    memset(name, 'x', 6);
    stint_ledger_device(&(struct stint_gpu_device){.name = "", .link_bytes_per_s = 64, .core_clock_khz = 5});
    stint_ledger_device(&(struct stint_gpu_device){.name = NULL, .memory_bytes_per_s = 4});
    stint_ledger_device(&(struct stint_gpu_device){.id = 5, .name = "not used"});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_device_count, 1);
    const struct stint_gpu_device *device = &snapshot->gpu_devices[0];
    assert_string_equal(device->name, "NVIDIA H200");
    assert_int_equal(device->compute_major, 9);
    assert_int_equal(device->memory_bytes, 1000);
    assert_int_equal(device->multiprocessors, 132);
    assert_int_equal(device->link_bytes_per_s, 64);
    assert_int_equal(device->core_clock_khz, 5);
    assert_int_equal(device->memory_bytes_per_s, 4);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_device_is_used_by_what_runs_on_it_and_by_memory, setup)
{
    static const enum stint_gpu_kind kinds[] = {STINT_GPU_SPAN, STINT_GPU_SYNC, STINT_GPU_FAULT, STINT_GPU_OVERHEAD};
    for (uint32_t i = 0; i < TEST_COUNT(kinds); ++i)
        add((struct stint_activity){.kind = kinds[i], .start = 1, .end = 2, .device = i + 1});
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .bytes = 1, .device = 9});
    for (uint32_t i = 0; i < 10; ++i)
        stint_ledger_device(&(struct stint_gpu_device){.id = i, .name = "GPU", .multiprocessors = i});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_device_count, 2);
    assert_int_equal(snapshot->gpu_devices[0].id, 1);
    assert_int_equal(snapshot->gpu_devices[1].id, 9);
    assert_int_equal(snapshot->gpu_devices[1].multiprocessors, 9);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_device_with_memory_of_which_nothing_is_known_is_there, setup)
{
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .bytes = 1, .device = 9});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_device_count, 1);
    assert_int_equal(snapshot->gpu_devices[0].id, 9);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(devices_beyond_the_table_are_counted, setup)
{
    for (uint32_t i = 0; i < 300; ++i)
        stint_ledger_device(&(struct stint_gpu_device){.id = i, .name = "GPU"});
    assert_int_equal(stint_dropped.gpu_activities, 300 - 256);
}

TEST_SETUP(a_forgotten_device_leaves_nothing_to_the_next, setup)
{
    stint_ledger_device(&(struct stint_gpu_device){.name = "GPU", .compute_major = 9, .memory_bytes = 5});
    stint_ledger_after_fork();
    stint_ledger_device(&(struct stint_gpu_device){.multiprocessors = 7});
    run_kernel("k", 0, 10);
    struct stint_snapshot *snapshot = take();
    assert_string_equal(snapshot->gpu_devices[0].name, "");
    assert_int_equal(snapshot->gpu_devices[0].compute_major, 0);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes, 0);
    assert_int_equal(snapshot->gpu_devices[0].multiprocessors, 7);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_device_of_which_nothing_is_known_is_there, setup)
{
    struct stint_activity activity = kernel("k", 0, 10);
    activity.device = 3;
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_device_count, 1);
    assert_int_equal(snapshot->gpu_devices[0].id, 3);
    assert_string_equal(snapshot->gpu_devices[0].name, "");
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------ trace */

/* From here on there is a trace. */
TEST_SETUP(a_trace_can_be_added_later, setup)
{
    run_kernel("k", 0, 10);
    assert_false(stint_trace_is_on());
    assert_int_equal(stint_ledger_start(LIMIT, EVENTS), 0);
    assert_true(stint_trace_is_on());
    run_kernel("k", 0, 10);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_event_count, 1);
    assert_int_equal(snapshot->gpu_activities[0].numbers.count, 2);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_traced_kernel_has_all_its_fields, setup)
{
    struct stint_activity activity = kernel("k", launch_in("s"), 10);
    const uint64_t now = clock_now();
    activity.device = 1;
    activity.context = 2;
    activity.stream = 3;
    activity.grid[0] = 4;
    activity.grid[1] = 5;
    activity.grid[2] = 6;
    activity.block[0] = 7;
    activity.block[1] = 8;
    activity.block[2] = 9;
    activity.registers = 10;
    activity.static_shared = 11;
    activity.dynamic_shared = 12;
    activity.graph = 13;
    activity.graph_node = 14;
    activity.address = 15;
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_event_count, 1);
    const struct stint_gpu_event *event = &snapshot->gpu_events[0];
    assert_false(event->api);
    assert_int_equal(event->kind, STINT_GPU_KERNEL);
    assert_string_equal(event->name, "k");
    assert_int_equal(event->start_ns, now);
    assert_int_equal(event->end_ns, now + 10);
    assert_int_equal(event->correlation, s_correlation);
    assert_true(is_charged_to(snapshot, event->context, "s"));
    assert_int_equal(event->device, 1);
    assert_int_equal(event->device_context, 2);
    assert_int_equal(event->stream, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(event->grid[i], 4 + i);
        assert_int_equal(event->block[i], 7 + i);
    }
    assert_int_equal(event->registers, 10);
    assert_int_equal(event->static_shared, 11);
    assert_int_equal(event->dynamic_shared, 12);
    assert_int_equal(event->graph, 13);
    assert_int_equal(event->graph_node, 14);
    assert_int_equal(event->address, 15);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_traced_copy_has_all_its_fields, setup)
{
    add((struct stint_activity){.kind = STINT_GPU_COPY,
                                .what = STINT_GPU_PTOP,
                                .start = AHEAD + 5,
                                .end = AHEAD + 7,
                                .bytes = 64,
                                .source = STINT_GPU_MEMORY_PINNED,
                                .destination = STINT_GPU_MEMORY_DEVICE,
                                .peer = 1,
                                .peer_device = 2,
                                .peer_context = 3});
    struct stint_snapshot *snapshot = take();
    const struct stint_gpu_event *event = &snapshot->gpu_events[0];
    assert_string_equal(event->name, "[CUDA memcpy PtoP]");
    assert_int_equal(event->direction, STINT_GPU_PTOP);
    assert_int_equal(event->bytes, 64);
    assert_int_equal(event->source, STINT_GPU_MEMORY_PINNED);
    assert_int_equal(event->destination, STINT_GPU_MEMORY_DEVICE);
    assert_int_equal(event->peer, 1);
    assert_int_equal(event->peer_device, 2);
    assert_int_equal(event->peer_context, 3);
    assert_int_equal(event->context, STINT_GPU_UNATTRIBUTED);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(calls_and_activities_are_on_one_axis, setup)
{
    const uint64_t begin = clock_now();
    clock_advance(50);
    stint_ledger_trace_call("cudaLaunchKernel", begin, clock_now(), launch(), stint_path_current(), 1234);
    clock_advance(20);
    struct stint_activity activity = kernel("k", s_correlation, 10);
    clock_advance(1000);
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_event_count, 2);
    assert_true(snapshot->gpu_events[0].api);
    assert_string_equal(snapshot->gpu_events[0].name, "cudaLaunchKernel");
    assert_int_equal(snapshot->gpu_events[0].start_ns, begin);
    assert_int_equal(snapshot->gpu_events[0].end_ns, begin + 50);
    assert_int_equal(snapshot->gpu_events[0].tid, 1234);
    assert_int_equal(snapshot->gpu_events[0].context, STINT_GPU_NO_SCOPE);
    assert_int_equal(snapshot->gpu_events[1].start_ns, begin + 70);
    assert_int_equal(snapshot->gpu_events[0].correlation, snapshot->gpu_events[1].correlation);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(that_reading_the_clock_takes_time_moves_nothing, setup)
{
    const uint64_t now = clock_now();
    stint_ledger_trace_call("cudaFree", now, now + 5, 0, 0, 1);
    clock_set_step(100);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_events[0].start_ns, now);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_kernel_never_appears_before_its_launch, setup)
{
    const uint32_t correlation = launch();
    struct stint_activity activity = kernel("k", correlation, 10);
    const uint64_t launched = clock_now();
    activity.start -= 300;
    activity.end -= 300;
    clock_advance(1000);
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_events[0].start_ns, launched);
    assert_int_equal(snapshot->gpu_events[0].end_ns, launched + 10);
    assert_int_equal(snapshot->gpu.early, 1);
    assert_int_equal(snapshot->gpu_activities[0].numbers.total_ns, 10);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(what_the_clocks_error_explains_is_moved_but_not_early, setup)
{
    clock_advance(1000000000);
    uint64_t now = clock_now();
    stint_ledger_align(now - 300, AHEAD + now, now + 300);
    struct stint_activity activity = kernel("k", launch(), 10);
    activity.start -= 300;
    activity.end -= 300;
    add(activity);
    struct stint_snapshot *snapshot = take();
    assert_true(snapshot->gpu.clock_error_ns == 300);
    assert_int_equal(snapshot->gpu_events[0].start_ns, now);
    assert_int_equal(snapshot->gpu.early, 0);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(an_event_from_before_the_process_is_at_its_start, setup)
{
    add((struct stint_activity){.kind = STINT_GPU_SET, .start = AHEAD - 500, .end = AHEAD - 400});
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_events[0].start_ns, 0);
    assert_int_equal(snapshot->gpu_events[0].end_ns, 100);
    stint_snapshot_free(snapshot);
}

TEST_SETUP(events_beyond_the_traces_size_count_in_all_but_the_trace, setup)
{
    for (int i = 0; i < EVENTS + 5; ++i)
        run_kernel("k", 0, 10);
    stint_ledger_trace_call("cudaFree", 1, 2, 0, 0, 1);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_event_count, EVENTS);
    assert_int_equal(snapshot->gpu_activities[0].numbers.count, EVENTS + 5);
    assert_int_equal(stint_dropped.gpu_events, 6);
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------- reset, fork, emergency */

TEST_SETUP(a_reset_zeroes_all_but_memory_in_use_and_devices, setup)
{
    stint_ledger_device(&(struct stint_gpu_device){.name = "GPU"});
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .bytes = 100});
    run_kernel("old", launch_in("s"), 10);
    stint_ledger_lock();
    stint_ledger_reset();
    stint_ledger_unlock();
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count + snapshot->gpu_charge_count + snapshot->gpu_event_count, 0);
    assert_int_equal(snapshot->gpu_memory[0].current_bytes, 100);
    assert_int_equal(snapshot->gpu_memory[0].allocations, 0);
    stint_snapshot_free(snapshot);
    run_kernel("new", launch_in("s"), 1);
    snapshot = take();
    assert_int_equal(snapshot->gpu_activity_count, 1);
    assert_int_equal(charged(snapshot, "new", "s"), 1);
    assert_int_equal(snapshot->gpu_event_count, 1);
    assert_string_equal(snapshot->gpu_devices[0].name, "GPU");
    assert_true(snapshot->gpu.clock_error_ns == 0); /* still aligned */
    stint_snapshot_free(snapshot);
}

/* Has the lock from one meeting to the next. */
static void *hold_lock(void *argument)
{
    stint_ledger_lock();
    pthread_barrier_wait(argument);
    pthread_barrier_wait(argument);
    stint_ledger_unlock();
    return NULL;
}

TEST_SETUP(a_forked_child_has_empty_books_and_a_free_lock, setup)
{
    pthread_barrier_t meeting;
    pthread_t holder;
    int status;
    stint_ledger_device(&(struct stint_gpu_device){.name = "GPU"});
    stint_ledger_allocate(&(struct stint_allocation){.address = 1, .bytes = 100});
    run_kernel("k", launch_in("s"), 10);
    assert_int_equal(pthread_barrier_init(&meeting, NULL, 2), 0);
    assert_int_equal(pthread_create(&holder, NULL, hold_lock, &meeting), 0);
    pthread_barrier_wait(&meeting);
    pid_t child = fork();
    if (!child) {
        struct stint_snapshot *snapshot;
        const struct stint_costs costs = {0};
        stint_ledger_after_fork();
        int wrong = !stint_ledger_try_lock();
        stint_ledger_unlock();
        wrong += stint_collect(&snapshot, &costs, 0) != STINT_OK || snapshot->gpu_activity_count ||
                 snapshot->gpu_event_count || snapshot->gpu_memory_count || snapshot->gpu_device_count;
        _exit(wrong);
    }
    pthread_barrier_wait(&meeting);
    assert_int_equal(pthread_join(holder, NULL), 0);
    pthread_barrier_destroy(&meeting);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stint_ledger_try_lock(), 1);
    stint_ledger_unlock();
}

static void *try_lock(void *argument)
{
    *(int *)argument = stint_ledger_try_lock();
    return NULL;
}

static void *try_lock_and_record(void *argument)
{
    try_lock(argument);
    run("after a lock not had", 5);
    return NULL;
}

TEST_SETUP(in_an_emergency_it_is_read_without_the_lock, setup)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot;
    int locked = 1;
    run_kernel("k", launch_in("s"), 10);
    stint_ledger_lock();
    in_thread(try_lock, &locked);
    assert_int_equal(locked, 0);
    assert_int_equal(stint_collect(&snapshot, &costs, 1), STINT_OK);
    stint_ledger_unlock();
    assert_int_equal(charged(snapshot, "k", "s"), 10);
    stint_snapshot_free(snapshot);
}

/* As a signal handler would that interrupted the thread with the lock. */
TEST_SETUP(who_has_the_lock_does_not_wait_for_itself, setup)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot;
    stint_ledger_lock();
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_ERROR_BUSY);
    stint_ledger_unlock();
    assert_int_equal(stint_ledger_try_lock(), 1);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_ERROR_BUSY);
    assert_int_equal(stint_ledger_try_lock(), 0);
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_ERROR_BUSY);
    stint_ledger_unlock();
    stint_snapshot_free(take());
}

TEST_SETUP(a_lock_not_had_leaves_the_guard, setup)
{
    int locked = 1;
    stint_ledger_lock();
    in_thread(try_lock_and_record, &locked);
    stint_ledger_unlock();
    assert_int_equal(locked, 0);
    assert_int_equal(stint_dropped.reentrant, 0);
}

TEST_SETUP(without_memory_there_is_no_snapshot_and_no_harm, setup)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot;
    long failures = 1;
    run_kernel("k", launch_in("s"), 10);
    for (long calls = 0; failures; ++calls) {
        memory_fail_once_after(calls);
        enum stint_status status = stint_collect(&snapshot, &costs, 0);
        failures = memory_recover();
        assert_int_equal(status, failures ? STINT_ERROR_NO_MEMORY : STINT_OK);
    }
    assert_int_equal(charged(snapshot, "k", "s"), 10);
    stint_snapshot_free(snapshot);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { LAUNCHES = 20000, THREADS = 2 };

struct launcher {
    pthread_t thread;
    const char *scope;
    uint32_t next; /* its id; the threads' ids alternate */
    uint32_t launched;
};

static void *launch_many(void *argument)
{
    struct launcher *launcher = argument;
    struct stint_i_node *node = enter(launcher->scope);
    const uint32_t path = stint_path_current();
    for (uint32_t i = 0; i < LAUNCHES; ++i) {
        stint_correlate_put(launcher->next, path, 1);
        stint_ledger_trace_call("cudaLaunchKernel", 1, 2, launcher->next, path, 1);
        launcher->next += THREADS;
        __atomic_store_n(&launcher->launched, i + 1, __ATOMIC_RELEASE);
    }
    stint_i_leave(node);
    return NULL;
}

TEST_SETUP(threads_launch_while_another_adds_and_a_third_reports, setup)
{
    struct launcher launchers[THREADS] = {{.scope = "one", .next = 1}, {.scope = "two", .next = 2}};
    uint32_t done[THREADS] = {0};
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&launchers[i].thread, NULL, launch_many, &launchers[i]), 0);
    for (uint32_t sum = 0; sum < THREADS * LAUNCHES;) {
        sum = 0;
        for (uint32_t i = 0; i < THREADS; ++i) {
            const uint32_t launched = __atomic_load_n(&launchers[i].launched, __ATOMIC_ACQUIRE);
            for (; done[i] < launched; ++done[i])
                run_kernel("k", 1 + i + done[i] * THREADS, 10);
            sum += done[i];
        }
        stint_snapshot_free(take());
    }
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(launchers[i].thread, NULL), 0);
    struct stint_snapshot *snapshot = take();
    assert_int_equal(charged(snapshot, "k", "one"), 10 * LAUNCHES);
    assert_int_equal(charged(snapshot, "k", "two"), 10 * LAUNCHES);
    check_sums(snapshot);
    assert_int_equal(snapshot->gpu_event_count + stint_dropped.gpu_events, 2 * THREADS * LAUNCHES);
    stint_snapshot_free(snapshot);
}
