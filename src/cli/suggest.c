#include "cli/suggest.h"

#include <string.h>

enum { LONGEST = 48 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many letters have to be added, left out, or replaced; both words have at most LONGEST. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[width];
}

const char *stint_suggest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least_distance = strlen(word) / 3 + 2; /* this far is a word of its own */
    if (strlen(word) > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > LONGEST)
            continue;
        size_t here = distance(word, names[i]);
        if (here < least_distance && here < strlen(names[i])) {
            least_distance = here;
            best = names[i];
        }
    }
    return best;
}
