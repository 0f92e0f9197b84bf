/* stint merge - adds recordings up, into one file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/combined.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "stint/report.h"
#include "store/write_store.h"

static const struct stint_option s_options[] = {
    {"output", 'o', "OUT",
     "the file: stint's JSON if its name ends in .json, else a database, which also has their events", NULL},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint merge FILE... -o OUT\n"
             "\n"
             "Adds up recordings of several processes, ranks or runs. Rows of the same set and\n"
             "name become one; threads stay separate. What can have only one value, such as\n"
             "the host, is taken from the recording that began first.\n",
    .options = s_options,
};

static int ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcasecmp(path + length - end, ending) == 0;
}

static int write_json(const struct stint_snapshot *sum, const char *path)
{
    struct stint_outfile out;
    if (stint_outfile_open(&out, path))
        return -1;
    enum stint_status status = stint_report_write(sum, STINT_FORMAT_JSON, NULL, stint_whole_file_write, &out.file);
    return stint_outfile_close(&out, status != STINT_OK);
}

static int write_events(const struct stint_snapshot *sum, struct stint_event_source *events, const char *path)
{
    char reason[256];
    if (stint_store_write(path, sum, events, reason, sizeof reason) == 0)
        return 0;
    stint_cli_say("%.256s cannot be written: %s", path, reason);
    return -1;
}

static int merge(const char *const *paths, size_t count, const char *output)
{
    struct stint_place *places = calloc(count, sizeof *places);
    for (size_t i = 0; places && i < count; i++)
        places[i] = (struct stint_place){.name = paths[i], .path = paths[i]};
    struct stint_combined *combined = places ? stint_combined_open(places, count) : NULL;
    free(places);
    if (!combined)
        return STINT_CLI_USAGE;
    struct stint_progress progress;
    stint_progress_catch();
    struct stint_event_source *events = stint_progress_begin(&progress, output, &combined->events.source, 0);
    int failed =
        ends_in(output, ".json") ? write_json(combined->sum, output) : write_events(combined->sum, events, output);
    stint_combined_close(combined);
    stint_progress_release();
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

int stint_cli_merge(int count, char **arguments)
{
    const char *output = NULL;
    for (int option; (option = stint_option_next(count, arguments, &s_syntax)) != -1;) {
        if (option == 'h')
            return STINT_CLI_OK;
        if (option != 'o')
            return STINT_CLI_USAGE;
        output = optarg;
    }
    if (count - optind < 2)
        stint_cli_say("expected two files or more: stint merge FILE... -o OUT");
    else if (!output)
        stint_cli_say("no output was given: stint merge FILE... -o OUT");
    else
        return merge((const char *const *)arguments + optind, (size_t)(count - optind), output);
    return STINT_CLI_USAGE;
}
