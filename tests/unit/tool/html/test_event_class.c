#include <stdio.h>

#include "html/overview.h"
#include "stint_test.h"

static struct stint_arena s_arena;
static struct stint_event_classes s_whats;

static int setup(void **state)
{
    s_whats = (struct stint_event_classes){.arena = &s_arena};
    return 0;
}

static int teardown(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

static size_t add_scope_at(uint64_t start_ns, const char *name, uint64_t ns)
{
    struct stint_event event = {
        .kind = STINT_EVENT_SCOPE, .start_ns = start_ns, .end_ns = start_ns + ns, .name = name, .set = ""};
    return stint_event_classes_add(&s_whats, &event);
}

static size_t add_scope(const char *name, uint64_t ns)
{
    return add_scope_at(5, name, ns);
}

static size_t add_kernel(uint32_t blocks, uint32_t stream)
{
    struct stint_gpu_event gpu = {.grid = {blocks, 1, 1}, .block = {128, 1, 1}, .stream = stream};
    struct stint_event event = {.kind = STINT_EVENT_DEVICE, .end_ns = 10, .name = "kernel", .set = "", .gpu = &gpu};
    return stint_event_classes_add(&s_whats, &event);
}

static const struct stint_event_class *at(size_t position)
{
    return (const struct stint_event_class *)s_whats.all.items + position;
}

TEST_EACH(setup, teardown)

TEST(equal_events_are_one)
{
    size_t first = add_scope("step", 30);
    assert_int_equal(add_scope("step", 50), first);
    assert_int_equal(at(first)->count, 2);
    assert_int_equal(at(first)->total_ns, 80);
    assert_int_equal(at(first)->max_ns, 50);
}

TEST(longest_has_a_place)
{
    size_t step = add_scope_at(100, "step", 0);
    assert_int_equal(at(step)->max_start_ns, 100);
    add_scope_at(200, "step", 7);
    add_scope_at(300, "step", 9);
    add_scope_at(400, "step", 9);
    assert_int_equal(at(step)->max_start_ns, 300);
}

TEST(launches_of_a_kernel_differ_by_their_grid)
{
    assert_int_not_equal(add_kernel(64, 7), add_kernel(128, 7));
}

TEST(streams_make_no_difference)
{
    assert_int_equal(add_kernel(64, 7), add_kernel(64, 8));
}

TEST(names_beyond_the_limit_are_the_others)
{
    char name[32];
    size_t last = 0;
    for (int i = 0; i < STINT_EVENT_CLASSES_MOST + 10; i++) {
        snprintf(name, sizeof name, "name %d", i);
        last = add_scope(name, 1);
    }
    assert_int_equal(s_whats.all.count, STINT_EVENT_CLASSES_MOST);
    assert_int_equal(last, STINT_EVENT_CLASSES_MOST - 1);
    assert_string_equal(at(last)->name, "(others)");
    assert_int_equal(s_whats.beyond, 11);
    assert_int_equal(add_scope("name 3", 1), 3);
}

TEST(waiting_is_told_by_set_and_name)
{
    assert_true(stint_is_waiting(STINT_OS_SET, "read"));
    assert_true(stint_is_waiting(STINT_API_SET, "cudaDeviceSynchronize"));
    assert_false(stint_is_waiting(STINT_API_SET, "cudaLaunchKernel"));
    assert_false(stint_is_waiting("GlobalStatInfo", "read"));
}
