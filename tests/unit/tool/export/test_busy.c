#include "export/busy.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

/* What was shown: "start=percent ", pieces of time are 1000 ns. */
static char s_shown[1024];
static struct stint_busy s_busy;

static void show(void *context, uint32_t device, uint64_t start_ns, double percent)
{
    size_t used = strlen(s_shown);
    assert_int_equal(device, 3);
    snprintf(s_shown + used, sizeof s_shown - used, "%llu=%g ", (unsigned long long)start_ns, percent);
}

static void begin(void)
{
    s_shown[0] = '\0';
    s_busy = (struct stint_busy){.device = 3, .piece_ns = 1000};
}

static void add(uint64_t start_ns, uint64_t end_ns)
{
    stint_busy_add(&s_busy, start_ns, end_ns, show, NULL);
}

static const char *end(void)
{
    stint_busy_end(&s_busy, show, NULL);
    return s_shown;
}

static void idle_device_shows_nothing(void **state)
{
    begin();
    add(5, 5);
    assert_string_equal(end(), "");
}

static void share_of_a_piece_is_that_in_which_it_worked(void **state)
{
    begin();
    add(100, 200);
    add(500, 650);
    assert_string_equal(end(), "0=25 1000=0 ");
}

static void what_overlaps_counts_once(void **state)
{
    begin();
    add(0, 400);
    add(100, 300);
    add(200, 500);
    assert_string_equal(end(), "0=50 1000=0 ");
}

static void work_of_several_pieces_is_divided(void **state)
{
    begin();
    add(1900, 4300);
    assert_string_equal(end(), "1000=10 2000=100 4000=30 5000=0 ");
}

static void pause_between_pieces_is_shown(void **state)
{
    begin();
    add(0, 500);
    add(7000, 7100);
    assert_string_equal(end(), "0=50 1000=0 7000=10 8000=0 ");
}

static void same_share_is_shown_once(void **state)
{
    begin();
    add(0, 500);
    add(1000, 1500);
    add(2000, 2250);
    assert_string_equal(end(), "0=50 2000=25 3000=0 ");
}

static void endless_work_is_shown_as_quickly_as_short(void **state)
{
    begin();
    add(500, UINT64_C(1) << 62);
    assert_non_null(strstr(end(), "0=50 1000=100 4611686018427387000="));
}

static void pieces_are_about_a_thousand(void **state)
{
    struct stint_arena arena = {0};
    struct stint_array devices = {0};
    assert_int_equal(stint_busy_of(&devices, &arena, 1, 5000000)->piece_ns, 5000);
    assert_int_equal(stint_busy_of(&devices, &arena, 2, 0)->piece_ns, 1000);
    assert_int_equal(stint_busy_of(&devices, &arena, 1, 0)->piece_ns, 5000);
    assert_int_equal(devices.count, 2);
    stint_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_device_shows_nothing),
        cmocka_unit_test(share_of_a_piece_is_that_in_which_it_worked),
        cmocka_unit_test(what_overlaps_counts_once),
        cmocka_unit_test(work_of_several_pieces_is_divided),
        cmocka_unit_test(pause_between_pieces_is_shown),
        cmocka_unit_test(same_share_is_shown_once),
        cmocka_unit_test(endless_work_is_shown_as_quickly_as_short),
        cmocka_unit_test(pieces_are_about_a_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
