/* Appends to files of a recording by their names, and makes, copies and removes them. What a folder holds that is not
 * stint's is never touched. */
#include "ctf_writer/ctf_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "ctf_writer/ctf_format.h"

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
    char path[PATH_MAX];
    struct stat status;
    int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (file->is_made ? 0 : O_CREAT | O_EXCL);
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = open(path, flags, 0600);
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
    char old[PATH_MAX], new[PATH_MAX];
    if (snprintf(old, sizeof old, "%s/%s", folder, from) < (int)sizeof old &&
        snprintf(new, sizeof new, "%s/%s", folder, to) < (int)sizeof new)
        return rename(old, new);
    errno = ENAMETOOLONG;
    return -1;
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
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (from < 0)
        return -1;
    int failed = copy_bytes(from, to, copy);
    stint_ctf_file_close(from);
    return failed;
}

int stint_ctf_file_share(const char *folder, const char *name, const char *to)
{
    char old[PATH_MAX], new[PATH_MAX];
    struct stint_ctf_file copy = {0};
    (void)snprintf(old, sizeof old, "%s/%s", folder, name);
    (void)snprintf(new, sizeof new, "%s/%s", to, name);
    if (link(old, new) == 0)
        return 0;
    (void)snprintf(copy.name, sizeof copy.name, "%s", name); /* on another disk, or one without links */
    return stint_ctf_file_copy(folder, name, to, &copy);
}

void stint_ctf_file_forget(struct stint_ctf_file *file, const char *folder)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) < (int)sizeof path)
        (void)unlink(path);
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

void stint_ctf_remove(const char *path)
{
    if (!is_recording(path))
        return;
    empty_folder(path);
    (void)rmdir(path);
}
