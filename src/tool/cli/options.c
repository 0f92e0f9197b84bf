/* Reads options from a table, and suggests what a mistyped word may have meant. */
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
    size_t least_distance =
        strlen(word) < 4 ? 2 : strlen(word) / 3 + 2; /* a word at this distance is a different one */
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

/* ----------------------------------------------------------------------------------------------------------- getopt */

struct getopt {
    struct option options[MOST_OPTIONS + 2];
    char letters[2 * MOST_OPTIONS + 8];
};

enum { FIRST = 256 /* number of the first option */, COMPLETE = 1024 /* asked for by stint.bash */ };

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
        getopt->options[count] = (struct option){option->name, has_argument(option), NULL, FIRST + (int)count};
        count++;
        if (!option->letter)
            continue;
        *letter++ = (char)option->letter;
        if (has_argument(option))
            *letter++ = ':';
    }
    *letter = '\0';
    getopt->options[count++] = (struct option){"complete", no_argument, NULL, COMPLETE};
    getopt->options[count] = (struct option){NULL, 0, NULL, 0};
}

/* Options of perf record, and what to type in stint run. */
static const char *find_own_of_perf(const char *word)
{
    static const struct {
        const char *option, *own;
    } all[] = {
        {"-F", "--sample=HZ sets the sampling rate"},
        {"-g", "call stacks are always sampled; stint samples FILE --mode top-down shows them"},
        {"-p", "stint attach PID reaches programs that stint run has started"},
        {"-o", "--store FILE keeps a recording, --log-file FILE the report"},
        {"-e", "stint samples CPU time; --sample=wall samples elapsed time"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(word, all[i].option) == 0)
            return all[i].own;
    return NULL;
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
    const char *own = strcmp(command, "run") == 0 ? find_own_of_perf(word) : NULL;
    if (close)
        stint_cli_say("there is no option %.60s; did you mean --%s?", word, close);
    else if (own)
        stint_cli_say("there is no option %s: %s", word, own);
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

/* Returns the position of an option that getopt_long found by its letter or name. */
static int position_of(const struct stint_option *options, int found)
{
    int i = 0;
    if (found >= FIRST)
        return found - FIRST;
    while (options[i].letter != found)
        i++;
    return i;
}

int stint_option_next(int count, char **arguments, const struct stint_syntax *syntax)
{
    struct getopt getopt;
    describe(&getopt, syntax);
    opterr = 0;
    int found = getopt_long(count, arguments, getopt.letters, getopt.options, NULL);
    if (found == -1)
        return STINT_OPTION_END;
    if (found == 1)
        return STINT_OPTION_WORD;
    if (found == '?' || found == ':') {
        say_mistake(found, arguments, syntax->options);
        return STINT_OPTION_MISTAKE;
    }
    if (found == COMPLETE) {
        stint_option_complete(syntax);
        return STINT_OPTION_ANSWERED;
    }
    int position = position_of(syntax->options, found);
    if (syntax->options[position].letter == 'h')
        stint_option_help(syntax);
    else if (syntax->options[position].letter == 'V')
        (void)puts("stint " STINT_CLI_VERSION);
    else
        return position;
    return STINT_OPTION_ANSWERED;
}

int stint_options_read(int count, char **arguments, const struct stint_syntax *syntax, void *into)
{
    for (int found; (found = stint_option_next(count, arguments, syntax)) != STINT_OPTION_END;) {
        const struct stint_option *option = &syntax->options[found < 0 ? 0 : found];
        if (found == STINT_OPTION_ANSWERED)
            return STINT_CLI_OK;
        if (found == STINT_OPTION_MISTAKE)
            return STINT_CLI_USAGE;
        if (found == STINT_OPTION_WORD ? syntax->word(into, optarg)
                                       : option->read((char *)into + option->at, option, optarg))
            return STINT_CLI_USAGE;
    }
    for (; syntax->word && optind < count; optind++) /* behind "--" */
        if (syntax->word(into, arguments[optind]))
            return STINT_CLI_USAGE;
    return -1;
}

const char *stint_options_file(int count, char **arguments, const char *missing)
{
    if (optind + 1 == count)
        return arguments[optind];
    if (optind == count)
        stint_cli_say("%s", missing);
    else
        stint_cli_say("expected one file, but there is also %.256s; stint merge adds up several",
                      arguments[optind + 1]);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- values */

const char *const stint_option_switches[] = {"on", "off", NULL};
const char *const stint_option_form_words[] = {"table", "csv", "json", NULL};

int stint_option_flag(void *value, const struct stint_option *option, const char *text)
{
    (void)option;
    (void)text;
    *(int *)value = 1;
    return 0;
}

int stint_option_text(void *value, const struct stint_option *option, const char *text)
{
    (void)option;
    *(const char **)value = text;
    return 0;
}

int stint_option_output(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_text(value, option, strcmp(text, "-") == 0 ? NULL : text);
}

int stint_option_choice(void *value, const struct stint_option *option, const char *text)
{
    char list[256] = "";
    for (int i = 0; option->words[i]; i++) {
        if (strcmp(text, option->words[i]) == 0) {
            *(int *)value = i;
            return 0;
        }
        (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", option->words[i]);
    }
    stint_cli_say("--%s %.60s: expected one of %s", option->name, text, list);
    return -1;
}

int stint_option_word(void *value, const struct stint_option *option, const char *text)
{
    int choice;
    if (stint_option_choice(&choice, option, text))
        return -1;
    *(const char **)value = option->words[choice];
    return 0;
}

int stint_option_switch(void *value, const struct stint_option *option, const char *text)
{
    int choice;
    if (stint_option_choice(&choice, option, text))
        return -1;
    *(int *)value = choice == 0;
    return 0;
}

/* Accepts only digits and a point, as the library does, not the other forms that strtod accepts. */
int stint_option_percent(void *value, const struct stint_option *option, const char *text)
{
    char *end;
    *(double *)value = strtod(text, &end);
    if (end != text && !*end && *(double *)value >= 0 && *(double *)value <= 100)
        return 0;
    stint_cli_say("--%s %.60s: expected a number from 0 to 100", option->name, text);
    return -1;
}

int stint_option_number(const struct stint_option *option, const char *text, unsigned long long least,
                        unsigned long long most, unsigned long long *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && *value >= least && *value <= most)
        return 0;
    stint_cli_say("--%s %.60s: expected a number from %llu to %llu", option->name, text, least, most);
    return -1;
}

int stint_option_seconds(const struct stint_option *option, const char *text, double least, double *value)
{
    size_t length = strspn(text, "0123456789.");
    char *end;
    *value = strtod(text, &end);
    if (length && !text[length] && !*end && *value >= least && *value <= 1e9)
        return 0;
    stint_cli_say("--%s %.60s: expected seconds, such as 2.5, at least %g", option->name, text, least);
    return -1;
}
