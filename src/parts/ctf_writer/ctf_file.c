/* Appends to files of a recording by their names, and makes, copies and removes them. What a folder holds that is not
 * stint's is never touched. */
#include "ctf_writer/ctf_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "ctf_writer/ctf_format.h"

/* ----------------------------------------------------------------------------------------------------------- places */

/* A folder that this process writes. It is reached by a descriptor, whose lock tells other processes. */
struct folder {
    int is_taken;
    int is_begun;
    pid_t pid;                 /* 0: not known yet */
    struct stint_kept_fd kept; /* without it, the folder is reached by its name */
    char path[PATH_MAX];
};

enum { MOST_FOLDERS = 16 }; /* several copies of libstint may write one each */

static struct folder s_folders[MOST_FOLDERS];

static struct folder *find_folder(const char *path)
{
    for (struct folder *at = s_folders; at < s_folders + MOST_FOLDERS; at++)
        if (__atomic_load_n(&at->pid, __ATOMIC_ACQUIRE) == getpid() && strcmp(at->path, path) == 0)
            return at;
    return NULL;
}

static int is_kept(const struct folder *folder)
{
    struct stat status;
    return folder && stint_fd_is_kept(&folder->kept, &status);
}

static void forget_folder(struct folder *folder)
{
    if (is_kept(folder))
        (void)close(folder->kept.fd);
    __atomic_store_n(&folder->is_taken, 0, __ATOMIC_RELEASE);
}

/* A forked child has those of its parent, too, and with them their locks. */
static void forget_parents(void)
{
    for (struct folder *at = s_folders; at < s_folders + MOST_FOLDERS; at++) {
        pid_t pid = __atomic_load_n(&at->pid, __ATOMIC_ACQUIRE);
        if (pid && pid != getpid() &&
            __atomic_compare_exchange_n(&at->pid, &pid, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            forget_folder(at);
    }
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Returns 0; -1: another process, or another namespace of this one, has locked it. Some file systems have no locks. */
static int lock_folder(int fd)
{
    if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
        return 0;
    errno = EBUSY;
    return -1;
}

static int is_busy(const char *path)
{
    int fd = open_folder(path), busy = lock_folder(fd);
    if (fd >= 0)
        (void)close(fd);
    return busy;
}

/* Notes a folder that is made. Returns NULL if another process was faster, or there are too many. */
static struct folder *note_folder(const char *path)
{
    struct folder *at = s_folders;
    forget_parents();
    while (at < s_folders + MOST_FOLDERS && __atomic_exchange_n(&at->is_taken, 1, __ATOMIC_ACQUIRE))
        at++;
    errno = EBUSY;
    if (at == s_folders + MOST_FOLDERS)
        return NULL;
    at->kept = stint_fd_keep(open_folder(path));
    at->is_begun = 0;
    if (lock_folder(at->kept.fd)) {
        forget_folder(at);
        errno = EBUSY;
        return NULL;
    }
    (void)snprintf(at->path, sizeof at->path, "%s", path);
    __atomic_store_n(&at->pid, getpid(), __ATOMIC_RELEASE);
    return at;
}

/* How a file in a folder is reached. */
struct place {
    int at;
    const char *name;
    char path[PATH_MAX];
};

static int reach(struct place *place, const char *path, const char *name)
{
    const struct folder *folder = find_folder(path);
    if (is_kept(folder)) {
        place->at = folder->kept.fd;
        place->name = name;
        return 0;
    }
    place->at = AT_FDCWD;
    place->name = place->path;
    if (snprintf(place->path, sizeof place->path, "%s/%s", path, name) < (int)sizeof place->path)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static int is_same(struct stint_ctf_file *file, const struct stat *status)
{
    if (!file->is_made) {
        file->device = status->st_dev;
        file->inode = status->st_ino;
        file->is_made = 1;
    }
    return status->st_dev == file->device && status->st_ino == file->inode;
}

int stint_ctf_file_open(struct stint_ctf_file *file, const char *folder)
{
    struct place place;
    struct stat status;
    int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (file->is_made ? 0 : O_CREAT | O_EXCL);
    if (reach(&place, folder, file->name))
        return -1;
    int descriptor = openat(place.at, place.name, flags, 0600);
    if (descriptor < 0 || (fstat(descriptor, &status) == 0 && is_same(file, &status)))
        return descriptor;
    (void)close(descriptor);
    errno = ESTALE; /* another process has made a recording of this name */
    return -1;
}

void stint_ctf_file_close(int descriptor)
{
    int error = errno;
    (void)close(descriptor);
    errno = error;
}

int stint_ctf_file_write(int descriptor, const void *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pwrite(descriptor, (const char *)bytes + done, size - done, (off_t)(at + done));
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

int stint_ctf_file_append(struct stint_ctf_file *file, const char *folder, const void *bytes, size_t size)
{
    int descriptor = stint_ctf_file_open(file, folder);
    if (descriptor < 0)
        return -1;
    int failed = stint_ctf_file_write(descriptor, bytes, size, file->size);
    stint_ctf_file_close(descriptor);
    if (!failed)
        file->size += size;
    return failed;
}

int stint_ctf_file_rename(const char *folder, const char *from, const char *to)
{
    struct place old, new;
    return reach(&old, folder, from) || reach(&new, folder, to) ? -1 : renameat(old.at, old.name, new.at, new.name);
}

static int copy_bytes(int from, const char *to, struct stint_ctf_file *copy)
{
    char bytes[65536];
    ssize_t count;
    while ((count = read(from, bytes, sizeof bytes)) != 0)
        if (count < 0 || stint_ctf_file_append(copy, to, bytes, (size_t)count))
            return -1;
    return 0;
}

int stint_ctf_file_copy(const char *folder, const char *name, const char *to, struct stint_ctf_file *copy)
{
    struct place place;
    int from = reach(&place, folder, name) ? -1 : openat(place.at, place.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (from < 0)
        return -1;
    int failed = copy_bytes(from, to, copy);
    stint_ctf_file_close(from);
    return failed;
}

int stint_ctf_file_share(const char *folder, const char *name, const char *to)
{
    struct place old, new;
    struct stint_ctf_file copy = {0};
    if (reach(&old, folder, name) || reach(&new, to, name))
        return -1;
    if (linkat(old.at, old.name, new.at, new.name, 0) == 0)
        return 0;
    (void)snprintf(copy.name, sizeof copy.name, "%s", name); /* on another disk, or one without links */
    return stint_ctf_file_copy(folder, name, to, &copy);
}

void stint_ctf_file_forget(struct stint_ctf_file *file, const char *folder)
{
    struct place place;
    if (!reach(&place, folder, file->name))
        (void)unlinkat(place.at, place.name, 0);
    file->is_made = 0;
}

/* ---------------------------------------------------------------------------------------------------------- folders */

/* Files of threads and of rings end in numbers. */
static int is_called(const char *name, const char *what)
{
    size_t length = strlen(what);
    return strncmp(name, what, length) == 0 && name[length + strspn(name + length, ".0123456789")] == '\0';
}

/* Files that are not complete begin with a dot. */
static int is_ours(const char *name)
{
    name += name[0] == '.';
    for (size_t i = 0; i < STINT_CTF_STREAMS; i++)
        if (is_called(name, stint_ctf_stream_names[i]))
            return 1;
    return is_called(name, STINT_CTF_METADATA);
}

/* Files of other folders are not removed, whatever their names. */
static int is_recording(const char *path)
{
    char metadata[PATH_MAX];
    return snprintf(metadata, sizeof metadata, "%s/" STINT_CTF_METADATA, path) < (int)sizeof metadata &&
           access(metadata, F_OK) == 0;
}

static void empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (is_ours(entry->d_name))
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    (void)closedir(folder);
}

int stint_ctf_folder_make(const char *path)
{
    if (mkdir(path, 0700) == 0)
        return 0;
    if (errno != EEXIST)
        return -1;
    if (stint_whole_file_is_planted(path)) {
        errno = EACCES;
        return -1;
    }
    if (!is_recording(path))
        return rmdir(path) == 0 ? mkdir(path, 0700) : -1;
    empty_folder(path);
    return 0;
}

/* Returns NULL if it cannot be made; errno says why. */
static struct folder *make_own(const char *path)
{
    return is_busy(path) || stint_ctf_folder_make(path) ? NULL : note_folder(path);
}

int stint_ctf_folder_begin(const char *path)
{
    struct folder *folder = find_folder(path);
    if (!folder)
        folder = make_own(path);
    if (!folder)
        return -1;
    errno = EBUSY;
    return __atomic_exchange_n(&folder->is_begun, 1, __ATOMIC_ACQ_REL) ? -1 : 0;
}

void stint_ctf_folder_end(const char *path)
{
    struct folder *folder = find_folder(path);
    if (!folder)
        return;
    __atomic_store_n(&folder->pid, 0, __ATOMIC_RELEASE);
    forget_folder(folder);
}

/* Files that the recording has by now, and the folder. */
static void give_to(int fd, uid_t owner)
{
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again < 0 ? NULL : fdopendir(again);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (is_ours(entry->d_name))
            (void)!fchownat(fd, entry->d_name, owner, (gid_t)-1, AT_SYMLINK_NOFOLLOW);
    (void)closedir(folder);
    (void)!fchown(fd, owner, (gid_t)-1);
}

void stint_ctf_folder_keep(const char *path, uid_t owner)
{
    struct folder *folder = find_folder(path);
    if (!folder)
        folder = make_own(path);
    if (folder && owner != geteuid() && is_kept(folder))
        give_to(folder->kept.fd, owner);
}

void stint_ctf_remove(const char *path)
{
    if (!is_recording(path))
        return;
    empty_folder(path);
    (void)rmdir(path);
}
