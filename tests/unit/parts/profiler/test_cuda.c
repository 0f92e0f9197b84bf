/* Where CUDA is looked for, with a dynamic linker that says what each test wants to hear. */
#include "profiler/profiler.h"

#include <dlfcn.h>
#include <string.h>

#include "stint_test.h"

/* What is loaded. */
static int s_has_shared, s_has_driver;
static int s_driver_library;
static int s_opened;
static char s_missing[32]; /* a symbol that its library lacks */

static int offered_start(void)
{
    return 1;
}

static int shared_start(void)
{
    return 2;
}

static int driver_start(void)
{
    return 3;
}

static int any(void)
{
    return 4;
}

void *__wrap_dlopen(const char *file, int flags)
{
    assert_string_equal(file, "libcuda.so.1");
    assert_true(flags & RTLD_NOLOAD);
    ++s_opened;
    return s_has_driver ? &s_driver_library : NULL;
}

static void *address_of(int (*function)(void))
{
    void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

void *__wrap_dlsym(void *library, const char *symbol);
void *__wrap_dlsym(void *library, const char *symbol)
{
    if (!strcmp(symbol, s_missing))
        return NULL;
    if (library == RTLD_DEFAULT && s_has_shared && !strncmp(symbol, "cuda", 4))
        return address_of(strcmp(symbol, "cudaProfilerStart") ? any : shared_start);
    if (library == &s_driver_library && s_has_driver && !strncmp(symbol, "cuProfiler", 10))
        return address_of(strcmp(symbol, "cuProfilerStart") ? any : driver_start);
    return NULL;
}

static const struct stint_i_cuda_runtime s_offered = {offered_start, any, any, any};
static const struct stint_i_cuda_runtime s_second = {any, any, any, any};

static int load(int shared, int driver)
{
    s_has_shared = shared;
    s_has_driver = driver;
    s_missing[0] = '\0';
    return 0;
}

/* Returns what `start` of what is found returns; -1 if nothing is. */
static int found(void)
{
    struct stint_i_cuda_runtime runtime;
    return stint_cuda_find(&runtime) ? -1 : runtime.start();
}

/* The driver is remembered once it was found, so this and the next come first. */
TEST(nothing_is_found_where_nothing_is_loaded)
{
    load(0, 0);
    assert_int_equal(found(), -1);
}

TEST(a_shared_runtime_is_found_without_asking_for_the_driver)
{
    load(1, 0);
    s_opened = 0;
    assert_int_equal(found(), 2);
    assert_int_equal(s_opened, 0);
}

TEST(half_a_runtime_is_none)
{
    load(1, 0);
    strcpy(s_missing, "cudaProfilerStop");
    assert_int_equal(found(), -1);
    strcpy(s_missing, "cudaProfilerStart");
    assert_int_equal(found(), -1);
}

TEST(what_is_loaded_later_is_found_then)
{
    load(0, 0);
    assert_int_equal(found(), -1);
    load(0, 1);
    assert_int_equal(found(), 3);
}

TEST(the_driver_has_no_last_error)
{
    struct stint_i_cuda_runtime runtime;
    load(0, 1);
    assert_int_equal(stint_cuda_find(&runtime), 0);
    assert_null(runtime.peek);
    assert_null(runtime.clear);
}

TEST(the_driver_is_opened_once)
{
    load(0, 1);
    found();
    s_opened = 0;
    assert_int_equal(found(), 3);
    assert_int_equal(s_opened, 0);
}

TEST(a_shared_runtime_comes_before_the_driver)
{
    load(1, 1);
    assert_int_equal(found(), 2);
}

TEST(what_is_offered_comes_first_until_withdrawn)
{
    load(1, 1);
    stint_i_cuda_offer(&s_offered);
    assert_int_equal(found(), 1);
    stint_i_cuda_withdraw(&s_offered);
    assert_int_equal(found(), 2);
}

TEST(the_first_offer_stands)
{
    load(1, 1);
    stint_i_cuda_offer(&s_offered);
    stint_i_cuda_offer(&s_second);
    assert_int_equal(found(), 1);
    stint_i_cuda_withdraw(&s_second);
    assert_int_equal(found(), 1);
    stint_i_cuda_withdraw(&s_offered);
    assert_int_equal(found(), 2);
}
