/* Files of a recording in a folder of the test's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctf_writer/ctf_format.h"
#include "ctf_writer/ctf_output.h"
#include "stint_test.h"

static char s_folder[64], s_recording[128];

static const char *path_of(const char *name)
{
    static char s_path[256];
    (void)snprintf(s_path, sizeof s_path, "%s/%s", s_recording, name);
    return s_path;
}

static int begin(void **state)
{
    strcpy(s_folder, "/tmp/stint_ctf_file_XXXXXX");
    if (!mkdtemp(s_folder))
        return -1;
    (void)snprintf(s_recording, sizeof s_recording, "%s/run.stint", s_folder);
    return stint_ctf_folder_make(s_recording);
}

static int end(void **state)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", s_folder);
    return system(command);
}

static void check_content(const char *name, const char *expected)
{
    char content[64] = "";
    int file = open(path_of(name), O_RDONLY);
    assert_true(file >= 0);
    assert_true(read(file, content, sizeof content - 1) >= 0);
    (void)close(file);
    assert_string_equal(content, expected);
}

static void make(const char *name)
{
    struct stint_ctf_file file = {.is_made = 0};
    strcpy(file.name, name);
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "x", 1), 0);
}

TEST_EACH(begin, end)

TEST(what_is_appended_follows)
{
    struct stint_ctf_file file = {.name = "thread-1"};
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "one ", 4), 0);
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "two", 3), 0);
    assert_int_equal(file.size, 7);
    check_content("thread-1", "one two");
}

TEST(a_file_of_somebody_else_is_not_written)
{
    struct stint_ctf_file file = {.name = "thread-1"}, second = {.name = "thread-1"};
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "one", 3), 0);
    assert_int_equal(stint_ctf_file_append(&second, s_recording, "two", 3), -1);
    assert_int_equal(errno, EEXIST);
}

TEST(a_replaced_file_is_not_written)
{
    struct stint_ctf_file file = {.name = "thread-1"};
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "one", 3), 0);
    make("thread-2");
    assert_int_equal(stint_ctf_file_rename(s_recording, "thread-2", "thread-1"), 0);
    assert_int_equal(stint_ctf_file_append(&file, s_recording, "two", 3), -1);
    assert_int_equal(errno, ESTALE);
    check_content("thread-1", "x");
}

TEST(a_shared_file_is_in_both_folders)
{
    char other[192];
    struct stat status;
    (void)snprintf(other, sizeof other, "%s/other.stint", s_folder);
    assert_int_equal(stint_ctf_folder_make(other), 0);
    make("devices");
    assert_int_equal(stint_ctf_file_share(s_recording, "devices", other), 0);
    assert_int_equal(stat(path_of("devices"), &status), 0);
    assert_int_equal(status.st_nlink, 2);
}

/* All that is not stint's stays, and with it the folder. */
TEST(only_a_recording_is_removed)
{
    make("thread-1");
    stint_ctf_remove(s_recording); /* without metadata it is none */
    assert_int_equal(access(path_of("thread-1"), F_OK), 0);
    make(STINT_CTF_METADATA);
    make("notes.txt");
    stint_ctf_remove(s_recording);
    assert_int_not_equal(access(path_of("thread-1"), F_OK), 0);
    assert_int_equal(access(path_of("notes.txt"), F_OK), 0);
}

TEST(an_earlier_recording_makes_room)
{
    make(STINT_CTF_METADATA);
    make("thread-1.12");
    assert_int_equal(stint_ctf_folder_make(s_recording), 0);
    assert_int_not_equal(access(path_of("thread-1.12"), F_OK), 0);
    make("notes.txt");
    assert_int_equal(stint_ctf_folder_make(s_recording), -1); /* it has something else, and is no recording */
    assert_int_equal(errno, ENOTEMPTY);
}

static void append(struct stint_ctf_file *file, const char *bytes)
{
    assert_int_equal(stint_ctf_file_append(file, s_recording, bytes, strlen(bytes)), 0);
}

TEST(folder_that_is_kept_is_reached_wherever_its_name_leads)
{
    struct stint_ctf_file before = {.name = "threads_1"}, after = {.name = "threads_2"};
    char name[128];
    assert_int_equal(stint_ctf_folder_begin(s_recording), 0);
    append(&before, "one");
    stint_ctf_folder_keep(s_recording, geteuid());
    strcpy(name, s_recording);
    (void)snprintf(s_recording, sizeof s_recording, "%s/moved", s_folder);
    assert_int_equal(rename(name, s_recording), 0);
    strcpy(s_recording, name);
    append(&before, "two");
    append(&after, "three");
    assert_int_equal(stint_ctf_file_rename(s_recording, after.name, "threads_3"), 0);
    assert_int_equal(access(name, F_OK), -1);
    (void)snprintf(s_recording, sizeof s_recording, "%s/moved", s_folder);
    check_content("threads_1", "onetwo");
    check_content("threads_3", "three");
}

TEST(folder_that_is_written_is_not_begun_again)
{
    struct stint_ctf_file file = {.name = "threads_1"};
    (void)snprintf(s_recording, sizeof s_recording, "%s/busy.stint", s_folder);
    assert_int_equal(stint_ctf_folder_begin(s_recording), 0);
    append(&file, "one");
    assert_int_equal(stint_ctf_folder_begin(s_recording), -1);
    assert_int_equal(errno, EBUSY);
    check_content("threads_1", "one");
    stint_ctf_folder_end(s_recording);
}

static int begin_elsewhere(void)
{
    int status = -1;
    pid_t child = fork();
    if (!child)
        _exit(stint_ctf_folder_begin(s_recording) ? errno : 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

TEST(folder_that_another_process_writes_is_left_to_it)
{
    (void)snprintf(s_recording, sizeof s_recording, "%s/others.stint", s_folder);
    assert_int_equal(stint_ctf_folder_begin(s_recording), 0);
    int lock = open(s_recording, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), -1); /* as one that this process was not forked from */
    (void)close(lock);
    stint_ctf_folder_end(s_recording);
    lock = open(s_recording, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(begin_elsewhere(), EBUSY);
    (void)close(lock);
    assert_int_equal(begin_elsewhere(), 0);
}

TEST(folder_that_is_kept_before_it_is_begun_is_not_emptied)
{
    (void)snprintf(s_recording, sizeof s_recording, "%s/early.stint", s_folder);
    struct stint_ctf_file file = {.name = "threads_1"};
    stint_ctf_folder_keep(s_recording, geteuid());
    append(&file, "one");
    assert_int_equal(stint_ctf_folder_begin(s_recording), 0);
    check_content("threads_1", "one");
}

TEST(number_of_a_descriptor_that_was_closed_is_not_used)
{
    struct stint_ctf_file file = {.name = "threads_1"};
    (void)snprintf(s_recording, sizeof s_recording, "%s/closed.stint", s_folder);
    stint_ctf_folder_keep(s_recording, geteuid());
    int other = open(s_folder, O_RDONLY | O_DIRECTORY);
    for (int fd = 200; fd < 1024; fd++)
        (void)dup2(other, fd);
    append(&file, "one");
    check_content("threads_1", "one");
}
