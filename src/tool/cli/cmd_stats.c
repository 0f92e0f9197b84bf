/* stint stats - prints the reports of recordings that are in files. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cli/results.h"
#include "nsys/nsys.h"

enum { MOST_FILES = 1024, MOST_EVENTS = 1 << 20 }; /* of a trace: as many as nvprof's */

struct stats {
    struct stint_print print;
    struct stint_subset_options subset;
    const char *report, *format, *output;
    int list;
    const char *files[MOST_FILES + 1]; /* NULL after the last */
    size_t count;
    struct stint_profile profiles[MOST_FILES];
    char database[PATH_MAX];                 /* of the only file, if that was converted */
    struct stint_snapshot *made[MOST_FILES]; /* snapshots made of profiles; NULL where a profile's own is used */
    struct stint_subset_events parts[MOST_FILES];
    size_t opened;
    struct stint_results results;
};

#define AT(member) offsetof(struct stats, member)

static const struct stint_option s_options[] = {
    {"report", 0, "NAME[,NAME...]", "which reports to print (default: summary), or SQL queries of your own: FILE.sql",
     NULL, stint_option_text, AT(report)},
    {"list", 0, NULL, "list all reports and what they show", NULL, stint_option_flag, AT(list)},
    {"format", 0, NULL, "format of the reports", stint_option_form_words, stint_option_word, AT(format)},
    STINT_SUBSET_OPTIONS(AT(subset)),
    STINT_SELECT_OPTIONS(AT(print.select)),
    {"output", 'o', "FILE", "write to FILE; %p stands for the process ID", NULL, stint_option_output, AT(output)},
    {"per-process", 0, NULL, "print the reports of each process, too", NULL, stint_option_flag, AT(print.per_process)},
    {"quiet", 0, NULL, "print only reports and errors", NULL, stint_option_flag, AT(print.select.quiet)},
    STINT_OPTION_LAST,
};

static int add_file(void *into, const char *word)
{
    struct stats *stats = into;
    if (stats->count == MOST_FILES) {
        stint_cli_say("more than %d files", MOST_FILES);
        return -1;
    }
    stats->files[stats->count++] = word;
    return 0;
}

static const struct stint_syntax s_syntax = {
    .order = "-",
    .usage = "Usage: stint stats FILE... [OPTIONS]\n"
             "\n"
             "Prints reports of recordings. FILE is a recording, a database or JSON of stint,\n"
             "a database of nvprof, an export of Nsight Systems (nsys export --type sqlite),\n"
             "a trace of torch.profiler, or - for standard input.\n",
    .options = s_options,
    .word = add_file,
};

/* ---------------------------------------------------------------------------------------------------------- options */

#define WHAT(id, writer, name, csv, what) what,
#define TEXT(id, writer, name, what) what,
#define NOTHING(...)
static const char *const s_what[] = {STINT_REPORT_LIST(WHAT, WHAT, TEXT, NOTHING)};

/* What a report of nsys stats shows is in the first line of its SQL, a comment, which begins as a sentence. */
static int list(void)
{
    const char *name;
    for (size_t i = 0; (name = stint_report_name_at(i)); i++) {
        int is_nsys = i >= STINT_REPORT_NSYS;
        const char *what = is_nsys ? stint_nsys_script(name) + strlen("-- ") : s_what[i];
        int is_word = is_nsys && islower((unsigned char)what[1]);
        (void)printf("%-22s %c%.*s\n", name, is_word ? tolower((unsigned char)*what) : *what,
                     (int)strcspn(what, "\n") - 1, what + 1);
    }
    return STINT_CLI_OK;
}

/* Returns -1 if there is something to print, else the exit code. */
static int read_options(struct stats *stats, int count, char **arguments)
{
    int code = stint_options_read(count, arguments, &s_syntax, stats);
    if (code >= 0)
        return code;
    if (stats->list)
        return list();
    if (!stats->count) {
        stint_cli_say("no recording was given: stint stats FILE... [OPTIONS]");
        return STINT_CLI_USAGE;
    }
    if (stint_print_ask(&stats->print, stats->report, stats->format) ||
        (stats->output && stint_print_to(&stats->print, "--output", stats->output)) ||
        stint_print_check(&stats->print, "--output"))
        return STINT_CLI_USAGE;
    return -1;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

/* Whether a report lists events of the snapshot. Those of nsys stats read all of the recording. */
static int wants_trace(const struct stint_print *print)
{
    for (size_t i = 0; i < print->count; i++)
        if (stint_report_form_wants_events(&print->forms[i]) && print->forms[i].report < STINT_REPORT_NSYS)
            return 1;
    return 0;
}

/* Returns the snapshot to print for a profile, usually its own, and which part of the profile was `taken`; NULL after a
 * failure. */
static struct stint_snapshot *snapshot_of(struct stats *stats, size_t file, struct stint_subset *taken)
{
    const struct stint_profile *profile = &stats->profiles[file];
    size_t trace = wants_trace(&stats->print) ? MOST_EVENTS : 0;
    *taken = (struct stint_subset){.to_ns = UINT64_MAX};
    if (stats->subset.is_asked_for)
        stats->made[file] = stint_subset_of(&stats->subset, profile, stats->files[file], trace, taken);
    else if (trace && profile->events && !profile->snapshot->gpu_event_count)
        stats->made[file] = stint_subset_trace(profile, stats->files[file], trace);
    else
        return profile->snapshot;
    return stats->made[file];
}

/* Whether all reports are in SQL, on the whole of one file. */
static int is_for_sql(const struct stats *stats)
{
    for (size_t i = 0; i < stats->print.count; i++)
        if (stats->print.forms[i].report < STINT_REPORT_NSYS)
            return 0;
    return stats->count == 1 && !stats->subset.is_asked_for && stats->print.count;
}

/* Returns the database that just the events of the file are in; NULL: there is none. */
static const char *database_of(const struct stats *stats, size_t file)
{
    if (!stats->profiles[file].store || stats->subset.is_asked_for)
        return NULL;
    return *stats->database ? stats->database : stats->files[file];
}

/* Returns 0, or the exit code. */
static int open_files(struct stats *stats)
{
    for (; stats->opened < stats->count; stats->opened++) {
        size_t file = stats->opened;
        if (stint_profile_open(&stats->profiles[file], stats->files[file]))
            return STINT_CLI_USAGE;
        if (stats->subset.is_asked_for)
            stint_original_open(&stats->profiles[file], stats->files[file], stats->print.select.quiet);
        if (is_for_sql(stats) &&
            stint_converted_open(&stats->profiles[file], stats->files[file], stats->print.select.quiet, stats->database,
                                 sizeof stats->database))
            return STINT_CLI_USAGE;
        const struct stint_profile *profile = &stats->profiles[file];
        struct stint_subset taken;
        struct stint_snapshot *snapshot = snapshot_of(stats, file, &taken);
        if (!snapshot) {
            stats->opened++;
            return STINT_CLI_NO;
        }
        if (profile->events)
            stint_subset_events_begin(&stats->parts[file], profile->events, &taken);
        struct stint_report_events events = {.source = profile->events ? &stats->parts[file].source : NULL,
                                             .snapshot = profile->snapshot,
                                             .database = database_of(stats, file)};
        if (!stint_results_add(&stats->results, snapshot, &events)) { /* which has freed it */
            (void)stint_cli_say_no_memory("for the reports");
            return STINT_CLI_NO;
        }
    }
    return 0;
}

/* The results belong to the profiles, or to `made`. */
static void close_files(struct stats *stats)
{
    stint_arena_free(&stats->results.arena);
    for (size_t i = 0; i < stats->opened; i++) {
        stint_snapshot_free(stats->made[i]);
        stint_profile_close(&stats->profiles[i]);
    }
}

/* The usual report has the functions below it, as that of stint run. */
static int print(struct stats *stats)
{
    int has_functions = !stats->report && !stats->format;
    if (has_functions)
        stint_results_hide_samples(&stats->results, 1);
    int failed = stint_results_print(&stats->results, &stats->print, stats->files[0], (char **)stats->files + 1);
    if (!has_functions)
        return failed;
    stint_results_hide_samples(&stats->results, 0);
    return failed | stint_print_samples(&stats->print, &stats->results, NULL, 0);
}

int stint_cli_stats(int count, char **arguments)
{
    static struct stats s_stats = {.print.to_stdout = 1};
    int code = read_options(&s_stats, count, arguments);
    if (code >= 0)
        return code;
    code = open_files(&s_stats);
    if (!code && print(&s_stats))
        code = STINT_CLI_USAGE;
    close_files(&s_stats);
    return code;
}
