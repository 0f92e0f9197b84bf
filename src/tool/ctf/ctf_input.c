/* Lists the files of a recording, and reads from them. */
#include "ctf/ctf_input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- finding */

static int add(struct stint_array *inputs, struct stint_arena *arena, const char *folder, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    struct stint_ctf_input *input = stint_array_add(inputs, arena, sizeof *input);
    char *copy = input ? stint_arena_copy(arena, path, (size_t)length) : NULL;
    if (!copy) {
        errno = ENOMEM;
        return -1;
    }
    *input = (struct stint_ctf_input){.name = copy + (size_t)length - strlen(name), .path = copy};
    return 0;
}

int stint_ctf_inputs_find(struct stint_array *inputs, struct stint_arena *arena, const char *folder)
{
    DIR *directory = opendir(folder);
    int failed = 0;
    if (!directory)
        return -1;
    for (struct dirent *entry; !failed && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            failed = add(inputs, arena, folder, entry->d_name);
    int error = errno;
    (void)closedir(directory);
    errno = error;
    return failed;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct stint_ctf_input *)a)->name, ((const struct stint_ctf_input *)b)->name);
}

void stint_ctf_inputs_sort(struct stint_array *inputs)
{
    if (inputs->count)
        qsort(inputs->items, inputs->count, sizeof(struct stint_ctf_input), by_name);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

int stint_ctf_input_open(const struct stint_ctf_input *input, uint64_t *size)
{
    struct stat status;
    int file = open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return -1;
    *size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return file;
}

int stint_ctf_input_read(int file, uint64_t at, unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(file, bytes + done, size - done, (off_t)(at + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}
