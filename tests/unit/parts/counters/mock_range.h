/* CUPTI's range profiler without a GPU (gpu_mock/range.c). */
#ifndef STINT_TESTS_MOCK_RANGE_H
#define STINT_TESTS_MOCK_RANGE_H

#include <dlfcn.h>
#include <stdlib.h>

#include "counters/counter_plan.h"
#include "stint_test.h"

/* Opens it, with what is to go wrong (gpu_mock/mock.h). */
static inline void *mock_cupti(const char *options)
{
    void *cupti = dlopen(MOCK_CUPTI_FILE, RTLD_NOW);
    assert_non_null(cupti);
    assert_int_equal(setenv("MOCK_CUPTI", options, 1), 0);
    return cupti;
}

/* As mock_cupti, initialised. */
static inline struct stint_range_api mock_range(const char *options)
{
    struct stint_range_api api = {.result = 0};
    struct stint_range_initialize begin = {.size = STINT_RANGE_SIZE(stint_range_initialize, reserved)};
    assert_null(stint_range_open(&api, mock_cupti(options)));
    assert_int_equal(stint_range_call(&api, STINT_RANGE_INITIALIZE, &begin), 0);
    return api;
}

#endif
