/* Reads the map that just-in-time compilers write for perf. It is in a folder that everybody may write to, so only the
 * user's own file counts. */
#include "symbols/perf_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/range_list.h"

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
    struct stint_range *row = copied ? stint_array_add(rows, arena, sizeof *row) : NULL;
    if (row)
        *row = (struct stint_range){begin, begin + size, copied};
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
    stint_range_list_sort(&map->rows);
}

const char *stint_perf_map_find(const struct stint_perf_map *map, uint64_t address)
{
    const struct stint_range *row = stint_range_list_find(&map->rows, address);
    return row ? row->name : NULL;
}
