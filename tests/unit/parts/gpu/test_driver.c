/* Where the driver's functions come from, with a dynamic linker that says what each test wants to hear. */
#include "gpu/callback.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "stint_test.h"

static int s_loaded;
static int s_library;
static int s_looked_up;
static int s_looks_elsewhere; /* when another thread does */
static const char *s_missing;
static unsigned long long s_loads = 1;
static int s_opened;
static int s_found_elsewhere;
static int s_waits; /* a function was asked for that waits for a stream, an event or a context */

void *__wrap_dlopen(const char *file, int flags)
{
    assert_string_equal(file, "libcuda.so.1");
    assert_true(flags & RTLD_NOLOAD);
    ++s_opened;
    return s_loaded ? &s_library : NULL;
}

int __wrap_dl_iterate_phdr(int (*function)(struct dl_phdr_info *, size_t, void *), void *argument);
int __wrap_dl_iterate_phdr(int (*function)(struct dl_phdr_info *, size_t, void *), void *argument)
{
    struct dl_phdr_info info = {.dlpi_adds = s_loads};
    return function(&info, sizeof info, argument);
}

static int call(void)
{
    return 42;
}

static int newer(void)
{
    return 43;
}

static void *find_elsewhere(void *argument)
{
    s_found_elsewhere = stint_driver_find() != NULL;
    return argument;
}

/* Another thread looks for the driver while one does, which is before anything was found. */
static void look_elsewhere(void)
{
    pthread_t thread;
    s_found_elsewhere = -1;
    assert_int_equal(pthread_create(&thread, NULL, find_elsewhere, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

void *__real_dlsym(void *library, const char *symbol);
void *__wrap_dlsym(void *library, const char *symbol);
/* ThreadSanitizer gets here by sigaltstack before it is ready to be told of functions. */
__attribute__((no_sanitize("thread"))) void *__wrap_dlsym(void *library, const char *symbol)
{
    if (library == RTLD_NEXT || library == RTLD_DEFAULT)
        return __real_dlsym(library, symbol); /* a function of the C library, or stint's in front of it */
    int (*const function)(void) = strcmp(symbol, "cuEventElapsedTime_v2") ? call : newer;
    void *address;
    assert_ptr_equal(library, &s_library);
    if (++s_looked_up == s_looks_elsewhere)
        look_elsewhere();
    if (strstr(symbol, "Synchronize") || strstr(symbol, "WaitEvent"))
        s_waits = 1;
    memcpy(&address, &function, sizeof address);
    return s_missing && !strcmp(symbol, s_missing) ? NULL : address;
}

/* What was found is remembered, so the tests stand in this order. */
TEST(a_driver_that_is_not_loaded_is_not_found)
{
    s_loaded = 0;
    assert_null(stint_driver_find());
}

TEST(nothing_is_looked_for_until_something_is_loaded)
{
    s_loaded = 1;
    s_opened = 0;
    assert_null(stint_driver_find());
    assert_int_equal(s_opened, 0);
}

TEST(a_driver_that_lacks_a_function_is_none)
{
    ++s_loads;
    s_missing = "cuEventRecord";
    assert_null(stint_driver_find());
}

/* Their first spans would be lost otherwise. */
TEST(what_is_loaded_later_is_found_then_by_all_threads_at_once)
{
    s_missing = "cuStreamGetId";
    ++s_loads;
    s_looks_elsewhere = s_looked_up + 1;
    assert_non_null(stint_driver_find());
    assert_int_equal(s_found_elsewhere, 1);
}

TEST(functions_of_later_versions_may_be_missing)
{
    assert_null(stint_driver_find()->stream_id);
    assert_non_null(stint_driver_find()->context_id);
}

TEST(the_newer_of_two_functions_is_taken)
{
    int (*newest)(void);
    memcpy(&newest, &stint_driver_find()->elapsed, sizeof newest);
    assert_int_equal(newest(), 43);
}

TEST(it_is_looked_for_once)
{
    s_looked_up = 0;
    s_loaded = 0;
    assert_non_null(stint_driver_find());
    assert_int_equal(s_looked_up, 0);
}

TEST(no_function_is_known_that_waits)
{
    assert_int_equal(s_waits, 0);
}
