/* What GPUs consumed, given to the process that ran; here without NVML, or with numbers of none. */
#include "cli/recording.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "ctf/ctf.h"
#include "stint_test.h"
#include "store/scratch.h"

static struct stint_system_profile s_profile;

static void begin(const struct stint_stores *stores)
{
    s_profile = (struct stint_system_profile){.view = NULL};
    captured_output_begin();
    stint_system_profile_begin(&s_profile, stores, "./build/train");
    captured_output_end();
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(without_nvml_that_is_said_and_results_stay_as_they_are)
{
    struct stint_results results = {0};
    begin(NULL);
    assert_string_equal(s_profile.command, "GPUs while train runs");
    if (!s_profile.view)
        assert_non_null(
            strstr(captured_output.err, "stint: --system-profiling: power, clocks and temperatures are not"));
    stint_system_profile_end(&s_profile, &results, 1);
    assert_true(s_profile.view || results.all.count <= 1);
    stint_results_free(&results);
    stint_system_profile_free(&s_profile);
}

TEST(a_recording_of_its_own_is_ended)
{
    struct stint_results results = {0};
    struct stint_stores stores = {.folder = {.path = "."}};
    char reason[256], path[64];
    begin(&stores);
    assert_non_null(s_profile.writer);
    stint_system_profile_end(&s_profile, &results, 1);
    (void)snprintf(path, sizeof path, "%ld.stint", (long)getpid());
    struct stint_ctf *recording = stint_ctf_open(path, reason, sizeof reason);
    assert_non_null(recording);
    assert_true(stint_ctf_state(recording).has_ended);
    assert_string_equal(stint_ctf_snapshot(recording)->process.command, "GPUs while train runs");
    stint_ctf_close(recording);
    stint_results_free(&results);
    stint_system_profile_free(&s_profile);
}
