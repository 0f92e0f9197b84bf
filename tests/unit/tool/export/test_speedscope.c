#include <stdio.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void everything_is_as_it_was(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    check_export(STINT_EXPORT_SPEEDSCOPE, snapshot, fixture_events(snapshot), "export_speedscope_events.json");
}

static void without_events_there_are_calling_contexts(void **state)
{
    check_export(STINT_EXPORT_SPEEDSCOPE, fixture_training(), fixture_no_events(), "export_speedscope_training.json");
}

static void nasty_names_stay_json(void **state)
{
    check_export(STINT_EXPORT_SPEEDSCOPE, fixture_nasty(), fixture_no_events(), "export_speedscope_nasty.json");
    check_export(STINT_EXPORT_SPEEDSCOPE, fixture_gpu_nasty(), NULL, "export_speedscope_gpu_nasty.json");
}

static void of_nothing_there_is_a_profile(void **state)
{
    check_export(STINT_EXPORT_SPEEDSCOPE, fixture_empty(), fixture_no_events(), "export_speedscope_empty.json");
}

/* speedscope refuses a file otherwise. */
static void check_profile(const char *at, const char *end)
{
    unsigned long long open[64], frame, ns, last_ns = 0;
    size_t depth = 0;
    while ((at = strstr(at, "{\"type\": \"")) && at < end) {
        char type = at[10];
        assert_int_equal(sscanf(at + 12, ", \"frame\": %llu, \"at\": %llu", &frame, &ns), 2);
        assert_true(ns >= last_ns);
        last_ns = ns;
        if (type == 'O') {
            assert_true(depth < TEST_COUNT(open));
            open[depth++] = frame;
        } else {
            assert_true(depth > 0);
            assert_int_equal(open[--depth], frame);
        }
        at++;
    }
    assert_int_equal(depth, 0);
}

static void profiles_are_balanced_and_in_time(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = export_as(STINT_EXPORT_SPEEDSCOPE, snapshot, fixture_events(snapshot));
    int profiles = 0;
    for (const char *at = out.text; (at = strstr(at, "\"events\": [")); profiles++) {
        at += 11;
        check_profile(at, strstr(at, "]}"));
    }
    assert_true(profiles > 8);
    capture_free(&out);
}

static int free_fixture(void **state)
{
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_as_it_was),
        cmocka_unit_test(without_events_there_are_calling_contexts),
        cmocka_unit_test(nasty_names_stay_json),
        cmocka_unit_test(of_nothing_there_is_a_profile),
        cmocka_unit_test(profiles_are_balanced_and_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}
