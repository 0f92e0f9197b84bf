/* Since when a statistic is slower than it was, and how long ranks waited for one another, by events. */
#include "stint_test.h"
#include "transform/transform.h"

enum { US = 1000, BEGIN = 1000000 };

static const struct stint_snapshot s_process = {.process = {.start_unix_ns = BEGIN, .wall_ns = 3000 * US}};

static void add(struct stint_event_history *events, enum stint_event_kind kind, const char *name, uint64_t start_ns,
                uint64_t took_ns)
{
    stint_event_history_add(events, &(struct stint_event){.kind = kind,
                                                          .name = name,
                                                          .set = kind == STINT_EVENT_CALL ? "" : "GlobalStatInfo",
                                                          .start_ns = start_ns,
                                                          .end_ns = start_ns + took_ns,
                                                          .pid = 1,
                                                          .tid = 1});
}

/* 100 steps of 10 us, in which "inner" takes 2 us, and from the 60th on 4. What is around it takes the more less. */
static void add_steps(struct stint_event_history *events)
{
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t start_ns = i * 30 * US;
        add(events, STINT_EVENT_SCOPE, "outer", start_ns, 10 * US);
        add(events, STINT_EVENT_SCOPE, "inner", start_ns + 1 * US, i < 60 ? 2 * US : 4 * US);
        add(events, STINT_EVENT_CALL, "cudaMemcpy", start_ns + 6 * US, i < 60 ? 3 * US : 1 * US);
        add(events, STINT_EVENT_DEVICE, "kernel", start_ns + 6 * US, 20 * US);
    }
}

TEST(a_change_has_its_time_in_the_scope_that_changed)
{
    struct stint_event_history events = {.is_over = 0};
    struct stint_drift drift;
    stint_event_history_begin(&events, &s_process);
    add_steps(&events);
    const struct stint_history *history = stint_event_history_end(&events, BEGIN);
    assert_non_null(history);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "outer", &drift), -1);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "inner", &drift), 0);
    assert_int_equal(drift.before_ns, 2 * US);
    assert_int_equal(drift.after_ns, 4 * US);
    assert_int_equal(drift.lost_ns, 40 * 2 * US);
    assert_int_equal(drift.since_ns, 1801 * US);
    stint_event_history_free(&events);
}

/* The rank began with another process. */
TEST(times_are_those_of_the_rank)
{
    struct stint_event_history events = {.is_over = 0};
    struct stint_drift drift;
    stint_event_history_begin(&events, &s_process);
    add_steps(&events);
    const struct stint_history *history = stint_event_history_end(&events, BEGIN - 500 * US);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "inner", &drift), 0);
    assert_int_equal(drift.since_ns, 2301 * US);
    stint_event_history_free(&events);
}

/* A change is as sure early in the time of the run, when each activation takes ten times as long from then on. */
TEST(windows_are_of_activations_not_of_time)
{
    struct stint_event_history events = {.is_over = 0};
    struct stint_drift drift;
    uint64_t at_ns = 0, change_ns = 0;
    stint_event_history_begin(&events, &s_process);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t took_ns = (i < 500 ? 1 : 10) * US;
        change_ns = i == 500 ? at_ns : change_ns;
        add(&events, STINT_EVENT_SCOPE, "work", at_ns, took_ns);
        at_ns += took_ns;
    }
    const struct stint_history *history = stint_event_history_end(&events, BEGIN);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "work", &drift), 0);
    assert_int_equal(drift.before_ns, 1 * US);
    assert_int_equal(drift.after_ns, 10 * US);
    assert_true(drift.since_ns >= change_ns - 16 * US && drift.since_ns <= change_ns + 160 * US);
    stint_event_history_free(&events);
}

/* Threads do not interrupt one another, and another process has times of its own. */
TEST(threads_and_processes_are_apart)
{
    const struct stint_snapshot other = {.process = {.start_unix_ns = BEGIN + 1000 * US, .wall_ns = 500 * US}};
    struct stint_event_history events = {.is_over = 0};
    struct stint_drift drift;
    stint_event_history_begin(&events, &s_process);
    for (uint64_t i = 0; i < 40; i++) {
        stint_event_history_add(&events, &(struct stint_event){.kind = STINT_EVENT_SCOPE,
                                                               .name = "other",
                                                               .set = "GlobalStatInfo",
                                                               .start_ns = i * 40 * US,
                                                               .end_ns = i * 40 * US + 39 * US,
                                                               .pid = 1,
                                                               .tid = 2});
        add(&events, STINT_EVENT_SCOPE, "work", i * 40 * US, i < 20 ? 5 * US : 10 * US);
    }
    stint_event_history_begin(&events, &other);
    for (uint64_t i = 0; i < 40; i++)
        add(&events, STINT_EVENT_SCOPE, "work", i * 20 * US, 1 * US);
    const struct stint_history *history = stint_event_history_end(&events, BEGIN);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "other", &drift), -1);
    assert_int_equal(stint_history_drift(history, "GlobalStatInfo", "work", &drift), 0);
    assert_int_equal(drift.before_ns, 5 * US);
    assert_int_equal(drift.after_ns, 10 * US);
    assert_int_equal(drift.since_ns, 800 * US);
    stint_event_history_free(&events);
}

TEST(without_scopes_there_is_none)
{
    struct stint_event_history events = {.is_over = 0};
    stint_event_history_begin(&events, &s_process);
    add(&events, STINT_EVENT_DEVICE, "kernel", 0, 10);
    add(&events, STINT_EVENT_CALL, "cudaMemcpy", 0, 10);
    assert_null(stint_event_history_end(&events, BEGIN));
    stint_event_history_free(&events);
}

/* The time of those that are too deep is no longer that of one around them. */
TEST(what_is_nested_too_deeply_leaves_no_history)
{
    struct stint_event_history events = {.is_over = 0};
    stint_event_history_begin(&events, &s_process);
    for (uint64_t i = 0; i < STINT_OPEN_MOST; i++)
        add(&events, STINT_EVENT_SCOPE, "deep", i, 100 * US);
    assert_non_null(stint_event_history_end(&events, BEGIN));
    add(&events, STINT_EVENT_SCOPE, "deep", STINT_OPEN_MOST, 1);
    assert_null(stint_event_history_end(&events, BEGIN));
    assert_int_equal(events.open.too_deep, 1);
    stint_event_history_free(&events);
}

/* ------------------------------------------------------------------------------------------------------------ waits */

enum { CALLS = 3 };

/* Adds a rank that has so many calls of a collective kernel, the last of which takes longer. */
static void add_rank(struct stint_collective_waits *waits, const char *name, size_t calls, uint64_t last_ns)
{
    static const struct stint_gpu_event kernel = {.kind = STINT_GPU_KERNEL};
    for (size_t i = 0; i < calls; i++)
        stint_collective_waits_add(waits, &(struct stint_event){.kind = STINT_EVENT_DEVICE,
                                                                .name = name,
                                                                .gpu = &kernel,
                                                                .start_ns = i * 1000,
                                                                .end_ns = i * 1000 + (i + 1 < calls ? 10 : last_ns)});
    stint_collective_waits_end_rank(waits, 1);
}

/* Returns what a sum of two ranks gets to know of a kernel that ran so often, and took so long in all. */
static uint64_t tell(const struct stint_collective_waits *waits, const char *name, uint64_t count, uint64_t total_ns)
{
    struct stint_spread spread = {.ranks = 2, .shortest_ns = 1};
    struct stint_gpu_activity row = {
        .kind = STINT_GPU_KERNEL, .name = name, .numbers = {.count = count, .total_ns = total_ns, .spread = &spread}};
    struct stint_snapshot sum = {.gpu_activities = &row, .gpu_activity_count = 1};
    stint_collective_waits_tell(waits, &sum);
    return spread.shortest_ns;
}

TEST(each_call_is_work_for_as_long_as_it_took_where_it_was_shortest)
{
    struct stint_collective_waits waits = {.failed = 0};
    add_rank(&waits, "ncclDevKernel_AllReduce", CALLS, 500);
    add_rank(&waits, "ncclDevKernel_AllReduce", CALLS, 40);
    assert_int_equal(tell(&waits, "ncclDevKernel_AllReduce", 2 * CALLS, 580), 10 + 10 + 40);
    assert_int_equal(tell(&waits, "ncclDevKernel_AllReduce", 2 * CALLS, 581), 1); /* not all events were there */
    stint_collective_waits_free(&waits);
}

TEST(of_ranks_that_differ_and_of_other_kernels_nothing_is_told)
{
    struct stint_collective_waits waits = {.failed = 0};
    add_rank(&waits, "ncclDevKernel_AllReduce", CALLS, 500);
    add_rank(&waits, "ncclDevKernel_AllReduce", CALLS - 1, 40);
    assert_int_equal(tell(&waits, "ncclDevKernel_AllReduce", 2 * CALLS - 1, 570), 1);
    add_rank(&waits, "ncclDevKernel_SendRecv", CALLS, 10);
    add_rank(&waits, "ncclDevKernel_SendRecv", CALLS, 10);
    assert_int_equal(tell(&waits, "ncclDevKernel_SendRecv", 2 * CALLS, 60), 1);
    stint_collective_waits_free(&waits);
}

TEST(a_rank_without_some_of_its_events_leaves_nothing_to_tell)
{
    struct stint_collective_waits waits = {.failed = 0};
    add_rank(&waits, "ncclKernel_AllReduce", CALLS, 10);
    add_rank(&waits, "ncclKernel_AllReduce", CALLS, 10);
    assert_int_equal(tell(&waits, "ncclKernel_AllReduce", 2 * CALLS, 60), 30);
    stint_collective_waits_end_rank(&waits, 0);
    assert_int_equal(tell(&waits, "ncclKernel_AllReduce", 2 * CALLS, 60), 1);
    stint_collective_waits_free(&waits);
}
