/* Curves of many samples: few points, of which none hides a number. */
#include "html/curve.h"

#include "stint_test.h"

static struct stint_arena s_arena;
static struct stint_curves s_curves;

static int setup(void **state)
{
    (void)state;
    s_curves = (struct stint_curves){.arena = &s_arena};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    stint_arena_free(&s_arena);
    return 0;
}

static void add(const char *name, uint64_t ns, double value)
{
    struct stint_event event = {.kind = STINT_EVENT_VALUE,
                                .start_ns = ns,
                                .end_ns = ns,
                                .name = name,
                                .set = "NVTX counters",
                                .field = "",
                                .value = value};
    assert_int_equal(stint_curves_add(&s_curves, &event), 0);
}

static void few_samples_are_points(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STINT_CURVE_POINTS; i++)
        add("a", i, i);
    assert_int_equal(s_curves.count, 1);
    const struct stint_curve *curve = s_curves.all[0];
    assert_int_equal(curve->count, STINT_CURVE_POINTS);
    assert_int_equal(curve->per, 1);
    assert_string_equal(curve->name, "a");
    assert_string_equal(curve->what, "value");
}

/* Each sample is compared with the point that it is in: the last one that does not begin after it. */
static void many_share_points_that_reach_as_far_as_they(void **state)
{
    enum { SAMPLES = 5000 };
    (void)state;
    for (unsigned i = 0; i < SAMPLES; i++)
        add("a", i, (double)(i * 7919 % 1009));
    const struct stint_curve *curve = s_curves.all[0];
    assert_in_range(curve->count, STINT_CURVE_POINTS / 2, STINT_CURVE_POINTS);
    for (unsigned i = 0, at = 0; i < SAMPLES; i++) {
        double value = (double)(i * 7919 % 1009);
        at += at + 1 < curve->count && curve->points[at + 1].start_ns <= i;
        assert_true(curve->points[at].least <= value && value <= curve->points[at].most);
        assert_int_equal(curve->points[at].start_ns, i / curve->per * curve->per);
        if ((i + 1) % curve->per == 0)
            assert_true(curve->points[at].last == value);
    }
}

static void curves_are_told_apart(void **state)
{
    struct stint_event_memory memory = {.device = 1, .current_bytes = 5, .kind = STINT_GPU_MEMORY_DEVICE};
    struct stint_event event = {.kind = STINT_EVENT_MEMORY, .name = "", .set = "", .memory = &memory};
    (void)state;
    add("a", 0, 1);
    add("b", 1, 1);
    for (memory.device = 0; memory.device < 2; memory.device++)
        assert_int_equal(stint_curves_add(&s_curves, &event), 0);
    event.pid = 7;
    assert_int_equal(stint_curves_add(&s_curves, &event), 0);
    assert_int_equal(s_curves.count, 5);
    assert_int_equal(s_curves.all[1]->device, STINT_NO_DEVICE);
    assert_int_equal(s_curves.all[3]->device, 1);
    assert_string_equal(s_curves.all[3]->name, "memory (Device)");
    assert_true(s_curves.all[3]->points[0].last == 5);
}

static void further_curves_are_counted(void **state)
{
    char name[] = "a0";
    (void)state;
    for (int i = 0; i < STINT_CURVES_MOST + 3; i++) {
        name[0] = (char)('a' + i / 10);
        name[1] = (char)('0' + i % 10);
        add(name, 0, 1);
    }
    assert_int_equal(s_curves.count, STINT_CURVES_MOST);
    assert_int_equal(s_curves.beyond, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(few_samples_are_points, setup, teardown),
        cmocka_unit_test_setup_teardown(many_share_points_that_reach_as_far_as_they, setup, teardown),
        cmocka_unit_test_setup_teardown(curves_are_told_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(further_curves_are_counted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
