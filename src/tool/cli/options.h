/* Options of a subcommand: one table, from which getopt_long's, the help and what bash completes are made, and which
 * says where their values go. Messages suggest what was meant. */
#ifndef STINT_CLI_OPTIONS_H
#define STINT_CLI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

struct stint_option;

/* Reads the value of an option, NULL if it has none. Returns 0, or -1 after telling what is expected. */
typedef int stint_option_read(void *value, const struct stint_option *option, const char *text);

struct stint_option {
    const char *name;         /* NULL ends a table */
    int letter;               /* of the short form; 0: there is none */
    const char *argument;     /* "FILE"; "[=S]" if it may be left out; NULL: that one of the words, or none */
    const char *help;         /* NULL: what the next one says is about both; "": the help does not show this one */
    const char *const *words; /* the possible arguments, and NULL; NULL: others */
    stint_option_read *read;
    size_t at; /* where the value is in what stint_options_read fills */
};

#define STINT_OPTION_LAST                                                                                              \
    {"help", 'h', NULL, "show this; -V, --version: the version", NULL, NULL, 0},                                       \
        {"version", 'V', NULL, "", NULL, NULL, 0},                                                                     \
    {                                                                                                                  \
        NULL, 0, NULL, NULL, NULL, NULL, 0                                                                             \
    }

struct stint_syntax {
    const char *order; /* "": options and other words mix; "+": the first other word ends the options; "-": other words
                          are taken by `word` */
    const char *usage; /* what the help says first */
    const struct stint_option *options;
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

#endif
