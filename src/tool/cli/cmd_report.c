/* stint report - writes a recording as one HTML page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/options.h"
#include "cli/outfile.h"
#include "html/html.h"

enum { TITLE = 256 };

static const struct stint_option s_options[] = {
    {"output", 'o', "OUT", "the page; - is standard output", NULL},
    {"title", TITLE, "TEXT", "its title; the program's name unless given", NULL},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint report FILE -o OUT.html [--title TEXT]\n"
             "\n"
             "Writes a recording as one page for a browser, which needs no network and no\n"
             "other file: summary, timeline, flame graph, tables. FILE is a report in stint's\n"
             "JSON, or a database.\n",
    .options = s_options,
};

struct wanted {
    const char *file;
    const char *output;
    const char *title; /* NULL: the program's name */
};

static int write_page(const struct wanted *wanted, const struct stint_html *html)
{
    struct stint_outfile out;
    if (stint_outfile_open(&out, strcmp(wanted->output, "-") == 0 ? NULL : wanted->output))
        return -1;
    enum stint_status status = stint_html_write(html, stint_whole_file_write, &out.file);
    if (status == STINT_ERROR_NO_MEMORY)
        stint_cli_say("not enough memory for the page");
    return stint_outfile_close(&out, status != STINT_OK);
}

static int report(const struct wanted *wanted, struct stint_profile *profile)
{
    struct stint_overview *overview = malloc(sizeof *overview);
    if (!overview) {
        stint_cli_say("not enough memory for the page");
        return -1;
    }
    struct stint_html html = {.snapshot = profile->snapshot, .overview = overview, .title = wanted->title};
    int failed = stint_overview_read(overview, profile->events, STINT_OVERVIEW_MOST);
    if (failed)
        stint_cli_say("%.512s: %s", wanted->file,
                      profile->events && *profile->events->reason ? profile->events->reason
                                                                  : "not enough memory for its events");
    else
        failed = write_page(wanted, &html);
    stint_overview_free(overview);
    free(overview);
    return failed;
}

static int open_and_report(const struct wanted *wanted)
{
    struct stint_profile profile;
    if (stint_profile_open(&profile, wanted->file))
        return STINT_CLI_USAGE;
    int failed = report(wanted, &profile);
    stint_profile_close(&profile);
    return failed ? STINT_CLI_USAGE : STINT_CLI_OK;
}

int stint_cli_report(int count, char **arguments)
{
    struct wanted wanted = {0};
    for (int option; (option = stint_option_next(count, arguments, &s_syntax)) != -1;) {
        if (option == 'h')
            return STINT_CLI_OK;
        if (option == '?')
            return STINT_CLI_USAGE;
        *(option == 'o' ? &wanted.output : &wanted.title) = optarg;
    }
    if (optind == count)
        stint_cli_say("expected a file: stint report FILE -o OUT.html");
    else if (optind + 1 < count)
        stint_cli_say("expected one file, but there is also %.256s: stint merge adds several up",
                      arguments[optind + 1]);
    else if (!wanted.output)
        stint_cli_say("no output was given: stint report %.256s -o OUT.html", arguments[optind]);
    else {
        wanted.file = arguments[optind];
        return open_and_report(&wanted);
    }
    return STINT_CLI_USAGE;
}
