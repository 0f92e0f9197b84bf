/* Takes a line with a pattern and a line with a text. Whether they match is what fnmatch(3) says. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/annotation.h"

/* fnmatch(3) also knows classes, [[:alpha:]], and does not say what these are: ranges that end before they begin, and
 * brackets or backslashes without what belongs to them. */
static int is_defined(const char *pattern)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && !*++at)
            return 0;
        if (*at == '[' || *at == ']')
            return 0;
    }
    return 1;
}

/* One set, [a-c] or [!abc], of plain letters. */
static int is_plain_set(const char *pattern)
{
    const char *end = strchr(pattern, ']');
    if (pattern[0] != '[' || !end || end[1] || end == pattern + 1)
        return 0;
    const char *first = pattern + 1 + (pattern[1] == '!');
    for (const char *at = first; at < end; at++)
        if (strchr("[\\!^", *at) || (*at == '-' && (at == first || at + 1 == end || at[-1] > at[1] || at[2] == '-')))
            return 0;
    return end > first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *pattern = copy_text(data, size);
    char *text = strchr(pattern, '\n');
    if (text) {
        *text++ = '\0';
        size_t length = strlen(pattern);
        int matches = stint_pattern_matches(pattern, length, text);
        if (length < 64 && strlen(text) < 256 && (is_defined(pattern) || is_plain_set(pattern)))
            require(matches == (fnmatch(pattern, text, 0) == 0), "fnmatch says otherwise");
        require(stint_pattern_matches_name(pattern, length, text) >= matches, "a name matches, but not as a name");
    }
    free(pattern);
    return 0;
}
