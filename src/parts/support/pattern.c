/* Matches shell patterns without libc, and finds the bare name in what C++ calls a function, so that a user need not
 * write its parameters. */
#include "support/annotation.h"

#include <stddef.h>
#include <string.h>

/* A part of a text: a pattern, or the text that is matched with it. */
struct span {
    const char *at;
    const char *end;
};

/* --------------------------------------------------------------------------------------------------------- patterns */

/* fnmatch() is not used, because it allocates memory and depends on the locale. */

/* Returns a pointer past the closing bracket of the set `[...]` at `at`, or NULL if there is none; the opening bracket
 * is then a plain character. A `]` that comes first belongs to the set. */
static const char *set_end(const char *at, const char *end)
{
    const char *first = at + 1;
    if (first < end && (*first == '!' || *first == '^'))
        first++;
    for (const char *c = first; c < end; c++) {
        if (*c == ']' && c > first)
            return c + 1;
        if (*c == '\\' && c + 1 < end)
            c++;
    }
    return NULL;
}

static const char *unescape(const char *at, const char *last)
{
    return *at == '\\' && at + 1 < last ? at + 1 : at;
}

/* Whether the set from `at` to its closing bracket `last` contains the character. */
static int set_has(const char *at, const char *last, unsigned char c)
{
    int negated = 0, found = 0;
    at++;
    if (*at == '!' || *at == '^') {
        negated = 1;
        at++;
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

/* Matches one character. Returns the rest of the pattern, or NULL if the character does not match. */
static const char *match_one(const struct span *pattern, char c)
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

/* After a mismatch, the last star takes one more character. */
static int matches(struct span pattern, struct span text)
{
    const char *behind_star = NULL, *resume = NULL;
    for (;;) {
        const char *rest = NULL;
        if (pattern.at < pattern.end && *pattern.at == '*') {
            behind_star = ++pattern.at;
            resume = text.at;
            continue;
        }
        if (pattern.at < pattern.end && text.at < text.end)
            rest = match_one(&pattern, *text.at);
        if (rest) {
            pattern.at = rest;
            text.at++;
            continue;
        }
        if (pattern.at == pattern.end && text.at == text.end)
            return 1;
        if (!behind_star || resume == text.end)
            return 0;
        pattern.at = behind_star;
        text.at = ++resume;
    }
}

/* ------------------------------------------------------------------------------------------------------------ names */

/* Returns a pointer past the bracket that closes the one at `at`, or the end of the text if none does. */
static const char *behind_brackets(const char *at)
{
    int depth = 0;
    do {
        if (strchr("(<[{", *at))
            depth++;
        else if (strchr(")>]}", *at))
            depth--;
        at++;
    } while (depth && *at);
    return at;
}

/* Returns where the name continues after parentheses, or NULL if it does not, because they hold its parameters. It
 * continues in `(anonymous namespace)::f()` and `f(int) const::local::g()`. */
static const char *behind_parentheses(const char *at)
{
    at = behind_brackets(at);
    if (strncmp(at, " const", 6) == 0)
        at += 6;
    return strncmp(at, "::", 2) != 0 ? NULL : at;
}

/* Returns the end of a name that continues with `operator` at `at`: the start of its parameters, which in `operator()`
 * come after its own parentheses. */
static const char *operator_end(const char *at)
{
    at += strlen("operator");
    if (strncmp(at, "()", 2) == 0)
        at += 2;
    return at + strcspn(at, "(");
}

static int begins_operator(const char *name, const char *at)
{
    return strncmp(at, "operator", 8) == 0 && (at == name || strchr(": ", at[-1])) &&
           !strchr("_abcdefghijklmnopqrstuvwxyz", at[8]);
}

/* Returns the name without its return type, which C++ templates have, and without its parameters. */
static struct span bare_name(const char *name)
{
    struct span bare = {name, name};
    while (*bare.end) {
        if (begins_operator(name, bare.end)) {
            bare.end = operator_end(bare.end);
            break;
        }
        if (*bare.end == '(') {
            const char *behind = behind_parentheses(bare.end);
            if (!behind)
                break;
            bare.end = behind;
        } else if (strchr("<[{", *bare.end)) {
            bare.end = behind_brackets(bare.end);
        } else if (*bare.end++ == ' ') {
            bare.at = bare.end;
        }
    }
    return bare;
}

const char *stint_bare_name(const char *name, size_t *length)
{
    struct span bare = bare_name(name);
    *length = (size_t)(bare.end - bare.at);
    return bare.at;
}

/* --------------------------------------------------------------------------------------------------------- matching */

int stint_pattern_matches(const char *pattern, size_t length, const char *text)
{
    return matches((struct span){pattern, pattern + length}, (struct span){text, text + strlen(text)});
}

int stint_pattern_matches_name(const char *pattern, size_t length, const char *name)
{
    return stint_pattern_matches(pattern, length, name) ||
           matches((struct span){pattern, pattern + length}, bare_name(name));
}
