#include "symbols/perf_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
    uint64_t begin, end;
    const char *name;
};

/* "7f12c0de0 1f py::main:/a/train.py": where it begins, its size, its name. */
static void add_line(struct stint_array *rows, struct stint_arena *arena, char *line)
{
    char *at, *name;
    uint64_t begin = strtoull(line, &at, 16), size = strtoull(at, &name, 16);
    name += *name == ' ';
    name[strcspn(name, "\n")] = '\0';
    if (at == line || !size || !*name || begin + size < begin)
        return;
    const char *copied = stint_arena_copy(arena, name, strlen(name));
    struct row *row = copied ? stint_array_add(rows, arena, sizeof *row) : NULL;
    if (row)
        *row = (struct row){begin, begin + size, copied};
}

/* Others may write to /tmp as well. */
static FILE *open_own(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    if (file && fstat(fileno(file), &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0))
        return file;
    if (file)
        (void)fclose(file);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void stint_perf_map_read(struct stint_perf_map *map, int64_t pid, struct stint_arena *arena)
{
    char path[64], *line = NULL;
    size_t size = 0;
    *map = (struct stint_perf_map){.pid = pid};
    (void)snprintf(path, sizeof path, "/tmp/perf-%" PRId64 ".map", pid);
    FILE *file = open_own(path);
    while (file && getline(&line, &size, file) > 0)
        add_line(&map->rows, arena, line);
    free(line);
    if (file)
        (void)fclose(file);
    if (map->rows.count)
        qsort(map->rows.items, map->rows.count, sizeof(struct row), compare);
}

const char *stint_perf_map_find(const struct stint_perf_map *map, uint64_t address)
{
    const struct row *rows = map->rows.items;
    size_t low = 0, high = map->rows.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < rows[low - 1].end ? rows[low - 1].name : NULL;
}
