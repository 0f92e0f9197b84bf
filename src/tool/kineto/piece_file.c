/* Reads a file, which may be packed by gzip. */
#include "kineto/piece_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef STINT_HAS_ZLIB
#include <zlib.h>
#endif

enum { MOST_AT_ONCE = 1 << 24 };

/* Returns a descriptor, or -1. A device or a pipe might never end. */
static int open_regular(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    if (file >= 0) {
        (void)close(file);
        errno = EINVAL;
    }
    return -1;
}

static size_t at_most(size_t size)
{
    return size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
}

#ifdef STINT_HAS_ZLIB

/* A trace becomes 20 to 40 times as small. What becomes so much smaller is made to fill a disk. */
enum { RATIO_MOST = 200, RATIO_FROM = 1 << 26 };

struct stint_piece_file {
    gzFile zipped; /* reads other files as they are */
    uint64_t read; /* bytes, as they were before they were compressed */
};

struct stint_piece_file *stint_piece_file_open(const char *path)
{
    int descriptor = open_regular(path);
    struct stint_piece_file *file = descriptor >= 0 ? calloc(1, sizeof *file) : NULL;
    if (file && (file->zipped = gzdopen(descriptor, "rb"))) {
        (void)gzbuffer(file->zipped, 1 << 18);
        return file;
    }
    if (descriptor >= 0)
        (void)close(descriptor);
    free(file);
    return NULL;
}

ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason)
{
    int code = Z_OK, length = gzread(file->zipped, to, (unsigned)at_most(size));
    *reason = gzerror(file->zipped, &code);
    if (code == Z_ERRNO)
        *reason = strerror(errno);
    if (length > 0)
        file->read += (uint64_t)length;
    if (!gzdirect(file->zipped) && file->read > RATIO_FROM &&
        file->read / RATIO_MOST > (uint64_t)gzoffset(file->zipped)) {
        *reason = "it is compressed to less than a 200th, as no trace is";
        return -1;
    }
    return length > 0 || code == Z_OK ? length : -1;
}

void stint_piece_file_close(struct stint_piece_file *file)
{
    if (file)
        (void)gzclose_r(file->zipped);
    free(file);
}

#else

struct stint_piece_file {
    int descriptor;
};

struct stint_piece_file *stint_piece_file_open(const char *path)
{
    int descriptor = open_regular(path);
    struct stint_piece_file *file = descriptor >= 0 ? calloc(1, sizeof *file) : NULL;
    if (file)
        file->descriptor = descriptor;
    else if (descriptor >= 0)
        (void)close(descriptor);
    return file;
}

ssize_t stint_piece_file_read(struct stint_piece_file *file, char *to, size_t size, const char **reason)
{
    ssize_t length;
    do
        length = read(file->descriptor, to, at_most(size));
    while (length < 0 && errno == EINTR);
    *reason = strerror(errno);
    return length;
}

void stint_piece_file_close(struct stint_piece_file *file)
{
    if (file)
        (void)close(file->descriptor);
    free(file);
}

#endif
