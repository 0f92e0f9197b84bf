#include "record/scope.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captured_log.h"
#include "memory.h"
#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

/* Fails unless the global set's statistic has these numbers. */
static void check(const char *name, uint64_t count, uint64_t total_ns, uint64_t self_ns)
{
    const struct stint_numbers numbers = now_of(name);
    assert_int_equal(numbers.count, count);
    assert_int_equal(numbers.total_ns, total_ns);
    assert_int_equal(numbers.self_ns, self_ns);
    assert_int_equal(numbers.running, 0);
}

/* Likewise for a calling context. */
static void check_at(const char *path, uint64_t count, uint64_t total_ns, uint64_t self_ns)
{
    const struct stint_numbers numbers = now_at(path);
    assert_int_equal(numbers.count, count);
    assert_int_equal(numbers.total_ns, total_ns);
    assert_int_equal(numbers.self_ns, self_ns);
}

static void leave_after(struct stint_i_node *node, uint64_t ns)
{
    clock_advance(ns);
    stint_i_leave(node);
}

/* Advances the clock, then enters. */
static struct stint_i_node *enter_after(uint64_t ns, const char *name)
{
    clock_advance(ns);
    return enter(name);
}

/* ------------------------------------------------------------------------------------------------------------ exact */

TEST_ONCE(fixture_start, NULL)

TEST_SETUP(a_scope_takes_exactly_its_time, fixture_reset)
{
    run("exact", 123);
    check("exact", 1, 123, 123);
}

TEST_SETUP(every_scope_adds_to_all_numbers, fixture_reset)
{

    run("three scopes", 30);
    run("three scopes", 10);
    run("three scopes", 20);
    struct stint_numbers numbers = now_of("three scopes");
    assert_int_equal(numbers.count, 3);
    assert_int_equal(numbers.total_ns, 60);
    assert_int_equal(numbers.self_ns, 60);
    assert_int_equal(numbers.min_ns, 10);
    assert_int_equal(numbers.max_ns, 30);
    assert_true(numbers.square_ns2 == 1400);
    assert_int_equal(numbers.recursive, 0);
    assert_in_range(percentile_of("three scopes", 0.5), 19, 21);
}

TEST_SETUP(a_scope_of_no_length_counts, fixture_reset)
{
    run("no length", 0);
    run("no length", 5);
    assert_int_equal(now_of("no length").min_ns, 0);
    check("no length", 2, 5, 5);
}

TEST_SETUP(leaving_returns_the_span, fixture_reset)
{
    struct stint_i_node *node = enter("span");
    clock_advance(77);
    assert_int_equal(stint_i_leave(node), 77);
    assert_int_equal(stint_i_leave(NULL), 0);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(self_time_leaves_nested_scopes_out, fixture_reset)
{
    struct stint_i_node *outer = enter("outer"), *middle;
    middle = enter_after(1, "middle");
    leave_after(enter_after(10, "inner"), 100);
    leave_after(enter_after(10, "inner"), 200);
    leave_after(middle, 10);
    leave_after(outer, 1);
    check("outer", 1, 332, 2);
    check("middle", 1, 330, 30);
    check("inner", 2, 300, 300);
}

TEST_SETUP(a_name_in_two_contexts_is_one_statistic, fixture_reset)
{
    for (int i = 0; i < 2; ++i) {
        struct stint_i_node *node = enter(i ? "context B" : "context A");
        leave_after(enter("in both"), 10);
        leave_after(node, 1);
    }
    run("in both", 5);
    check("in both", 3, 25, 25);
    check_at("context A/in both", 1, 10, 10);
    check_at("context B/in both", 1, 10, 10);
    check_at("in both", 1, 5, 5);
}

/* -------------------------------------------------------------------------------------------------------- recursion */

static void recurse(int depth)
{
    struct stint_i_node *node = enter("recursive");
    clock_advance(1);
    if (depth)
        recurse(depth - 1);
    leave_after(node, 1);
}

TEST_SETUP(of_a_recursion_the_outermost_adds_to_the_total, fixture_reset)
{

    recurse(3);
    recurse(0);
    check("recursive", 5, 8 + 2, 8 + 2);
    struct stint_numbers numbers = now_of("recursive");
    assert_int_equal(numbers.recursive, 3);
    assert_int_equal(numbers.min_ns, 2);
    assert_int_equal(numbers.max_ns, 8);
    assert_int_equal(percentile_of("recursive", 1), 8);
    assert_int_equal(percentile_of("recursive", 0.5), 2);
    check_at("recursive", 2, 10, 4);
    check_at("recursive/recursive", 1, 6, 2);
    check_at("recursive/recursive/recursive/recursive", 1, 2, 2);
}

TEST_SETUP(mutual_recursion_is_recursion, fixture_reset)
{
    struct stint_i_node *outer_a = enter("ping"), *outer_b = enter_after(1, "pong");
    struct stint_i_node *inner_a = enter_after(10, "ping"), *inner_b = enter_after(100, "pong");
    leave_after(inner_b, 1000);
    leave_after(inner_a, 100);
    leave_after(outer_b, 10);
    leave_after(outer_a, 1);
    check("ping", 2, 1222, 202);
    check("pong", 2, 1220, 1020);
    assert_int_equal(now_of("ping").recursive, 1);
    assert_int_equal(now_of("pong").recursive, 1);
    check_at("ping/pong/ping", 1, 1200, 200);
}

TEST_SETUP(equal_names_in_two_sets_are_no_recursion, fixture_reset)
{
    struct stint_statset *set = stint_registry_set("recursion");
    struct stint_i_node *outer = enter("nested in a set"), *inner;
    inner = stint_scope_enter_dynamic(NULL, "nested in a set", set, 0);
    leave_after(inner, 10);
    leave_after(outer, 1);
    check("nested in a set", 1, 11, 1);
    assert_int_equal(now_of("nested in a set").recursive, 0);
}

/* ----------------------------------------------------------------------------------------------------------- macros */

static int leave_by(int way)
{
    for (int i = 0; i < 2; ++i) {
        STINT_SCOPE("left in many ways");
        clock_advance(1);
        if (way == 0)
            return 1;
        if (way == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3)
            goto out;
    }
out:
    return 0;
}

TEST_SETUP(a_scope_ends_however_its_block_is_left, fixture_reset)
{
    const uint64_t counts[] = {1, 1, 2, 1, 2};
    for (int way = 0; way < 5; ++way) {
        reset_set(NULL, STINT_RESET_ALL);
        leave_by(way);
        check("left in many ways", counts[way], counts[way], counts[way]);
    }
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(scopes_of_one_block_end_in_reverse, fixture_reset)
{
    {
        STINT_SCOPE("first of a block");
        STINT_SCOPE("second of a block");
        clock_advance(5);
    }
    check_at("first of a block/second of a block", 1, 5, 5);
    check("first of a block", 1, 5, 0);
}

static void run_static(const char *name)
{
    STINT_SCOPE_SINCE(name, UINT64_MAX, STINT_I_NEVER);
    clock_advance(1);
}

TEST_SETUP(a_static_site_keeps_its_first_name, fixture_reset)
{
    run_static("first name");
    run_static("second name");
    check("first name", 2, 2, 2);
    assert_int_equal(now_of("second name").count, 0);
}

TEST_SETUP(a_dynamic_site_takes_every_name, fixture_reset)
{
    for (int i = 0; i < 600; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "dynamic %d", i % 300);
        STINT_SCOPE_DYNAMIC(name);
        memset(name, '#', sizeof name);
        clock_advance(1);
    }
    check("dynamic 0", 2, 2, 2);
    check("dynamic 299", 2, 2, 2);
}

TEST_SETUP(a_scope_goes_to_the_set_it_names, fixture_reset)
{
    struct stint_statset *set = stint_registry_set("a set for scopes");
    {
        STINT_SCOPE("in a set", STINT_I_NEVER, set);
        STINT_SCOPE_DYNAMIC("in a set too", STINT_I_NEVER, set);
        clock_advance(3);
    }
    struct stint_snapshot *snapshot = take();
    assert_int_equal(stint_snapshot_find(snapshot, "a set for scopes", "in a set")->numbers.total_ns, 3);
    assert_int_equal(stint_snapshot_find(snapshot, "a set for scopes", "in a set too")->numbers.total_ns, 3);
    assert_null(stint_snapshot_find(snapshot, NULL, "in a set"));
    stint_snapshot_free(snapshot);
}

TEST_SETUP(a_statistic_knows_its_site, fixture_reset)
{
    const uint32_t line = __LINE__ + 4;
    {
        STINT_SCOPE("with a site");
    }
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, "with a site");
    assert_string_equal(stat->file, __FILE__);
    assert_string_equal(stat->function, __func__);
    assert_in_range(stat->line, line - 2, line);
    stint_snapshot_free(snapshot);
}

/* ----------------------------------------------------------------------------------------------------------- misuse */

TEST_SETUP(leaving_twice_is_counted, fixture_reset)
{
    struct stint_i_node *node = enter("left twice");
    leave_after(node, 5);
    assert_int_equal(stint_i_leave(node), 0);
    check_dropped((struct stint_dropped){.mismatched = 1});
    check("left twice", 1, 5, 5);
}

static void *leave_argument(void *node)
{
    stint_i_leave(node);
    return NULL;
}

static void *run_then_leave_argument(void *node)
{
    run("elsewhere", 1);
    stint_i_leave(node);
    return NULL;
}

TEST_SETUP(leaving_on_another_thread_is_counted, fixture_reset)
{
    struct stint_i_node *node = enter("left elsewhere");
    in_thread(leave_argument, node);
    in_thread(run_then_leave_argument, node);
    check_dropped((struct stint_dropped){.mismatched = 2});
    leave_after(node, 5);
    check("left elsewhere", 1, 6, 6);
}

TEST_SETUP(leaving_out_of_order_abandons_what_is_inside, fixture_reset)
{
    struct stint_i_node *outer = enter("outer left first"), *inner = enter_after(1, "inner left last");
    leave_after(outer, 10);
    leave_after(inner, 100);
    check_dropped((struct stint_dropped){.abandoned = 1, .mismatched = 1});
    check("outer left first", 1, 11, 11);
    assert_int_equal(now_of("inner left last").count, 0);
}

TEST_SETUP(scopes_jumped_over_are_popped_by_the_enclosing_one, fixture_reset)
{
    struct stint_i_node *outer = enter("jumped to");
    enter("jumped over");
    enter("jumped over too");
    leave_after(enter("complete"), 3);
    leave_after(outer, 10);
    check_dropped((struct stint_dropped){.abandoned = 2});
    check("jumped to", 1, 13, 10);
    check("complete", 1, 3, 3);
    run("after the jump", 1);
    check_at("after the jump", 1, 1, 1);
}

/* Enters a scope as a function does whose frame ends at `place`, and is left by longjmp. */
static struct stint_i_node *enter_from(struct stint_i_site *site, uintptr_t place)
{
    return stint_scope_enter(site, site->function, NULL, place);
}

TEST_SETUP(scopes_jumped_over_again_and_again_do_not_pile_up, fixture_reset)
{
    enum { JUMPS = 20000 };
    struct stint_i_site first = {__FILE__, "tried", __LINE__, 0}, second = {__FILE__, "tried inside", __LINE__, 0};

    for (int i = 0; i < JUMPS; i++) {
        enter_from(&first, 0x2000);
        enter_from(&second, 0x1000);
    }
    uint32_t depth = 0;
    for (const struct stint_i_node *node = stint_i_self->current; node->parent; node = node->parent)
        depth++;
    assert_in_range(depth, 2, 40);
    assert_int_equal(stint_dropped.nodes, 0);
    assert_int_equal(stint_dropped.abandoned, 2 * JUMPS - depth);
}

TEST_SETUP(recursion_is_no_pile, fixture_reset)
{
    enum { DEEP = 200 };
    struct stint_i_site site = {__FILE__, "calls itself", __LINE__, 0};
    struct stint_i_node *nodes[DEEP];

    for (int i = 0; i < DEEP; i++)
        nodes[i] = enter_from(&site, 0x9000 - (uintptr_t)i / 9 * 64); /* nine of ten calls inlined */
    for (int i = DEEP; i-- > 0;)
        stint_i_leave(nodes[i]);
    check_dropped((struct stint_dropped){0});
    assert_int_equal(now_of("calls itself").count, DEEP);
}

TEST_SETUP(an_abandoned_scope_is_popped_with_those_inside, fixture_reset)
{
    struct stint_i_node *outer = enter("around an abandoned"), *abandoned = enter("to be abandoned");
    enter("inside the abandoned");
    clock_advance(5);
    stint_scope_abandon(abandoned);
    check_dropped((struct stint_dropped){.abandoned = 2});
    leave_after(outer, 1);
    check("around an abandoned", 1, 6, 6);
    assert_int_equal(now_of("to be abandoned").count, 0);
    stint_scope_abandon(abandoned);
    stint_scope_abandon(NULL);
    check_dropped((struct stint_dropped){.abandoned = 2});
}

TEST_SETUP(a_negative_span_is_zero_and_counted, fixture_reset)
{
    struct stint_i_node *node = enter("negative");
    clock_go_back(50);
    assert_int_equal(stint_i_leave(node), 0);
    check("negative", 1, 0, 0);
    assert_int_equal(now_of("negative").min_ns, 0);
    assert_int_equal(now_of("negative").max_ns, 0);
    check_dropped((struct stint_dropped){.negative = 1});
}

TEST_SETUP(self_time_is_never_negative_when_the_clock_steps_back, fixture_reset)
{
    struct stint_i_node *outer = enter("clock steps back");
    run("before the step", 100);
    clock_go_back(60);
    leave_after(outer, 0);
    assert_int_equal(now_of("clock steps back").total_ns, 40);
    assert_in_range(now_of("clock steps back").self_ns, 0, 40);
}

/* ----------------------------------------------------------------------------------------------------- run time off */

TEST_SETUP(while_off_nothing_is_recorded, fixture_reset)
{
    stint_registry_set_enabled(0);
    assert_null(enter("off"));
    run("off", 5);
    {
        STINT_SCOPE("off");
    }
    assert_int_equal(stint_scope_add(NULL, "off", 5), STINT_OK);
    stint_registry_set_enabled(1);
    assert_int_equal(now_of("off").count, 0);
    check_dropped((struct stint_dropped){0});
    run("off", 7);
    check("off", 1, 7, 7);
}

TEST_SETUP(a_scope_running_when_switched_off_still_counts, fixture_reset)
{
    struct stint_i_node *outer = enter("outer across off"), *inner = enter_after(1, "inner across off");
    stint_registry_set_enabled(0);
    leave_after(inner, 10);
    leave_after(outer, 100);
    stint_registry_set_enabled(1);
    check("inner across off", 1, 10, 10);
    check("outer across off", 1, 111, 101);
}

TEST_SETUP(a_scope_entered_while_off_never_counts, fixture_reset)
{

    stint_registry_set_enabled(0);
    struct stint_i_node *node = enter("entered while off");
    stint_registry_set_enabled(1);
    run("while that runs", 3);
    leave_after(node, 10);
    assert_int_equal(now_of("entered while off").count, 0);
    check_at("while that runs", 1, 3, 3);
    check_dropped((struct stint_dropped){0});
}

/* ------------------------------------------------------------------------------------------------------------ since */

TEST_SETUP(since_counts_from_the_given_time, fixture_reset)
{
    const uint64_t start_us = stint_now_us();
    clock_advance(5000);
    {
        STINT_SCOPE_SINCE("since", start_us);
        clock_advance(300);
    }
    check("since", 1, 5300, 5300);
}

TEST_SETUP(since_charges_the_parent_only_from_its_line_on, fixture_reset)
{
    const uint64_t start_us = stint_now_us();
    struct stint_i_node *outer;
    outer = enter_after(5000, "outer of since");
    clock_advance(1000);
    {
        STINT_SCOPE_SINCE("inner since", start_us);
        leave_after(enter_after(1, "inside since"), 20);
        clock_advance(300);
    }
    leave_after(outer, 10);
    check("outer of since", 1, 1331, 1010);
    check("inner since", 1, 6321, 6301);
}

TEST_SETUP(since_in_the_future_is_now, fixture_reset)
{
    {
        STINT_SCOPE_SINCE("since the future", stint_now_us() + 1000);
        clock_advance(7);
    }
    {
        STINT_SCOPE_SINCE("since the future", UINT64_MAX);
        clock_advance(7);
    }
    check("since the future", 2, 14, 14);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(since_the_beginning_of_time_is_no_longer_than_that, fixture_reset)
{
    {
        STINT_SCOPE_SINCE("since ever", 0);
        clock_advance(7);
    }
    assert_in_range(now_of("since ever").total_ns, clock_now() - 10, clock_now());
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(since_converts_to_ticks, fixture_reset)
{
    const uint64_t start_us = stint_now_us();
    clock_set_ns_per_tick(0.5); /* 3 us are 6000 ticks */
    clock_advance(3000);
    {
        STINT_SCOPE_DYNAMIC_SINCE("since in ticks", start_us);
        clock_advance(100);
    }
    assert_int_equal(now_of("since in ticks").total_ns, 3050);
}

TEST_SETUP(since_while_off_does_nothing, fixture_reset)
{
    stint_registry_set_enabled(0);
    {
        STINT_SCOPE_SINCE("since while off", 1);
    }
    stint_registry_set_enabled(1);
    assert_int_equal(now_of("since while off").count, 0);
}

TEST_SETUP(an_abandoned_since_leaves_its_parents_self_time_alone, fixture_reset)
{
    const uint64_t start_us = stint_now_us();
    struct stint_i_site site = {__FILE__, __func__, __LINE__, 0};
    struct stint_i_node *outer = enter_after(1000000, "parent of an abandoned since");
    stint_i_enter_since(&site, "abandoned since", NULL, start_us);
    leave_after(outer, 10);
    check_dropped((struct stint_dropped){.abandoned = 1});
    check("parent of an abandoned since", 1, 10, 10);
}

TEST_SETUP(since_a_time_before_a_reset_counts_the_same_running_and_ended, fixture_reset)
{
    struct stint_i_site site = {__FILE__, __func__, __LINE__, 0};
    const uint64_t start_us = stint_now_us();
    uint64_t running_ns;
    run("since before a reset", 1);
    clock_advance(1000000);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(5000);
    struct stint_i_node *node = stint_i_enter_since(&site, "since before a reset", NULL, start_us);
    running_ns = now_of("since before a reset").running_ns;
    leave_after(node, 0);
    assert_int_equal(now_of("since before a reset").total_ns, running_ns);
}

TEST_SETUP(since_is_not_changed_by_a_reset_of_another_set, fixture_reset)
{
    struct stint_i_site site = {__FILE__, __func__, __LINE__, 0};
    struct stint_i_node *node;
    uint64_t total_ns[2];
    run("since, another set reset", 1);
    for (int i = 0; i < 2; ++i) {
        clock_advance(1000000);
        reset_set(NULL, STINT_RESET_ALL);
        node = stint_i_enter_since(&site, "since, another set reset", NULL, stint_now_us() - 3000);
        if (i == 1)
            reset_set(stint_registry_set("another set"), STINT_RESET_ALL);
        leave_after(node, 10);
        total_ns[i] = now_of("since, another set reset").total_ns;
    }
    assert_int_equal(total_ns[1], total_ns[0]);
}

/* ------------------------------------------------------------------------------------------------------- slow lines */

/* Runs a scope of `ns` with the threshold; the log is forgotten before. */
static void run_slow(uint64_t threshold_us, uint64_t ns)
{
    captured_log_begin();
    {
        STINT_SCOPE("slow", threshold_us);
        clock_advance(ns);
    }
}

TEST_SETUP(a_slow_scope_logs_its_line_at_the_threshold, fixture_reset)
{
    run_slow(12005, 12005000);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    assert_string_equal(captured_log.file, __FILE__);
    assert_true(captured_log.line > 0);
    assert_string_equal(captured_log.message, "Stat: [slow]  [Span:12ms5us] ");
    run_slow(1, 12005999);
    assert_string_equal(captured_log.message, "Stat: [slow]  [Span:12ms5us] ");
}

TEST_SETUP(below_the_threshold_there_is_no_line, fixture_reset)
{
    run_slow(12005, 12004999);
    run_slow(UINT64_MAX, 1000000000);
    run_slow(UINT64_C(1) << 40, UINT64_C(1) << 60);
    assert_int_equal(captured_log.lines, 0);
}

TEST_SETUP(a_threshold_of_zero_always_logs, fixture_reset)
{
    run_slow(0, 0);
    assert_int_equal(captured_log.lines, 1);
    assert_string_equal(captured_log.message, "Stat: [slow]  [Span:0ms0us] ");
}

static void run_with_info(const char *info, uint64_t ns)
{
    captured_log_begin();
    {
        STINT_SCOPE_INFO("forward", info);
        clock_advance(ns);
    }
}

TEST_SETUP(info_logs_from_ten_seconds_on, fixture_reset)
{
    run_with_info("conv1", 10000000000 - 1000);
    assert_int_equal(captured_log.lines, 0);
    run_with_info("conv1", 10000000000);
    assert_string_equal(captured_log.message, "Stat: [forward] conv1 [Span:10000ms0us] ");
    run_with_info(NULL, 10000000000);
    assert_string_equal(captured_log.message, "Stat: [forward]  [Span:10000ms0us] ");
}

TEST_SETUP(a_slow_line_takes_names_and_infos_verbatim, fixture_reset)
{
    captured_log_begin();
    {
        struct stint_i_slow_scope scope = {enter("%s%n \"q\""), &(struct stint_i_site){"f.c", "f", 1, 0}, "%d%%", 0};
        stint_i_leave_slow_scope(&scope);
    }
    assert_string_equal(captured_log.message, "Stat: [%s%n \"q\"] %d%% [Span:0ms0us] ");
}

TEST_SETUP(a_slow_line_that_is_too_long_is_cut, fixture_reset)
{
    static char text[10001];
    memset(text, 'x', sizeof text - 1);
    captured_log_begin();
    {
        STINT_SCOPE_DYNAMIC_SINCE(text, UINT64_MAX, 0);
    }
    assert_int_equal(captured_log.lines, 1);
    assert_in_range(strlen(captured_log.message), 4095, STINT_LOG_MESSAGE_SIZE - 1);
    run_with_info(text, 10000000000);
    assert_int_equal(captured_log.lines, 1);
}

TEST_SETUP(a_slow_line_is_in_real_time_not_in_ticks, fixture_reset)
{
    clock_set_ns_per_tick(0.5);
    run_slow(10, 20000);
    assert_string_equal(captured_log.message, "Stat: [slow]  [Span:0ms10us] ");
    run_slow(10, 19998);
    assert_int_equal(captured_log.lines, 0);
}

TEST_SETUP(a_dropped_scope_logs_no_slow_line, fixture_reset)
{
    stint_registry_set_enabled(0);
    run_slow(0, 1000);
    assert_int_equal(captured_log.lines, 0);
}

/* ---------------------------------------------------------------------------------------------------- changed names */

static void run_checked(struct stint_i_site *site, const char *name)
{
    stint_i_leave(stint_i_enter_checked(site, name, NULL, 0));
}

TEST_SETUP(a_changed_name_is_counted_and_logged_once, fixture_reset)
{
    struct stint_i_site site = {"dir/changing.c", "f", 42, 0};
    run_checked(&site, "keeps its name");
    run_checked(&site, "keeps its name");
    assert_int_equal(captured_log.lines, 0);
    for (int i = 0; i < 5; ++i)
        run_checked(&site, "has another name");
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_string_equal(captured_log.file, "dir/changing.c");
    assert_int_equal(captured_log.line, 42);
    assert_non_null(strstr(captured_log.message, "[keeps its name]"));
    assert_non_null(strstr(captured_log.message, "[has another name]"));
    check_dropped((struct stint_dropped){.changed = 5});
    assert_int_equal(now_of("keeps its name").count, 7);
}

/* Returns how many changes are counted when a site is used with the one name, then with the other. */
static uint64_t changes(const char *first, const char *second)
{
    struct stint_i_site site = {"f.c", "f", 1, 0};
    stint_dropped.changed = 0;
    run_checked(&site, first);
    run_checked(&site, second);
    return stint_dropped.changed;
}

TEST_SETUP(a_name_is_compared_to_its_end, fixture_reset)
{
    static char long_a[6000], long_b[5000], short_a[4000];
    memset(long_a, 'a', sizeof long_a - 1);
    memset(long_b, 'a', sizeof long_b - 1);
    memset(short_a, 'a', sizeof short_a - 1);
    assert_int_equal(changes("prefix", "prefix and more"), 1);
    assert_int_equal(changes("prefix and more", "prefix"), 1);
    assert_int_equal(changes("same", (char[]){"same"}), 0);
    assert_int_equal(changes(NULL, ""), 0);
    assert_int_equal(changes(NULL, "named"), 1);
    assert_int_equal(changes("named", NULL), 1);
    assert_int_equal(changes(long_a, long_b), 0);
    assert_int_equal(changes(long_a, short_a), 1);
    assert_int_equal(changes(short_a, long_a), 1);
}

/* ------------------------------------------------------------------------------------------------------------ reset */

TEST_SETUP(a_reset_forgets_all_that_ended, fixture_reset)
{
    run("before a reset", 1000);
    reset_set(NULL, STINT_RESET_ALL);
    assert_int_equal(now_of("before a reset").count, 0);
    run("before a reset", 7);
    check("before a reset", 1, 7, 7);
    assert_int_equal(now_of("before a reset").max_ns, 7);
    assert_true(now_of("before a reset").square_ns2 == 49);
    assert_int_equal(percentile_of("before a reset", 0.99), 7);
}

TEST_SETUP(after_a_reset_of_all_a_running_scope_counts_from_then, fixture_reset)
{
    struct stint_i_node *node = enter("running at a reset");
    clock_advance(100);
    reset_set(NULL, STINT_RESET_ALL);
    leave_after(node, 30);
    check("running at a reset", 1, 30, 30);
}

TEST_SETUP(after_a_reset_of_all_self_time_counts_from_then, fixture_reset)
{
    struct stint_i_node *outer = enter("outer at a reset"), *inner;
    run("ended before the reset", 1000);
    inner = enter_after(10, "inner at a reset");
    run("ended inside before the reset", 1000);
    clock_advance(20);
    reset_set(NULL, STINT_RESET_ALL);
    leave_after(inner, 5);
    leave_after(outer, 3);
    check("inner at a reset", 1, 5, 5);
    check("outer at a reset", 1, 8, 3);
}

TEST_SETUP(after_a_reset_that_keeps_running_scopes_count_in_full, fixture_reset)
{
    struct stint_i_node *outer = enter("outer kept"), *inner;
    run("ended before a keeping reset", 1000);
    inner = enter_after(10, "inner kept");
    clock_advance(20);
    reset_set(NULL, STINT_RESET_KEEP_RUNNING);
    assert_int_equal(now_of("ended before a keeping reset").count, 0);
    leave_after(inner, 5);
    leave_after(outer, 3);
    check("inner kept", 1, 25, 25);
    check("outer kept", 1, 1038, 13);
}

TEST_SETUP(resets_follow_each_other, fixture_reset)
{
    struct stint_i_node *node = enter("reset twice");
    clock_advance(100);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(20);
    reset_set(NULL, STINT_RESET_KEEP_RUNNING);
    clock_advance(3);
    assert_int_equal(now_of("reset twice").running_ns, 23);
    leave_after(node, 0);
    check("reset twice", 1, 23, 23);
}

TEST_SETUP(a_reset_while_off_counts_for_scopes_that_run, fixture_reset)
{
    struct stint_i_node *node = enter("reset while off");
    run("reset while off too", 5);
    clock_advance(95);
    stint_registry_set_enabled(0);
    reset_set(NULL, STINT_RESET_ALL);
    leave_after(node, 30);
    stint_registry_set_enabled(1);
    check("reset while off", 1, 30, 30);
    assert_int_equal(now_of("reset while off too").count, 0);
}

static void *reset_all(void *argument)
{
    reset_set(NULL, STINT_RESET_ALL);
    return argument;
}

TEST_SETUP(a_reset_by_another_thread_is_a_reset, fixture_reset)
{
    struct stint_i_node *node = enter("reset by another");
    run("reset by another too", 5);
    in_thread(reset_all, NULL);
    leave_after(node, 30);
    check("reset by another", 1, 30, 30);
    assert_int_equal(now_of("reset by another too").count, 0);
}

static void *run_in_thread(void *name)
{
    run(name, 100);
    return NULL;
}

TEST_SETUP(a_reset_forgets_exited_threads_too, fixture_reset)
{
    for (int how = STINT_RESET_ALL; how <= STINT_RESET_KEEP_RUNNING; ++how) {
        in_thread(run_in_thread, "exited before");
        assert_int_equal(now_of("exited before").count, 1);
        reset_set(NULL, (enum stint_reset)how);
        assert_int_equal(now_of("exited before").count, 0);
        in_thread(run_in_thread, "exited before");
        check("exited before", 1, 100, 100);
        reset_set(NULL, (enum stint_reset)how);
    }
}

TEST_SETUP(a_reset_of_a_set_leaves_the_others, fixture_reset)
{
    struct stint_statset *set = stint_registry_set("reset alone");
    run("in the global set", 5);
    assert_int_equal(stint_scope_add(set, "in the set", 7), STINT_OK);
    reset_set(set, STINT_RESET_ALL);
    check("in the global set", 1, 5, 5);
    reset_set(stint_registry_set_at(0), STINT_RESET_ALL);
    assert_int_equal(stint_scope_add(set, "in the set", 7), STINT_OK);
    run("in the global set", 6);
    reset_set(stint_registry_set_at(0), STINT_RESET_ALL);
    assert_int_equal(now_of("in the global set").count, 0);
    {
        struct stint_snapshot *snapshot = take();
        assert_int_equal(stint_snapshot_find(snapshot, "reset alone", "in the set")->numbers.count, 1);
        stint_snapshot_free(snapshot);
    }
}

/* The outer scope is of the set that is reset, the inner one is not. */
TEST_SETUP(a_reset_of_the_outer_set_keeps_self_time_exact, fixture_reset)
{
    struct stint_statset *set = stint_registry_set("outer set");
    struct stint_i_node *outer = stint_scope_enter_dynamic(NULL, "outer, reset", set, 0), *inner;
    const struct stint_numbers *numbers;
    inner = enter_after(10, "inner, not reset");
    clock_advance(1000);
    reset_set(set, STINT_RESET_ALL);
    leave_after(inner, 4);
    leave_after(outer, 3);
    check("inner, not reset", 1, 1004, 1004);
    struct stint_snapshot *snapshot = take();
    numbers = &stint_snapshot_find(snapshot, "outer set", "outer, reset")->numbers;
    assert_int_equal(numbers->total_ns, 7);
    assert_int_equal(numbers->self_ns, 3);
    stint_snapshot_free(snapshot);
}

/* The inner scope is of the set that is reset, the outer one is not. */
TEST_SETUP(a_reset_of_the_inner_set_keeps_self_time_exact, fixture_reset)
{
    struct stint_statset *set = stint_registry_set("inner set");
    struct stint_i_node *outer = enter("outer, not reset"), *inner;
    clock_advance(10);
    inner = stint_scope_enter_dynamic(NULL, "inner, reset", set, 0);
    clock_advance(1000);
    reset_set(set, STINT_RESET_ALL);
    leave_after(inner, 4);
    leave_after(outer, 3);
    check("outer, not reset", 1, 1017, 13);
}

TEST_SETUP(a_statistic_deleted_inside_its_scope_keeps_self_time_exact, fixture_reset)
{
    struct stint_i_node *outer = enter("deleted while running"), *inner = enter_after(10, "inside the deleted");
    clock_advance(1000);
    assert_int_equal(delete_statistic(NULL, "deleted while running"), STINT_OK);
    leave_after(inner, 4);
    leave_after(outer, 3);
    check("deleted while running", 1, 7, 3);
}

/* Sets of scopes nested in each other, at depths 0 to 3; each bit of `reset` is a depth whose set is reset. */
static void check_nested_reset(unsigned reset)
{
    enum { DEPTHS = 4 };
    static const uint64_t before_ns[DEPTHS] = {1, 20, 300, 4000}, after_ns[DEPTHS] = {50000, 600000, 7000000, 80000000};
    struct stint_statset *sets[DEPTHS];
    struct stint_i_node *nodes[DEPTHS];

    for (int depth = 0; depth < DEPTHS; ++depth) {
        char name[32];
        (void)snprintf(name, sizeof name, "set at depth %d", depth);
        sets[depth] = stint_registry_set(name);
        nodes[depth] = stint_scope_enter_dynamic(NULL, "nested", sets[depth], 0);
        clock_advance(before_ns[depth]);
    }
    for (int depth = 0; depth < DEPTHS; ++depth)
        if (reset >> depth & 1)
            reset_set(sets[depth], STINT_RESET_ALL);
    for (int depth = DEPTHS; depth-- > 0;)
        leave_after(nodes[depth], after_ns[depth]);

    struct stint_snapshot *snapshot = take();
    for (int depth = 0; depth < DEPTHS; ++depth) {
        const struct stint_numbers *numbers = &stint_snapshot_find(snapshot, sets[depth]->name, "nested")->numbers;
        uint64_t self_ns = after_ns[depth] + (reset >> depth & 1 ? 0 : before_ns[depth]), total_ns = 0;
        for (int inner = depth; inner < DEPTHS; ++inner)
            total_ns += after_ns[inner] + (reset >> depth & 1 ? 0 : before_ns[inner]);
        assert_int_equal(numbers->total_ns, total_ns);
        assert_int_equal(numbers->self_ns, self_ns);
    }
    stint_snapshot_free(snapshot);
}

TEST_SETUP(whatever_sets_of_nested_scopes_are_reset_all_times_are_exact, fixture_reset)
{
    for (unsigned reset = 0; reset < 16; ++reset) {
        check_nested_reset(reset);
        reset_set(NULL, STINT_RESET_ALL);
    }
}

TEST_SETUP(a_deleted_statistic_is_unknown_until_it_is_used_again, fixture_reset)
{
    run("deleted and used", 5);
    run("not deleted", 5);
    assert_int_equal(delete_statistic(NULL, "deleted and used"), STINT_OK);
    assert_int_equal(delete_statistic(NULL, "deleted and used"), STINT_ERROR_NOT_FOUND);
    assert_int_equal(now_of("deleted and used").count, 0);
    check("not deleted", 1, 5, 5);
    run("deleted and used", 7);
    check("deleted and used", 1, 7, 7);
    assert_int_equal(delete_statistic(NULL, "deleted and used"), STINT_OK);
    run("deleted and used", 9);
    assert_int_equal(delete_statistic(NULL, "deleted and used"), STINT_OK); /* without a snapshot in between */
    assert_int_equal(now_of("deleted and used").count, 0);
}

/* ------------------------------------------------------------------------------------------------------ percentiles */

enum { MANY = 20000 };

typedef uint64_t draw_fn(uint64_t *state);

/* A number below `end`, from Knuth's MMIX generator. */
static uint64_t draw_below(uint64_t *state, uint64_t end)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % end;
}

static uint64_t draw_uniform(uint64_t *state)
{
    return 1 + draw_below(state, 100000);
}

/* The sum of twelve numbers in [0, 1) has nearly a normal distribution, of variance 1 around 6. */
static uint64_t draw_log_normal(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; ++i)
        sum += (double)draw_below(state, 1000000) / 1e6;
    return (uint64_t)(5000 * exp(1.5 * (sum - 6)));
}

/* A cache that is hit 95 times in 100. */
static uint64_t draw_bimodal(uint64_t *state)
{
    return draw_below(state, 100) < 95 ? 150 + draw_below(state, 20) : 2000000 + draw_below(state, 300000);
}

static int compare_samples(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Compares with the sorted samples: the one of rank ceil(p n). Reports show whole nanoseconds, at most half of one is
 * lost in that, and half in a clock whose ticks are whole. */
static void check_percentiles(const char *name, draw_fn *draw, uint32_t count)
{
    static const double s_ps[] = {0.5, 0.9, 0.99};
    static uint64_t samples[MANY];
    uint64_t random = count;
    for (uint32_t i = 0; i < count; ++i) {
        samples[i] = draw(&random);
        run(name, samples[i]);
    }
    qsort(samples, count, sizeof *samples, compare_samples);
    for (size_t i = 0; i < sizeof s_ps / sizeof *s_ps; ++i) {
        const uint64_t exact = samples[(uint64_t)ceil(s_ps[i] * count) - 1];
        const uint64_t shown = percentile_of(name, s_ps[i]);
        const uint64_t apart = shown > exact ? shown - exact : exact - shown;
        if ((double)apart > 0.01 * (double)exact + 1)
            fail_msg("%s: p%g of %u is %llu, shown as %llu", name, 100 * s_ps[i], (unsigned)count,
                     (unsigned long long)exact, (unsigned long long)shown);
    }
}

TEST_SETUP(percentiles_are_within_one_per_cent, fixture_reset)
{
    static const uint32_t s_counts[] = {1, 2, 3, 10, 101, MANY};
    char name[64];
    for (size_t i = 0; i < sizeof s_counts / sizeof *s_counts; ++i) {
        (void)snprintf(name, sizeof name, "uniform, %u", (unsigned)s_counts[i]);
        check_percentiles(name, draw_uniform, s_counts[i]);
        (void)snprintf(name, sizeof name, "log-normal, %u", (unsigned)s_counts[i]);
        check_percentiles(name, draw_log_normal, s_counts[i]);
        (void)snprintf(name, sizeof name, "bimodal, %u", (unsigned)s_counts[i]);
        check_percentiles(name, draw_bimodal, s_counts[i]);
    }
}

TEST_SETUP(contexts_made_without_percentiles_have_none, fixture_reset)
{
    run("with percentiles", 100);
    stint_tree_set_percentiles(0);
    run("with percentiles", 100);
    run("without percentiles", 100);
    stint_tree_set_percentiles(1);
    run("without percentiles", 100);
    assert_int_equal(percentile_of("with percentiles", 0.5), 100);
    assert_int_equal(percentile_of("without percentiles", 0.5), 0);
    check("without percentiles", 2, 200, 200);
    assert_int_equal(now_of("without percentiles").max_ns, 100);
}

/* ----------------------------------------------------------------------------------------------------------- timers */

static void *stop_timer(void *timer)
{
    static char failed[] = "failed";
    return stint_scope_timer_stop(timer) == STINT_OK ? NULL : failed;
}

TEST_SETUP(a_timer_may_stop_on_another_thread, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    pthread_t thread;
    void *failed;
    assert_int_equal(stint_scope_timer_start(&timer, "stopped elsewhere", NULL), STINT_OK);
    clock_advance(40);
    assert_int_equal(pthread_create(&thread, NULL, stop_timer, &timer), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    check("stopped elsewhere", 1, 40, 40);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(a_timer_charges_no_enclosing_scope, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    assert_int_equal(stint_scope_timer_start(&timer, "a timer", NULL), STINT_OK);
    struct stint_i_node *node = enter_after(10, "around a stop");
    clock_advance(5);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    leave_after(node, 1);
    check_at("a timer", 1, 15, 15);
    check("around a stop", 1, 6, 6);
}

TEST_SETUP(stopping_a_timer_that_does_not_run_is_counted, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_scope_timer_start(&timer, "stopped twice", NULL), STINT_OK);
    clock_advance(5);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_ERROR_NOT_STARTED);
    check_dropped((struct stint_dropped){.mismatched = 2});
    check("stopped twice", 1, 5, 5);
}

TEST_SETUP(stopping_a_timer_of_garbage_is_counted, fixture_reset)
{
    struct stint_timer timer = {.start = 1, .statistic = UINT32_MAX};
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_ERROR_NOT_STARTED);
    check_dropped((struct stint_dropped){.mismatched = 1});
}

TEST_SETUP(starting_a_timer_again_forgets_its_first_start, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    assert_int_equal(stint_scope_timer_start(&timer, "first start", NULL), STINT_OK);
    clock_advance(100);
    assert_int_equal(stint_scope_timer_start(&timer, "second start", NULL), STINT_OK);
    clock_advance(5);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    check("second start", 1, 5, 5);
    assert_int_equal(now_of("first start").count, 0);
}

TEST_SETUP(a_copy_of_a_timer_is_a_timer, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT, copy;
    assert_int_equal(stint_scope_timer_start(&timer, "copied", NULL), STINT_OK);
    copy = timer;
    clock_advance(5);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    clock_advance(5);
    assert_int_equal(stint_scope_timer_stop(&copy), STINT_OK);
    check("copied", 2, 15, 15);
}

TEST_SETUP(no_timer_is_an_invalid_argument, fixture_reset)
{
    assert_int_equal(stint_scope_timer_start(NULL, "no timer", NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_scope_timer_stop(NULL), STINT_ERROR_INVALID_ARGUMENT);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(a_timer_started_while_off_records_nothing, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    stint_registry_set_enabled(0);
    assert_int_equal(stint_scope_timer_start(&timer, "timer started while off", NULL), STINT_OK);
    stint_registry_set_enabled(1);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    assert_int_equal(now_of("timer started while off").count, 0);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(a_timer_running_when_switched_off_still_counts, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    assert_int_equal(stint_scope_timer_start(&timer, "timer across off", NULL), STINT_OK);
    clock_advance(5);
    stint_registry_set_enabled(0);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    stint_registry_set_enabled(1);
    check("timer across off", 1, 5, 5);
}

TEST_SETUP(a_timers_negative_span_is_zero_and_counted, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    assert_int_equal(stint_scope_timer_start(&timer, "negative timer", NULL), STINT_OK);
    clock_go_back(10);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    check("negative timer", 1, 0, 0);
    check_dropped((struct stint_dropped){.negative = 1});
}

TEST_SETUP(an_added_sample_counts_as_if_measured, fixture_reset)
{
    struct stint_i_node *node = enter("around an addition");
    assert_int_equal(stint_scope_add(NULL, "added", 100), STINT_OK);
    assert_int_equal(stint_scope_add(NULL, "added", 300), STINT_OK);
    leave_after(node, 1);
    check_at("added", 2, 400, 400);
    assert_int_equal(now_of("added").min_ns, 100);
    assert_int_equal(now_of("added").max_ns, 300);
    assert_in_range(percentile_of("added", 0.5), 94, 106);
    check("around an addition", 1, 1, 1);
}

TEST_SETUP(added_samples_beyond_64_bits_are_the_largest_number, fixture_reset)
{
    for (int i = 0; i < 3; i++)
        assert_int_equal(stint_scope_add(NULL, "long", INT64_MAX), STINT_OK);
    check_at("long", 3, UINT64_MAX, UINT64_MAX);
}

TEST_SETUP(a_thousand_levels_are_exact, fixture_reset)
{
    struct stint_i_node *nodes[1000];
    for (size_t i = 0; i < TEST_COUNT(nodes); ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "level %zu", i);
        nodes[i] = enter_after(1, name);
    }
    for (size_t i = TEST_COUNT(nodes); i-- > 0;)
        leave_after(nodes[i], 1);
    check("level 0", 1, 1999, 2);
    check("level 500", 1, 999, 2);
    check("level 999", 1, 1, 1);
    check_dropped((struct stint_dropped){0});
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

TEST_SETUP(a_name_beyond_the_limit_is_a_limit, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    run("known", 1);
    stint_limits.names = stint_registry_last_id();
    assert_null(enter("a name too many"));
    assert_int_equal(stint_scope_timer_start(&timer, "a name too many", NULL), STINT_ERROR_LIMIT);
    assert_int_equal(stint_scope_add(NULL, "a name too many", 5), STINT_ERROR_LIMIT);
    {
        STINT_SCOPE("a name too many");
        run("known", 1);
    }
    check_dropped((struct stint_dropped){.names = 4});
    check_at("known", 2, 2, 2);
}

TEST_SETUP(a_context_beyond_the_limit_is_dropped_with_its_time, fixture_reset)
{

    run("context beyond the limit", 1);
    struct stint_i_node *node = enter("parent at the limit");
    assert_int_equal(stint_scope_add(NULL, "parent at the limit", 5), STINT_OK);
    stint_limits.nodes = 0;
    assert_null(enter("context beyond the limit"));
    assert_int_equal(stint_scope_add(NULL, "parent at the limit", 0), STINT_OK);
    assert_int_equal(stint_scope_add(NULL, "known to the registry alone", 5), STINT_ERROR_LIMIT);
    leave_after(node, 10);
    run("context beyond the limit", 1);
    check_dropped((struct stint_dropped){.nodes = 2});
    check("context beyond the limit", 2, 2, 2);
    check("parent at the limit", 3, 15, 15);
}

/* Enters new contexts until there is no memory for one. */
static void use_up_memory(void)
{
    struct stint_i_node *node;
    memory_fail_after(0);
    for (int i = 0; i < 100000; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "using up memory %d", i);
        node = enter(name);
        if (!node)
            break;
        stint_i_leave(node);
    }
    assert_true(stint_dropped.memory > 0);
}

TEST_SETUP(a_scope_without_memory_is_dropped_and_counted, fixture_reset)
{
    use_up_memory();
    stint_dropped.memory = 0;
    run("scope without memory", 5);
    assert_true(memory_recover() > 0);
    check_dropped((struct stint_dropped){.memory = 1});
    run("scope without memory", 7);
    check("scope without memory", 1, 7, 7);
}

enum operation { START, ADD };

/* Does it with one long new name after the other, until it fails. Returns the status. */
static enum stint_status until_failure(enum operation operation)
{
    enum stint_status status = STINT_OK;
    for (int i = 0; i < 10000 && !status; ++i) {
        struct stint_timer timer = STINT_TIMER_INIT;
        char name[4000];
        (void)snprintf(name, sizeof name, "%s %03900d", operation == ADD ? "add" : "start", i);
        status = operation == ADD ? stint_scope_add(NULL, name, 5) : stint_scope_timer_start(&timer, name, NULL);
    }
    return status;
}

TEST_SETUP(without_memory_the_status_says_so, fixture_reset)
{
    run("timed", 1);
    memory_fail_after(0);
    assert_int_equal(until_failure(START), STINT_ERROR_NO_MEMORY);
    assert_int_equal(until_failure(ADD), STINT_ERROR_NO_MEMORY);
    memory_recover();
}

TEST_SETUP(out_of_memory_at_any_call_is_survived, fixture_reset)
{
    for (long calls = 0; calls < 20; ++calls) {
        uint64_t entered = 0;
        memory_fail_after(calls);
        for (int i = 0; i < 100; ++i) {
            char name[48];
            (void)snprintf(name, sizeof name, "out of memory %ld %d", calls, i);
            struct stint_i_node *node = enter(name);
            entered += node != NULL;
            leave_after(node, 1);
        }
        memory_recover();
        assert_int_equal(entered + stint_dropped.memory, 100);
        stint_dropped.memory = 0;
    }
}

/* --------------------------------------------------------------------------------------------------------- re-entry */

TEST_SETUP(inside_the_guard_scopes_are_dropped_and_counted, fixture_reset)
{
    struct stint_timer timer = STINT_TIMER_INIT, running = STINT_TIMER_INIT;
    run("re-entered", 1);
    assert_int_equal(stint_scope_timer_start(&running, "re-entered", NULL), STINT_OK);
    assert_int_equal(stint_guard_begin(), 1);
    assert_null(enter("re-entered"));
    {
        STINT_SCOPE("re-entered");
    }
    assert_int_equal(stint_scope_timer_start(&timer, "re-entered", NULL), STINT_ERROR_BUSY);
    assert_int_equal(stint_scope_timer_stop(&running), STINT_ERROR_BUSY);
    assert_int_equal(stint_scope_add(NULL, "re-entered", 5), STINT_ERROR_BUSY);
    stint_guard_end();
    check_dropped((struct stint_dropped){.reentrant = 5});
    check("re-entered", 1, 1, 1);
}

TEST_SETUP(inside_the_guard_a_running_scope_can_end, fixture_reset)
{
    struct stint_i_node *node = enter("ended inside the guard");
    assert_int_equal(stint_guard_begin(), 1);
    leave_after(node, 5);
    stint_guard_end();
    check_dropped((struct stint_dropped){0});
    check("ended inside the guard", 1, 5, 5);
}

/* --------------------------------------------------------------------------------------------------------- listener */

static char s_heard[512];

static void hear(const char *what, uint32_t id)
{
    const size_t length = strlen(s_heard);
    clock_advance(1000);
    (void)snprintf(s_heard + length, sizeof s_heard - length, "%s%s ", what, stint_registry_entry(id)->name);
}

static void hear_enter(uint32_t id)
{
    hear("+", id);
}

static void hear_leave(uint32_t id)
{
    hear("-", id);
}

static int listen(void **state)
{
    static const struct stint_listener listener = {hear_enter, hear_leave};
    stint_scope_listen(&listener);
    s_heard[0] = '\0';
    return fixture_reset(state);
}

static int listen_no_more(void **state)
{
    stint_scope_listen(NULL);
    return 0;
}

TEST_SETUP_TEARDOWN(a_listener_hears_every_scope_in_order, listen, listen_no_more)
{
    {
        STINT_SCOPE("a");
        run("b", 1);
        STINT_SCOPE_DYNAMIC("c");
    }
    assert_string_equal(s_heard, "+a +b -b +c -c -a ");
}

TEST_SETUP_TEARDOWN(a_listener_hears_the_end_of_abandoned_scopes, listen, listen_no_more)
{
    struct stint_i_node *outer = enter("a");
    enter("b");
    enter("c");
    stint_i_leave(outer);
    assert_string_equal(s_heard, "+a +b +c -c -b -a ");
}

TEST_SETUP_TEARDOWN(a_listener_hears_nothing_of_dropped_scopes, listen, listen_no_more)
{
    stint_registry_set_enabled(0);
    run("a", 1);
    stint_registry_set_enabled(1);
    assert_int_equal(stint_guard_begin(), 1);
    run("a", 1);
    stint_guard_end();
    assert_string_equal(s_heard, "");
}

TEST_SETUP_TEARDOWN(a_listeners_time_is_not_the_scopes, listen, listen_no_more)
{
    run("listened to", 5);
    check("listened to", 1, 5, 5);
}

/* At the end: each test after it would go through ten thousand names. */
TEST_SETUP(ten_thousand_sites_are_exact, fixture_reset)
{
    static struct stint_i_site sites[10000];
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < TEST_COUNT(sites); ++i) {
            char name[32];
            (void)snprintf(name, sizeof name, "site %zu", i);
            if (!round)
                sites[i] = (struct stint_i_site){__FILE__, __func__, (uint32_t)i, 0};
            leave_after(stint_i_enter(&sites[i], name, NULL), i);
        }
    struct stint_snapshot *snapshot = take();
    assert_int_equal(snapshot->stat_count, TEST_COUNT(sites));
    for (size_t i = 0; i < snapshot->stat_count; ++i) {
        const struct stint_stat *stat = &snapshot->stats[i];
        assert_int_equal(stat->numbers.count, 2);
        assert_int_equal(stat->numbers.total_ns, 2 * stat->line);
    }
    stint_snapshot_free(snapshot);
}
