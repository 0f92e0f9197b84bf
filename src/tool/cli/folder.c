#include "cli/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

int stint_folder_make(struct stint_folder *folder)
{
    char path[PATH_MAX];
    const char *parent = stint_env_text("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/stint-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(path) && realpath(path, folder->path) ? 0 : -1;
}

static int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static int add_path(const struct stint_folder *folder, const char *name, struct stint_array *paths,
                    struct stint_arena *arena)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder->path, name);
    const char **row = stint_array_add(paths, arena, sizeof *row);
    if (!row || length >= (int)sizeof path)
        return -1;
    *row = stint_arena_copy(arena, path, strlen(path));
    return *row ? 0 : -1;
}

int stint_folder_list(const struct stint_folder *folder, struct stint_array *paths, struct stint_arena *arena)
{
    DIR *all = opendir(folder->path);
    int result = 0;
    if (!all)
        return -1;
    for (struct dirent *entry; result == 0 && (entry = readdir(all));)
        if (ends_with(entry->d_name, ".json"))
            result = add_path(folder, entry->d_name, paths, arena);
    (void)closedir(all);
    return result;
}

void stint_folder_remove(const struct stint_folder *folder)
{
    DIR *all = opendir(folder->path);
    if (all) {
        for (struct dirent *entry; (entry = readdir(all));)
            (void)unlinkat(dirfd(all), entry->d_name, 0);
        (void)closedir(all);
    }
    (void)rmdir(folder->path);
}
