#include "cli/suggest.h"

#include <string.h>

enum { LONGEST = 48 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many letters have to be added, left out, replaced, or swapped with the next; both words have at most LONGEST. */
static size_t distance(const char *a, const char *b)
{
    size_t table[LONGEST + 1][LONGEST + 1]; /* between the first i letters of one and j of the other */
    size_t height = strlen(a), width = strlen(b);
    for (size_t i = 0; i <= height; i++) {
        for (size_t j = 0; j <= width; j++) {
            table[i][j] = i ? i : j;
            if (!i || !j)
                continue;
            size_t replaced = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            table[i][j] = least(replaced, least(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
    return table[height][width];
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
