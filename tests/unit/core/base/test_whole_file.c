#include "base/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

static struct stint_whole_file s_file;

/* What was asked of the system, in order: f, a file to be on the disk; r, a name to change; d, a folder to be. */
static char s_order[8];
static int s_failure; /* errno of what is asked for a file; 0: none */

int __real_fsync(int fd);
int __wrap_fsync(int fd)
{
    struct stat status;
    assert_int_equal(fstat(fd, &status), 0);
    strcat(s_order, S_ISDIR(status.st_mode) ? "d" : "f");
    if (S_ISDIR(status.st_mode) || !s_failure)
        return __real_fsync(fd);
    errno = s_failure;
    return -1;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_rename(const char *from, const char *to)
{
    strcat(s_order, "r");
    return __real_rename(from, to);
}

static const char *content(const char *path)
{
    static char text[64];
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return NULL;
    ssize_t length = read(fd, text, sizeof text - 1);
    assert_true(length >= 0);
    text[length] = '\0';
    (void)close(fd);
    return text;
}

/* The name of the file that is neither `known` nor hidden; "" if there is none. */
static const char *other_than(const char *known)
{
    static char name[256];
    DIR *folder = opendir(".");
    name[0] = '\0';
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, known) != 0 && entry->d_name[0] != '.')
            (void)snprintf(name, sizeof name, "%s", entry->d_name);
    (void)closedir(folder);
    return name;
}

static void write_old(const char *path)
{
    s_order[0] = '\0';
    assert_int_equal(stint_whole_file_open(&s_file, path, 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "old", 3), 0);
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
}

static int tear_down(void **state)
{
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", (const char *)*state);
    return chdir("/") || system(command) ? -1 : 0; // NOLINT(cert-env33-c)
}

static int set_up(void **state)
{
    static char folder[32];
    (void)snprintf(folder, sizeof folder, "/tmp/stint-test-XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

TEST_EACH(set_up, tear_down)

TEST(file_appears_when_it_is_whole)
{
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "new", 3), 0);
    assert_null(content("file"));
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
    assert_string_equal(content("file"), "new");
    assert_string_equal(other_than("file"), "");
}

TEST(what_was_there_stays_until_then)
{
    write_old("file");
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "new", 3), 0);
    assert_string_equal(content("file"), "old");
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
    assert_string_equal(content("file"), "new");
}

TEST(failure_leaves_nothing_behind)
{
    write_old("file");
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    errno = ENOMEM;
    assert_int_equal(stint_whole_file_close(&s_file, 1), ENOMEM);
    assert_string_equal(content("file"), "old");
    assert_string_equal(other_than("file"), "");
}

TEST(nothing_is_left_of_a_file_that_is_not_finished)
{
    int fd = open(".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0)
        skip();
    (void)close(fd);
    assert_int_equal(stint_whole_file_open(&s_file, "file", STINT_FILE_AT_ONCE), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "new", 3), 0);
    assert_string_equal(other_than("file"), "");
    assert_null(content("file"));
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
}

TEST(no_two_names_beside_are_the_same)
{
    char first[256];
    assert_int_equal(stint_whole_file_open(&s_file, "file", STINT_FILE_NAMED), 0);
    (void)snprintf(first, sizeof first, "%s", other_than("file"));
    assert_int_equal(strncmp(first, "file.tmp.", 9), 0);
    errno = 0;
    assert_int_equal(stint_whole_file_close(&s_file, 1), EIO);
    assert_int_equal(stint_whole_file_open(&s_file, "file", STINT_FILE_NAMED), 0);
    assert_string_not_equal(first, other_than("file"));
    errno = 0;
    assert_int_equal(stint_whole_file_close(&s_file, 1), EIO);
}

TEST(first_failure_to_write_is_told)
{
    assert_int_equal(stint_whole_file_open(&s_file, "/dev/full", 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "x", 1), -1);
    errno = EINVAL;
    assert_int_equal(stint_whole_file_close(&s_file, 1), ENOSPC);
}

TEST(devices_and_pipes_are_written_in_place)
{
    char got[4] = "";
    struct stat status;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(stint_whole_file_open(&s_file, "pipe", 0), ENXIO); /* nobody reads */
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_int_equal(stint_whole_file_open(&s_file, "pipe", 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "new", 3), 0);
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
    assert_int_equal(read(reader, got, 3), 3);
    assert_string_equal(got, "new");
    (void)close(reader);
    assert_int_equal(lstat("pipe", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

TEST(names_below_dev_and_proc_are_special)
{
    assert_true(stint_whole_file_is_special("/dev/null"));
    assert_true(stint_whole_file_is_special("/dev/stdout"));
    assert_true(stint_whole_file_is_special("/proc/self/fd/1"));
    assert_true(stint_whole_file_is_special("/"));
    assert_false(stint_whole_file_is_special("/dev/shm/file"));
    assert_false(stint_whole_file_is_special("none"));
}

TEST(links_are_followed)
{
    struct stat status;
    assert_int_equal(mkdir("below", 0777), 0);
    assert_int_equal(symlink("../file", "below/link"), 0);
    write_old("below/link");
    assert_string_equal(content("file"), "old");
    assert_int_equal(lstat("below/link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

/* Makes a folder like /tmp, where another user has made what is at `path`. */
static void give_away(const char *path)
{
    enum { SOMEBODY = 65534 };
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(".", 01777), 0);
    assert_int_equal(lchown(path, SOMEBODY, SOMEBODY), 0);
}

TEST(links_and_pipes_of_others_are_refused_where_all_may_put_them)
{
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    give_away("link");
    give_away("pipe");
    assert_int_equal(stint_whole_file_open(&s_file, "link", 0), EACCES);
    assert_int_equal(stint_whole_file_open(&s_file, "./link", 0), EACCES);
    assert_int_equal(stint_whole_file_open(&s_file, "pipe", 0), EACCES);
    assert_string_equal(other_than("link"), "pipe");
    assert_int_equal(chmod(".", 0755), 0);
    write_old("link");
    assert_string_equal(content("file"), "old");
    (void)close(reader);
}

TEST(others_do_not_say_who_may_read_a_file)
{
    struct stat status;
    write_old("file");
    assert_int_equal(chmod("file", 0666), 0);
    give_away("file");
    write_old("file");
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(status.st_uid, geteuid());
}

TEST(link_to_itself_is_an_error)
{
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(stint_whole_file_open(&s_file, "loop", 0), ELOOP);
}

TEST(new_file_is_for_its_owner_alone)
{
    struct stat status;
    mode_t mask = umask(0);
    write_old("file");
    (void)umask(mask);
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
}

TEST(replaced_file_keeps_its_permissions)
{
    struct stat status;
    write_old("file");
    assert_int_equal(chmod("file", 0664), 0);
    assert_int_equal(symlink("file", "link"), 0);
    write_old("link");
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0664);
}

TEST(nobody_else_may_read_what_is_not_whole)
{
    struct stat status;
    write_old("file");
    assert_int_equal(chmod("file", 0644), 0);
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    assert_int_equal(fstat(s_file.fd, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
}

TEST(too_long_a_path_is_refused)
{
    static char path[PATH_MAX + 1];
    memset(path, 'x', PATH_MAX);
    assert_int_equal(stint_whole_file_open(&s_file, path, 0), ENAMETOOLONG);
    path[300] = '\0';
    assert_int_equal(stint_whole_file_open(&s_file, path, 0), ENAMETOOLONG);
    assert_int_equal(stint_whole_file_open(&s_file, "none/file", 0), ENOENT);
}

static int close_durable(void)
{
    s_order[0] = '\0';
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    assert_int_equal(stint_whole_file_write(&s_file, "new", 3), 0);
    s_file.is_durable = 1;
    return stint_whole_file_close(&s_file, 0);
}

TEST(durable_file_is_on_the_disk_before_it_has_its_name)
{
    write_old("file");
    assert_string_equal(s_order, "r");
    assert_int_equal(close_durable(), 0);
    assert_string_equal(s_order, "frd");
    assert_string_equal(content("file"), "new");
}

TEST(file_that_is_not_on_the_disk_replaces_none)
{
    write_old("file");
    s_failure = EIO;
    assert_int_equal(close_durable(), EIO);
    s_failure = 0;
    assert_string_equal(s_order, "f");
    assert_string_equal(content("file"), "old");
    assert_string_equal(other_than("file"), "");
}

TEST(shared_file_may_be_read_by_all)
{
    struct stat status;
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    s_file.is_shared = 1;
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    assert_int_equal(chmod("file", 0640), 0);
    assert_int_equal(stint_whole_file_open(&s_file, "file", 0), 0);
    s_file.is_shared = 1;
    assert_int_equal(stint_whole_file_close(&s_file, 0), 0);
    assert_int_equal(stat("file", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

TEST(kept_descriptor_is_known_by_its_file)
{
    struct stat status;
    write_old("file");
    struct stint_kept_fd kept = stint_fd_keep(open("file", O_RDONLY | O_CLOEXEC));
    assert_true(kept.fd > 100);
    assert_true(stint_fd_is_kept(&kept, &status));
    assert_int_equal(status.st_size, strlen("old"));
    assert_int_equal(close(kept.fd), 0);
    assert_false(stint_fd_is_kept(&kept, &status));
    write_old("other");
    int other = open("other", O_RDONLY | O_CLOEXEC);
    assert_int_equal(dup2(other, kept.fd), kept.fd);
    assert_false(stint_fd_is_kept(&kept, &status));
    (void)close(other);
    (void)close(kept.fd);
    assert_int_equal(unlink("other"), 0);
    kept = stint_fd_keep(-1);
    assert_false(stint_fd_is_kept(&kept, &status));
}
