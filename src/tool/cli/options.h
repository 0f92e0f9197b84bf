/* Options of a subcommand: getopt_long, with messages that suggest what was meant. */
#ifndef STINT_CLI_OPTIONS_H
#define STINT_CLI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

/* Returns the name that is closest to a mistyped `word`, or NULL if none is close. */
const char *stint_suggest(const char *word, const char *const *names, size_t count);

/* Returns the next option as getopt_long does, -1 after the last one: the first word that is not an option ends them.
 * Returns '?' after a mistake, which the user has been told. `letters` are the short options. */
int stint_option_next(int count, char **arguments, const char *letters, const struct option *options);

/* Reads the value of option `name`; returns 0, or -1 after telling what is expected. The first returns the position
 * among the words, in *value. */
int stint_option_choice(const char *name, const char *text, const char *const *words, size_t count, size_t *value);
int stint_option_switch(const char *name, const char *text, int *value);
int stint_option_number(const char *name, const char *text, unsigned long long least, unsigned long long most,
                        unsigned long long *value);
int stint_option_seconds(const char *name, const char *text, double least, double *value); /* 1e9 at most */

#endif
