/* The database that is made of a recording, beside it and once. */
#include "cli/profile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

/* Opens it, or the database beside it. */
static int convert(const char *path, char *database, size_t size)
{
    struct stint_profile profile;
    captured_output_begin();
    int failed = stint_profile_open(&profile, path) || stint_converted_open(&profile, path, 0, database, size);
    captured_output_end();
    if (!failed) {
        assert_string_equal(profile.snapshot->process.command, "train --fast");
        assert_int_equal(profile.store != NULL, *database != '\0');
        stint_profile_close(&profile);
    }
    return failed;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(a_recording_is_converted_once)
{
    char database[PATH_MAX];
    assert_int_equal(system("cp -r " STINT_GOLDEN_DIR "/recording_v2.stint run.stint"), 0);
    assert_int_equal(convert("run.stint/", database, sizeof database), 0);
    assert_string_equal(database, "run.sqlite");
    assert_string_equal(captured_output.err, "stint: making run.sqlite from run.stint/, once for all reports\n");
    assert_int_equal(convert("run.stint", database, sizeof database), 0);
    assert_string_equal(database, "run.sqlite");
    assert_string_equal(captured_output.err, "");
}

TEST(what_is_there_already_is_not_replaced)
{
    char database[PATH_MAX];
    assert_int_equal(system("cp -r " STINT_GOLDEN_DIR "/recording_v2.stint other.sqlite.stint"), 0);
    assert_int_equal(mkdir("other.sqlite", 0700), 0);
    assert_int_equal(convert("other.sqlite.stint", database, sizeof database), 0);
    assert_string_equal(database, "");
}

TEST(a_database_says_why_it_cannot_be_written)
{
    static const struct stint_snapshot nothing = {.process = {.command = "", .host = "", .clock = ""},
                                                  .gpu = {.reason = ""}};
    char reason[256] = "";
    assert_int_equal(stint_named_store_write("no/such/a.sqlite", &nothing, NULL, 1, reason, sizeof reason), -1);
    assert_string_not_equal(reason, "");
}
