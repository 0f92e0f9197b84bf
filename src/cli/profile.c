#include "cli/profile.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "import/json.h"

static int is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return length == sizeof head && memcmp(head, magic, sizeof magic) == 0;
}

static int read_report(struct stint_profile *profile, const char *path)
{
    struct stint_import_error error;
    if (stint_import_file(path, &profile->snapshot, &error) == STINT_OK) {
        stint_snapshot_events_begin(&profile->own, profile->snapshot);
        profile->events = &profile->own.source;
        return 0;
    }
    if (error.line)
        stint_cli_say("%s, line %zu: %s", path, error.line, error.reason);
    else
        stint_cli_say("%s: %s", path, error.reason);
    return -1;
}

int stint_profile_open(struct stint_profile *profile, const char *path)
{
    *profile = (struct stint_profile){0};
    if (!is_database(path))
        return read_report(profile, path);
    stint_cli_say("%s is a database, as NVIDIA's nvprof wrote them; what is read is stint's JSON", path);
    return -1;
}

void stint_profile_close(struct stint_profile *profile)
{
    stint_snapshot_free(profile->snapshot);
}
