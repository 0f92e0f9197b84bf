/* Parses options from a table, prints their help, and suggests what a mistyped word may have meant. */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

enum { MOST_OPTIONS = 96, LONGEST = 48 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many letters have to be added, removed, replaced, or swapped with the next one. Both words have at most
 * LONGEST letters. */
static size_t distance(const char *a, const char *b)
{
    size_t table[LONGEST + 1][LONGEST + 1]; /* between the first i letters of one and j of the other */
    size_t height = strlen(a), width = strlen(b);
    for (size_t i = 0; i <= height; i++) {
        for (size_t j = 0; j <= width; j++) {
            table[i][j] = i ? i : j;
            if (!i || !j)
                continue;
            size_t replaced = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            table[i][j] = least(replaced, least(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[height][width];
}

const char *stint_suggest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least_distance = strlen(word) / 3 + 2; /* a word at this distance is a different word */
    if (strlen(word) > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > LONGEST)
            continue;
        size_t here = distance(word, names[i]);
        if (here < least_distance && here < strlen(names[i])) {
            least_distance = here;
            best = names[i];
        }
    }
    return best;
}

/* --------------------------------------------------------------------------------------------------------- getopt */

struct getopt {
    struct option options[MOST_OPTIONS + 2];
    char letters[2 * MOST_OPTIONS + 8];
};

enum { COMPLETE = 1024 }; /* asked for by stint.bash */

static int has_argument(const struct stint_option *option)
{
    if (option->argument && option->argument[0] == '[')
        return optional_argument;
    return option->argument || option->words ? required_argument : no_argument;
}

static void describe(struct getopt *getopt, const struct stint_syntax *syntax)
{
    const struct stint_option *option = syntax->options;
    size_t count = 0;
    char *letter = getopt->letters + snprintf(getopt->letters, sizeof getopt->letters, "%s:", syntax->order);
    for (; option->name && count < MOST_OPTIONS; option++) {
        getopt->options[count++] = (struct option){option->name, has_argument(option), NULL, option->number};
        if (option->number >= 256)
            continue;
        *letter++ = (char)option->number;
        if (has_argument(option))
            *letter++ = ':';
    }
    *letter = '\0';
    getopt->options[count++] = (struct option){"complete", no_argument, NULL, COMPLETE};
    getopt->options[count] = (struct option){NULL, 0, NULL, 0};
}

static void say_unknown(const char *command, const char *word, const struct stint_option *options)
{
    const char *names[MOST_OPTIONS];
    char name[64];
    size_t count = 0;
    for (; options[count].name && count < MOST_OPTIONS; count++)
        names[count] = options[count].name;
    (void)snprintf(name, sizeof name, "%s", word + strspn(word, "-"));
    name[strcspn(name, "=")] = '\0';
    const char *close = strncmp(word, "--", 2) == 0 ? stint_suggest(name, names, count) : NULL;
    if (close)
        stint_cli_say("there is no option %.60s; did you mean --%s?", word, close);
    else
        stint_cli_say("there is no option %.60s; stint %s --help lists them", word, command);
}

/* Finds what getopt_long stopped at: a long option is the whole previous word, a short one is in optopt. */
static void say_mistake(int mistake, char **arguments, const struct stint_option *options)
{
    const char *word = arguments[optind - 1];
    char letter[] = {'-', (char)optopt, '\0'};
    if (strncmp(word, "--", 2) != 0 && optopt)
        word = letter;
    if (mistake == ':')
        stint_cli_say("option %.60s needs a value", word);
    else if (optopt && word != letter)
        stint_cli_say("option %.*s takes no value", (int)strcspn(word, "="), word);
    else
        say_unknown(arguments[0], word, options);
}

int stint_option_next(int count, char **arguments, const struct stint_syntax *syntax)
{
    struct getopt getopt;
    describe(&getopt, syntax);
    opterr = 0;
    int option = getopt_long(count, arguments, getopt.letters, getopt.options, NULL);
    switch (option) {
    case '?':
    case ':':
        say_mistake(option, arguments, syntax->options);
        return '?';
    case 'h':
        stint_option_help(syntax);
        return 'h';
    case 'V':
        (void)puts("stint " STINT_CLI_VERSION);
        return 'h';
    case COMPLETE:
        stint_option_complete(syntax);
        return 'h';
    default:
        return option;
    }
}

/* --------------------------------------------------------------------------------------------------------- values */

const char *const stint_option_switches[] = {"on", "off", NULL};
const char *const stint_option_form_words[] = {"table", "csv", "json", NULL};

int stint_option_choice(const char *name, const char *text, const char *const *words, size_t *value)
{
    char list[256] = "";
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = i;
            return 0;
        }
        (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", words[i]);
    }
    stint_cli_say("--%s %.60s: expected one of %s", name, text, list);
    return -1;
}

int stint_option_word(const char *name, const char *text, const char *const *words, const char **value)
{
    size_t choice;
    if (stint_option_choice(name, text, words, &choice))
        return -1;
    *value = words[choice];
    return 0;
}

int stint_option_switch(const char *name, const char *text, int *value)
{
    size_t choice;
    if (stint_option_choice(name, text, stint_option_switches, &choice))
        return -1;
    *value = choice == 0;
    return 0;
}

int stint_option_number(const char *name, const char *text, unsigned long long least, unsigned long long most,
                        unsigned long long *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && *value >= least && *value <= most)
        return 0;
    stint_cli_say("--%s %.60s: expected a number from %llu to %llu", name, text, least, most);
    return -1;
}

/* Accepts only digits and a point, as the library does, not the other forms that strtod accepts. */
int stint_option_percent(const char *name, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0 && *value <= 100)
        return 0;
    stint_cli_say("--%s %.60s: expected a number from 0 to 100", name, text);
    return -1;
}

int stint_option_seconds(const char *name, const char *text, double least, double *value)
{
    size_t length = strspn(text, "0123456789.");
    char *end;
    *value = strtod(text, &end);
    if (length && !text[length] && !*end && *value >= least && *value <= 1e9)
        return 0;
    stint_cli_say("--%s %.60s: expected seconds, such as 2.5, from %g on", name, text, least);
    return -1;
}
