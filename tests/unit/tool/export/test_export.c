#include "export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST(every_name_is_that_of_its_format)
{
    int format = 0;
    for (; stint_export_name(format); format++)
        assert_int_equal(stint_export_format_of(stint_export_name(format)), format);
    assert_int_equal(format, STINT_EXPORT_PPROF + 1);
    assert_int_equal(stint_export_format_of("Chrome"), STINT_EXPORT_CHROME);
    assert_int_equal(stint_export_format_of("chrom"), -1);
    assert_null(stint_export_name(-1));
}

TEST(end_of_a_files_name_says_the_format)
{
    assert_int_equal(stint_export_format_of_path("a/trace.json"), STINT_EXPORT_CHROME);
    assert_int_equal(stint_export_format_of_path("a.PFTRACE"), STINT_EXPORT_PERFETTO);
    assert_int_equal(stint_export_format_of_path("a.perfetto-trace"), STINT_EXPORT_PERFETTO);
    assert_int_equal(stint_export_format_of_path("a.folded"), STINT_EXPORT_COLLAPSED);
    assert_int_equal(stint_export_format_of_path("a.pprof"), STINT_EXPORT_PPROF);
    assert_int_equal(stint_export_format_of_path("a.json.GZ"), STINT_EXPORT_CHROME);
    assert_int_equal(stint_export_format_of_path("a.gz"), -1);
    assert_int_equal(stint_export_format_of_path(".json"), -1);
    assert_int_equal(stint_export_format_of_path(".json.gz"), -1);
    assert_int_equal(stint_export_format_of_path("a.txt"), -1);
}

TEST(without_samples_there_is_no_file_of_them)
{
    const struct stint_export_input input = {.snapshot = fixture_training()};
    struct capture out = {0};
    char reason[64];
    assert_true(stint_export_is_empty(&input, STINT_EXPORT_PPROF));
    assert_int_equal(stint_export_write(&input, STINT_EXPORT_PPROF, capture_write, &out, reason, sizeof reason), -1);
    assert_string_equal(reason, "it has no samples");
}

/* ------------------------------------------------------------------------------------------------------------ files */

static char s_folder[] = "/tmp/stint_export_XXXXXX";

static void in_folder(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", s_folder, name);
}

static long size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) ? -1 : (long)status.st_size;
}

TEST(file_is_what_a_sink_gets)
{
    struct capture out = export_as(STINT_EXPORT_COLLAPSED, fixture_training(), fixture_no_events());
    char path[256], reason[100];
    in_folder(path, sizeof path, "a.collapsed");
    assert_int_equal(stint_export_file(&(struct stint_export_input){.snapshot = fixture_training()},
                                       STINT_EXPORT_COLLAPSED, path, reason, sizeof reason),
                     0);
    assert_int_equal(size_of(path), (long)out.length);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(s_folder), 0); /* there is nothing else */
    assert_int_equal(mkdir(s_folder, 0700), 0);
}

TEST(failure_leaves_the_file_as_it_was)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    char path[256], reason[100] = "";
    in_folder(path, sizeof path, "a.json");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs("old", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stint_export_file(
                         &(struct stint_export_input){.snapshot = snapshot, .events = fixture_failing_events(snapshot)},
                         STINT_EXPORT_CHROME, path, reason, sizeof reason),
                     -1);
    assert_string_equal(reason, "the file ends too early");
    assert_int_equal(size_of(path), 3);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(s_folder), 0);
    assert_int_equal(mkdir(s_folder, 0700), 0);
}

TEST(every_timeline_says_why_its_events_fail)
{
    static const enum stint_export_format formats[] = {STINT_EXPORT_CHROME, STINT_EXPORT_PERFETTO};
    const struct stint_snapshot *snapshot = fixture_gpu();
    for (size_t i = 0; i < TEST_COUNT(formats); i++) {
        struct capture out = {0};
        char reason[100] = "";
        assert_int_equal(stint_export_write(&(struct stint_export_input){.snapshot = snapshot,
                                                                         .events = fixture_failing_events(snapshot)},
                                            formats[i], capture_write, &out, reason, sizeof reason),
                         -1);
        assert_string_equal(reason, "the file ends too early");
    }
}

TEST(device_is_written_in_place)
{
    char reason[100] = "";
    struct stat status;
    assert_int_equal(stint_export_file(&(struct stint_export_input){.snapshot = fixture_training()},
                                       STINT_EXPORT_COLLAPSED, "/dev/full", reason, sizeof reason),
                     -1);
    assert_string_equal(reason, "No space left on device");
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

TEST(folder_that_is_not_there_is_told)
{
    char path[256], reason[100] = "";
    in_folder(path, sizeof path, "none/a.json");
    assert_int_equal(stint_export_file(&(struct stint_export_input){.snapshot = fixture_training()},
                                       STINT_EXPORT_CHROME, path, reason, sizeof reason),
                     -1);
    assert_string_equal(reason, "No such file or directory");
}

static int set_up(void **state)
{
    return mkdtemp(s_folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture_gpu_free();
    return rmdir(s_folder);
}

TEST_ONCE(set_up, tear_down)
