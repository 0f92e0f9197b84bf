/* Files that are no recordings: temporary ones, those in which is kept what comes through a pipe, and the place that
 * --output names, where a file is as a whole afterwards, or as it was. */
#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "cli/command.h"

/* Containers may have no /tmp, or one that is read-only like all else but /dev/shm. */
const char *stint_temporary_folder(void)
{
    static const char *const usual[] = {"/tmp", "/var/tmp", "/dev/shm", "."};
    const char *named = stint_env_text("TMPDIR");
    if (named && access(named, W_OK | X_OK) == 0)
        return named;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], W_OK | X_OK) == 0)
            return usual[i];
    return usual[0];
}

int stint_temporary_file(char *path, size_t size)
{
    if (snprintf(path, size, "%s/stint-XXXXXX", stint_temporary_folder()) >= (int)size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkostemp(path, O_CLOEXEC);
}

/* ------------------------------------------------------------------------------------------------------------ pipes */

/* What came through a pipe, and is kept. */
struct kept {
    struct kept *next;
    const char *name; /* "-", or as the user wrote it */
    char path[32];    /* "": it cannot be read */
};

static struct kept *s_kept;

/* Returns a file that has no name, or is about to have none. */
static int make_file(void)
{
    char path[PATH_MAX];
    int file = open(stint_temporary_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    file = stint_temporary_file(path, sizeof path);
    if (file >= 0)
        (void)unlink(path);
    return file;
}

static int write_all(int file, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = write(file, bytes + done, size - done);
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* Returns 1 if more may follow, 0 at the end, -1 after saying what failed. */
static int copy_some(int file, int pipe, const char *name)
{
    static char s_bytes[1 << 18];
    ssize_t count = read(pipe, s_bytes, sizeof s_bytes);
    if (count < 0 && errno == EINTR)
        return 1;
    if (count < 0) {
        stint_cli_say("%s cannot be read: %s", name, strerror(errno));
        return -1;
    }
    if (count > 0 && write_all(file, s_bytes, (size_t)count) != 0) {
        stint_cli_say("cannot store %s in %s (set TMPDIR to use another folder): %s", name, stint_temporary_folder(),
                      strerror(errno));
        return -1;
    }
    return count > 0;
}

enum { HEAD = 512 }; /* has all by which kinds of files are recognized */

/* Whether the beginning, which is in the file, is one of JSON. */
static int begins_well(int file)
{
    char head[HEAD + 1] = "";
    if (pread(file, head, HEAD, 0) != HEAD)
        return 0;
    const char *first = head + strspn(head, "\xef\xbb\xbf \t\r\n");
    return *first == '{' || *first == '[';
}

/* Of what cannot be read no more than the beginning is kept, because it may be endless. */
static int copy_all(int file, int pipe, const char *name)
{
    int more = 1, is_judged = 0;
    while (more > 0) {
        more = copy_some(file, pipe, name);
        if (more > 0 && !is_judged && lseek(file, 0, SEEK_CUR) >= HEAD) {
            is_judged = 1;
            more = begins_well(file);
        }
    }
    return more;
}

static const char *shown_name(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard input" : name;
}

/* The file stays open, because it can be opened again only through its descriptor. */
static int keep_pipe(struct kept *kept)
{
    int is_input = strcmp(kept->name, "-") == 0;
    int file = make_file(), pipe = is_input ? STDIN_FILENO : open(kept->name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        stint_cli_say("cannot create a file for %s in %s: %s", shown_name(kept->name), stint_temporary_folder(),
                      strerror(errno));
    else if (pipe < 0)
        stint_cli_say("%s cannot be read: %s", kept->name, strerror(errno));
    else
        (void)snprintf(kept->path, sizeof kept->path, "/proc/self/fd/%d", file);
    if (kept->path[0] && copy_all(file, pipe, shown_name(kept->name)))
        kept->path[0] = '\0';
    if (!is_input && pipe >= 0)
        (void)close(pipe);
    return kept->path[0] ? 0 : -1;
}

static const char *path_of_pipe(const char *name)
{
    struct kept *kept = s_kept;
    while (kept && strcmp(kept->name, name) != 0)
        kept = kept->next;
    if (kept)
        return kept->path[0] ? kept->path : NULL;
    kept = calloc(1, sizeof *kept);
    if (!kept) {
        (void)stint_cli_say_no_memory("to keep what comes through a pipe");
        return NULL;
    }
    *kept = (struct kept){.next = s_kept, .name = name};
    s_kept = kept;
    return keep_pipe(kept) ? NULL : kept->path;
}

/* Returns NULL after saying why it cannot be read. */
static const char *standard_input(void)
{
    static char s_path[32];
    struct stat status;
    if (fstat(STDIN_FILENO, &status) != 0) {
        stint_cli_say("standard input cannot be read: %s", strerror(errno));
        return NULL;
    }
    if (isatty(STDIN_FILENO)) {
        stint_cli_say("standard input is a terminal: expected a recording, as in stint stats - <run.json");
        return NULL;
    }
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return path_of_pipe("-");
    (void)snprintf(s_path, sizeof s_path, "/proc/self/fd/%d", STDIN_FILENO);
    return s_path;
}

int stint_input_is_file(const char *name)
{
    struct stat status;
    return strcmp(name, "-") != 0 && (stat(name, &status) != 0 || !S_ISFIFO(status.st_mode));
}

const char *stint_input_path(const char *name)
{
    if (stint_input_is_file(name))
        return name;
    return strcmp(name, "-") == 0 ? standard_input() : path_of_pipe(name);
}

int stint_input_is_kept(const char *path)
{
    const struct kept *kept = s_kept;
    while (kept && kept->path != path)
        kept = kept->next;
    return kept != NULL;
}

/* ----------------------------------------------------------------------------------------------------------- output */

static int say_error(const struct stint_outfile *out, int error)
{
    if (!error)
        return 0;
    if (!out->path)
        stint_cli_end_if_unread(STDOUT_FILENO, error);
    stint_cli_say("%.512s cannot be written: %s", out->path ? out->path : "stdout", strerror(error));
    return -1;
}

int stint_outfile_open(struct stint_outfile *out, const char *path)
{
    *out = (struct stint_outfile){.file.fd = STDOUT_FILENO, .path = path};
    return path ? say_error(out, stint_whole_file_open(&out->file, path, STINT_FILE_WAITS)) : 0;
}

int stint_outfile_close(struct stint_outfile *out, int failed)
{
    if (out->path)
        return say_error(out, stint_whole_file_close(&out->file, failed));
    if (!failed)
        return 0;
    return say_error(out, out->file.error ? out->file.error : EIO);
}
