/* The folder in which the processes of a run leave their reports. */
#include "cli/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint_test.h"
#include "store/scratch.h"

static struct stint_folder s_folder;

static void add_file(const char *name)
{
    char path[2 * PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", s_folder.path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
}

static int begin(void **state)
{
    (void)state;
    return setenv("TMPDIR", ".", 1) || stint_folder_make(&s_folder);
}

static int end(void **state)
{
    (void)state;
    stint_folder_remove(&s_folder);
    return access(s_folder.path, F_OK) == 0 ? -1 : 0;
}

TEST_ONCE(scratch_make, scratch_remove)
TEST_EACH(begin, end)

TEST(only_the_user_can_enter)
{
    struct stat status;
    assert_int_equal(stat(s_folder.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    assert_int_equal(s_folder.path[0], '/');
}

TEST(reports_are_listed)
{
    struct stint_arena arena = {0};
    struct stint_array paths = {0};
    assert_false(stint_folder_is_awaited(&s_folder));
    add_file("1.json");
    add_file("1.json.tmp");
    assert_int_equal(stint_folder_list(&s_folder, &paths, &arena), 0);
    assert_int_equal(paths.count, 1);
    assert_non_null(strstr(*(const char **)paths.items, "/1.json"));
    assert_true(stint_folder_is_awaited(&s_folder));
    stint_arena_free(&arena);
}

/* Returns a number that no process has. */
static pid_t end_process(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    (void)waitpid(child, NULL, 0);
    return child;
}

TEST(sockets_say_who_has_not_reported)
{
    struct stint_arena arena = {0};
    struct stint_array silent = {0};
    char name[64];
    pid_t ended = end_process();
    (void)snprintf(name, sizeof name, "%ld.sock", (long)getpid());
    add_file(name);
    assert_true(stint_folder_is_awaited(&s_folder));
    (void)snprintf(name, sizeof name, "%ld.sock", (long)ended);
    add_file(name);
    stint_folder_silent(&s_folder, &silent, &arena);
    assert_int_equal(silent.count, 1);
    assert_int_equal(*(const long *)silent.items, ended);
    stint_arena_free(&arena);
}

TEST(it_stays_for_reports_that_came_late)
{
    add_file("1.sock");
    add_file("2.json");
    stint_orphans_leave(&s_folder, NULL);
    assert_true(stint_folder_is_awaited(&s_folder));
    char path[2 * PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/1.sock", s_folder.path);
    assert_int_equal(access(path, F_OK), -1);
    (void)snprintf(path, sizeof path, "%s/2.json", s_folder.path);
    assert_int_equal(unlink(path), 0);
    stint_folder_leave(&s_folder);
    assert_int_equal(access(s_folder.path, F_OK), -1);
}
