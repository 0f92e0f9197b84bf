/* Takes any bytes as an archive of tar. Either it is refused with a reason, or the files in it are sorted, have names,
 * and begin within it. The second time the sums of all heads are made right, so that damage gets past them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/tar.h"
#include "fuzz.h"

enum { BLOCK = 512, SUM_AT = 148, SUM_LENGTH = 8, MAGIC_AT = 257 };

static void check_file(const struct stint_tar_file *file, const struct stint_tar_file *before, size_t size)
{
    require(!strchr(file->input.name, '/'), "a name has a folder");
    require(file->input.at <= size, "a file begins behind the archive's end");
    if (!before)
        return;
    int folder = strcmp(before->folder, file->folder);
    require(folder <= 0, "folders are not sorted");
    require(folder || strcmp(before->input.name, file->input.name) < 0, "names are not sorted");
}

static void check(const char *path, size_t size)
{
    struct stint_tar tar = {0};
    if (stint_tar_read(&tar, path) != 0)
        require(tar.reason[0] != '\0', "there is no reason");
    const struct stint_tar_file *files = tar.files.items;
    for (size_t i = 0; i < tar.files.count; i++) {
        uint64_t length = UINT64_MAX;
        check_file(&files[i], i ? &files[i - 1] : NULL, size);
        int file = stint_ctf_input_open(&files[i].input, &length);
        require(file >= 0 && length <= size - files[i].input.at, "a file ends behind the archive's end");
        close(file);
    }
    stint_tar_free(&tar);
}

static void repair(char *bytes, size_t size)
{
    for (size_t at = 0; at + BLOCK <= size; at += BLOCK) {
        unsigned sum = 0;
        if (memcmp(bytes + at + MAGIC_AT, "ustar", 5) != 0)
            continue;
        memset(bytes + at + SUM_AT, ' ', SUM_LENGTH);
        for (size_t i = 0; i < BLOCK; i++)
            sum += (unsigned char)bytes[at + i];
        (void)snprintf(bytes + at + SUM_AT, SUM_LENGTH, "%06o", sum);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32], *bytes = copy_text(data, size);
    int file = memfd_create("fuzz_tar", MFD_CLOEXEC);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    require(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size, "the archive cannot be written");
    (void)stint_tar_is(path);
    check(path, size);
    repair(bytes, size);
    require(pwrite(file, bytes, size, 0) == (ssize_t)size, "the archive cannot be written");
    check(path, size);
    close(file);
    free(bytes);
    return 0;
}
