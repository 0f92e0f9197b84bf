/* Reads the command line of stint diff: options, rules, and two sides of files, separated by "--". */
#include "cli/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"

static const char *const s_forms[] = {
    [STINT_DIFF_TABLE] = "table", [STINT_DIFF_CSV] = "csv",           [STINT_DIFF_JSON] = "json",
    [STINT_DIFF_JUNIT] = "junit", [STINT_DIFF_MARKDOWN] = "markdown", NULL};
static const char *const s_orders[] = {
    [STINT_DIFF_SORT_CHANGE] = "change", [STINT_DIFF_SORT_NAME] = "name", [STINT_DIFF_SORT_TOTAL] = "total", NULL};

enum { DEFAULT_TOP = 20, GATE_FILE_MOST = 1 << 20 };

static const unsigned s_default_kinds = 1U << STINT_DIFF_TOTAL | 1U << STINT_DIFF_SCOPE | 1U << STINT_DIFF_KERNEL |
                                        1U << STINT_DIFF_COPY | 1U << STINT_DIFF_API | 1U << STINT_DIFF_COUNTER |
                                        1U << STINT_DIFF_SCOPE_COUNTER | 1U << STINT_DIFF_FUNCTION;

/* ------------------------------------------------------------------------------------------------------------- gate */

static int read_rules(struct stint_diff_options *options, const char *origin, const char *text)
{
    struct stint_gate_error error;
    if (stint_gate_read(&options->rules, &options->arena, text, &error) == 0)
        return 0;
    if (error.line > 1)
        stint_cli_say("%.256s:%zu:%zu: %s", origin, error.line, error.column, error.reason);
    else
        stint_cli_say("%.256s, column %zu: %s", origin, error.column, error.reason);
    return -1;
}

/* Does not wait for a pipe's other end. */
static int open_text(const char *path, const char **reason)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    *reason = file < 0 ? strerror(errno) : "it is not a regular file";
    if (file >= 0)
        (void)close(file);
    return -1;
}

/* Returns the whole file for free(), or NULL and the reason. */
static char *read_text(const char *path, const char **reason)
{
    int file = open_text(path, reason);
    if (file < 0)
        return NULL;
    char *text = malloc(GATE_FILE_MOST);
    ssize_t length = text ? read(file, text, GATE_FILE_MOST) : -1;
    *reason = length < 0 ? strerror(errno) : "it is larger than 1 MiB";
    (void)close(file);
    if (length >= 0 && length < GATE_FILE_MOST) {
        text[length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static int read_gate(void *value, const struct stint_option *option, const char *text)
{
    const char *reason;
    if (*text != '@')
        return read_rules(value, "--gate", text);
    char *rules = read_text(text + 1, &reason);
    if (!rules) {
        stint_cli_say("--%s %.256s: %s", option->name, text, reason);
        return -1;
    }
    int result = read_rules(value, text + 1, rules);
    free(rules);
    return result;
}

/* ----------------------------------------------------------------------------------------------------------- others */

static int read_kinds(void *value, const struct stint_option *option, const char *text)
{
    unsigned *kinds = value;
    *kinds = 0;
    for (const char *at = text;; at++) {
        enum stint_diff_kind kind;
        size_t length = strcspn(at, ",");
        if (stint_diff_kind_read(at, length, &kind)) {
            stint_cli_say("--%s %.*s: expected some of total,scope,context,kernel,copy,api,counter,function",
                          option->name, (int)(length < 60 ? length : 60), at);
            return -1;
        }
        *kinds |= 1U << kind;
        at += length;
        if (!*at)
            return 0;
    }
}

static int read_top(void *value, const struct stint_option *option, const char *text)
{
    unsigned long long top;
    if (stint_option_number(option, text, 0, INT_MAX, &top))
        return -1;
    *(size_t *)value = (size_t)top;
    return 0;
}

static int add_file(void *into, const char *word)
{
    struct stint_diff_options *options = into;
    const char **file = stint_array_add(&options->files, &options->arena, sizeof *file);
    if (!file)
        return stint_cli_say_no_memory("for the options");
    *file = word;
    return 0;
}

#define AT(member) offsetof(struct stint_diff_options, member)

static const struct stint_option s_options[] = {
    {"gate", 0, "RULES",
     "exit with 1 if a rule is broken, such as 'scope:forward:p50 < +5%'. Separate rules by ; or keep them in a file: "
     "@FILE. A rule is\n"
     "KIND:PATTERN:METRIC OPERATOR LIMIT\n"
     "KIND     total scope context kernel copy gpu api function\n"
     "METRIC   count total self min max avg p50 p90 p99\n"
     "         gpu kernels bytes, or a counter: dram_bytes\n"
     "OPERATOR < <= > >= ==\n"
     "LIMIT    of the change: +5%, +2ms; of B's value: 3ms, 100\n"
     "A ? at the end: PATTERN may match nothing",
     NULL, read_gate, 0},
    {"by", 0, "KINDS",
     "which kinds of rows to show: total, scope, kernel, copy, api, counter, function (all of these by default), "
     "context",
     NULL, read_kinds, AT(kinds)},
    {"format", 0, "F", "table (default), csv, json, junit, markdown", s_forms, stint_option_choice, AT(format)},
    {"sort", 0, "ORDER", "order of rows: change (default), name, total", s_orders, stint_option_choice, AT(sort)},
    {"top", 0, "N", "rows of each kind in a table (default: 20); 0: all", NULL, read_top, AT(top)},
    {"force", 0, NULL, "compare even runs on different GPUs", NULL, stint_option_flag, AT(other_gpu)},
    {"output", 'o', "FILE", "write to FILE instead of standard output", NULL, stint_option_text, AT(output)},
    STINT_OPTION_LAST,
};

static void put_exit_codes(void)
{
    (void)puts("\nExit status: 0: no rule is broken; 1: a rule is broken; 2: the recordings cannot\nbe compared, or "
               "bad usage; 3: the noise is too large to tell.");
}

static const struct stint_syntax s_syntax = {
    .order = "-",
    .usage = "Usage: stint diff [OPTIONS] A B\n"
             "       stint diff [OPTIONS] A... -- B...\n"
             "\n"
             "Compares recordings: prints what changed from A to B, and whether the change is\n"
             "more than noise. Several files on a side are repeated runs; use five a side.\n",
    .options = s_options,
    .put_rest = put_exit_codes,
    .word = add_file,
};

/* -------------------------------------------------------------------------------------------------------------- all */

/* Reads the words up to "--", or all: options and files in any order. Skips the first word. Returns -1, or the exit
 * code. */
static int read_words(struct stint_diff_options *options, int count, char **arguments)
{
    optind = 0; /* begins anew */
    return stint_options_read(count, arguments, &s_syntax, options);
}

static int find_separator(int count, char **arguments)
{
    int at = 1;
    while (at < count && strcmp(arguments[at], "--") != 0)
        at++;
    return at;
}

static int read_sides(struct stint_diff_options *options, int count, char **arguments)
{
    int separator = find_separator(count, arguments);
    int code = read_words(options, separator, arguments);
    options->of_a = options->files.count;
    if (code != -1 || separator == count)
        return code;
    arguments[separator] = arguments[0]; /* the name of the command, for messages */
    return read_words(options, count - separator, arguments + separator);
}

/* Without "--" there have to be two files, one for each side. */
static int check_files(struct stint_diff_options *options, int separated)
{
    size_t files = options->files.count;
    if (!separated && files == 2)
        options->of_a = 1;
    if (options->of_a && files > options->of_a)
        return 0;
    if (!separated && files > 2)
        stint_cli_say("%zu files: put -- between the two sides: stint diff A... -- B...", files);
    else
        stint_cli_say("expected two files, or several with -- between the sides: stint diff A... -- B...");
    return -1;
}

int stint_diff_options_read(struct stint_diff_options *options, int count, char **arguments)
{
    *options = (struct stint_diff_options){.top = DEFAULT_TOP, .kinds = s_default_kinds};
    int separated = find_separator(count, arguments) < count;
    int code = read_sides(options, count, arguments);
    if (code != -1)
        return code;
    if (check_files(options, separated))
        return STINT_CLI_USAGE;
    if (options->format == STINT_DIFF_JUNIT && !options->rules.count) {
        stint_cli_say("--format junit needs at least one rule: --gate 'scope:*:avg < +10%%'");
        return STINT_CLI_USAGE;
    }
    return -1;
}

void stint_diff_options_free(struct stint_diff_options *options)
{
    stint_arena_free(&options->arena);
}
