#include "cxxabi/cxxabi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

static const char *s_asked; /* for */
static uintptr_t s_stack;   /* where the demangler ran */

static char *upper(const char *mangled, char *buffer, size_t *size, int *status)
{
    char *result = strdup("DEMANGLED");
    s_asked = mangled;
    s_stack = (uintptr_t)__builtin_frame_address(0); /* AddressSanitizer keeps variables elsewhere */
    *status = buffer || size;
    return result;
}

TEST(the_demangler_runs_on_a_stack_of_its_own)
{
    char *name = stint_cxxabi_demangle(upper, "_Z1fv");
    assert_string_equal(name, "DEMANGLED");
    assert_string_equal(s_asked, "_Z1fv");
    assert_true(llabs((long long)((uintptr_t)__builtin_frame_address(0) - s_stack)) > 1 << 16);
    free(name);
}

TEST(a_name_too_long_for_that_stack_is_refused)
{
    char *name = calloc(1, 10000);
    assert_non_null(name);
    memset(name, 'P', 8191);
    char *demangled = stint_cxxabi_demangle(upper, name);
    assert_non_null(demangled);
    free(demangled);
    name[8191] = 'P';
    assert_null(stint_cxxabi_demangle(upper, name));
    free(name);
}

TEST(a_runtime_loaded_later_is_found_and_stays)
{
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        skip();
    stint_cxxabi_fn *demangle = stint_cxxabi_loaded();
    dlclose(library);
    assert_non_null(demangle);
    char *name = stint_cxxabi_demangle(demangle, "_Z4workPfi");
    assert_string_equal(name, "work(float*, int)");
    free(name);
    assert_null(stint_cxxabi_demangle(demangle, "_Z"));
}

TEST(only_names_of_the_itanium_scheme_are_mangled)
{
    assert_true(stint_is_mangled("_Z1fv"));
    assert_false(stint_is_mangled("Z1fv"));
    assert_false(stint_is_mangled("_"));
    assert_false(stint_is_mangled(""));
}

TEST(static_kernels_have_the_name_of_their_source)
{
    assert_string_equal(
        stint_static_kernel("__nv_static_30__c51872d2_9_jacobi_cu_3dc991e0__Z12JacobiMethodPKffPdS1_ii"),
        "_Z12JacobiMethodPKffPdS1_ii");
    assert_string_equal(stint_static_kernel("__nv_static_4__1_f_name"), "name");
}

TEST(what_only_begins_like_a_static_kernel_stays)
{
    static const char *const names[] = {"__nv_static_",
                                        "__nv_static_3",
                                        "__nv_static_3_",
                                        "__nv_static_99__1_f_name",
                                        "__nv_static_4__1_f",
                                        "__nv_static_4__1_f_",
                                        "__nv_static_99999999999999999999__1_f_name",
                                        "_Z4workPfi",
                                        ""};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_string_equal(stint_static_kernel(names[i]), names[i]);
}

TEST(tags_of_numba_are_dropped_and_others_stay)
{
    static const struct {
        const char *name;
        const char *without;
    } names[] = {
        {"cudapy::convolve[abi:v1][abi:cw51cXTLSUwv1sCUt9Uw](Array<float, 2>)", "cudapy::convolve(Array<float, 2>)"},
        {"f[abi:v12]", "f"},
        {"f[abi:cxx11](std::string)", "f[abi:cxx11](std::string)"},
        {"f[abi:v1x]", "f[abi:v1x]"},
        {"f[abi:v1", "f[abi:v1"},
        {"operator[](int)", "operator[](int)"},
        {"", ""},
    };

    for (size_t i = 0; i < TEST_COUNT(names); i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s", names[i].name);
        stint_drop_numba_tags(name);
        assert_string_equal(name, names[i].without);
    }
}
