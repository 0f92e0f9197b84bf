/* stint attach - starts or stops recording in a running process, or prints what it has recorded so far. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceiling/ceilings.h"
#include "cli/command.h"
#include "cli/live.h"
#include "cli/options.h"
#include "cli/results.h"
#include "import/import.h"

/* What the process is asked for, which may be said once. */
static int read_request(void *value, const struct stint_option *option, const char *text)
{
    const char **request = value;
    (void)text;
    if (*request && strcmp(*request, option->name) != 0) {
        stint_cli_say("give only one of --on, --off, --print and --dump");
        return -1;
    }
    *request = option->name;
    return 0;
}

static const struct stint_option s_options[] = {
    {"on", 0, NULL,
     "record from now on, whatever had stopped it: --from-start off, --delay, --duration, --window, or --off", NULL,
     read_request, 0},
    {"off", 0, NULL, "stop recording", NULL, read_request, 0},
    {"print", 0, NULL, "print what has been recorded so far", NULL, read_request, 0},
    {"dump", 0, NULL, "write the events recorded so far to a recording, and print its name", NULL, read_request, 0},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint attach PID --on | --off | --print | --dump\n"
             "\n"
             "Starts or stops recording in a running process, or prints what it has recorded\n"
             "so far. The process must be yours, and must have been started by stint run or\n"
             "with STINT_CONTROL set.\n",
    .options = s_options,
};

/* -------------------------------------------------------------------------------------------------------------- ask */

static int print(const char *text, size_t length)
{
    struct stint_print how = {.count = 0};
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    if (stint_import_json(text, length, &snapshot, &error)) {
        stint_cli_say("the report cannot be read: line %zu: %s", error.line, error.reason);
        return STINT_CLI_NO;
    }
    stint_cupti_cost_fill(snapshot);
    stint_print_usual(&how);
    int failed = stint_print(&how, snapshot, NULL, 0);
    stint_snapshot_free(snapshot);
    return failed ? STINT_CLI_NO : STINT_CLI_OK;
}

static int ask(long long pid, const char *request)
{
    int is_print = strcmp(request, "print") == 0;
    char folder[PATH_MAX + 64], reason[256];
    size_t length;
    if (stint_find_listener(folder, sizeof folder, pid))
        return STINT_CLI_NO;
    char *answer = stint_ask(folder, pid, is_print ? "json" : request, &length, reason, sizeof reason);
    if (!answer) {
        stint_cli_say("process %lld %s", pid, reason);
        return STINT_CLI_NO;
    }
    int code = is_print ? print(answer, length) : STINT_CLI_OK;
    if (strcmp(request, "dump") == 0)
        (void)fputs(answer, stdout);
    free(answer);
    return code;
}

/* ---------------------------------------------------------------------------------------------------------- options */

int stint_cli_attach(int count, char **arguments)
{
    const char *request = NULL;
    long long pid;
    int code = stint_options_read(count, arguments, &s_syntax, &request);
    if (code >= 0)
        return code;
    if (!request || optind + 1 != count) {
        stint_cli_say("expected a process ID and an action: stint attach PID --on | --off | --print | --dump");
        return STINT_CLI_USAGE;
    }
    return stint_read_pid(arguments[optind], &pid) ? STINT_CLI_USAGE : ask(pid, request);
}
