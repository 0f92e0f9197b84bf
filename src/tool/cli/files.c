/* Files that are no recordings: temporary ones, standard input as a file, which is kept if it comes through a pipe, and
 * the place that --output names, where a file is as a whole afterwards, or as it was. */
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

/* --------------------------------------------------------------------------------------------------- standard input */

static char s_path[32]; /* "": not looked at yet */
static int s_is_pipe;

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
static int copy_some(int file)
{
    static char s_bytes[1 << 18];
    ssize_t count = read(STDIN_FILENO, s_bytes, sizeof s_bytes);
    if (count < 0 && errno == EINTR)
        return 1;
    if (count < 0) {
        stint_cli_say("standard input cannot be read: %s", strerror(errno));
        return -1;
    }
    if (count > 0 && write_all(file, s_bytes, (size_t)count) != 0) {
        stint_cli_say("cannot store standard input in %s (set TMPDIR to use another folder): %s",
                      stint_temporary_folder(), strerror(errno));
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
static int copy_all(int file)
{
    int more = 1, is_judged = 0;
    while (more > 0) {
        more = copy_some(file);
        if (more > 0 && !is_judged && lseek(file, 0, SEEK_CUR) >= HEAD) {
            is_judged = 1;
            more = begins_well(file);
        }
    }
    return more;
}

/* The file stays open, because it can be opened again only through its descriptor. */
static int keep_pipe(void)
{
    int file = make_file();
    if (file < 0) {
        stint_cli_say("cannot create a file for standard input in %s: %s", stint_temporary_folder(), strerror(errno));
        return -1;
    }
    (void)snprintf(s_path, sizeof s_path, "/proc/self/fd/%d", file);
    s_is_pipe = 1;
    if (copy_all(file) == 0)
        return 0;
    s_path[0] = '\0';
    return -1;
}

const char *stint_standard_input(void)
{
    struct stat status;
    if (s_path[0])
        return s_path;
    if (fstat(STDIN_FILENO, &status) != 0) {
        stint_cli_say("standard input cannot be read: %s", strerror(errno));
        return NULL;
    }
    if (isatty(STDIN_FILENO)) {
        stint_cli_say("standard input is a terminal: expected a recording, as in stint stats - <run.json");
        return NULL;
    }
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        (void)snprintf(s_path, sizeof s_path, "/proc/self/fd/%d", STDIN_FILENO);
    else if (keep_pipe())
        return NULL;
    return s_path;
}

int stint_standard_input_is_pipe(void)
{
    return s_is_pipe;
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
