/* Reading whole files. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "import/read_json.h"

static enum stint_status fail(struct stint_import_error *error, enum stint_status status, const char *reason)
{
    *error = (struct stint_import_error){0};
    (void)snprintf(error->reason, sizeof error->reason, "%s", reason);
    return status;
}

/* Reads until the end of the file, or `size` bytes. Returns the number of bytes, or -1. */
static ssize_t read_all(int file, char *to, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t length = read(file, to + used, size - used);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return -1;
        if (length == 0)
            break;
        used += (size_t)length;
    }
    return (ssize_t)used;
}

/* Has the reader refuse what does not begin as JSON, so that a large file of another kind is not read. Returns STINT_OK
 * if it may be JSON. */
static enum stint_status read_beginning(int file, struct stint_snapshot **snapshot, struct stint_import_error *error)
{
    char text[4096 + 1];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length < 0)
        return fail(error, STINT_ERROR_IO, strerror(errno));
    text[length] = '\0';
    size_t blank = 0;
    while (blank < (size_t)length && text[blank] && strchr(" \t\r\n", text[blank]))
        blank++;
    int is_other = (blank < (size_t)length && text[blank] != '{') || memchr(text, '\0', (size_t)length);
    return is_other ? stint_import_json(text, (size_t)length, snapshot, error) : STINT_OK;
}

static enum stint_status read_report(int file, struct stint_arena *arena, struct stint_snapshot **snapshot,
                                     struct stint_import_error *error)
{
    struct stat status;
    if (fstat(file, &status))
        return fail(error, STINT_ERROR_IO, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return fail(error, STINT_ERROR_IO, "it is not a regular file");
    enum stint_status begins = read_beginning(file, snapshot, error);
    if (begins)
        return begins;
    char *text = stint_arena_alloc(arena, (size_t)status.st_size + 1);
    if (!text)
        return fail(error, STINT_ERROR_NO_MEMORY, stint_status_string(STINT_ERROR_NO_MEMORY));
    ssize_t length = read_all(file, text, (size_t)status.st_size);
    if (length < 0)
        return fail(error, STINT_ERROR_IO, strerror(errno));
    return stint_import_json(text, (size_t)length, snapshot, error);
}

enum stint_status stint_import_file(const char *path, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error)
{
    *snapshot = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail(error, STINT_ERROR_IO, strerror(errno));
    struct stint_arena arena = {0};
    enum stint_status status = read_report(file, &arena, snapshot, error);
    stint_arena_free(&arena);
    close(file);
    return status;
}
