/* What a run's processes recorded gets the name that was asked for. */
#include "cli/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "cli/profile.h"
#include "import/import.h"
#include "stint_test.h"
#include "store/scratch.h"

static struct stint_stores s_stores;
static struct stint_results s_results;

/* Begins a run whose recordings are to have this name. */
static void begin(const char *name)
{
    s_results = (struct stint_results){0};
    assert_int_equal(stint_stores_read(&s_stores, name), 0);
    assert_int_equal(stint_stores_begin(&s_stores), 0);
}

/* Puts a recording into the folder, as of process `mark`. */
static void add_recording(const char *mark)
{
    char command[2 * PATH_MAX];
    (void)snprintf(command, sizeof command, "cp -r " STINT_GOLDEN_DIR "/recording_v2.stint '%s/%s.stint'",
                   s_stores.folder.path, mark);
    assert_int_equal(system(command), 0);
}

static int take(void)
{
    captured_output_begin();
    int failed = stint_stores_take(&s_stores, &s_results, 0);
    captured_output_end();
    stint_stores_end(&s_stores);
    assert_int_equal(access(s_stores.folder.path, F_OK), -1);
    stint_results_free(&s_results);
    return failed;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(patterns_are_checked)
{
    captured_output_begin();
    assert_int_equal(stint_stores_read(&s_stores, "run.%z"), -1);
    captured_output_end();
    assert_string_equal(captured_output.err,
                        "stint: --store run.%z: expected a path with %p, %i, %h, %r, %q{NAME} or %%\n");
    captured_output_begin();
    assert_int_equal(stint_stores_read(&s_stores, ""), -1);
    captured_output_end();
    assert_non_null(strstr(captured_output.err, "stint: --store : expected a path"));
    assert_int_equal(stint_stores_read(&s_stores, "/dev/null"), 0);
    captured_output_begin();
    assert_int_equal(stint_stores_begin(&s_stores), -1);
    captured_output_end();
    assert_non_null(strstr(captured_output.err, "/dev/null cannot be written: it is not a regular file"));
}

TEST(one_recording_gets_the_name)
{
    begin("one.stint");
    add_recording("2147483646");
    assert_int_equal(take(), 0);
    assert_non_null(strstr(captured_output.err, "the recording is in one.stint"));
    assert_int_equal(stint_file_kind("one.stint"), STINT_FILE_RECORDING);
}

TEST(a_database_is_made_of_it)
{
    begin("one.sqlite");
    add_recording("2147483646");
    assert_int_equal(take(), 0);
    assert_int_equal(stint_file_kind("one.sqlite"), STINT_FILE_STORE);
    assert_int_equal(access("one.sqlite.stint", F_OK), -1);
}

TEST(several_are_in_a_folder_or_each_has_a_name)
{
    begin("all.stint");
    add_recording("2147483645");
    add_recording("2147483646");
    assert_int_equal(take(), 0);
    assert_int_equal(stint_file_kind("all.stint"), STINT_FILE_FOLDER);
    assert_int_equal(stint_file_kind("all.stint/2147483645.stint"), STINT_FILE_RECORDING);
    begin("each.%p.stint");
    add_recording("2147483645");
    add_recording("2147483646");
    assert_int_equal(take(), 0);
    assert_int_equal(stint_file_kind("each.2147483645.stint"), STINT_FILE_RECORDING);
    assert_int_equal(stint_file_kind("each.2147483646.stint"), STINT_FILE_RECORDING);
}

/* As of workers that are process 1 of namespaces of their own, and of a process that executed another program. */
TEST(several_of_one_id_are_all_there)
{
    begin("each.%p.stint");
    add_recording("2147483645.17");
    add_recording("2147483645.18");
    add_recording("2147483646.17.exec1");
    add_recording("2147483646.18");
    s_stores.folder.is_over = 1;
    assert_int_equal(take(), 0);
    assert_int_equal(stint_file_kind("each.2147483645.stint"), STINT_FILE_RECORDING);
    assert_int_equal(stint_file_kind("each.2147483645.2.stint"), STINT_FILE_RECORDING);
    assert_int_equal(stint_file_kind("each.2147483646.exec1.stint"), STINT_FILE_RECORDING);
    assert_int_equal(stint_file_kind("each.2147483646.stint"), STINT_FILE_RECORDING);
}

TEST(without_recordings_reports_are_written)
{
    struct stint_snapshot *snapshot;
    struct stint_import_error error;
    begin("sums.sqlite");
    assert_int_equal(stint_import_file(STINT_GOLDEN_DIR "/report_json_gpu.json", &snapshot, &error), STINT_OK);
    assert_non_null(stint_results_add(&s_results, snapshot, NULL));
    assert_int_equal(take(), 0);
    assert_int_equal(stint_file_kind("sums.sqlite"), STINT_FILE_STORE);
}
