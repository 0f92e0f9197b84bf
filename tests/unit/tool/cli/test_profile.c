/* Recordings of all kinds are opened alike. */
#include "cli/profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

static struct stint_profile s_profile;

static int open_profile(const char *path)
{
    captured_output_begin();
    int failed = stint_profile_open(&s_profile, path);
    captured_output_end();
    return failed;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(a_report_in_json_has_the_events_of_its_snapshot)
{
    struct stint_event event;
    assert_int_equal(open_profile(STINT_GOLDEN_DIR "/report_json_gpu.json"), 0);
    assert_int_equal(s_profile.snapshot->process.pid, 4711);
    assert_int_equal(s_profile.events->begin(s_profile.events), 0);
    assert_int_equal(s_profile.events->next(s_profile.events, &event), 1);
    stint_profile_close(&s_profile);
}

TEST(a_folder_is_one_recording_or_several)
{
    assert_int_equal(open_profile(STINT_GOLDEN_DIR "/recording_v2.stint"), 0);
    assert_non_null(s_profile.recording);
    stint_profile_close(&s_profile);
    assert_int_equal(mkdir("all", 0700), 0);
    assert_int_equal(open_profile("all"), -1);
    assert_string_equal(captured_output.err, "stint: all: this folder is not a recording, and contains none\n");
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/recording_v1.stint", "all/1.stint"), 0);
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/recording_v2.stint", "all/2.stint"), 0);
    assert_int_equal(open_profile("all"), 0);
    assert_non_null(s_profile.several);
    assert_non_null(strstr(s_profile.snapshot->process.command, "2 recordings: "));
    stint_profile_close(&s_profile);
}

TEST(a_recording_without_metadata_is_left_out_of_several_and_told)
{
    assert_int_equal(mkdir("some", 0700), 0);
    assert_int_equal(mkdir("some/2.stint", 0700), 0);
    assert_int_equal(mkdir("some/notes", 0700), 0);
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/recording_v2.stint/definitions", "some/2.stint/definitions"), 0);
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/recording_v1.stint", "some/1.stint"), 0);
    assert_int_equal(open_profile("some"), 0);
    assert_string_equal(captured_output.err, "stint: some/2.stint: left out: its metadata is missing or damaged\n");
    stint_profile_close(&s_profile);
}

TEST(a_recording_without_metadata_says_what_is_missing)
{
    assert_int_equal(mkdir("cut.stint", 0700), 0);
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/recording_v2.stint/definitions", "cut.stint/definitions"), 0);
    assert_int_equal(open_profile("cut.stint"), -1);
    assert_string_equal(captured_output.err, "stint: cut.stint: this recording cannot be read: its file metadata is "
                                             "missing\n");
    assert_int_equal(symlink("definitions", "cut.stint/metadata"), 0);
    assert_int_equal(open_profile("cut.stint"), -1);
    assert_string_equal(captured_output.err, "stint: cut.stint: this recording cannot be read: its file metadata is "
                                             "damaged\n");
}

TEST(damage_is_counted_in_words_that_fit)
{
    assert_int_equal(system("cp -r " STINT_GOLDEN_DIR "/recording_v5.stint damaged.stint && "
                            "chmod -R u+w damaged.stint && printf x >>damaged.stint/thread-1"),
                     0);
    assert_int_equal(open_profile("damaged.stint"), 0);
    assert_string_equal(captured_output.err, "stint: damaged.stint: 1 byte is damaged\n");
    stint_profile_close(&s_profile);
}

TEST(one_of_several_that_cannot_be_read_spoils_all)
{
    const struct stint_place places[] = {{.path = STINT_GOLDEN_DIR "/report_json_gpu.json"}, {.path = "nothing.json"}};
    captured_output_begin();
    assert_int_equal(stint_profile_open_places(&s_profile, places, 2), -1);
    captured_output_end();
    assert_non_null(strstr(captured_output.err, "stint: nothing.json: "));
}

TEST(standard_input_has_a_name_of_its_own)
{
    int pipes[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(write(pipes[1], "no recording", 12), 12);
    assert_int_equal(close(pipes[1]), 0);
    assert_true(dup2(pipes[0], STDIN_FILENO) >= 0);
    assert_int_equal(open_profile("-"), -1);
    assert_non_null(strstr(captured_output.err, "stint: standard input:1: "));
    assert_true(dup2(before, STDIN_FILENO) >= 0);
}
