#include <string.h>
#include <unistd.h>

#include "model/cupti_library.h"
#include "stint_test.h"

static const char *s_params; /* of the driver; NULL: no such file */
static char s_reason[STINT_REASON_SIZE];

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    int ends[2];
    if (strcmp(path, "/proc/driver/nvidia/params") != 0)
        return __real_open(path, flags, 0);
    if (!s_params || pipe(ends))
        return -1;
    assert_true(write(ends[1], s_params, strlen(s_params)) >= 0);
    close(ends[1]);
    return ends[0];
}

static void assert_says(const char *part)
{
    if (!strstr(s_reason, part))
        fail_msg("\"%s\" does not say \"%s\"", s_reason, part);
}

static int string_of(int result, const char **string)
{
    if (result != 997)
        *string = "CUPTI_ERROR_OF_SOME_KIND";
    return result == 998 ? 1 : 0;
}

static enum stint_status fail_with(int result, const char *function, const char *other)
{
    static const struct stint_cupti cupti = {.get_result_string = string_of};
    memset(s_reason, 0, sizeof s_reason);
    return stint_cupti_finder.failure(&cupti, result, function, other, s_reason, sizeof s_reason);
}

TEST(second_subscriber_is_told_who_has_cupti)
{
    assert_int_equal(fail_with(39, "cuptiSubscribe_v2", "CUPTI for Kineto"), STINT_ERROR_TAKEN);
    assert_says("in use by another profiler or debugger (CUPTI for Kineto):");
    assert_says("STINT_GPU=off");
    assert_int_equal(fail_with(39, "cuptiSubscribe", NULL), STINT_ERROR_TAKEN);
    assert_says("in use by another profiler or debugger:");
    assert_int_equal(fail_with(39, "cuptiSubscribe", ""), STINT_ERROR_TAKEN);
    assert_says("in use by another profiler or debugger:");
}

TEST(limit_reached_means_taken_only_when_subscribing)
{
    assert_int_equal(fail_with(12, "cuptiSubscribe", NULL), STINT_ERROR_TAKEN);
    assert_says("in use");
    assert_int_equal(fail_with(12, "cuptiActivityEnable", NULL), STINT_ERROR_CUDA);
}

TEST(missing_permission_names_the_ways_to_get_it)
{
    s_params = "EnableMSI: 1\nRmProfilingAdminOnly: 1\nRegistryDwords: \"\"\n";
    assert_int_equal(fail_with(35, "cuptiActivityEnable", NULL), STINT_ERROR_PERMISSION);
    assert_says("NVreg_RestrictProfilingToAdminUsers=0");
    assert_says("CAP_SYS_ADMIN");
    assert_says("--cap-add=SYS_ADMIN");
    assert_says("RmProfilingAdminOnly");
    assert_says("it is 1 now");
    s_params = "RmProfilingAdminOnly: 0\n";
    assert_int_equal(fail_with(35, "cuptiActivityEnable", NULL), STINT_ERROR_PERMISSION);
    assert_says("it is 0 now");
    s_params = "EnableMSI: 1\n";
    assert_int_equal(fail_with(35, "cuptiActivityEnable", NULL), STINT_ERROR_PERMISSION);
    assert_says("its value is unknown");
    s_params = NULL;
    assert_int_equal(fail_with(35, "cuptiActivityEnable", NULL), STINT_ERROR_PERMISSION);
    assert_says("its value is unknown");
}

TEST(results_become_the_users_statuses)
{
    static const struct {
        int result;
        enum stint_status status;
        const char *says;
    } expected[] = {
        {8, STINT_ERROR_NO_MEMORY, "memory"},
        {15, STINT_ERROR_UNAVAILABLE, "driver"},
        {23, STINT_ERROR_TAKEN, "in use"},
        {26, STINT_ERROR_TAKEN, "another process"},
        {27, STINT_ERROR_UNAVAILABLE, "does not support"},
        {33, STINT_ERROR_UNAVAILABLE, "virtual GPU"},
        {38, STINT_ERROR_UNAVAILABLE, "does not support"},
        {40, STINT_ERROR_PERMISSION, "hypervisor"},
        {41, STINT_ERROR_UNAVAILABLE, "confidential"},
        {42, STINT_ERROR_UNAVAILABLE, "mining"},
        {43, STINT_ERROR_UNAVAILABLE, "MIG"},
        {44, STINT_ERROR_UNAVAILABLE, "SLI"},
        {45, STINT_ERROR_UNAVAILABLE, "WSL"},
    };

    for (size_t i = 0; i < TEST_COUNT(expected); ++i) {
        assert_int_equal(fail_with(expected[i].result, "cuptiSubscribe", NULL), expected[i].status);
        assert_says(expected[i].says);
    }
}

TEST(other_results_are_cuptis_own_words)
{
    assert_int_equal(fail_with(999, "cuptiActivityEnable", NULL), STINT_ERROR_CUDA);
    assert_string_equal(s_reason, "cuptiActivityEnable failed: CUPTI_ERROR_OF_SOME_KIND (999)");
    assert_int_equal(fail_with(998, "cuptiActivityEnable", NULL), STINT_ERROR_CUDA);
    assert_string_equal(s_reason, "cuptiActivityEnable failed: an error without a name (998)");
    assert_int_equal(fail_with(997, "cuptiActivityEnable", NULL), STINT_ERROR_CUDA);
    assert_string_equal(s_reason, "cuptiActivityEnable failed: an error without a name (997)");
}

TEST(failed_device_is_told_by_its_error)
{
    assert_int_equal(fail_with(999, NULL, NULL), STINT_ERROR_CUDA);
    assert_says("a GPU failed while the program ran (error 999 of CUDA, as a GPU that fell off the bus does): ");
    assert_int_equal(fail_with(12345, NULL, NULL), STINT_ERROR_CUDA);
    assert_says("(error 12345 of CUDA): ");
}
