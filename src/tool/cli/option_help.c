/* What --help prints: the forms of each option, and beside them what it does. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

enum { WIDTH = 80, FORMS_MOST = 30, LINE_MOST = 128 };

/* "on|off", from the words of an option */
static void join(char *out, size_t size, const char *const *words)
{
    out[0] = '\0';
    for (size_t i = 0; words[i]; i++)
        (void)snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? "|" : "", words[i]);
}

/* "  -o, --output FILE" */
static void write_form(char *line, const struct stint_option *option)
{
    char letter[] = "-x, ", words[LINE_MOST / 2] = "";
    const char *argument = option->argument ? option->argument : words;
    letter[1] = (char)option->letter;
    if (!option->argument && option->words)
        join(words, sizeof words, option->words);
    (void)snprintf(line, LINE_MOST, "  %s--%s%s%s", option->letter ? letter : "", option->name,
                   *argument && *argument != '[' ? " " : "", argument);
}

/* Where texts begin: behind the longest of the forms that are not too long. */
static size_t column_of(const struct stint_option *option)
{
    char line[LINE_MOST];
    size_t column = 0;
    for (; option->name; option++) {
        write_form(line, option);
        if (*option->help && strlen(line) + 2 <= FORMS_MOST && strlen(line) + 2 > column)
            column = strlen(line) + 2;
    }
    return column;
}

static void put_section(const struct stint_section *section, const char *option)
{
    for (; section && section->first; section++)
        if (strcmp(section->first, option) == 0)
            (void)printf("\n%s:\n", section->title);
}

/* Returns how many bytes of the text a line of so many columns takes: up to a blank, or a word where none fits. */
static size_t line_of(const char *text, size_t columns)
{
    size_t whole = strcspn(text, "\n"), length = columns;
    if (whole <= columns)
        return whole;
    while (length && text[length] != ' ')
        length--;
    return length ? length : strcspn(text, " \n");
}

void stint_put_folded(const char *text, size_t at, size_t column)
{
    while (*text) {
        size_t length = line_of(text, WIDTH - at);
        (void)printf("%.*s\n", (int)length, text);
        text += length;
        if (!*text++)
            return;
        (void)printf("%*s", (int)column, "");
        at = column;
    }
}

void stint_option_help(const struct stint_syntax *syntax)
{
    char line[LINE_MOST];
    size_t column = column_of(syntax->options);
    (void)fputs(syntax->usage, stdout);
    if (!syntax->sections)
        (void)puts("");
    for (const struct stint_option *option = syntax->options; option->name; option++) {
        if (!*option->help)
            continue;
        put_section(syntax->sections, option->name);
        write_form(line, option);
        size_t at = strlen(line) + 2 > column ? strlen(line) + 2 : column;
        (void)printf("%-*s", (int)at, line);
        stint_put_folded(option->help, at, column);
    }
    if (syntax->put_rest)
        syntax->put_rest();
}

void stint_option_complete(const struct stint_syntax *syntax)
{
    char argument[LINE_MOST];
    for (const struct stint_option *option = syntax->options; option->name; option++) {
        (void)snprintf(argument, sizeof argument, "%s", option->argument ? option->argument : "");
        if (option->words)
            join(argument, sizeof argument, option->words);
        (void)printf("--%s %s\n", option->name, argument);
        if (option->letter && *argument)
            (void)printf("-%c %s\n", option->letter, argument);
    }
}
