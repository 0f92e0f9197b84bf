/* Patterns as in fnmatch(3): `*` stands for any text, `?` for any one byte, `[a-z]` for a byte in that range and
 * `[!a-z]` for one outside it, and `\` makes the next character literal. */
#ifndef STINT_SUPPORT_PATTERN_H
#define STINT_SUPPORT_PATTERN_H

#include <stddef.h>

/* Returns whether the pattern, of `length` bytes, matches the whole text. */
int stint_pattern_matches(const char *pattern, size_t length, const char *text);

/* Returns whether the pattern matches the whole name, or the name without what C++ adds around it: the return type,
 * which templates have, and the parameters. */
int stint_pattern_matches_name(const char *pattern, size_t length, const char *name);

/* Returns where the name without what C++ adds around it begins, and its length. */
const char *stint_bare_name(const char *name, size_t *length);

#endif
