/* Reads the options that all commands with reports share, and applies them to a snapshot and a layout. */
#include "cli/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/command.h"
#include "report/line.h"

/* ---------------------------------------------------------------------------------------------------------- options */

const char *const stint_select_units[] = {"auto", "col", "s", "ms", "us", "ns", NULL}; /* enum stint_time_unit */
const char *const stint_select_sorts[] = {"total", "calls", "avg", "min", "max",
                                          "self",  "name",  "cpu", NULL}; /* stint_sort */

int stint_select_top(void *value, const struct stint_option *option, const char *text)
{
    struct stint_select *select = value;
    unsigned long long top;
    if (stint_option_number(option, text, 0, INT_MAX, &top))
        return -1;
    select->layout.top = top ? (unsigned)top : STINT_TOP_ALL;
    return 0;
}

int stint_select_pattern(void *value, const struct stint_option *option, const char *text)
{
    struct stint_select *select = value;
    if (!*text) {
        stint_cli_say("--%s: expected a pattern, such as 'gemm*'", option->name);
        return -1;
    }
    if (stint_filter_add(&select->filter, text, strcmp(option->name, "include") == 0) == 0)
        return 0;
    stint_cli_say("--%s %.60s: there are more than %d patterns", option->name, text, STINT_FILTER_MOST);
    return -1;
}

/* ----------------------------------------------------------------------------------------------------------- layout */

struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen)
{
    struct stint_layout layout = select->layout;
    layout.columns = screen->columns;
    layout.color = screen->color;
    return layout;
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* ", 3 of 12 kernels and copies (1.234 s)" */
static void add_left_out(char *line, size_t size, const char *what, const struct stint_left_out *left_out)
{
    char time[STINT_NUMBER_SIZE];
    size_t used = strlen(line);
    if (!left_out->rows)
        return;
    (void)stint_time_format(time, (double)left_out->ns);
    (void)snprintf(line + used, size - used, "%s %zu of %zu %s (%s)", used ? "," : "", left_out->rows, left_out->all,
                   what, time);
}

static void say_left_out(const struct stint_filtered *filtered, long long pid)
{
    char line[400] = "", process[40] = "";
    add_left_out(line, sizeof line, "scopes and ranges", &filtered->scopes);
    add_left_out(line, sizeof line, "CUDA functions", &filtered->calls);
    add_left_out(line, sizeof line, "kernels and other GPU operations", &filtered->gpu);
    if (pid)
        (void)snprintf(process, sizeof process, " of process %lld", pid);
    if (*line)
        stint_cli_say("--include, --exclude: left out%s:%s", process, line);
    else
        stint_cli_say("--include, --exclude: nothing is left out%s", process);
}

const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot)
{
    if (!stint_filter_is_asked_for(&select->filter))
        return snapshot;
    struct stint_filtered filtered = stint_filter_apply(&select->filter, snapshot);
    if (!filtered.snapshot) {
        (void)stint_cli_say_no_memory("for --include, --exclude and --fold-recursion");
        return snapshot;
    }
    if (!select->quiet && select->filter.count)
        say_left_out(&filtered, snapshot->process.pid);
    return filtered.snapshot;
}
