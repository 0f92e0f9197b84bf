/* stint_test.h - what every unit test includes.
 *
 * Conventions
 *
 *   - tests/unit/<stage>/test_<file>.c tests src/<stage>/<file>.c. Each test keeps one promise, and is named as it:
 *     TEST(merge_of_empty_keeps_min) {…}. Its program runs it without further ado.
 *   - A test links the objects of its stage and of those below. What is not under test is replaced by the linker's
 *     --wrap: the clock (record/fixture.h), the system's memory (memory.h). Nothing sleeps, so every time is exact.
 *   - cmocka's asserts jump, and are not for threads: workers store results, the main thread asserts after the join.
 *   - Random input comes from test_random with a fixed seed: a failure happens again. */
#ifndef STINT_TEST_H
#define STINT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <cmocka.h>

struct test {
    const char *file;
    int line;
    struct CMUnitTest test; /* without a function, what runs around each; with an empty name, around all */
};

#define TEST_SETUP_TEARDOWN(name, setup, teardown)                                                                     \
    static void name(void **state);                                                                                    \
    static const struct test test_of_##name = {__FILE__, __LINE__, {#name, name, setup, teardown, NULL}};              \
    static const struct test *test_at_##name __attribute__((section("stint_tests"), used)) = &test_of_##name;          \
    static void name(void **state)
/* What runs before and after each test below that names nothing of its own. */
#define TEST_EACH(setup, teardown)                                                                                     \
    static const struct test test_each = {__FILE__, __LINE__, {NULL, NULL, setup, teardown, NULL}};                    \
    static const struct test *test_each_at __attribute__((section("stint_tests"), used)) = &test_each;
/* What runs before the first and after the last test. */
#define TEST_ONCE(setup, teardown)                                                                                     \
    static const struct test test_once = {__FILE__, __LINE__, {"", NULL, setup, teardown, NULL}};                      \
    static const struct test *test_once_at __attribute__((section("stint_tests"), used)) = &test_once;
#define TEST_SETUP(name, setup) TEST_SETUP_TEARDOWN(name, setup, NULL)
#define TEST_TEARDOWN(name, teardown) TEST_SETUP_TEARDOWN(name, NULL, teardown)
#define TEST(name) TEST_SETUP_TEARDOWN(name, NULL, NULL)

/* Runs the tests, with these before and after each unless it has others. */
int test_run(CMFixtureFunction setup, CMFixtureFunction teardown);

/* In a program that does something else, too: what its main calls instead of test_run. */
int test_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

/* Whether ThreadSanitizer watches: it delays signals, and its own part of a thread ends before the thread does. */
#if defined(__SANITIZE_THREAD__)
#define TEST_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_UNDER_TSAN 1
#endif
#endif
/* Whether the program writes counts for gcov as it ends, wherever it may not write anything. */
#ifndef TEST_UNDER_GCOV
#define TEST_UNDER_GCOV 0
#endif
#ifndef TEST_UNDER_TSAN
#define TEST_UNDER_TSAN 0
#endif

/* How often a loop runs that computes the same for ever more values. A build with a sanitizer needs fewer of them: it
 * looks for other mistakes, which the first ones make as well. */
#if defined(__SANITIZE_ADDRESS__) || TEST_UNDER_TSAN
#define TEST_SANITIZED 1
#else
#define TEST_SANITIZED 0
#endif
#define TEST_MANY(times) (TEST_SANITIZED ? (times) / 20 : (times))

#define TEST_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Gives a snapshot all rows of an array, or one row: TEST_ROWS(snapshot, gpu_events, gpu_event_count, events); */
#define TEST_ROWS(snapshot, list, number, rows)                                                                        \
    ((snapshot).list = (const void *)&(rows), (snapshot).number = sizeof(rows) / sizeof *(snapshot).list)

/* Returns the next number of the sequence that `state` began (splitmix64). */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

#endif
