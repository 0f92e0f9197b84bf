/* Patterns as in fnmatch(3): `*` stands for any text, `?` for any one byte, `[a-z]` and `[!a-z]` for one of those or
 * not, and `\` takes the next character as it is. */
#ifndef STINT_BASE_PATTERN_H
#define STINT_BASE_PATTERN_H

#include <stddef.h>

/* Returns whether the pattern, of `length` bytes, matches the whole text. */
int stint_pattern_matches(const char *pattern, size_t length, const char *text);

/* Likewise, or the name without what C++ has around it: the return type, which templates have, and the parameters. */
int stint_pattern_matches_name(const char *pattern, size_t length, const char *name);

#endif
