/* What the tests of the GPU profiler share: a fake CUDA, and a file that has its calls and the program's own words in
 * order. */
#ifndef STINT_TESTS_PROFILER_CALLS_H
#define STINT_TESTS_PROFILER_CALLS_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "process/harness.h"

/* In the mode's process: adds a line to the file. */
static inline void say(const char *word)
{
    FILE *const file = fopen(getenv("FAKE_CUDA_CALLS"), "a");
    if (!file || fprintf(file, "%s\n", word) < 0 || fclose(file))
        abort();
}

/* In the mode's process: loads the fake driver as CUDA's static runtime does, invisible to dlsym(RTLD_DEFAULT). */
static inline void load_driver(void)
{
    if (!dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL))
        abort();
}

/* In the test: the change to the environment, for `run`, that names the file. */
static inline char *calls_setting(void)
{
    static char s_setting[512];
    snprintf(s_setting, sizeof s_setting, "FAKE_CUDA_CALLS=%s", scratch("calls"));
    return s_setting;
}

#define run_with_calls(...) run(__VA_ARGS__, calls_setting(), NULL)

/* In the test: checks the lines of the file, and that the process returned 0. */
#define assert_calls(result, expected)                                                                                 \
    do {                                                                                                               \
        const char *const calls_ = read_file(scratch("calls"));                                                        \
        assert_exit(result, 0);                                                                                        \
        assert_string_equal(calls_ ? calls_ : "", expected);                                                           \
    } while (0)

#endif
