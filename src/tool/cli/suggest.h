/* What somebody who mistyped a word meant. */
#ifndef STINT_CLI_SUGGEST_H
#define STINT_CLI_SUGGEST_H

#include <stddef.h>

/* Returns the name that is closest to `word`, or NULL if none is close. */
const char *stint_suggest(const char *word, const char *const *names, size_t count);

#endif
