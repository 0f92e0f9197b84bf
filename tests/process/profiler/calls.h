/* What the tests of the GPU profiler share: a fake CUDA, and the file in which its calls and the program's own words
 * stand in order. */
#ifndef STINT_TESTS_PROFILER_CALLS_H
#define STINT_TESTS_PROFILER_CALLS_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "process/harness.h"

/* In the mode's process: adds a line. */
static inline void say(const char *word)
{
    FILE *const file = fopen(getenv("FAKE_CUDA_CALLS"), "a");

    if (!file || fprintf(file, "%s\n", word) < 0 || fclose(file))
        abort();
}

/* In the mode's process: loads the fake driver as CUDA's static runtime does, out of sight of dlsym(RTLD_DEFAULT). */
static inline void load_driver(void)
{
    if (!dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL))
        abort();
}

/* In the test: what `run` wants as its changes of the environment, before others. */
static inline char *calls_setting(void)
{
    static char s_setting[512];

    snprintf(s_setting, sizeof s_setting, "FAKE_CUDA_CALLS=%s", scratch("calls"));
    return s_setting;
}

#define run_with_calls(...) run(__VA_ARGS__, calls_setting(), NULL)

/* In the test: asserts the file's lines, and that the process ended well. */
#define assert_calls(result, expected)                                                                                 \
    do {                                                                                                               \
        const char *const calls_ = read_file(scratch("calls"));                                                        \
        assert_exit(result, 0);                                                                                        \
        assert_string_equal(calls_ ? calls_ : "", expected);                                                           \
    } while (0)

#endif
