/* Where CUPTI is looked for, on a machine of the test's making: which files there are, what the program has loaded, and
 * what the driver says. The libraries (fake) are real ones. */
#include "model/cupti_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

enum { MOST = 8 };

static struct {
    int has_driver;
    const char *there[MOST][2]; /* a name, and the fake that is there */
    const char *loaded[MOST];
    int opens; /* of anything but the driver */
} s_machine;

static int *s_driver_version;

void *__real_dlopen(const char *file, int flags);
void *__wrap_dlopen(const char *file, int flags)
{
    char path[512];
    if (!strcmp(file, "libcuda.so.1"))
        return __real_dlopen(s_machine.has_driver ? FAKES "/driver.so" : "/none/libcuda.so.1", flags);
    ++s_machine.opens;
    for (int i = 0; i < MOST; ++i)
        if (s_machine.there[i][0] && !strcmp(s_machine.there[i][0], file)) {
            snprintf(path, sizeof path, "%s/%s", FAKES, s_machine.there[i][1]);
            return __real_dlopen(path, flags);
        }
    return __real_dlopen("/none/of/these", flags);
}

int __wrap_dl_iterate_phdr(int (*callback)(struct dl_phdr_info *info, size_t size, void *context), void *context);
int __wrap_dl_iterate_phdr(int (*callback)(struct dl_phdr_info *info, size_t size, void *context), void *context)
{
    int result = 0;
    for (int i = 0; i < MOST && s_machine.loaded[i] && !result; ++i) {
        struct dl_phdr_info info = {.dlpi_name = s_machine.loaded[i]};
        result = callback(&info, sizeof info, context);
    }
    return result;
}

static void there(const char *file, const char *fake)
{
    for (int i = 0; i < MOST; ++i)
        if (!s_machine.there[i][0]) {
            s_machine.there[i][0] = file;
            s_machine.there[i][1] = fake;
            return;
        }
    fail_msg("too many files");
}

static int begin(void **state)
{
    static const char *const variables[] = {"STINT_CUPTI_PATH",
                                            "CUDA_HOME",
                                            "CUDA_PATH",
                                            "NSYS_PROFILING_SESSION_ID",
                                            "NV_NSIGHT_INJECTION_PORT_BASE",
                                            "NV_NSIGHT_INJECTION_TRANSPORT_TYPE",
                                            "NVPROF_ID"};
    memset(&s_machine, 0, sizeof s_machine);
    s_machine.has_driver = 1;
    s_machine.loaded[0] = "";
    s_machine.loaded[1] = "/lib/libc.so.6";
    *s_driver_version = 13000;
    for (size_t i = 0; i < TEST_COUNT(variables); ++i)
        unsetenv(variables[i]);
    return 0;
}

static struct {
    enum stint_status status;
    struct stint_cupti cupti;
    char reason[STINT_REASON_SIZE];
} s_found;

static enum stint_status search(void)
{
    memset(&s_found, 0, sizeof s_found);
    s_found.status = stint_cupti_finder.open(&s_found.cupti, s_found.reason, sizeof s_found.reason);
    return s_found.status;
}

static void assert_says(const char *part)
{
    if (!strstr(s_found.reason, part))
        fail_msg("\"%s\" does not say \"%s\"", s_found.reason, part);
}

static void assert_found(uint32_t version)
{
    if (search())
        fail_msg("not found: %s", s_found.reason);
    assert_int_equal(s_found.cupti.version, version);
}

/* ----------------------------------------------------------------------------------------------------------- before */

TEST_EACH(begin, NULL)

TEST(program_under_another_profiler_is_left_to_it)
{
    static const char *const variables[][2] = {
        {"NSYS_PROFILING_SESSION_ID", "Nsight Systems"},
        {"NV_NSIGHT_INJECTION_PORT_BASE", "Nsight Compute"},
        {"NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "Nsight Compute"},
        {"NVPROF_ID", "nvprof"},
    };
    there("libcupti.so.13", "whole.so");
    for (size_t i = 0; i < TEST_COUNT(variables); ++i) {
        setenv(variables[i][0], "1", 1);
        assert_int_equal(search(), STINT_ERROR_TAKEN);
        assert_says(variables[i][1]);
        assert_int_equal(s_machine.opens, 0);
        unsetenv(variables[i][0]);
    }
}

TEST(without_a_driver_nothing_else_is_opened)
{
    s_machine.has_driver = 0;
    there("libcupti.so.13", "whole.so");
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("no NVIDIA driver");
    assert_says("libcuda.so.1");
    assert_int_equal(s_machine.opens, 0);
}

/* -------------------------------------------------------------------------------------------------------- functions */

TEST(whole_library_brings_every_function)
{
    there("libcupti.so.13", "whole.so");
    assert_found(130001);
    assert_non_null(s_found.cupti.library);
    assert_non_null(s_found.cupti.subscribe);
    assert_non_null(s_found.cupti.subscribe_v2);
    assert_non_null(s_found.cupti.unsubscribe);
    assert_non_null(s_found.cupti.enable_callback);
    assert_non_null(s_found.cupti.enable_domain);
    assert_non_null(s_found.cupti.activity_enable);
    assert_non_null(s_found.cupti.activity_disable);
    assert_non_null(s_found.cupti.activity_register_callbacks);
    assert_non_null(s_found.cupti.activity_flush_all);
    assert_non_null(s_found.cupti.activity_flush_period);
    assert_non_null(s_found.cupti.activity_get_next_record);
    assert_non_null(s_found.cupti.activity_get_num_dropped_records);
    assert_non_null(s_found.cupti.activity_set_attribute);
    assert_non_null(s_found.cupti.activity_configure_unified_memory_counter);
    assert_non_null(s_found.cupti.get_timestamp);
    assert_non_null(s_found.cupti.get_version);
    assert_non_null(s_found.cupti.get_result_string);
    assert_non_null(s_found.cupti.get_callback_name);
}

TEST(each_pointer_is_the_function_of_its_name)
{
    void *found;
    there("libcupti.so.13", "whole.so");
    assert_found(130001);
    void *expected = dlsym(s_found.cupti.library, "cuptiActivityGetNumDroppedRecords");
    memcpy(&found, &s_found.cupti.activity_get_num_dropped_records, sizeof found);
    assert_ptr_equal(found, expected);
    expected = dlsym(s_found.cupti.library, "cuptiGetCallbackName");
    memcpy(&found, &s_found.cupti.get_callback_name, sizeof found);
    assert_ptr_equal(found, expected);
}

TEST(old_library_may_lack_new_functions)
{
    there("libcupti.so.11.0", "old.so");
    assert_found(13);
    assert_null(s_found.cupti.subscribe_v2);
    assert_null(s_found.cupti.activity_flush_period);
    assert_non_null(s_found.cupti.subscribe);
}

TEST(subscribe_v2_is_not_mixed_with_functions_of_the_first_generation)
{
    there("libcupti.so.13", "second.so");
    assert_found(130300);
    assert_null(s_found.cupti.subscribe_v2);
    assert_non_null(s_found.cupti.subscribe);
}

TEST(missing_function_is_named_with_its_file)
{
    there("libcupti.so.13", "lacking.so");
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("cuptiActivityFlushAll");
    assert_says(FAKES "/lacking.so");
    assert_says("STINT_CUPTI_PATH");
}

TEST(library_before_11_0_is_too_old)
{
    there("libcupti.so", "older.so");
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("too old");
    assert_says("older.so");
}

TEST(first_unusable_library_is_the_reason_but_not_the_end)
{
    there("libcupti.so.13", "lacking.so");
    there("libcupti.so.12", "older.so");
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("lacking.so");
    there("libcupti.so.11.8", "other.so");
    assert_found(26);
}

/* ------------------------------------------------------------------------------------------------------------ where */

TEST(without_cupti_the_remedy_is_named)
{
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("CUPTI was not found");
    assert_says("STINT_CUPTI_PATH");
}

TEST(named_file_comes_before_all_others)
{
    there("/opt/mine.so", "other.so");
    there("libcupti.so.13", "whole.so");
    s_machine.loaded[2] = "libcupti.so.13";
    setenv("STINT_CUPTI_PATH", "/opt/mine.so", 1);
    assert_found(26);
}

TEST(named_folder_has_any_version)
{
    there("/opt/cupti/libcupti.so.11.3", "other.so");
    there("libcupti.so.13", "whole.so");
    setenv("STINT_CUPTI_PATH", "/opt/cupti", 1);
    assert_found(26);
    assert_int_equal(s_found.reason[0], '\0');
}

TEST(named_path_without_cupti_is_the_end)
{
    there("libcupti.so.13", "whole.so");
    setenv("STINT_CUPTI_PATH", "/opt/nothing", 1);
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("STINT_CUPTI_PATH=/opt/nothing");
    assert_says("/none/of/these"); /* the linker's own words */
}

TEST(named_file_that_is_no_use_is_the_end)
{
    there("/opt/mine.so", "lacking.so");
    there("libcupti.so.13", "whole.so");
    setenv("STINT_CUPTI_PATH", "/opt/mine.so", 1);
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("cuptiActivityFlushAll");
}

TEST(loaded_cupti_comes_before_those_of_the_system)
{
    s_machine.loaded[2] = "/venv/nvidia/cuda_cupti/lib/libcupti.so.12";
    there("/venv/nvidia/cuda_cupti/lib/libcupti.so.12", "other.so");
    there("libcupti.so.13", "whole.so");
    assert_found(26);
}

TEST(beside_a_loaded_cupti_no_second_is_opened)
{
    s_machine.loaded[2] = "/old/libcupti.so.10.2";
    there("/old/libcupti.so.10.2", "older.so");
    there("libcupti.so.13", "whole.so");
    assert_int_equal(search(), STINT_ERROR_UNAVAILABLE);
    assert_says("too old");
    assert_int_equal(s_machine.opens, 1);
}

TEST(version_of_the_loaded_runtime_comes_first)
{
    there("libcupti.so.13", "whole.so");
    there("/usr/local/cuda-12/extras/CUPTI/lib64/libcupti.so.12", "other.so");
    assert_found(130001);
    s_machine.loaded[2] = "/usr/lib/libcudart.so.12";
    assert_found(26);
    s_machine.loaded[2] = "libcudart.so.11.0";
    assert_found(130001); /* there is none, so the newest */
}

TEST(version_of_the_driver_comes_first_without_a_runtime)
{
    there("libcupti.so.13", "whole.so");
    there("libcupti.so.12", "other.so");
    *s_driver_version = 12020;
    assert_found(26);
    *s_driver_version = 14000;
    assert_found(130001);
    *s_driver_version = 0;
    assert_found(130001);
}

TEST(plain_name_is_the_last_resort)
{
    there("libcupti.so", "whole.so");
    there("libcupti.so.11.8", "other.so");
    *s_driver_version = 0;
    assert_found(26);
    s_machine.there[1][0] = NULL;
    assert_found(130001);
}

TEST(toolkits_and_wheels_are_searched)
{
    static const char *const places[] = {
        "/home/cuda/extras/CUPTI/lib64/libcupti.so.13",
        "/home/cuda/lib64/libcupti.so.12",
        "/home/cuda/lib/libcupti.so.11.0",
        "/home/path/targets/x86_64-linux/lib/libcupti.so.13",
        "/home/path/targets/sbsa-linux/lib/libcupti.so",
        "/usr/local/cuda/lib64/libcupti.so.13",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.12",
        "/usr/local/cuda-13/lib64/libcupti.so.13",
        "/usr/local/cuda-12/lib64/libcupti.so.12",
        "/usr/local/cuda-11/extras/CUPTI/lib64/libcupti.so.11.4",
        "/venv/nvidia/cuda_runtime/lib//../../cuda_cupti/lib/libcupti.so.12",
        "/venv/nvidia/cuda_runtime/lib//./libcupti.so.12",
        "/venv/nvidia/cuda_runtime/lib//../extras/CUPTI/lib64/libcupti.so.12",
    };
    setenv("CUDA_HOME", "/home/cuda", 1);
    setenv("CUDA_PATH", "/home/path", 1);
    s_machine.loaded[2] = "/venv/nvidia/cuda_runtime/lib/libcudart.so.12";
    for (size_t i = 0; i < TEST_COUNT(places); ++i) {
        s_machine.there[0][0] = places[i];
        s_machine.there[0][1] = "whole.so";
        if (search())
            fail_msg("%s is not found: %s", places[i], s_found.reason);
    }
}

TEST(cupti_beside_the_runtime_comes_before_the_systems)
{
    s_machine.loaded[2] = "/venv/lib/libcudart.so.13";
    there("libcupti.so.13", "whole.so");
    there("/venv/lib//./libcupti.so.13", "other.so");
    assert_found(26);
}

TEST(reason_is_cut_to_its_room)
{
    struct stint_cupti cupti;
    char reason[10];
    memset(reason, 'x', sizeof reason);
    assert_int_equal(stint_cupti_finder.open(&cupti, reason, 6), STINT_ERROR_UNAVAILABLE);
    assert_string_equal(reason, "CUPTI");
    assert_int_equal(reason[6], 'x');
}

int test_main(int argc, char **argv)
{
    void *const driver = __real_dlopen(FAKES "/driver.so", RTLD_NOW);
    s_driver_version = driver ? dlsym(driver, "fake_driver_version") : NULL;
    if (!s_driver_version)
        return 1;
    return test_run(NULL, NULL);
}
