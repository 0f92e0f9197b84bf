#include "trace/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void stint_spill_begin(struct stint_spill *spill)
{
    *spill = (struct stint_spill){.file = -1};
}

static int make_file(const char *path)
{
    char name[PATH_MAX];

    if (snprintf(name, sizeof name, "%s.XXXXXX", path) >= (int)sizeof name)
        return -1;
    int file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        (void)unlink(name);
    return file;
}

/* Calls pread or pwrite until all bytes have gone. */
static int transfer(ssize_t (*act)(int file, void *bytes, size_t size, off_t at), int file, void *bytes, uint64_t chunk)
{
    size_t done = 0;

    while (done < sizeof(struct stint_chunk)) {
        ssize_t count = act(file, (char *)bytes + done, sizeof(struct stint_chunk) - done,
                            (off_t)(chunk * sizeof(struct stint_chunk) + done));

        if (count <= 0 && !(count < 0 && errno == EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

static ssize_t write_at(int file, void *bytes, size_t size, off_t at)
{
    return pwrite(file, bytes, size, at);
}

int stint_spill_put(struct stint_spill *spill, const char *path, const struct stint_chunk *chunk)
{
    void *bytes = (void *)(uintptr_t)chunk; /* which are only read */

    if (spill->file < 0)
        spill->file = make_file(path);
    if (spill->file < 0 || transfer(write_at, spill->file, bytes, spill->put))
        return -1;
    spill->put++;
    return 0;
}

/* When all chunks have been read back, the file is written from its beginning again. */
int stint_spill_get(struct stint_spill *spill, struct stint_chunk *chunk)
{
    if (spill->got == spill->put)
        return 0;
    int failed = transfer(pread, spill->file, chunk, spill->got);
    if (++spill->got == spill->put) {
        spill->got = spill->put = 0;
        (void)!ftruncate(spill->file, 0);
    }
    return failed ? -1 : 1;
}

void stint_spill_end(struct stint_spill *spill)
{
    if (spill->file >= 0)
        (void)close(spill->file);
    stint_spill_begin(spill);
}
