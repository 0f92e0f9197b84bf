/* Options of a subcommand: one table, from which getopt_long's, the help and what bash completes are made. Messages
 * suggest what was meant. */
#ifndef STINT_CLI_OPTIONS_H
#define STINT_CLI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

struct stint_option {
    const char *name;         /* NULL ends a table */
    int number;               /* as stint_option_next returns it: the letter of the short form, or 256 and above */
    const char *argument;     /* "FILE"; "[=S]" if it may be left out; NULL: that one of the words, or none */
    const char *help;         /* NULL: what the next one says is about both; "": the help does not show this one */
    const char *const *words; /* the possible arguments, and NULL; NULL: others */
};

#define STINT_OPTION_LAST                                                                                              \
    {"help", 'h', NULL, "show this; -V, --version: the version", NULL}, {"version", 'V', NULL, "", NULL},              \
    {                                                                                                                  \
        NULL, 0, NULL, NULL, NULL                                                                                      \
    }

struct stint_syntax {
    const char *order; /* "": options and other words mix; "+": the first other word ends the options; "-": other words
                          are returned as option 1 */
    const char *usage; /* what the help says first */
    const struct stint_option *options;
    void (*put_rest)(void); /* prints what it says after the options; NULL: nothing */
};

/* The words of options that several subcommands have. */
extern const char *const stint_option_switches[];   /* "on", "off" */
extern const char *const stint_option_form_words[]; /* of --format: "table", "csv", "json" */

/* Returns the next option as getopt_long does, and -1 after the last one. Returns '?' after a mistake, which the user
 * has been told, and 'h' after printing what --help or --version ask for. */
int stint_option_next(int count, char **arguments, const struct stint_syntax *syntax);

/* Prints the help, or each option with its argument as bash completes it. */
void stint_option_help(const struct stint_syntax *syntax);
void stint_option_complete(const struct stint_syntax *syntax);

/* Returns the name that is closest to a mistyped `word`, or NULL if none is close. */
const char *stint_suggest(const char *word, const char *const *names, size_t count);

/* Reads the value of option `name`; returns 0, or -1 after telling what is expected. The first two return in *value
 * which of the words, which end with NULL, it is: the position, and the word itself. */
int stint_option_choice(const char *name, const char *text, const char *const *words, size_t *value);
int stint_option_word(const char *name, const char *text, const char *const *words, const char **value);
int stint_option_switch(const char *name, const char *text, int *value);
int stint_option_number(const char *name, const char *text, unsigned long long least, unsigned long long most,
                        unsigned long long *value);
int stint_option_percent(const char *name, const char *text, double *value);               /* 0 to 100 */
int stint_option_seconds(const char *name, const char *text, double least, double *value); /* 1e9 at most */

#endif
