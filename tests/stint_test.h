/* stint_test.h - what every unit test includes.
 *
 * Conventions
 *
 *   - tests/unit/<stage>/test_<file>.c tests src/<stage>/<file>.c: one program, one group. Each test keeps one promise,
 *     and is named as it: merge_of_empty_keeps_min.
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

#include <cmocka.h>

/* Whether ThreadSanitizer watches: it delays signals, and its own part of a thread ends before the thread does. */
#if defined(__SANITIZE_THREAD__)
#define TEST_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_UNDER_TSAN 1
#endif
#endif
#ifndef TEST_UNDER_TSAN
#define TEST_UNDER_TSAN 0
#endif

/* How often a loop runs that computes the same for ever more values. A build with a sanitizer needs fewer of them: it
 * looks for other mistakes, which the first ones make as well. */
#if defined(__SANITIZE_ADDRESS__) || TEST_UNDER_TSAN
#define TEST_MANY(times) ((times) / 20)
#else
#define TEST_MANY(times) (times)
#endif

#define TEST_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Returns the next number of the sequence that `state` began (splitmix64). */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);

    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

#endif
