/* stint merge - adds recordings up: into one file, or into a report on ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "stint/report.h"

struct wanted {
    const char *output, *report, *format;
    int ranks;
    struct stint_print print;
};

#define AT(member) offsetof(struct wanted, member)

static const struct stint_option s_options[] = {
    {"output", 'o', "OUT",
     "the file to write: stint's JSON if its name ends in .json; otherwise a database, which also has the events", NULL,
     stint_option_text, AT(output)},
    {"ranks", 0, NULL, "with -o OUT.json: write the sum by rank, as printed without -o", NULL, stint_option_flag,
     AT(ranks)},
    {"report", 0, "NAME[,NAME...]", "without -o: which reports to print, as in stint run (default: ranks)", NULL,
     stint_option_text, AT(report)},
    {"format", 0, NULL, "format of the reports", stint_option_form_words, stint_option_word, AT(format)},
    STINT_SELECT_OPTIONS(AT(print.select)),
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint merge FILE... [OPTIONS]\n"
             "       stint merge FILE... -o OUT\n"
             "\n"
             "Adds up recordings of several processes, ranks or runs; rows with the same set\n"
             "and name become one. Without -o, prints how the ranks differ, and which are\n"
             "slow. With -o, writes the sum to a file; host name, command line and the like\n"
             "are those of the recording that began first.\n",
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
    if (stint_named_store_write(path, sum, events, 0, reason, sizeof reason) == 0)
        return 0;
    stint_cli_say("%.256s cannot be written: %s", path, reason);
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------- sum */

/* Files that are open one at a time. */
struct files {
    const char *const *paths;
    struct stint_profile profile;
};

static int open_file(void *context, size_t at, struct stint_recorded *file)
{
    struct files *files = context;
    if (stint_profile_open(&files->profile, files->paths[at]))
        return -1;
    *file = (struct stint_recorded){files->profile.snapshot, files->profile.events};
    return 0;
}

static void close_file(void *context, size_t at)
{
    struct files *files = context;
    (void)at;
    stint_profile_close(&files->profile);
}

static int are_reports(const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!stint_input_is_file(paths[i]) || stint_file_kind(paths[i]) != STINT_FILE_REPORT)
            return 0;
    return 1;
}

static int say_no_memory(void)
{
    return stint_cli_say_no_memory("to add up the recordings");
}

/* Reports that are open one at a time. */
struct reports {
    const char *const *paths;
    struct stint_import_memory memory;
    struct stint_snapshot *snapshot;
    int is_told; /* what is wrong with one of them */
};

static int read_report(struct reports *reports, size_t at, struct stint_recorded *file, stint_import_fn *read)
{
    const char *path = reports->paths[at];
    struct stint_import_error error;
    reports->is_told = read(&reports->memory, path, &reports->snapshot, &error) != STINT_OK;
    if (reports->is_told)
        return stint_file_say_wrong(path, path, &error);
    *file = (struct stint_recorded){.snapshot = reports->snapshot};
    return 0;
}

static int open_report(void *context, size_t at, struct stint_recorded *file)
{
    return read_report(context, at, file, stint_import_next);
}

static int look_at_report(void *context, size_t at, struct stint_recorded *file)
{
    return read_report(context, at, file, stint_import_process);
}

static void close_report(void *context, size_t at)
{
    struct reports *reports = context;
    (void)at;
    stint_import_recycle(&reports->memory, reports->snapshot);
}

/* Reports may be very many, and have no events that anybody waits for. Returns -1 after saying what failed; 1 if that
 * is not the way. */
static int merge_reports(const char *const *paths, size_t count, const char *output)
{
    struct reports reports = {.paths = paths};
    struct stint_rank_files all = {
        .count = count, .open = open_report, .look = look_at_report, .close = close_report, .context = &reports};
    struct stint_combined combined;
    if (!ends_in(output, ".json") || !are_reports(paths, count))
        return 1;
    int result = stint_combine_files(&combined, &all);
    if (!result)
        result = write_json(combined.sum, output);
    else if (result < 0 && !reports.is_told)
        (void)say_no_memory();
    stint_combined_free(&combined);
    stint_import_memory_free(&reports.memory);
    return result;
}

static int merge(const char *const *paths, size_t count, const char *output)
{
    int result = merge_reports(paths, count, output);
    if (result <= 0)
        return result ? STINT_CLI_USAGE : STINT_CLI_OK;
    struct stint_place *places = calloc(count, sizeof *places);
    for (size_t i = 0; places && i < count; i++)
        places[i] = (struct stint_place){.path = paths[i]};
    struct stint_profile profile;
    int failed = places ? stint_profile_open_places(&profile, places, count) : say_no_memory();
    free(places);
    if (failed)
        return STINT_CLI_USAGE;
    struct stint_progress progress;
    stint_progress_catch();
    struct stint_event_source *events = stint_progress_begin(&progress, output, profile.events, 0);
    failed = ends_in(output, ".json") ? write_json(profile.snapshot, output)
                                      : write_events(profile.snapshot, events, output);
    stint_profile_close(&profile);
    stint_progress_release();
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

/* ------------------------------------------------------------------------------------------------------------ ranks */

static int by_rank(struct wanted *wanted, const char *const *paths, size_t count)
{
    struct files files = {.paths = paths};
    struct stint_rank_files all = {.count = count, .open = open_file, .close = close_file, .context = &files};
    struct stint_snapshot *sum = stint_results_sum_ranks(&all);
    int failed = !sum;
    if (sum)
        failed = wanted->output ? write_json(sum, wanted->output) : stint_print(&wanted->print, sum, NULL, 1);
    stint_snapshot_free(sum);
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* Returns 0, or -1 after saying which options contradict each other. */
static int settle(struct wanted *wanted)
{
    int csv = wanted->format && strcmp(wanted->format, "csv") == 0;
    if (wanted->output && (wanted->report || wanted->format))
        stint_cli_say("--report and --format cannot be combined with -o: merge first, then print OUT with stint stats");
    else if (wanted->ranks && (!wanted->output || !ends_in(wanted->output, ".json")))
        stint_cli_say("--ranks needs a file for the sum: -o OUT.json");
    else if (wanted->output || (wanted->format && !csv))
        return wanted->output ? 0 : stint_print_ask(&wanted->print, wanted->report, wanted->format);
    else
        return stint_print_choose(&wanted->print, "--report", wanted->report ? wanted->report : "ranks", csv);
    return -1;
}

int stint_cli_merge(int count, char **arguments)
{
    static struct wanted s_wanted = {.print.to_stdout = 1};
    int code = stint_options_read(count, arguments, &s_syntax, &s_wanted);
    if (code >= 0)
        return code;
    const char *const *paths = (const char *const *)arguments + optind;
    if (count - optind < 2)
        stint_cli_say("expected two files or more: stint merge FILE... [-o OUT]");
    else if (settle(&s_wanted) == 0)
        return s_wanted.output && !s_wanted.ranks ? merge(paths, (size_t)(count - optind), s_wanted.output)
                                                  : by_rank(&s_wanted, paths, (size_t)(count - optind));
    return STINT_CLI_USAGE;
}
