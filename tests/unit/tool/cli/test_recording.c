/* A recorded run: the environment of the program, and what is said of it. */
#include "cli/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

static size_t s_reported, s_lost;

static void report(void *context, struct stint_results *results, const struct stint_launch *launch)
{
    s_reported = results->all.count;
    s_lost = results->lost.count;
}

/* Runs a shell with this script. */
static int record(struct stint_recording *recording, const char *script)
{
    static char shell[] = "sh", option[] = "-c";
    char *arguments[] = {shell, option, (char *)(uintptr_t)script, NULL};
    captured_output_begin();
    int code = stint_record(recording, arguments, report, NULL);
    captured_output_end();
    return code;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(the_program_is_told_what_to_record)
{
    struct stint_recording recording = {.gpu = "kernels",
                                        .window = "step",
                                        .from_start = 0,
                                        .delay = 1.5,
                                        .trace = 10,
                                        .cpu = 1,
                                        .counters = "memory",
                                        .nvtx = 1,
                                        .quiet = 1};
    int code =
        record(&recording, "echo $STINT_GPU $STINT_WINDOW $STINT_FROM_START $STINT_DELAY $STINT_GPU_TRACE "
                           "$STINT_CPU $STINT_COUNTERS $STINT_REPORT ${STINT_OUTPUT##*/} ${STINT_DURATION-none}");
    assert_int_equal(code, 0);
    assert_string_equal(captured_output.out, "kernels step off 1.500000000 10 on memory json %i.json none\n");
    assert_int_equal(access(recording.folder.path, F_OK), -1);
}

TEST(reports_of_its_processes_are_read)
{
    struct stint_recording recording = {.from_start = -1, .quiet = 1};
    assert_int_equal(
        record(&recording, "cp " STINT_GOLDEN_DIR "/report_json_gpu.json ${STINT_OUTPUT%/*}/1.json; exit 7"), 7);
    assert_int_equal(s_reported, 1);
    assert_int_equal(s_lost, 0);
}

TEST(a_process_that_left_no_report_is_named)
{
    struct stint_recording recording = {.from_start = -1};
    assert_int_equal(record(&recording, "sh -c 'touch $STINT_CONTROL/$$.sock'"), 0);
    assert_int_equal(s_lost, 1);
    assert_non_null(strstr(captured_output.err, " ended without a report: killed, or unable to write it"));
}

TEST(without_the_library_few_programs_are_recorded)
{
    struct stint_recording recording = {.from_start = -1};
    assert_int_equal(setenv("STINT_INJECT_LIBRARY", "no-such-library", 1), 0);
    assert_int_equal(record(&recording, "true"), 0);
    assert_non_null(strstr(captured_output.err, "stint: libstint_inject.so was not found"));
    assert_int_equal(unsetenv("STINT_INJECT_LIBRARY"), 0);
}
