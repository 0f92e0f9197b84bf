/* Files that are no recordings: temporary ones, standard input, and what commands write. */
#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "stint_test.h"
#include "store/scratch.h"

TEST_ONCE(scratch_make, scratch_remove)

TEST(temporary_files_are_where_tmpdir_says)
{
    char path[64];
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    assert_string_equal(stint_temporary_folder(), ".");
    int file = stint_temporary_file(path, sizeof path);
    assert_true(file >= 0);
    assert_memory_equal(path, "./stint-", 8);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(stint_temporary_file(path, 4), -1);
    assert_int_equal(errno, ENAMETOOLONG);
    assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
    assert_int_equal(access(stint_temporary_folder(), W_OK), 0);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(access(stint_temporary_folder(), W_OK), 0);
}

static int write_output(const char *path, const char *text, int failed)
{
    struct stint_outfile out;
    captured_output_begin();
    int result = stint_outfile_open(&out, path);
    if (!result) {
        result |= stint_whole_file_write(&out.file, text, strlen(text));
        result |= stint_outfile_close(&out, failed);
    }
    captured_output_end();
    return result;
}

TEST(output_is_there_as_a_whole_or_as_it_was)
{
    char text[16] = "";
    assert_int_equal(write_output("out", "first", 0), 0);
    assert_int_equal(write_output("out", "second", 1), -1);
    int file = open("out", O_RDONLY);
    assert_int_equal(read(file, text, sizeof text), 5);
    assert_string_equal(text, "first");
    assert_int_equal(close(file), 0);
    assert_int_equal(write_output("no/such/folder", "x", 0), -1);
    assert_string_equal(captured_output.err, "stint: no/such/folder cannot be written: No such file or directory\n");
    assert_int_equal(write_output(NULL, "text", 0), 0);
    assert_string_equal(captured_output.out, "text");
}

/* In a process of its own, because standard input is looked at once. Returns what is printed of it, or 1. */
static int read_input(int count, char **arguments)
{
    int pipes[2], is_pipe = strcmp(arguments[1], "pipe") == 0;
    if (strcmp(arguments[1], "closed") == 0) {
        close(STDIN_FILENO);
    } else if (strcmp(arguments[1], "terminal") == 0) {
        int terminal = posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) ||
            dup2(open(ptsname(terminal), O_RDWR | O_NOCTTY), STDIN_FILENO) < 0)
            return 2;
    } else if (is_pipe) {
        if (pipe(pipes) || write(pipes[1], "piped", 5) != 5 || close(pipes[1]) || dup2(pipes[0], STDIN_FILENO) < 0)
            return 2;
    } else {
        int file = open("input", O_RDWR | O_CREAT, 0600);
        if (write(file, "filed", 5) != 5 || dup2(file, STDIN_FILENO) < 0)
            return 2;
    }
    const char *path = stint_input_path("-");
    FILE *input = path ? fopen(path, "r") : NULL;
    char text[16] = "";
    if (!input || !fgets(text, sizeof text, input) || strcmp(path, stint_input_path("-")) != 0)
        return 1;
    (void)printf("%s %d", text, stint_input_is_kept(path) && !stint_input_is_kept("another"));
    return 0;
}

TEST(standard_input_can_be_opened_like_a_file)
{
    static const struct captured_case cases[] = {
        {"x pipe", 0, "piped 1", ""},
        {"x file", 0, "filed 0", ""},
        {"x closed", 1, "", "stint: standard input cannot be read: Bad file descriptor\n"},
        {"x terminal", 1, "",
         "stint: standard input is a terminal: expected a recording, as in stint stats - <run.json\n"}};
    CAPTURED_CHECK(read_input, cases);
}
