#include "functions/filter.h"

#include <stddef.h>
#include <string.h>

/* A pattern, which ends before `end`. No fnmatch(): it allocates memory and asks the locale. */
struct pattern {
    const char *at;
    const char *end;
};

/* Returns where the set `[...]` at `at` ends, behind its bracket, or NULL: then the bracket is a plain character. A `]`
 * that comes first is in the set. */
static const char *set_end(const char *at, const char *end)
{
    const char *first = at + 1;

    if (first < end && (*first == '!' || *first == '^'))
        ++first;
    for (at = first; at < end; ++at) {
        if (*at == ']' && at > first)
            return at + 1;
        if (*at == '\\' && at + 1 < end)
            ++at;
    }
    return NULL;
}

static const char *unescape(const char *at, const char *last)
{
    return *at == '\\' && at + 1 < last ? at + 1 : at;
}

/* Whether the set from `at` to its closing bracket `last` has the character. */
static int set_has(const char *at, const char *last, unsigned char c)
{
    int negated = 0, found = 0;

    ++at;
    if (*at == '!' || *at == '^') {
        negated = 1;
        ++at;
    }
    while (at < last) {
        unsigned char low, high;

        at = unescape(at, last);
        low = high = (unsigned char)*at++;
        if (at + 1 < last && *at == '-') {
            at = unescape(at + 1, last);
            high = (unsigned char)*at++;
        }
        found |= low <= c && c <= high;
    }
    return found != negated;
}

/* Matches one character. Returns the rest of the pattern, NULL if it does not fit. */
static const char *match_one(const struct pattern *pattern, char c)
{
    const char *at = pattern->at;

    if (*at == '?')
        return at + 1;
    if (*at == '[') {
        const char *behind = set_end(at, pattern->end);

        if (behind)
            return set_has(at, behind - 1, (unsigned char)c) ? behind : NULL;
    }
    at = unescape(at, pattern->end);
    return *at == c ? at + 1 : NULL;
}

/* After a mismatch, the last star takes one character more. */
static int matches(struct pattern pattern, const char *text)
{
    const char *behind_star = NULL, *resume = NULL;

    for (;;) {
        const char *rest = NULL;

        if (pattern.at < pattern.end && *pattern.at == '*') {
            behind_star = ++pattern.at;
            resume = text;
            continue;
        }
        if (pattern.at < pattern.end && *text)
            rest = match_one(&pattern, *text);
        if (rest) {
            pattern.at = rest;
            ++text;
            continue;
        }
        if (pattern.at == pattern.end && !*text)
            return 1;
        if (!behind_star || !*resume)
            return 0;
        pattern.at = behind_star;
        text = ++resume;
    }
}

/* Returns where the first `c` is that no backslash precedes, or the end. */
static const char *find_plain(const char *at, const char *end, char c)
{
    for (; at < end && *at != c; ++at)
        if (*at == '\\' && at + 1 < end)
            ++at;
    return at;
}

static struct pattern trim(struct pattern pattern)
{
    while (pattern.at < pattern.end && strchr(" \t\n", *pattern.at))
        ++pattern.at;
    while (pattern.at < pattern.end && strchr(" \t\n", pattern.end[-1]))
        --pattern.end;
    return pattern;
}

/* An empty half of @object:name matches all. */
static int matches_half(struct pattern pattern, const char *text)
{
    return pattern.at == pattern.end || matches(pattern, text);
}

static int matches_function(struct pattern pattern, const char *object, const char *name)
{
    const char *colon;

    if (*pattern.at != '@')
        return matches(pattern, name);
    colon = find_plain(++pattern.at, pattern.end, ':');
    return matches_half((struct pattern){pattern.at, colon}, object) &&
           matches_half((struct pattern){colon < pattern.end ? colon + 1 : colon, pattern.end}, name);
}

int stint_filter_accepts(const char *patterns, const char *object, const char *name)
{
    const char *const end = patterns ? patterns + strlen(patterns) : NULL;
    int accepted = 1, first = 1;

    for (const char *at = patterns; at < end; ++at) {
        struct pattern pattern = {at, find_plain(at, end, ',')};
        int excludes;

        at = pattern.end;
        pattern = trim(pattern);
        excludes = pattern.at < pattern.end && *pattern.at == '!';
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
