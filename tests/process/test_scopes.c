/* Scopes end however their block ends, in C; misuse is counted, and never harms the program. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static int leaves_by(int way)
{
    for (int i = 0; i < 3; ++i) {
        STINT_SCOPE("body");
        if (way == 0)
            return 1;
        if (way == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3)
            goto out;
    }
    return 0;
out:
    return 2;
}

/* Jumps backwards out of a block, and into it again. */
static void jump_back(void)
{
    int rounds = 0;
again : {
    STINT_SCOPE("again");
    if (++rounds < 4)
        goto again;
}
}

static int switches(int value)
{
    switch (value) {
    case 0: {
        STINT_SCOPE("case");
        return 1;
    }
    default: {
        STINT_SCOPE("default");
        break;
    }
    }
    return 0;
}

MODE(leaves)
{
    for (int way = 0; way < 5; ++way)
        (void)leaves_by(way);
    jump_back();
    switches(0);
    switches(1);
    return 0;
}

/* Several scopes in one block end in reverse order, so that each encloses the next. */
MODE(nests_in_one_block)
{
    REGISTER_TIMER("a");
    REGISTER_TIMER_INFO("b", "info");
    REGISTER_TIMER_DYNAMIC("c");
    REGISTER_TIMER_SET("d", stint_now_us());
    REGISTER_TIMER_DYNAMIC_SET("e", stint_now_us());
    FOR_TIMING(scopes("f", 2));
    return 0;
}

/* Arguments are evaluated once, whether timers are compiled in or out. */
MODE(evaluates_once)
{
    static const char *const names[] = {"zero", "one"};
    struct stint_statset *const sets[] = {NULL, stint_statset_global()};
    const uint64_t starts[] = {stint_now_us(), stint_now_us()};
    int name = 0, set = 0, start = 0;
    {
        STINT_SCOPE(names[name++], UINT64_MAX, sets[set++]);
    }
    {
        STINT_SCOPE_DYNAMIC_SINCE(names[name++], starts[start++], UINT64_MAX, sets[set++]);
    }
    return name != 2 || set != 2 || start != 1;
}

/* ------------------------------------------------------------------------------------------------------------ depth */

enum { DEPTH = 1000 };

static void descend(int depth)
{
    char name[32];
    snprintf(name, sizeof name, "%d", depth);
    STINT_SCOPE_DYNAMIC(name);
    if (depth < DEPTH)
        descend(depth + 1);
}

static void descend_by_recursion(int depth)
{
    STINT_SCOPE("recursion");
    if (depth < DEPTH)
        descend_by_recursion(depth + 1);
}

MODE(goes_deep)
{
    for (int i = 0; i < 3; ++i) {
        descend(1);
        descend_by_recursion(1);
    }
    return 0;
}

static void crash_deep(int depth)
{
    STINT_SCOPE("recursion");
    if (depth < DEPTH)
        crash_deep(depth + 1);
    else
        raise(SIGTERM);
}

MODE(crashes_deep)
{
    crash_deep(1);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- misuse */

static void *stop_there(void *argument)
{
    if (stint_timer_stop(argument))
        abort();
    return NULL;
}

MODE(misuses_timers)
{
    struct stint_timer timer = STINT_TIMER_INIT, copy;
    const struct stint_timer garbage = {UINT64_MAX, 1};
    int failed = 0;
    failed += stint_timer_stop(&timer) != STINT_ERROR_NOT_STARTED;
    failed += stint_timer_start(&timer, "timer", NULL) != STINT_OK;
    failed += stint_timer_stop(&timer) != STINT_OK;
    failed += stint_timer_stop(&timer) != STINT_ERROR_NOT_STARTED;
    failed += stint_timer_start(NULL, "timer", NULL) != STINT_ERROR_INVALID_ARGUMENT;
    failed += stint_timer_stop(NULL) != STINT_ERROR_INVALID_ARGUMENT;

    failed += stint_timer_start(&timer, "forgotten", NULL) != STINT_OK;
    failed += stint_timer_start(&timer, "timer", NULL) != STINT_OK;
    copy = timer;
    on_thread(stop_there, &timer);
    failed += stint_timer_stop(&copy) != STINT_OK; /* plain data, so a copy is another timer */

    copy = garbage; /* started in the future: counts 0 */
    failed += stint_timer_stop(&copy) != STINT_OK;
    failed += stint_statset_add(NULL, "timer", UINT64_MAX) != STINT_OK; /* and so does a negative difference */
    return failed;
}

MODE(adds_samples)
{
    int failed = 0;
    for (int i = 0; i < 300; ++i)
        failed += stint_statset_add(NULL, "added", 1000) != STINT_OK;
    scopes("added", 2);
    return failed;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Prints what an empty scope costs in a loop: the least of many rounds, in nanoseconds. */
MODE(times_empty_scopes)
{
    enum { ROUNDS = 100, SCOPES = 1000 };
    uint64_t least = UINT64_MAX;
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t begin = now_ns();
        for (int i = 0; i < SCOPES; ++i) {
            STINT_SCOPE("empty");
        }
        uint64_t time = now_ns() - begin;
        least = time < least ? time : least;
    }
    printf("%.1f\n", (double)least / SCOPES);
    return 0;
}

/* Without STINT_TIMER_INIT, the timer has whatever was in memory. */
MODE(stops_uninitialized_timer)
{
    struct stint_timer timer;
    memset(&timer, 0xA5, sizeof timer);
    (void)stint_timer_stop(&timer);
    scopes("after", 1);
    return 0;
}

/* A node that never existed. */
MODE(misuses_leave)
{
    static struct stint_i_node nobody, parent;
    nobody.parent = &parent;
    nobody.id = 77;
    scopes("before", 1);
    stint_i_leave(&nobody);
    stint_i_leave(NULL);
    scopes("after", 1);
    return 0;
}

static void *leave_there(void *argument)
{
    stint_i_leave(argument);
    return NULL;
}

/* Begun on one thread, ended on another: there it is not running, and on the first it is popped by the scope around
 * it. */
MODE(leaves_on_other_thread)
{
    STINT_SCOPE("outer");
    static struct stint_i_site site = {"file", "function", 1, 0};

    on_thread(leave_there, stint_i_enter(&site, "moved", NULL));
    return 0;
}

MODE(leaves_in_wrong_order)
{
    static struct stint_i_site first = {"file", "function", 1, 0}, second = {"file", "function", 2, 0};
    struct stint_i_node *a = stint_i_enter(&first, "first", NULL);
    struct stint_i_node *b = stint_i_enter(&second, "second", NULL);
    stint_i_leave(a);
    stint_i_leave(b);
    stint_i_leave(b);
    scopes("after", 1);
    return 0;
}

MODE(switches_inside)
{
    {
        STINT_SCOPE("running");
        stint_set_enabled(0);
        scopes("never", 5);
        {
            STINT_SCOPE("entered while off");
            stint_set_enabled(1);
        }
        scopes("on again", 2);
    }
    return 0;
}

MODE(begins_in_future)
{
    {
        STINT_SCOPE_SINCE("future", UINT64_MAX);
    }
    {
        STINT_SCOPE("parent");
        STINT_SCOPE_SINCE("since ever", 0);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

struct expectation {
    const char *name;
    unsigned count;
};

/* Runs the mode, which has to return 0 and print nothing; `expected` ends with a NULL name. */
static struct result expect(const char *mode, const struct expectation *expected)
{
    const struct result result = run(mode, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    for (; expected->name; ++expected) {
        assert_int_equal(stat_number(result.report, expected->name, "count"), expected->count);
        assert_int_equal(stat_number(result.report, expected->name, "running"), 0);
    }
    return result;
}

static void assert_dropped(const struct result *result, unsigned mismatched, unsigned abandoned)
{
    assert_int_equal(dropped(result->report, "mismatched"), mismatched);
    assert_int_equal(dropped(result->report, "abandoned"), abandoned);
}

TEST(test_leaving)
{
    static const struct expectation expected[] = {
        {"body", 1 + 1 + 3 + 1 + 3}, {"again", 4}, {"case", 1}, {"default", 1}, {NULL, 0}};
    const struct result result = expect("leaves", expected);
    assert_dropped(&result, 0, 0);
}

TEST(test_one_block)
{
    static const struct expectation expected[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1},
                                                  {"e", 1}, {"f", 2}, {NULL, 0}};
    const struct result result = expect("nests_in_one_block", expected);
    assert_dropped(&result, 0, 0);
    assert_true(stat_number(result.report, "b", "total_ns") <= stat_number(result.report, "a", "total_ns"));
    assert_true(stat_number(result.report, "c", "total_ns") <= stat_number(result.report, "b", "total_ns"));
}

TEST(test_evaluation)
{
    static const struct expectation expected[] = {{"zero", 1}, {"one", 1}, {NULL, 0}};
    expect("evaluates_once", expected);
}

TEST(test_depth)
{
    static const struct expectation expected[] = {
        {"1", 3}, {"500", 3}, {"1000", 3}, {"recursion", 3 * DEPTH}, {NULL, 0}};
    const struct result result = expect("goes_deep", expected);
    assert_dropped(&result, 0, 0);
    assert_int_equal(stat_number(result.report, "recursion", "recursive"), 3 * (DEPTH - 1));
    assert_non_null(strstr(result.report, "\"depth\":999,"));
    assert_null(strstr(result.report, "\"depth\":1000,"));
}

TEST(test_crash_at_depth)
{
    const struct result result = run("crashes_deep", NULL);
    assert_signal(&result, SIGTERM);
    assert_int_equal(stat_number(result.report, "recursion", "running"), DEPTH);
}

TEST(test_timers)
{
    static const struct expectation expected[] = {{"timer", 5}, {NULL, 0}};
    const struct result result = expect("misuses_timers", expected);
    assert_dropped(&result, 2, 0);
    assert_int_equal(dropped(result.report, "negative"), 2);
    assert_int_equal(stat_number(result.report, "timer", "min_ns"), 0);
    assert_false(has_stat(result.report, "forgotten"));
}

/* "overhead":{"scope_ns":31.5,…,"added_ns":47.1,…} */
static double overhead(const struct result *result, const char *key)
{
    const char *at = strstr(result->report, "\"overhead\":{");
    at = at ? strstr(at, key) : NULL;
    return at ? strtod(at + strlen(key), NULL) : 0;
}

TEST(test_added_samples)
{
    static const struct expectation expected[] = {{"added", 302}, {NULL, 0}};
    const struct result result = expect("adds_samples", expected);
    double scope = overhead(&result, "\"scope_ns\":"), added = overhead(&result, "\"added_ns\":");
    assert_true(overhead(&result, "\"added_samples\":") == 300);
    if (strstr(result.report, "\"name\":\"monotonic\"")) /* only scopes are measured */
        added = scope;
    assert_true(added > 0);
    assert_in_range(overhead(&result, "\"total_ns\":"), 2 * scope + 300 * added - 2, 2 * scope + 300 * added + 2);
    assert_dropped(&result, 0, 0);
}

/* Whatever way is taken: the clock of many virtual machines cannot be read inline. What is inlined costs as much as it
 * does in the library if it is compiled alike; where it is not optimised, 20 ns more, which stint cannot know. */
TEST(test_cost_is_that_of_scopes)
{
#ifdef __OPTIMIZE__
    static const char *const clocks[] = {"STINT_CLOCK=monotonic", "STINT_CLOCK=tsc"};
    static const double known = 0.75;
#else
    static const char *const clocks[] = {"STINT_CLOCK=monotonic"};
    static const double known = 0.6;
#endif
    if (WITH_SANITIZER)
        skip(); /* their time changes too much */
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; ++i) {
        const struct result result = run("times_empty_scopes", clocks[i], NULL);
        double least = strtod(result.out, NULL);
        assert_exit(&result, 0);
        assert_true(least > 0);
        assert_true(overhead(&result, "\"scope_ns\":") > known * least);
    }
}

TEST(test_uninitialized_timer)
{
    static const struct expectation expected[] = {{"after", 1}, {NULL, 0}};
    expect("stops_uninitialized_timer", expected);
}

TEST(test_ends_without_beginning)
{
    static const struct expectation around[] = {{"before", 1}, {"after", 1}, {NULL, 0}};
    static const struct expectation moved[] = {{"outer", 1}, {NULL, 0}};
    static const struct expectation order[] = {{"first", 1}, {"after", 1}, {NULL, 0}};
    struct result result = expect("misuses_leave", around);
    assert_dropped(&result, 1, 0);
    result = expect("leaves_on_other_thread", moved);
    assert_dropped(&result, 1, 1);
    result = expect("leaves_in_wrong_order", order);
    assert_dropped(&result, 2, 1);
}

TEST(test_switch)
{
    static const struct expectation expected[] = {{"running", 1}, {"on again", 2}, {NULL, 0}};
    const struct result result = expect("switches_inside", expected);
    assert_dropped(&result, 0, 0);
    assert_false(has_stat(result.report, "never"));
    assert_false(has_stat(result.report, "entered while off"));
}

TEST(test_strange_beginnings)
{
    static const struct expectation expected[] = {{"future", 1}, {"parent", 1}, {"since ever", 1}, {NULL, 0}};
    const struct result result = expect("begins_in_future", expected);
    assert_true(stat_number(result.report, "future", "total_ns") < UINT64_C(1000000000));
    assert_true(stat_number(result.report, "parent", "total_ns") < UINT64_C(1000000000));
    assert_true(stat_number(result.report, "parent", "self_ns") <= stat_number(result.report, "parent", "total_ns"));
    assert_true(stat_number(result.report, "since ever", "total_ns") > UINT64_C(1000000));
}
