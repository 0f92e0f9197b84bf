/* What kind of recording a file is, and what is said of one that is none. */
#include "cli/profile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

static void write_file(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(kinds_are_known_by_what_is_in_them)
{
    char archive[512] = "";
    memcpy(archive + 257, "ustar", 5);
    write_file("a.tar", archive, sizeof archive);
    write_file("a.sqlite", "SQLite format 3\0 and more", 25);
    write_file("a.json", "{}", 2);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(stint_file_kind("a.tar"), STINT_FILE_ARCHIVE);
    assert_int_equal(stint_file_kind("a.sqlite"), STINT_FILE_FOREIGN);
    assert_int_equal(stint_file_kind("a.json"), STINT_FILE_REPORT);
    assert_int_equal(stint_file_kind("folder"), STINT_FILE_FOLDER);
    assert_int_equal(stint_file_kind("nothing"), STINT_FILE_REPORT);
    assert_int_equal(stint_file_kind(STINT_GOLDEN_DIR "/recording_v2.stint"), STINT_FILE_RECORDING);
}

static void say_wrong(const char *path, size_t line)
{
    struct stint_import_error error = {.line = line, .reason = "expected {"};
    captured_output_begin();
    assert_int_equal(stint_file_say_wrong(path, path, &error), -1);
    captured_output_end();
}

TEST(what_it_is_instead_is_said)
{
    write_file("a.json.gz", "\x1f\x8b\x08", 3);
    say_wrong("a.json.gz", 1);
    assert_string_equal(captured_output.err, "stint: a.json.gz is compressed: gzip -dc a.json.gz | stint stats -\n");
    write_file("a.tar.zst", "\x28\xb5\x2f\xfd", 4);
    say_wrong("a.tar.zst", 1);
    assert_non_null(strstr(captured_output.err, "a.tar.zst is a tar archive: unpack it"));
    write_file("empty.json", "", 0);
    say_wrong("empty.json", 1);
    assert_string_equal(captured_output.err, "stint: empty.json is empty\n");
    write_file("a.nsys-rep", "x", 1);
    say_wrong("a.nsys-rep", 1);
    assert_non_null(strstr(captured_output.err, "nsys export --type sqlite a.nsys-rep"));
    write_file("a.txt", "x", 1);
    say_wrong("a.txt", 3);
    assert_string_equal(captured_output.err, "stint: a.txt:3: expected {: this is a text file, not a recording\n");
    write_file("a.txt", "hello", 5);
    say_wrong("a.txt", 1);
    assert_string_equal(captured_output.err, "stint: a.txt:1: expected {: this is a text file, not a recording\n");
    write_file("a.pftrace", "\n", 1);
    say_wrong("a.pftrace", 1);
    assert_non_null(strstr(captured_output.err, "a.pftrace is a Perfetto trace: open it at ui.perfetto.dev"));
    write_file("a.pprof", "\n", 1);
    say_wrong("a.pprof", 1);
    assert_non_null(strstr(captured_output.err, "a.pprof is a profile for pprof"));
    write_file("a.json", "{", 1);
    say_wrong("a.json", 3);
    assert_string_equal(captured_output.err, "stint: a.json:3: expected {\n");
    write_file("perf.data", "PERFILE2", 8);
    say_wrong("perf.data", 1);
    assert_non_null(strstr(captured_output.err, "perf.data is a recording of perf"));
    write_file("a.out",
               "\x7f"
               "ELF",
               4);
    say_wrong("a.out", 1);
    assert_non_null(strstr(captured_output.err, "a.out is a program or library"));
    write_file("a.log", "==12== NVPROF is profiling", 26);
    say_wrong("a.log", 1);
    assert_non_null(strstr(captured_output.err, "a.log looks like printed output of nvprof"));
    say_wrong("nothing", 0);
    assert_string_equal(captured_output.err, "stint: nothing: expected {\n");
}

TEST(texts_in_utf_16_are_told)
{
    static const char *const begins[] = {"\xff\xfe{\0", "\xfe\xff\0{", "{\0\"\0", "\0[\0{"};
    for (size_t i = 0; i < TEST_COUNT(begins); i++) {
        write_file("a.json", begins[i], 4);
        say_wrong("a.json", 1);
        assert_non_null(strstr(captured_output.err, "a.json is UTF-16 text: iconv -f UTF-16"));
        assert_non_null(strstr(captured_output.err, " -t UTF-8 a.json | stint stats -\n"));
    }
}
