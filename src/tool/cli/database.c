/* Databases that the program writes: with the names of sampled functions, which are looked up here; and of a recording
 * beside it, once, as nsys stats does. The recording is found again where it is read faster. */
#include "cli/profile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cpu/cpu_profile.h"
#include "ctf/ctf.h"
#include "store/store.h"

int stint_named_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                            int quiet, char *reason, size_t size)
{
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_function_names names = stint_cpu_names(symbols);
    int failed = stint_store_write(path, snapshot, events, &names, reason, size);
    if (symbols && !quiet && *stint_symbols_remark(symbols))
        stint_cli_say("%s", stint_symbols_remark(symbols));
    stint_symbols_end(symbols);
    return failed;
}

/* ----------------------------------------------------------------------------------------------- beside a recording */

static int ends_in(const char *text, size_t length, const char *ending)
{
    size_t end = strlen(ending);
    return length > end && strncmp(text + length - end, ending, end) == 0;
}

/* "run.sqlite" for run.stint, and for run.sqlite.stint. */
static void name_database(char *out, size_t size, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (ends_in(path, length, ".stint"))
        length -= strlen(".stint");
    const char *ending = ends_in(path, length, ".sqlite") ? "" : ".sqlite";
    if (snprintf(out, size, "%.*s%s", (int)length, path, ending) >= (int)size)
        out[0] = '\0';
}

static int is_same_process(const struct stint_process *a, const struct stint_process *b)
{
    return a->pid == b->pid && a->start_unix_ns == b->start_unix_ns;
}

enum found { NOTHING, ANOTHER, OLDER, THIS };

/* What the file is, if there is one. */
static enum found look_at(const char *path, const struct stint_process *process)
{
    struct stat status;
    struct stint_profile profile = {.snapshot = NULL};
    if (stat(path, &status))
        return NOTHING;
    if (!S_ISREG(status.st_mode) || stint_profile_open(&profile, path))
        return ANOTHER;
    const struct stint_process *found = &profile.snapshot->process;
    enum found is = ANOTHER;
    if (profile.store && is_same_process(found, process))
        is = found->wall_ns == process->wall_ns ? THIS : OLDER;
    stint_profile_close(&profile);
    return is;
}

int stint_converted_open(struct stint_profile *profile, const char *path, int quiet, char *out, size_t size)
{
    char reason[160];
    out[0] = '\0';
    if (!profile->events || !(profile->recording || profile->several) || strcmp(path, "-") == 0)
        return 0;
    name_database(out, size, path);
    enum found found = *out ? look_at(out, &profile->snapshot->process) : ANOTHER;
    if ((found == NOTHING || found == OLDER) &&
        stint_named_store_write(out, profile->snapshot, profile->events, 1, reason, sizeof reason) == 0) {
        if (!quiet)
            stint_cli_say("making %s from %s, once for all reports", out, path);
        found = THIS;
    }
    if (found != THIS) {
        out[0] = '\0';
        return 0;
    }
    stint_profile_close(profile);
    return stint_profile_open(profile, out);
}

/* ------------------------------------------------------------------------------------------------ beside a database */

/* Whether the one transaction in which all of a database is written was the last: by the count that is in its header,
 * the "file change counter" of SQLite's file format. */
static int is_unchanged(const char *path)
{
    enum { COUNTER_AT = 24 };
    static const unsigned char once[4] = {0, 0, 0, 1};
    unsigned char counter[sizeof once] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int is_read = file >= 0 && pread(file, counter, sizeof counter, COUNTER_AT) == (ssize_t)sizeof counter;
    if (file >= 0)
        (void)close(file);
    return is_read && memcmp(counter, once, sizeof once) == 0;
}

/* Returns the recording if it is whole, and of that process to its end; NULL otherwise. */
static struct stint_ctf *open_original(const char *path, const struct stint_process *process)
{
    char reason[256];
    struct stint_ctf *recording = stint_ctf_is(path) ? stint_ctf_open(path, reason, sizeof reason) : NULL;
    if (!recording)
        return NULL;
    struct stint_ctf_state state = stint_ctf_state(recording);
    const struct stint_process *found = &stint_ctf_snapshot(recording)->process;
    if (state.has_ended && !state.is_cut && !state.overwritten_events && !state.missing_events &&
        !state.damaged_bytes && !state.empty_files && is_same_process(found, process) &&
        found->wall_ns == process->wall_ns)
        return recording;
    stint_ctf_close(recording);
    return NULL;
}

void stint_original_open(struct stint_profile *profile, const char *path, int quiet)
{
    static const char *const endings[] = {".stint", ".sqlite.stint"};
    if (!profile->store || profile->snapshot->sample_frame_count || !ends_in(path, strlen(path), ".sqlite") ||
        !is_unchanged(path))
        return;
    size_t length = strlen(path) - strlen(".sqlite");
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && profile->store; i++) {
        char original[PATH_MAX];
        int is_cut = snprintf(original, sizeof original, "%.*s%s", (int)length, path, endings[i]) >= PATH_MAX;
        struct stint_ctf *recording = is_cut ? NULL : open_original(original, &profile->snapshot->process);
        if (!recording)
            continue;
        if (!quiet)
            stint_cli_say("%s was made of %s, which is read instead, since that is faster", path, original);
        stint_profile_close(profile);
        stint_profile_take(profile, recording, path);
    }
}
