/* Writes a file beside its place, and renames it when all is written, so that a reader never sees half of it, and a
 * failure leaves the old one. Pipes and devices are written directly. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/process.h"

int stint_fd_raise(int fd)
{
    enum { HIGH = 1000, LESS = 200 };
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high < 0 && fd >= 0)
        high = fcntl(fd, F_DUPFD_CLOEXEC, LESS);
    if (high < 0)
        return fd;
    (void)close(fd);
    return high;
}

struct stint_kept_fd stint_fd_keep(int fd)
{
    struct stat status = {0};
    int high = stint_fd_raise(fd);
    if (high >= 0)
        (void)fstat(high, &status);
    return (struct stint_kept_fd){high, status.st_dev, status.st_ino};
}

int stint_fd_is_kept(const struct stint_kept_fd *kept, struct stat *status)
{
    return kept->fd >= 0 && fstat(kept->fd, status) == 0 && status->st_dev == kept->device &&
           status->st_ino == kept->inode;
}

int stint_whole_file_is_special(const char *path)
{
    struct stat status;
    return (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

enum { FOLDER_SIZE = PATH_MAX + 1, BESIDE_SIZE = PATH_MAX + STINT_WHOLE_FILE_MARK_SIZE };

static void name_folder_of(const char *path, char folder[FOLDER_SIZE])
{
    const char *slash = strrchr(path, '/');
    (void)snprintf(folder, FOLDER_SIZE, "%.*s.", slash ? (int)(slash + 1 - path) : 0, path);
}

int stint_whole_file_is_planted(const char *path)
{
    char folder[FOLDER_SIZE];
    struct stat status, around;
    name_folder_of(path, folder);
    return lstat(path, &status) == 0 && status.st_uid != geteuid() && stat(folder, &around) == 0 &&
           (around.st_mode & S_ISVTX) && (around.st_mode & S_IWOTH) && status.st_uid != around.st_uid;
}

/* Replaces a symbolic link's path with the path of the file that it leads to. Returns 0, or an errno value. */
static int follow_links(char *path)
{
    enum { MOST_LINKS = 16 };
    char target[PATH_MAX];
    for (int links = 0; links < MOST_LINKS; links++) {
        int is_special = stint_whole_file_is_special(path);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if ((is_special || length > 0) && stint_whole_file_is_planted(path))
            return EACCES;
        if (is_special || length <= 0)
            return 0;
        target[length] = '\0';
        char *slash = strrchr(path, '/');
        char *name = target[0] == '/' || !slash ? path : slash + 1; /* relative to the link's folder */
        if ((size_t)(name - path) + (size_t)length >= PATH_MAX)
            return ENAMETOOLONG;
        memcpy(name, target, (size_t)length + 1);
    }
    return ELOOP;
}

static int open_special(const char *path, int waits)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK));
    if (fd >= 0 && !waits)
        (void)fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

/* Makes ".tmp." and random letters: nobody can predict the name and prepare a file there. */
static void make_mark(char *mark)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    static const char begin[] = ".tmp.";
    uint64_t bits = 0;
    struct timespec now;
    if (syscall(SYS_getrandom, &bits, sizeof bits, GRND_NONBLOCK) != (long)sizeof bits) {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        bits = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec) * UINT64_C(0x9e3779b97f4a7c15);
    }
    memcpy(mark, begin, sizeof begin - 1);
    for (size_t i = sizeof begin - 1; i < STINT_WHOLE_FILE_MARK_SIZE - 1; i++, bits >>= 6)
        mark[i] = letters[bits & 63];
    mark[STINT_WHOLE_FILE_MARK_SIZE - 1] = '\0';
}

/* Writes the name that the file has until it is complete. */
static void name_beside(char *out, const struct stint_whole_file *file)
{
    size_t length = strlen(file->path);
    memcpy(out, file->path, length);
    memcpy(out + length, file->mark, sizeof file->mark);
}

static int open_beside(struct stint_whole_file *file)
{
    enum { MOST_TRIES = 16 };
    char beside[BESIDE_SIZE];
    int fd = -1;
    errno = EEXIST;
    for (int tries = 0; tries < MOST_TRIES && fd < 0 && errno == EEXIST; tries++) {
        make_mark(file->mark);
        name_beside(beside, file);
        fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    return fd;
}

#define OWN_FILES "/proc/thread-self/fd" /* some threads have descriptors of their own */

/* A file without a name goes with the process, whatever ends that. Not all file systems have them, nor can it get one
 * everywhere, or any name. */
static int open_nameless(struct stint_whole_file *file)
{
    char folder[FOLDER_SIZE], beside[BESIDE_SIZE];
    make_mark(file->mark);
    name_beside(beside, file);
    if (stint_process_was_confined() || access(OWN_FILES, X_OK) || !access(beside, F_OK) || errno != ENOENT)
        return -1;
    name_folder_of(file->path, folder);
    return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
}

static int name_nameless(int fd, const char *beside)
{
    char self[sizeof OWN_FILES + 16];
    (void)snprintf(self, sizeof self, OWN_FILES "/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, beside, AT_SYMLINK_FOLLOW);
}

static void open_regular(struct stint_whole_file *file, enum stint_whole_file_way way)
{
    file->fd = way == STINT_FILE_NAMED ? -1 : open_nameless(file);
    file->is_nameless = file->fd >= 0;
    if (!file->is_nameless)
        file->fd = open_beside(file);
}

int stint_whole_file_open(struct stint_whole_file *file, const char *path, enum stint_whole_file_way way)
{
    size_t length = strlen(path);
    file->error = file->is_durable = file->is_shared = file->is_nameless = 0;
    file->mark[0] = '\0';
    if (length >= sizeof file->path)
        return ENAMETOOLONG;
    if (stint_process_is_confined())
        return EPERM;
    memcpy(file->path, path, length + 1);
    int error = follow_links(file->path);
    if (error)
        return error;
    if (stint_whole_file_is_special(file->path))
        file->fd = open_special(file->path, way == STINT_FILE_WAITS);
    else
        open_regular(file, way);
    return file->fd < 0 ? errno : 0;
}

int stint_whole_file_write(void *context, const char *bytes, size_t length)
{
    struct stint_whole_file *file = context;
    if (stint_write_fd(&file->fd, bytes, length) == 0)
        return 0;
    if (!file->error)
        file->error = errno;
    return -1;
}

static int why(const struct stint_whole_file *file)
{
    if (file->error)
        return file->error;
    return errno ? errno : EIO;
}

/* Gives the file the permissions of the one that it replaces. */
static int keep_permissions(const struct stint_whole_file *file)
{
    struct stat old = {.st_mode = 0644};
    if (!file->mark[0])
        return 0;
    if (lstat(file->path, &old) || !S_ISREG(old.st_mode) || stint_whole_file_is_planted(file->path)) {
        if (!file->is_shared)
            return 0;
        old.st_mode = 0644;
    }
    return fchmod(file->fd, old.st_mode & 0777) ? errno : 0;
}

/* A folder that cannot be opened, or a file system that cannot do this, only means that the older file may be found. */
static void make_name_durable(const char *path)
{
    char folder[FOLDER_SIZE];
    name_folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

int stint_whole_file_close(struct stint_whole_file *file, int failed)
{
    char beside[BESIDE_SIZE];
    int is_durable = file->is_durable && file->mark[0];
    int error = failed ? why(file) : keep_permissions(file);
    if (!error && is_durable && fsync(file->fd))
        error = errno;
    name_beside(beside, file);
    if (!error && file->is_nameless && name_nameless(file->fd, beside))
        error = errno;
    if (close(file->fd) && !error)
        error = errno;
    if (!file->mark[0])
        return error;
    if (!error && rename(beside, file->path))
        error = errno;
    if (error)
        (void)unlink(beside);
    else if (is_durable)
        make_name_durable(file->path);
    return error;
}
