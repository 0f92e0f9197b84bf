#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

static size_t read_file(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = -1;

    if (fd >= 0) {
        length = read(fd, out, size - 1);
        close(fd);
    }
    out[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

void stint_process_command(char *out, size_t size)
{
    size_t length = read_file("/proc/self/cmdline", out, size);

    while (length && !out[length - 1])
        length--;
    for (size_t i = 0; i < length; i++)
        if (!out[i])
            out[i] = ' ';
}

void stint_process_host(char *out, size_t size)
{
    if (gethostname(out, size) && errno != ENAMETOOLONG)
        out[0] = '\0';
    out[size - 1] = '\0';
}

const char *stint_process_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (stint_env_text(names[i]))
            return stint_env_text(names[i]);
    return NULL;
}

void stint_process_thread_name(char *out, size_t size, int64_t tid)
{
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/self/task/%lld/comm", (long long)tid);
    read_file(path, out, size);
    out[strcspn(out, "\n")] = '\0';
}
