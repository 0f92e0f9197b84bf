/* The folder in which the processes of a run leave their reports. */
#include "cli/files.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
    return setenv("TMPDIR", ".", 1) || stint_folder_make(&s_folder);
}

static int end(void **state)
{
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

/* A socket that is listened to until it is closed. */
static int listen_as(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%.64s/%s", strrchr(s_folder.path, '/') + 1, name);
    assert_int_equal(bind(fd, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 4), 0);
    return fd;
}

static void assert_silent(size_t count, unsigned long long start_unix_ns)
{
    struct stint_arena arena = {0};
    struct stint_array silent = {0};
    stint_folder_silent(&s_folder, &silent, &arena);
    assert_int_equal(silent.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(((const struct stint_silent *)silent.items)[i].pid, 1);
    if (count == 1)
        assert_int_equal(((const struct stint_silent *)silent.items)->start_unix_ns, start_unix_ns);
    stint_arena_free(&arena);
}

/* Both have the id of process 1, as the first of a namespace has, and process 1 runs. */
TEST(sockets_say_who_has_not_reported)
{
    (void)close(listen_as("1.17.sock"));
    int fd = listen_as("1.18.sock");
    assert_silent(1, 17);
    s_folder.is_over = 1;
    assert_silent(2, 0);
    s_folder.is_over = 0;
    (void)close(fd);
}

/* One that has recorded nothing yet will perhaps. */
TEST(processes_of_the_run_are_awaited)
{
    char folder[PATH_MAX + 16];
    (void)snprintf(folder, sizeof folder, "STINT_CONTROL=%s", s_folder.path);
    pid_t child = fork();
    if (child == 0) {
        char *const arguments[] = {"sleep", "60", NULL}, *const environment[] = {folder, NULL};
        (void)execve("/bin/sleep", arguments, environment);
        _exit(1);
    }
    while (!stint_folder_is_awaited(&s_folder))
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    assert_false(stint_folder_is_awaited(&s_folder));
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
