/* stint merge - adds recordings up, into one file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "replay/join.h"
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

enum { COMMAND_SIZE = 4096 };

/* The files that are added up. */
struct inputs {
    struct stint_profile *profiles; /* as they were given */
    struct stint_profile **order;   /* the one that began first in front */
    size_t count;
};

static int say_no_memory(void)
{
    stint_cli_say("not enough memory to add the recordings up");
    return -1;
}

/* ----------------------------------------------------------------------------------------------------------- inputs */

static int compare(const void *a, const void *b)
{
    uint64_t left = (*(struct stint_profile *const *)a)->snapshot->process.start_unix_ns;
    uint64_t right = (*(struct stint_profile *const *)b)->snapshot->process.start_unix_ns;
    return (left > right) - (left < right);
}

static int open_inputs(struct inputs *inputs, char **paths, size_t count)
{
    inputs->profiles = calloc(count, sizeof *inputs->profiles);
    inputs->order = calloc(count, sizeof *inputs->order);
    if (!inputs->profiles || !inputs->order)
        return say_no_memory();
    for (; inputs->count < count; inputs->count++) {
        if (stint_profile_open(&inputs->profiles[inputs->count], paths[inputs->count]))
            return -1;
        inputs->order[inputs->count] = &inputs->profiles[inputs->count];
    }
    qsort(inputs->order, count, sizeof(struct stint_profile *), compare);
    return 0;
}

static void close_inputs(struct inputs *inputs)
{
    while (inputs->count)
        stint_profile_close(&inputs->profiles[--inputs->count]);
    free(inputs->profiles);
    free(inputs->order);
}

static const struct stint_snapshot *snapshot_at(const struct inputs *inputs, size_t i)
{
    return inputs->order[i]->snapshot;
}

/* -------------------------------------------------------------------------------------------------------------- sum */

/* The time in which any of them ran: times of concurrent processes do not add up, those of successive runs do. */
static uint64_t wall_ns(const struct inputs *inputs)
{
    uint64_t wall = 0, end = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct stint_process *process = &snapshot_at(inputs, i)->process;
        uint64_t begins = process->start_unix_ns > end ? process->start_unix_ns : end;
        uint64_t ends = process->start_unix_ns + process->wall_ns;
        if (ends <= begins)
            continue;
        wall += ends - begins;
        end = ends;
    }
    return wall;
}

/* Returns the sum, to be freed, or NULL without memory. */
static struct stint_snapshot *add_up(const struct inputs *inputs)
{
    struct stint_snapshot *sum = NULL, *next = NULL;
    for (size_t i = 1; i < inputs->count; i++) {
        enum stint_status status =
            stint_snapshot_merge(sum ? sum : snapshot_at(inputs, 0), snapshot_at(inputs, i), &next);
        stint_snapshot_free(sum);
        sum = next;
        if (status)
            return NULL;
    }
    return sum;
}

/* ----------------------------------------------------------------------------------------------------------- output */

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

static int write_store(const struct inputs *inputs, const struct stint_snapshot *sum, const char *path)
{
    struct stint_joined_input *joined = calloc(inputs->count, sizeof *joined);
    struct stint_joined_events events;
    if (!joined)
        return say_no_memory();
    for (size_t i = 0; i < inputs->count; i++)
        joined[i] = (struct stint_joined_input){snapshot_at(inputs, i), inputs->order[i]->events};
    int result = stint_joined_events_begin(&events, sum, joined, inputs->count)
                     ? say_no_memory()
                     : write_events(sum, &events.source, path);
    stint_joined_events_free(&events);
    free(joined);
    return result;
}

/* ------------------------------------------------------------------------------------------------------------ merge */

static int write_sum(const struct inputs *inputs, struct stint_snapshot *sum, const char *output)
{
    char command[COMMAND_SIZE];
    (void)snprintf(command, sizeof command, "%zu recordings: %s", inputs->count, sum->process.command);
    sum->process.command = command;
    sum->process.pid = 0;
    sum->process.rank[0] = '\0';
    sum->process.wall_ns = wall_ns(inputs);
    return ends_in(output, ".json") ? write_json(sum, output) : write_store(inputs, sum, output);
}

static int merge(char **paths, size_t count, const char *output)
{
    struct inputs inputs = {0};
    int result = -1;
    if (open_inputs(&inputs, paths, count) == 0) {
        struct stint_snapshot *sum = add_up(&inputs);
        result = sum ? write_sum(&inputs, sum, output) : say_no_memory();
        stint_snapshot_free(sum);
    }
    close_inputs(&inputs);
    return result ? STINT_CLI_USAGE : STINT_CLI_OK;
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
        return merge(arguments + optind, (size_t)(count - optind), output);
    return STINT_CLI_USAGE;
}
