/* Before a replay CUPTI saves what the kernel may write, that is, the whole memory of the device that is in use.
 * Compares its size with what device, host and container have free. */
#include "counters/replay_room.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/driver_function.h"

static int device_memory(size_t *free_bytes, size_t *all_bytes)
{
    static int (*get)(size_t * free_bytes, size_t * all_bytes);
    if (!get)
        stint_driver_function("cuMemGetInfo_v2", &get);
    return get ? get(free_bytes, all_bytes) : -1;
}

/* Returns the number behind `key` in a small file, or UINT64_MAX, as for the word "max". */
static uint64_t number_in(const char *path, const char *key)
{
    char text[4096];
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        (void)fclose(file);
    text[length] = '\0';
    const char *at = strstr(text, key);
    at = at ? at + strlen(key) : "";
    at += strspn(at, " \t");
    return *at >= '0' && *at <= '9' ? strtoull(at, NULL, 10) : UINT64_MAX;
}

/* A container may have less than the machine. */
static uint64_t host_memory(void)
{
    uint64_t free_kib = number_in("/proc/meminfo", "MemAvailable:");
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", ""), used = number_in("/sys/fs/cgroup/memory.current", "");
    uint64_t bytes = free_kib < UINT64_MAX >> 10 ? free_kib << 10 : UINT64_MAX;
    if (most == UINT64_MAX || used == UINT64_MAX)
        return bytes;
    uint64_t left = most > used ? most - used : 0;
    return left < bytes ? left : bytes;
}

int stint_replay_room(char *why, size_t size)
{
    size_t free_bytes, all_bytes;
    if (device_memory(&free_bytes, &all_bytes) || all_bytes - free_bytes <= free_bytes)
        return 0;
    uint64_t beyond = all_bytes - 2 * (uint64_t)free_bytes, host = host_memory();
    if (beyond <= host)
        return 0;
    (void)snprintf(
        why, size,
        "a replay may have to save the %.1f GB of the device that are in use, and only %.1f GB are free there "
        "and %.1f GB on the host; --replay-mode application saves nothing",
        (double)(all_bytes - free_bytes) / 1e9, (double)free_bytes / 1e9, (double)host / 1e9);
    return -1;
}
