/* Databases that the program writes: with the names of sampled functions, which are looked up here; and of a recording
 * beside it, once, as nsys stats does. */
#include "cli/profile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cpu/cpu_profile.h"
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
    if (profile.store && found->pid == process->pid && found->start_unix_ns == process->start_unix_ns)
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
