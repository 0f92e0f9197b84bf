#include "cli/stores.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "cli/command.h"
#include "cli/print_reports.h"
#include "stat/event.h"
#include "store/store.h"
#include "store/write_store.h"

int stint_stores_read(struct stint_stores *stores, const char *pattern)
{
    if (*pattern && stint_path_prepare(stores->path, sizeof stores->path, pattern) == STINT_OK)
        return 0;
    stint_cli_say("--store %.256s: expected a path with %%p, %%h, %%r, %%q{NAME} or %%%%", pattern);
    return -1;
}

int stint_stores_begin(struct stint_stores *stores)
{
    char path[PATH_MAX];
    errno = ENAMETOOLONG;
    if (stint_print_path(path, sizeof path - sizeof ".XXXXXX", stores->path, 0) == 0) {
        (void)strcat(path, ".XXXXXX");
        if (mkdtemp(path) && realpath(path, stores->folder.path))
            return 0;
    }
    stint_cli_say("%s cannot be written: %s", stores->path, strerror(errno));
    return -1;
}

void stint_stores_end(const struct stint_stores *stores)
{
    if (stores->folder.path[0])
        stint_folder_remove(&stores->folder);
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* Returns 0, or -1 if it is too long. */
static int name_of(const struct stint_stores *stores, int is_first, const char *mark, char *out, size_t size)
{
    char path[PATH_MAX];
    if (stint_print_path(path, sizeof path, stores->path, strtoll(mark, NULL, 10)))
        return -1;
    if (is_first || stint_path_has_pid(stores->path))
        return snprintf(out, size, "%s", path) < (int)size ? 0 : -1;
    return stint_path_put_mark(out, size, path, mark);
}

static void say_where(const char *path, int quiet)
{
    if (!quiet)
        stint_cli_say("what was recorded is in %s", path);
}

/* --------------------------------------------------------------------------------------------------- from processes */

/* A file in the folder. */
struct found {
    const char *name; /* "4711.sqlite", "4711.exec1.sqlite"; of a process that was killed "4711.sqlite.4711.partial" */
    uint64_t start_unix_ns;
};

static int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* Whether it belongs to a process that no longer exists: "4711.sqlite.4711.partial". */
static int is_left_behind(const char *name)
{
    const char *pid = strstr(name, ".sqlite.");
    return pid && ends_with(name, ".partial") && kill((pid_t)strtol(pid + strlen(".sqlite."), NULL, 10), 0) != 0 &&
           errno == ESRCH;
}

/* Opens a file in the folder, which rolls back what a killed process had not completed. Returns NULL after saying why
 * not. */
static struct stint_store *open_store(const struct stint_folder *folder, const char *name)
{
    char reason[256], path[2 * PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    struct stint_store *store = stint_store_open(path, reason, sizeof reason);
    if (!store)
        stint_cli_say("a process's database cannot be read: %s: %s", name, reason);
    return store;
}

static int read_start(const struct stint_folder *folder, const char *name, uint64_t *start_unix_ns)
{
    struct stint_store *store = open_store(folder, name);
    if (!store)
        return -1;
    *start_unix_ns = stint_store_snapshot(store)->process.start_unix_ns;
    stint_store_close(store);
    return 0;
}

static void add(struct stint_array *all, struct stint_arena *arena, const struct stint_folder *folder, const char *name)
{
    struct found found = {.name = stint_arena_copy(arena, name, strlen(name))}, *row;
    if (!found.name || read_start(folder, name, &found.start_unix_ns))
        return;
    row = stint_array_add(all, arena, sizeof *row);
    if (!row)
        return;
    for (; row != all->items && row[-1].start_unix_ns > found.start_unix_ns; row--)
        row[0] = row[-1];
    *row = found;
}

static void find(struct stint_array *all, struct stint_arena *arena, const struct stint_folder *folder)
{
    DIR *directory = opendir(folder->path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (ends_with(entry->d_name, ".sqlite") || is_left_behind(entry->d_name))
            add(all, arena, folder, entry->d_name);
    (void)closedir(directory);
}

static void recover(const struct stint_folder *folder, const char *name, struct stint_results *results, int quiet)
{
    struct stint_store *store = open_store(folder, name);
    if (!store)
        return;
    if (!quiet)
        stint_cli_say("process %ld was killed: its report has what had been saved until then", strtol(name, NULL, 10));
    stint_results_add(results, stint_store_take_snapshot(store));
    stint_store_close(store);
}

void stint_stores_recover(const struct stint_stores *stores, struct stint_results *results, int quiet)
{
    DIR *directory = opendir(stores->folder.path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (is_left_behind(entry->d_name))
            recover(&stores->folder, entry->d_name, results, quiet);
    (void)closedir(directory);
}

static void take(const struct stint_stores *stores, const struct found *found, int is_first, int quiet)
{
    char from[2 * PATH_MAX], to[PATH_MAX], mark[NAME_MAX];
    int length = (int)(strstr(found->name, ".sqlite") - found->name);
    (void)snprintf(mark, sizeof mark, "%.*s", length, found->name);
    (void)snprintf(from, sizeof from, "%s/%s", stores->folder.path, found->name);
    errno = ENAMETOOLONG;
    if (name_of(stores, is_first, mark, to, sizeof to) || rename(from, to))
        stint_cli_say("%s cannot be written: %s", to, strerror(errno));
    else
        say_where(to, quiet);
}

/* ----------------------------------------------------------------------------------------------------- from reports */

static int write_snapshot(const char *path, const struct stint_snapshot *snapshot, char *reason, size_t size)
{
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    return stint_store_write(path, snapshot, &events.source, reason, size);
}

static void keep_snapshot(const struct stint_stores *stores, const struct stint_snapshot *snapshot, int is_first,
                          int quiet)
{
    char path[PATH_MAX], mark[24], reason[256] = "its name is too long";
    (void)snprintf(mark, sizeof mark, "%lld", (long long)snapshot->process.pid);
    if (name_of(stores, is_first, mark, path, sizeof path) || write_snapshot(path, snapshot, reason, sizeof reason))
        stint_cli_say("%s cannot be written: %s", path, reason);
    else
        say_where(path, quiet);
}

void stint_stores_take(const struct stint_stores *stores, const struct stint_results *results, int quiet)
{
    struct stint_arena arena = {0};
    struct stint_array all = {0};
    find(&all, &arena, &stores->folder);
    for (size_t i = 0; i < all.count; i++)
        take(stores, (const struct found *)all.items + i, i == 0, quiet);
    for (size_t i = 0; !all.count && i < results->all.count; i++)
        keep_snapshot(stores, stint_results_at(results, i), i == 0, quiet);
    stint_arena_free(&arena);
}

int stint_stores_take_process(const struct stint_stores *stores, const struct stint_snapshot *snapshot,
                              const char *path, char *reason, size_t size)
{
    char from[2 * PATH_MAX], left[2 * PATH_MAX];
    long long pid = (long long)snapshot->process.pid;
    (void)snprintf(from, sizeof from, "%s/%lld.sqlite", stores->folder.path, pid);
    (void)snprintf(left, sizeof left, "%s/%lld.sqlite.%lld.partial", stores->folder.path, pid, pid);
    if (rename(from, path) == 0 || rename(left, path) == 0)
        return 0;
    return write_snapshot(path, snapshot, reason, size);
}
