#include "functions/function_filter.h"

#include <stddef.h>
#include <string.h>

#include "base/pattern.h"

/* A pattern. */
struct span {
    const char *at;
    const char *end;
};

static int matches(struct span pattern, const char *text)
{
    return stint_pattern_matches(pattern.at, (size_t)(pattern.end - pattern.at), text);
}

static int matches_name(struct span pattern, const char *name)
{
    return stint_pattern_matches_name(pattern.at, (size_t)(pattern.end - pattern.at), name);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* Returns the position of the first `c` without a backslash before it, or the end. */
static const char *find_plain(const char *at, const char *end, char c)
{
    for (; at < end && *at != c; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at;
}

static struct span trim(struct span pattern)
{
    while (pattern.at < pattern.end && strchr(" \t\n", *pattern.at))
        pattern.at++;
    while (pattern.at < pattern.end && strchr(" \t\n", pattern.end[-1]))
        pattern.end--;
    return pattern;
}

/* If one half of @object:name is empty, it matches everything. */
static int matches_function(struct span pattern, const char *object, const char *name)
{
    if (*pattern.at != '@')
        return matches_name(pattern, name);
    const char *colon = find_plain(++pattern.at, pattern.end, ':');
    if (colon > pattern.at && !matches((struct span){pattern.at, colon}, object))
        return 0;
    return colon + 1 >= pattern.end || matches_name((struct span){colon + 1, pattern.end}, name);
}

int stint_filter_accepts(const char *patterns, const char *object, const char *name)
{
    const char *end = patterns ? patterns + strlen(patterns) : NULL;
    int accepted = 1, first = 1;

    for (const char *at = patterns; at < end; at++) {
        struct span pattern = {at, find_plain(at, end, ',')};

        at = pattern.end;
        pattern = trim(pattern);
        int excludes = pattern.at < pattern.end && *pattern.at == '!';
        pattern.at += excludes;
        if (pattern.at == pattern.end)
            continue;
        if (first)
            accepted = excludes;
        first = 0;
        if (matches_function(pattern, object, name))
            accepted = !excludes;
    }
    return accepted;
}
