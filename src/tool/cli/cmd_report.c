/* stint report - shows a recording as an HTML page, in a file or in a browser. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/profile.h"
#include "cpu/cpu_profile.h"
#include "html/overview.h"
#include "op/op_roofline.h"
#include "replay/replay.h"

struct wanted {
    const char *file;
    const char *output;
    const char *title; /* NULL: the program's name */
    const char *source_path;
    int is_served;
    uint16_t port; /* 0: any */
    struct stint_subset_options subset;
};

#define AT(member) offsetof(struct wanted, member)

static int read_serve(void *value, const struct stint_option *option, const char *text)
{
    struct wanted *wanted = value;
    unsigned long long port = 0;
    wanted->is_served = 1;
    if (text && stint_option_number(option, text, 1, UINT16_MAX, &port))
        return -1;
    wanted->port = (uint16_t)port;
    return 0;
}

static const struct stint_option s_options[] = {
    {"output", 'o', "OUT", "the page to write; -: standard output", NULL, stint_option_text, AT(output)},
    {"serve", 0, "[=PORT]", "show the page in a browser until Ctrl-C; it loads events as you zoom in", NULL, read_serve,
     0},
    {"title", 0, "TEXT", "title of the page (default: the program's name)", NULL, stint_option_text, AT(title)},
    {"source-path", 0, "FOLDER", "where the source files are, if they are not where they were compiled", NULL,
     stint_option_text, AT(source_path)},
    STINT_SUBSET_OPTIONS(AT(subset)),
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint report FILE -o OUT.html [OPTIONS]\n"
             "       stint report FILE --serve[=PORT] [OPTIONS]\n"
             "\n"
             "Shows a recording as an HTML page: summary, timeline, flame graph, tables. With\n"
             "-o the page is a single file that works offline. With --serve it is served on\n"
             "this machine only, and shows every event of a recording of any size. FILE is a\n"
             "recording, a database, or a report in stint's JSON.\n",
    .options = s_options,
};

/* What the page shows: the recording, or the part of it that was chosen. */
struct shown {
    struct stint_profile profile;
    struct stint_snapshot *snapshot;
    struct stint_snapshot *part; /* NULL: all */
    struct stint_event_source *events;
    uint64_t from_ns;
    struct stint_subset_events part_events;
    struct stint_joined_events joined; /* those of the part, in its contexts */
};

/* ---------------------------------------------------------------------------------------------------------- reading */

static int choose_part(struct shown *shown, const struct wanted *wanted)
{
    struct stint_subset taken;
    const struct stint_profile *profile = &shown->profile;
    shown->part = stint_subset_of(&wanted->subset, profile, wanted->file, 0, &taken);
    if (!shown->part)
        return -1;
    stint_subset_events_begin(&shown->part_events, profile->events, &taken);
    struct stint_joined_input input = {.snapshot = profile->snapshot, .events = &shown->part_events.source};
    if (stint_joined_events_begin(&shown->joined, shown->part, &input, 1))
        return stint_cli_say_no_memory("for the page");
    shown->snapshot = shown->part;
    shown->events = &shown->joined.source;
    shown->events->from_ns = taken.from_ns;
    shown->events->to_ns = taken.to_ns;
    shown->from_ns = taken.from_ns;
    return 0;
}

static int open_file(struct shown *shown, const struct wanted *wanted)
{
    *shown = (struct shown){.from_ns = 0};
    if (stint_profile_open(&shown->profile, wanted->file))
        return -1;
    if (wanted->subset.is_asked_for)
        stint_original_open(&shown->profile, wanted->file, 0);
    shown->snapshot = shown->profile.snapshot;
    shown->events = shown->profile.events;
    return wanted->subset.is_asked_for ? choose_part(shown, wanted) : 0;
}

static void close_file(struct shown *shown)
{
    stint_joined_events_free(&shown->joined);
    stint_snapshot_free(shown->part);
    stint_profile_close(&shown->profile);
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static int write_page(const struct wanted *wanted, const struct stint_html *html)
{
    struct stint_outfile out;
    if (stint_outfile_open(&out, strcmp(wanted->output, "-") == 0 ? NULL : wanted->output))
        return -1;
    enum stint_status status = stint_html_write(html, stint_whole_file_write, &out.file);
    if (status == STINT_ERROR_NO_MEMORY)
        (void)stint_cli_say_no_memory("for the page");
    return stint_outfile_close(&out, status != STINT_OK);
}

/* What launched kernels, if some were launched by operations. */
struct operations {
    struct stint_op_join join;
    struct stint_op_rows rows;
};

/* Ran, or were counted, of which no other record is left if all launches were. */
static int has_kernels(const struct stint_snapshot *snapshot)
{
    if (stint_kernel_points_any(snapshot))
        return 1;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (snapshot->gpu_activities[i].kind == STINT_GPU_KERNEL)
            return 1;
    return 0;
}

/* Returns 0, or -1 after saying why not. */
static int read_operations(struct operations *operations, const struct shown *shown, const struct wanted *wanted)
{
    if (!shown->events || !has_kernels(shown->snapshot))
        return 0;
    if (!stint_op_join_read(&operations->join, shown->snapshot, shown->events) &&
        !stint_op_rows_make(&operations->rows, &operations->join))
        return 0;
    return stint_cli_say_unread(wanted->file, shown->events, "for the operations");
}

static void forget_operations(struct operations *operations)
{
    stint_op_rows_free(&operations->rows);
    stint_op_join_free(&operations->join);
}

static int show_with(const struct wanted *wanted, const struct shown *shown, struct stint_overview *overview,
                     struct stint_functions *functions)
{
    struct operations operations = {.rows = {0}};
    struct stint_html html = {.snapshot = shown->snapshot,
                              .overview = overview,
                              .functions = functions,
                              .title = wanted->title,
                              .source_path = wanted->source_path,
                              .remarks = stint_profile_remarks(),
                              .from_ns = shown->from_ns};
    if (stint_overview_read(overview, shown->events, functions, STINT_OVERVIEW_MOST))
        return stint_cli_say_unread(wanted->file, shown->events, "for the events");
    int failed = read_operations(&operations, shown, wanted);
    if (stint_op_rows_have_operations(&operations.rows) || stint_op_roofline_has_kernels(&operations.rows))
        html.operations = &operations.rows;
    if (!failed)
        failed = wanted->is_served ? stint_serve(&html, shown->events, wanted->port) : write_page(wanted, &html);
    forget_operations(&operations);
    return failed;
}

/* Functions that were sampled are looked up when they are met. */
static int show(const struct wanted *wanted, const struct shown *shown, struct stint_overview *overview)
{
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_function_names names = stint_cpu_names(symbols);
    struct stint_export_input input = {.snapshot = shown->snapshot, .names = &names};
    struct stint_functions functions;
    int failed = stint_functions_begin(&functions, &input);
    if (failed)
        (void)stint_cli_say_no_memory("for the page");
    else
        failed = show_with(wanted, shown, overview, &functions);
    stint_functions_free(&functions);
    stint_symbols_end(symbols);
    return failed;
}

static int report(const struct wanted *wanted)
{
    struct shown shown;
    struct stint_overview *overview = calloc(1, sizeof *overview);
    if (!overview) {
        (void)stint_cli_say_no_memory("for the page");
        return STINT_CLI_USAGE;
    }
    int failed = open_file(&shown, wanted);
    if (!failed) {
        failed = show(wanted, &shown, overview);
        stint_overview_free(overview);
    }
    close_file(&shown);
    free(overview);
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* Whether the name is one of a file of another kind: x.pdf. */
static int is_of_another_kind(const char *path)
{
    const char *slash = strrchr(path, '/'), *ending = strrchr(slash ? slash : path, '.');
    return ending && strcasecmp(ending, ".html") != 0 && strcasecmp(ending, ".htm") != 0;
}

/* Returns 0, or -1 after saying what is wrong. */
static int check(struct wanted *wanted, int count, char **arguments)
{
    wanted->file = stint_options_file(count, arguments, "expected a file: stint report FILE -o OUT.html");
    if (!wanted->file)
        return -1;
    if (wanted->output && is_of_another_kind(wanted->output)) {
        stint_cli_say("%.256s: the page is HTML: give it a name that ends in .html. stint export writes timelines, "
                      "stacks and databases, and stint stats tables and CSV",
                      wanted->output);
        return -1;
    }
    if (wanted->output ? !wanted->is_served : wanted->is_served)
        return 0;
    if (wanted->output)
        stint_cli_say("give only one of -o, which writes the page, and --serve, which shows it in a browser");
    else if (access(wanted->file, F_OK))
        stint_cli_say("%.256s: %s", wanted->file, strerror(errno));
    else
        stint_cli_say("no output was given: stint report %.256s -o OUT.html, or --serve for a browser", wanted->file);
    return -1;
}

int stint_cli_report(int count, char **arguments)
{
    struct wanted wanted = {0};
    int code = stint_options_read(count, arguments, &s_syntax, &wanted);
    if (code >= 0)
        return code;
    return check(&wanted, count, arguments) ? STINT_CLI_USAGE : report(&wanted);
}
