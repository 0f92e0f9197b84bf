/* Files for other tools that are compressed as they are written. */
#include <stdio.h>
#include <string.h>
#ifdef STINT_HAS_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif

#include "base/whole_file.h"
#include "cli/files.h"

#ifdef STINT_HAS_ZLIB

struct gzip {
    z_stream stream;
    struct stint_whole_file *file;
    unsigned char out[1 << 16];
};

/* Compresses what there is, and with Z_FINISH also what zlib has kept. */
static int deflate_all(struct gzip *gzip, int flush)
{
    do {
        gzip->stream.next_out = gzip->out;
        gzip->stream.avail_out = sizeof gzip->out;
        (void)deflate(&gzip->stream, flush);
        size_t length = sizeof gzip->out - gzip->stream.avail_out;
        if (length && stint_whole_file_write(gzip->file, (const char *)gzip->out, length))
            return -1;
    } while (!gzip->stream.avail_out);
    return 0;
}

static int write_gzip(void *context, const char *bytes, size_t length)
{
    enum { MOST = 1 << 30 };
    struct gzip *gzip = context;
    for (size_t part; length; bytes += part, length -= part) {
        part = length < MOST ? length : MOST;
        gzip->stream.next_in = (const unsigned char *)bytes;
        gzip->stream.avail_in = (unsigned)part;
        if (deflate_all(gzip, Z_NO_FLUSH))
            return -1;
    }
    return 0;
}

static int write_all(const struct stint_export_input *input, enum stint_export_format format,
                     struct stint_whole_file *file, char *reason, size_t size)
{
    enum { FORM_OF_GZIP = 15 + 16, MEMORY = 8 };
    struct gzip gzip = {.file = file};
    if (deflateInit2(&gzip.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, FORM_OF_GZIP, MEMORY, Z_DEFAULT_STRATEGY)) {
        (void)snprintf(reason, size, "there is not enough memory");
        return -1;
    }
    int failed = stint_export_write(input, format, write_gzip, &gzip, reason, size) || deflate_all(&gzip, Z_FINISH);
    (void)deflateEnd(&gzip.stream);
    return failed;
}

#else

static int write_all(const struct stint_export_input *input, enum stint_export_format format,
                     struct stint_whole_file *file, char *reason, size_t size)
{
    (void)input;
    (void)format;
    (void)file;
    (void)snprintf(reason, size, "this stint was built without zlib: leave .gz out of the name");
    return -1;
}

#endif

int stint_gzip_file(const struct stint_export_input *input, enum stint_export_format format, const char *path,
                    char *reason, size_t size)
{
    struct stint_whole_file file;
    int failed = 0, error = stint_whole_file_open(&file, path, STINT_FILE_WAITS);
    if (!error) {
        failed = write_all(input, format, &file, reason, size);
        error = stint_whole_file_close(&file, failed);
    }
    if (error && (!failed || file.error))
        (void)snprintf(reason, size, "%s", strerror(error));
    return error || failed ? -1 : 0;
}
