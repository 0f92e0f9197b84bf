#include "cli/file_kind.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/combined.h"
#include "cli/command.h"
#include "ctf/ctf.h"
#include "import/read_json.h"
#include "report/units.h"
#include "store/foreign.h"
#include "store/store.h"

static int is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return 0;
    ssize_t length = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? pread(file, head, sizeof head, 0) : 0;
    (void)close(file);
    return length == (ssize_t)sizeof head && memcmp(head, magic, sizeof magic) == 0;
}

/* Nsight Systems' own format, which only Nsight Systems can read. */
static int is_of_nsys(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".nsys-rep") == 0 || strcmp(dot, ".qdrep") == 0);
}

static int read_report(struct stint_profile *profile, const char *path)
{
    struct stint_import_error error;
    if (stint_import_file(path, &profile->snapshot, &error) == STINT_OK) {
        stint_snapshot_events_begin(&profile->own, profile->snapshot);
        profile->events = &profile->own.source;
        return 0;
    }
    if (error.line && is_of_nsys(path))
        stint_cli_say("%s cannot be read itself, but its export can: nsys export --type sqlite %s", path, path);
    else if (error.line)
        stint_cli_say("%s, line %zu: %s", path, error.line, error.reason);
    else
        stint_cli_say("%s: %s", path, error.reason);
    return -1;
}

static int read_store(struct stint_profile *profile, const char *path)
{
    char reason[256];
    profile->store = stint_store_open(path, reason, sizeof reason);
    if (!profile->store) {
        stint_cli_say("%s: %s", path, reason);
        return -1;
    }
    profile->snapshot = stint_store_snapshot(profile->store);
    profile->events = stint_store_events(profile->store);
    return 0;
}

static int read_foreign(struct stint_profile *profile, const char *path)
{
    char reason[256];
    profile->foreign = stint_foreign_open(path, reason, sizeof reason);
    if (!profile->foreign) {
        stint_cli_say("%s: %s", path, reason);
        return -1;
    }
    profile->snapshot = stint_foreign_snapshot(profile->foreign);
    profile->events = stint_foreign_events(profile->foreign);
    return 0;
}

/* Says what is missing, so that nobody takes the numbers for all there was. */
static void say_state(const char *path, const struct stint_ctf *recording)
{
    struct stint_ctf_state state = stint_ctf_state(recording);
    char span[STINT_NUMBER_SIZE];
    (void)stint_time_format(span, (double)stint_ctf_snapshot(recording)->process.wall_ns);
    if (!state.has_ended)
        stint_cli_say("%s: of a program that was killed, or still runs: up to %s", path, span);
    if (state.overwritten_events)
        stint_cli_say("%s: a ring (STINT_TRACE_RING), in which %" PRIu64 " earlier events were overwritten", path,
                      state.overwritten_events);
    if (state.damaged_bytes)
        stint_cli_say("%s: %" PRIu64 " bytes are damaged", path, state.damaged_bytes);
    if (state.missing_events)
        stint_cli_say("%s: %" PRIu64 " events are missing", path, state.missing_events);
}

static int read_recording(struct stint_profile *profile, const char *path)
{
    char reason[256];
    profile->recording = stint_ctf_open(path, reason, sizeof reason);
    if (!profile->recording) {
        stint_cli_say("%s: %s", path, reason);
        return -1;
    }
    say_state(path, profile->recording);
    profile->snapshot = stint_ctf_snapshot(profile->recording);
    profile->events = stint_ctf_events(profile->recording);
    return 0;
}

/* -------------------------------------------------------------------------------------------- folders of recordings */

static int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns the recordings in the folder, in an array of const char * in the arena; fewer without memory. */
static struct stint_array find_recordings(const char *folder, struct stint_arena *arena)
{
    struct stint_array found = {0};
    struct dirent **names = NULL;
    int count = scandir(folder, &names, NULL, versionsort);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        const char *copy = NULL, **row;
        if (names[i]->d_name[0] != '.' && length < (int)sizeof path && stint_ctf_is(path))
            copy = stint_arena_copy(arena, path, (size_t)length);
        if (copy && (row = stint_array_add(&found, arena, sizeof *row)))
            *row = copy;
        free(names[i]);
    }
    free(names);
    return found;
}

static int read_folder(struct stint_profile *profile, const char *path)
{
    struct stint_arena arena = {0};
    struct stint_array found = find_recordings(path, &arena);
    if (found.count)
        profile->combined = stint_combined_open(found.items, found.count);
    else
        stint_cli_say("%s: this folder is no recording, and has none", path);
    stint_arena_free(&arena);
    if (!profile->combined)
        return -1;
    profile->snapshot = profile->combined->sum;
    profile->events = &profile->combined->events.source;
    return 0;
}

int stint_profile_open(struct stint_profile *profile, const char *path)
{
    *profile = (struct stint_profile){0};
    if (stint_ctf_is(path))
        return read_recording(profile, path);
    if (is_folder(path))
        return read_folder(profile, path);
    if (!is_database(path))
        return read_report(profile, path);
    if (stint_store_is(path))
        return read_store(profile, path);
    return read_foreign(profile, path);
}

void stint_profile_close(struct stint_profile *profile)
{
    if (profile->store)
        stint_store_close(profile->store);
    else if (profile->recording)
        stint_ctf_close(profile->recording);
    else if (profile->combined)
        stint_combined_close(profile->combined);
    else if (profile->foreign)
        stint_foreign_close(profile->foreign);
    else
        stint_snapshot_free(profile->snapshot);
}
