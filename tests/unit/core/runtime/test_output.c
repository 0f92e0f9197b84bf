#include "runtime/runtime.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured_log.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* Each test has a folder of its own, which is also where it is. */
static char s_folder[64];
static int s_stderr;

static int setup(void **state)
{
    static const char *const names[] = {"STINT_REPORT", "STINT_OUTPUT", "NO_COLOR", "COLUMNS"};
    for (size_t i = 0; i < TEST_COUNT(names); ++i)
        unsetenv(names[i]);
    strcpy(s_folder, "/tmp/stint-test-XXXXXX");
    captured_log_begin();
    return mkdtemp(s_folder) && !chdir(s_folder) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", s_folder);
    return chdir("/") || system(command); // NOLINT(cert-env33-c): a fixed command
}

/* Sends stderr to a file, and ends that. */
static void begin_stderr(void)
{
    const int fd = open("stderr", O_RDWR | O_CREAT | O_TRUNC, 0600);
    fflush(stderr);
    s_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fd, STDERR_FILENO) >= 0);
    close(fd);
    stint_log_learn_streams();
}

static const char *content(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static const char *end_stderr(void)
{
    dup2(s_stderr, STDERR_FILENO);
    close(s_stderr);
    stint_log_learn_streams();
    return content("stderr");
}

static const char *final_on_stderr(void)
{
    begin_stderr();
    stint_output_final(fixture_training());
    return end_stderr();
}

static void start_with(const char *report, const char *output)
{
    if (report)
        setenv("STINT_REPORT", report, 1);
    if (output)
        setenv("STINT_OUTPUT", output, 1);
    stint_output_start();
}

/* ------------------------------------------------------------------------------------------------------ environment */

TEST_EACH(setup, teardown)

TEST(default_is_a_table_on_stderr)
{
    start_with(NULL, NULL);
    assert_true(stint_output_wanted());
    assert_non_null(strstr(final_on_stderr(), "Time(%)"));
    assert_int_equal(captured_log.lines, 0);
}

TEST(every_format_can_be_chosen)
{
    static const struct {
        const char *word, *shows;
    } formats[] = {{"table", "Time(%)"}, {"tree", "stint: "}, {"paddle", "StatSet"},
                   {"csv", ","},         {"json", "{"},       {"JSON", "{"}};

    for (size_t i = 0; i < TEST_COUNT(formats); ++i) {
        start_with(formats[i].word, NULL);
        assert_non_null(strstr(final_on_stderr(), formats[i].shows));
    }
    assert_int_equal(captured_log.lines, 0);
}

TEST(every_gpu_format_can_be_chosen)
{
    static const struct {
        const char *word, *shows;
    } formats[] = {{"nvprof", "            Type  Time(%)"},
                   {"nvprof:csv", "\"Type\",\"Time(%)\""},
                   {"gpu-trace", "Block Size     Regs*"},
                   {"gpu-trace:csv", "\"Block Z\""},
                   {"api-trace", "   Start  Duration  Name"},
                   {"api-trace:csv", "\"Start\",\"Duration\",\"Name\""},
                   {"gpu", "\nCopies\n"}};

    for (size_t i = 0; i < TEST_COUNT(formats); ++i) {
        start_with(formats[i].word, NULL);
        begin_stderr();
        stint_output_final(fixture_gpu());
        assert_non_null(strstr(end_stderr(), formats[i].shows));
    }
    fixture_gpu_free();
    assert_int_equal(captured_log.lines, 0);
}

static const char *final_of(const struct stint_snapshot *snapshot, const char *report)
{
    start_with(report, NULL);
    begin_stderr();
    stint_output_final(snapshot);
    return end_stderr();
}

TEST(several_reports_are_written_one_after_the_other)
{
    static char expected[1 << 17];
    strcpy(expected, final_of(fixture_gpu(), "nvprof"));
    strcat(expected, "\n");
    strcat(expected, final_of(fixture_gpu(), "gpu"));
    strcat(expected, "\n");
    strcat(expected, final_of(fixture_gpu(), "table:csv"));
    assert_string_equal(final_of(fixture_gpu(), "nvprof,GPU,csv"), expected);
    fixture_gpu_free();
    assert_int_equal(captured_log.lines, 0);
}

TEST(paddle_lines_among_others_have_prefixes)
{
    const char *text = final_of(fixture_training(), "paddle,tree");
    assert_int_equal(text[0], 'I');
    assert_non_null(strstr(text, "\n\nstint: "));
}

TEST(only_so_many_reports_are_a_list)
{
    char list[256] = "csv";
    for (int i = 1; i < 32; ++i)
        strcat(list, ",csv");
    start_with(list, NULL);
    assert_int_equal(captured_log.lines, 0);
    strcat(list, ",csv");
    assert_non_null(strstr(final_of(fixture_training(), list), "Time(%)"));
    assert_int_equal(captured_log.lines, 1);
}

TEST(off_is_off)
{
    start_with("off", "file");
    assert_false(stint_output_wanted());
    assert_string_equal(final_on_stderr(), "");
    assert_null(content("file"));
}

TEST(nonsense_is_reported_and_a_table)
{
    start_with("picture", NULL);
    assert_int_equal(captured_log.lines, 1);
    assert_non_null(strstr(captured_log.message, "STINT_REPORT=picture"));
    assert_non_null(strstr(final_on_stderr(), "Time(%)"));
}

TEST(path_not_understood_is_reported_and_stderr)
{
    start_with(NULL, "a%z");
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_non_null(strstr(captured_log.message, "STINT_OUTPUT=a%z"));
    assert_non_null(strstr(final_on_stderr(), "Time(%)"));
}

TEST(output_goes_to_the_file)
{
    start_with("json", "file");
    assert_string_equal(final_on_stderr(), "");
    assert_int_equal(content("file")[0], '{');
    assert_int_equal(captured_log.lines, 0);
}

TEST(several_reports_share_the_file)
{
    start_with("table:csv,json", "file");
    stint_output_final(fixture_training());
    assert_int_equal(strncmp(content("file"), "set,name,", 9), 0);
    assert_non_null(strstr(content("file"), "\n\n{\"format\":"));
}

TEST(path_is_relative_to_the_start)
{
    start_with("json", "file");
    assert_int_equal(mkdir("below", 0777), 0);
    assert_int_equal(chdir("below"), 0);
    stint_output_final(fixture_training());
    assert_null(content("file"));
    assert_non_null(content("../file"));
}

TEST(unwritable_is_reported_and_stderr)
{

    start_with("json", "no/such/folder");
    const char *text = final_on_stderr();
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_ERROR);
    assert_non_null(strstr(captured_log.message, "no/such/folder"));
    assert_non_null(strstr(captured_log.message, "No such file or directory"));
    assert_null(strstr(text, "{\""));
    assert_non_null(strstr(text, "Time(%)"));
}

/* ------------------------------------------------------------------------------------------------------------ files */

TEST(file_is_for_its_owner_alone)
{
    const mode_t mask = umask(0);
    struct stat status;
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_CSV, "file"), STINT_OK);
    umask(mask);
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

TEST(file_is_replaced_not_rewritten)
{
    char old[8] = "";
    FILE *file = fopen("file", "w+");
    struct stat before, after;
    fputs("old", file);
    fflush(file);
    assert_int_equal(fstat(fileno(file), &before), 0);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "file"), STINT_OK);
    assert_int_equal(stat("file", &after), 0);
    assert_true(before.st_ino != after.st_ino);
    rewind(file);
    assert_non_null(fgets(old, sizeof old, file));
    assert_string_equal(old, "old");
    fclose(file);
}

TEST(failure_leaves_the_old_file)
{
    FILE *file = fopen("file", "w");
    fputs("old", file);
    fclose(file);
    assert_int_equal(stint_output_file(fixture_training(), (enum stint_format)99, "file"),
                     STINT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(content("file"), "old");
    assert_int_equal(system("test `ls | wc -l` = 1"), 0); // NOLINT(cert-env33-c): no temporary file either
}

TEST(patterns_are_expanded)
{
    char expected[64];
    setenv("TEST_VARIABLE", "v", 1);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "%q{TEST_VARIABLE}.%p"), STINT_OK);
    snprintf(expected, sizeof expected, "v.%d", (int)getpid());
    assert_non_null(content(expected));
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "%"), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(too_long_a_path_is_refused)
{
    static char path[PATH_MAX + 10];
    memset(path, 'x', sizeof path - 1);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, path), STINT_ERROR_INVALID_ARGUMENT);
    start_with("json", path);
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(final_on_stderr()[0], '{');
}

TEST(paddle_lines_in_files_have_prefixes)
{
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_PADDLE, "file"), STINT_OK);
    for (const char *line = content("file"); *line; line += strcspn(line, "\n") + 1) {
        assert_int_equal(*line, 'I');
        assert_non_null(strstr(line, "] "));
    }
}

TEST(devices_are_written_not_replaced)
{
    struct stat before, after;
    assert_int_equal(stat("/dev/null", &before), 0);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "/dev/null"), STINT_OK);
    assert_int_equal(stat("/dev/null", &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "/dev/full"), STINT_ERROR_IO);
    assert_non_null(strstr(captured_log.message, "No space left on device"));
}

TEST(links_are_followed)
{
    struct stat status;
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(symlink("link", "link to link"), 0);
    assert_int_equal(mkdir("below", 0777), 0);
    assert_int_equal(symlink("../file", "below/link"), 0);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "link to link"), STINT_OK);
    assert_non_null(content("file"));
    remove("file");
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "below/link"), STINT_OK);
    assert_non_null(content("file"));
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

TEST(link_to_itself_is_an_error)
{
    assert_int_equal(symlink("loop", "loop"), 0);
    (void)stint_output_file(fixture_training(), STINT_FORMAT_JSON, "loop");
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(symlink("sub", "folder"), 0);
    assert_int_equal(stint_output_file(fixture_training(), STINT_FORMAT_JSON, "folder"), STINT_ERROR_IO);
}

/* ------------------------------------------------------------------------------------------------------------- forking
 *
 * Last, because it is for good. */

TEST(child_has_its_own_path)
{
    char own[64];
    start_with("json", "file");
    stint_output_after_fork();
    stint_output_final(fixture_training());
    snprintf(own, sizeof own, "file.%d", (int)getpid());
    assert_null(content("file"));
    assert_non_null(content(own));
}

TEST(child_needs_no_second_id)
{
    char own[64];
    start_with("json", "%p.file");
    stint_output_after_fork();
    stint_output_final(fixture_training());
    snprintf(own, sizeof own, "%d.file", (int)getpid());
    assert_non_null(content(own));
}

TEST(letters_of_a_pattern_are_no_id)
{
    char own[64];
    start_with("json", "file%%p");
    stint_output_after_fork();
    stint_output_final(fixture_training());
    snprintf(own, sizeof own, "file%%p.%d", (int)getpid());
    assert_non_null(content(own));
}

TEST(device_is_not_a_childs_alone)
{
    char own[64];
    assert_int_equal(symlink("/dev/null", "null"), 0);
    start_with("json", "null");
    stint_output_after_fork();
    stint_output_final(fixture_training());
    snprintf(own, sizeof own, "null.%d", (int)getpid());
    assert_null(content(own));
}
