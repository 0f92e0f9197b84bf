#include "cxxabi/cxxabi.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

static const char *s_asked; /* for */
static uintptr_t s_stack;   /* where the demangler ran */

static char *upper(const char *mangled, char *buffer, size_t *size, int *status)
{
    char here = 0;
    char *result = strdup("DEMANGLED");
    s_asked = mangled;
    s_stack = (uintptr_t)&here;
    *status = buffer || size;
    return result;
}

static void the_demangler_runs_on_a_stack_of_its_own(void **state)
{
    char here = 0;
    char *name = stint_cxxabi_demangle(upper, "_Z1fv");
    assert_string_equal(name, "DEMANGLED");
    assert_string_equal(s_asked, "_Z1fv");
    assert_true(llabs((long long)((uintptr_t)&here - s_stack)) > 1 << 16);
    free(name);
}

static void a_name_too_long_for_that_stack_is_refused(void **state)
{
    char *name = calloc(1, 10000);
    char *demangled;
    assert_non_null(name);
    memset(name, 'P', 8191);
    demangled = stint_cxxabi_demangle(upper, name);
    assert_non_null(demangled);
    free(demangled);
    name[8191] = 'P';
    assert_null(stint_cxxabi_demangle(upper, name));
    free(name);
}

static void a_runtime_loaded_later_is_found_and_stays(void **state)
{
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    stint_cxxabi_fn *demangle;
    char *name;
    if (!library)
        skip();
    demangle = stint_cxxabi_loaded();
    dlclose(library);
    assert_non_null(demangle);
    name = stint_cxxabi_demangle(demangle, "_Z4workPfi");
    assert_string_equal(name, "work(float*, int)");
    free(name);
    assert_null(stint_cxxabi_demangle(demangle, "_Z"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_demangler_runs_on_a_stack_of_its_own),
        cmocka_unit_test(a_name_too_long_for_that_stack_is_refused),
        cmocka_unit_test(a_runtime_loaded_later_is_found_and_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
