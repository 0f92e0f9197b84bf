/* Options of subcommands, and those that several have: which part of reports and recordings is shown, and how. */
#ifndef STINT_CLI_OPTIONS_H
#define STINT_CLI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

#include "cli/profile.h"
#include "replay/replay.h"
#include "stint/report.h"
#include "transform/name_filter.h"

/* -------------------------------------------------------------------------------------------------------- options.c */

/* Options of a subcommand: one table, from which getopt_long's, the help and what bash completes are made, and which
 * says where their values go. Messages suggest what was meant. */

struct stint_option;

/* Reads the value of an option, NULL if it has none. Returns 0, or -1 after telling what is expected. */
typedef int stint_option_read(void *value, const struct stint_option *option, const char *text);

struct stint_option {
    const char *name;         /* NULL ends a table */
    int letter;               /* of the short form; 0: there is none */
    const char *argument;     /* "FILE"; "[=S]" if it may be left out; NULL: that one of the words, or none */
    const char *help;         /* what it does; "": the help does not show this one */
    const char *const *words; /* the possible arguments, and NULL; NULL: others */
    stint_option_read *read;
    size_t at; /* where the value is in what stint_options_read fills */
};

#define STINT_OPTION(...)                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define STINT_OPTION_LAST                                                                                              \
    STINT_OPTION("help", 'h', NULL, "show this help", NULL, NULL, 0),                                                  \
        STINT_OPTION("version", 'V', NULL, "show the version", NULL, NULL, 0),                                         \
        STINT_OPTION(NULL, 0, NULL, NULL, NULL, NULL, 0)

/* A line of the help above the options from this one on. */
struct stint_section {
    const char *first; /* NULL ends a list */
    const char *title;
};

struct stint_syntax {
    const char *order; /* "": options and other words mix; "+": the first other word ends the options; "-": other words
                          are taken by `word` */
    const char *usage; /* what the help says first */
    const struct stint_option *options;
    const struct stint_section *sections;      /* NULL: the help has none */
    void (*put_rest)(void);                    /* prints what it says after the options; NULL: nothing */
    int (*word)(void *into, const char *word); /* returns 0, or -1 after saying what is wrong */
};

/* The words of options that several subcommands have. */
extern const char *const stint_option_switches[];   /* "on", "off" */
extern const char *const stint_option_form_words[]; /* of --format: "table", "csv", "json" */

/* Reads all options into a struct. Returns -1, with the position of the first other word in optind; or the exit code,
 * after printing what --help or --version ask for, or saying what is wrong. */
int stint_options_read(int count, char **arguments, const struct stint_syntax *syntax, void *into);

/* Returns the only other word, a file; or NULL after saying `missing`, or that there are several. */
const char *stint_options_file(int count, char **arguments, const char *missing);

/* Returns the position of the next option in the table, whose value is in optarg, or one of these. */
enum { STINT_OPTION_END = -1, STINT_OPTION_MISTAKE = -2, STINT_OPTION_ANSWERED = -3, STINT_OPTION_WORD = -4 };
int stint_option_next(int count, char **arguments, const struct stint_syntax *syntax);

/* Prints a text from the column `at` on, where the cursor is, and its other lines from `column` on: 80 columns at most
 * but for words that are longer. */
void stint_put_folded(const char *text, size_t at, size_t column);

/* Prints the help, or each option with its argument as bash completes it. */
void stint_option_help(const struct stint_syntax *syntax);
void stint_option_complete(const struct stint_syntax *syntax);

/* Returns the name that is closest to a mistyped `word`, or NULL if none is close. */
const char *stint_suggest(const char *word, const char *const *names, size_t count);

/* Readers. What they fill: */
stint_option_read stint_option_flag;    /* an int, with 1 */
stint_option_read stint_option_text;    /* a const char * */
stint_option_read stint_option_output;  /* the same; "-", which is standard output, is NULL */
stint_option_read stint_option_word;    /* the same, with one of the option's words */
stint_option_read stint_option_choice;  /* an int or enum, with the position of one of the option's words */
stint_option_read stint_option_switch;  /* an int: whether it is the first of the words, "on" */
stint_option_read stint_option_percent; /* a double, 0 to 100 */

/* The same for numbers in some range; seconds are 1e9 at most. */
int stint_option_number(const struct stint_option *option, const char *text, unsigned long long least,
                        unsigned long long most, unsigned long long *value);
int stint_option_seconds(const struct stint_option *option, const char *text, double least, double *value);

/* --------------------------------------------------------------------------------------------------------- select.c */

/* Which part of the reports is shown, and how: units, order, number of rows, names. */

struct stint_select {
    struct stint_layout layout; /* unit, sort, top and min_percent */
    struct stint_filter filter;
    int quiet; /* 1: print no message about what the filter leaves out */
};

extern const char *const stint_select_sorts[];
extern const char *const stint_select_units[];

stint_option_read stint_select_top, stint_select_pattern;

/* The options in a table, which fill the struct stint_select at that offset. */
#define STINT_SELECT_AT(at, member) ((at) + offsetof(struct stint_select, member))
#define STINT_SELECT_OPTIONS(at)                                                                                       \
    STINT_OPTION("include", 0, "PATTERN", "show only names that match, such as 'forward*'", NULL,                      \
                 stint_select_pattern, at),                                                                            \
        STINT_OPTION("exclude", 0, "PATTERN", "hide names that match", NULL, stint_select_pattern, at),                \
        STINT_OPTION("sort", 0, "KEY", "order of rows: total (default), calls, avg, min, max, self, name, cpu",        \
                     stint_select_sorts, stint_option_choice, STINT_SELECT_AT(at, layout.sort)),                       \
        STINT_OPTION("top", 0, "N", "show the first N rows of each table; 0: all", NULL, stint_select_top, at),        \
        STINT_OPTION("min-percent", 0, "P", "in trees, hide rows below P percent of the time", NULL,                   \
                     stint_option_percent, STINT_SELECT_AT(at, layout.min_percent)),                                   \
        STINT_OPTION("fold-recursion", 0, NULL, "in trees, show recursive calls in one row", NULL, stint_option_flag,  \
                     STINT_SELECT_AT(at, filter.folds_recursion)),                                                     \
        STINT_OPTION("unit", 0, "UNIT", "unit of times: auto (default), s, ms, us, ns; col: one unit per column",      \
                     stint_select_units, stint_option_choice, STINT_SELECT_AT(at, layout.unit))

/* Returns how a report is laid out on this screen. */
struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen);

/* Returns what is kept of a snapshot, and says what is left out; returns `snapshot` itself without a filter or without
 * memory. Any other result is to be freed. */
const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot);

/* ------------------------------------------------------------------------------------------------- subset_options.c */

/* Options that choose a part of a recording by what its events say: when, in which range, which process, device. */

stint_option_read stint_subset_time, stint_subset_range, stint_subset_process, stint_subset_device;

/* All of them in a table of options, or those about the host. They fill the struct stint_subset_options at that
 * offset. */
#define STINT_SUBSET_OPTIONS(at)                                                                                       \
    STINT_SUBSET_OPTIONS_HOST(at),                                                                                     \
        STINT_OPTION("filter-device", 0, "ID", "use only the work of this GPU", NULL, stint_subset_device, at)
#define STINT_SUBSET_OPTIONS_HOST(at)                                                                                  \
    STINT_OPTION("filter-time", 0, "START/END", "use only this interval: 1.5s/2s, 200ms/, /1000000 (ns)", NULL,        \
                 stint_subset_time, at),                                                                               \
        STINT_OPTION("filter-nvtx", 0, "RANGE[/N]",                                                                    \
                     "use only what happened during the first scope or NVTX range of that name, or during number N, "  \
                     "counted from 0; also RANGE@DOMAIN",                                                              \
                     NULL, stint_subset_range, at),                                                                    \
        STINT_OPTION("filter-process", 0, "PID", "use only this process", NULL, stint_subset_process, at)

/* Zeroed: nothing is chosen, everything stays. */
struct stint_subset_options {
    int is_asked_for;
    int has_time;
    struct stint_subset subset;
    const char *range; /* --filter-nvtx, as given */
};

/* Returns that part of the profile, with a trace of at most so many events, and what exactly was `taken`; NULL after
 * saying why there is none. `path` is for messages. */
struct stint_snapshot *stint_subset_of(const struct stint_subset_options *options, const struct stint_profile *profile,
                                       const char *path, size_t trace, struct stint_subset *taken);

/* Returns the profile's statistics unchanged, with such a trace of its events; NULL after saying why there is none. */
struct stint_snapshot *stint_subset_trace(const struct stint_profile *profile, const char *path, size_t trace);

#endif
