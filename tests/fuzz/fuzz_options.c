/* Takes lines as the words of a command line: what stint nvprof, stint diff and the options that choose a part of a
 * recording make of it. What is refused has a reason. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "fuzz.h"

enum { MOST_WORDS = 32 };

static size_t s_said;

void __wrap_stint_option_help(const struct stint_syntax *syntax);
void __wrap_stint_option_complete(const struct stint_syntax *syntax);

void __wrap_stint_cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    require(length > 0, "a message is empty");
    s_said++;
}

/* These print much, and always the same. */
void __wrap_stint_option_help(const struct stint_syntax *syntax) {}

void __wrap_stint_option_complete(const struct stint_syntax *syntax) {}

struct words {
    char *all[MOST_WORDS + 1];
    int count;
};

static struct words split(char *text)
{
    static char name[] = "stint";
    struct words words = {.all = {name}, .count = 1};
    for (char *at = text; at && words.count < MOST_WORDS;) {
        char *word = strsep(&at, "\n");
        words.all[words.count++] = word;
    }
    return words;
}

/* The words are moved by what reads them. */
static void check_nvprof(struct words words)
{
    struct stint_nvprof_asked asked;
    s_said = 0;
    optind = 0;
    if (stint_nvprof_read(&asked, words.count, words.all))
        require(s_said > 0, "refused without a reason");
    else
        require(asked.answered || (asked.program > 0 && asked.program <= words.count), "there is no such word");
}

static void check_diff(struct words words)
{
    struct stint_diff_options options;
    s_said = 0;
    int code = stint_diff_options_read(&options, words.count, words.all);
    if (code == -1)
        require(options.of_a > 0 && options.of_a < options.files.count, "a side has no file");
    else
        require(code == STINT_CLI_OK || s_said > 0, "refused without a reason");
    stint_diff_options_free(&options);
}

static void check_values(const struct words *words)
{
    static const struct stint_option select_options[] = {STINT_SELECT_OPTIONS(0)};
    static const struct stint_option subset_options[] = {STINT_SUBSET_OPTIONS(0)};
    struct stint_select select = {0};
    for (int i = 1; i < words->count; i++) {
        struct stint_subset_options subset = {0};
        double seconds;
        for (size_t k = 0; k < sizeof select_options / sizeof select_options[0]; k++)
            (void)select_options[k].read((char *)&select + select_options[k].at, &select_options[k], words->all[i]);
        for (size_t k = 0; k < sizeof subset_options / sizeof subset_options[0]; k++)
            if (subset_options[k].read(&subset, &subset_options[k], words->all[i]) == 0 &&
                subset_options[k].read == stint_subset_time)
                require(subset.subset.from_ns < subset.subset.to_ns, "a part of a recording ends before it begins");
        if (stint_option_seconds(&select_options[0], words->all[i], 0, &seconds) == 0)
            require(seconds >= 0 && seconds <= 1e9, "a time is out of range");
        (void)stint_filter_keeps(&select.filter, "set", words->all[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    struct words words = split(text);
    check_values(&words);
    check_nvprof(words);
    check_diff(words);
    free(text);
    return 0;
}
