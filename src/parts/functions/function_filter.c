/* Matches names of functions and objects against the patterns of STINT_FUNCTIONS, from left to right; the last one that
 * matches counts. */
#include "functions/function.h"

#include <stddef.h>
#include <string.h>

#include "support/annotation.h"

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

/* Takes the next pattern, without blanks, from what is left of a list. */
static struct span take(struct span *list)
{
    struct span pattern = {list->at, find_plain(list->at, list->end, ',')};
    list->at = pattern.end < list->end ? pattern.end + 1 : list->end;
    return trim(pattern);
}

static struct span list_of(const char *patterns)
{
    return (struct span){patterns, patterns ? patterns + strlen(patterns) : NULL};
}

static int is_all(struct span pattern)
{
    return pattern.end - pattern.at == 3 && memcmp(pattern.at, "all", 3) == 0;
}

int stint_filter_has_all(const char *patterns)
{
    struct span list = list_of(patterns);
    int found = 0;
    while (list.at < list.end)
        found |= is_all(take(&list));
    return found;
}

int stint_filter_accepts(const char *patterns, const char *object, const char *name)
{
    struct span list = list_of(patterns);
    int accepted = 1, first = 1;
    while (list.at < list.end) {
        struct span pattern = take(&list);
        if (is_all(pattern))
            continue;
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
