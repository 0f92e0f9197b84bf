/* replay MUTATIONS SEED... - calls the fuzz target with each seed and with this many mutations of it, which are the
 * same in every run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stint_test.h"

enum { MOST = 1 << 20 };

static uint8_t s_seed[MOST], s_text[MOST];

static size_t read_seed(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t length = fread(s_seed, 1, sizeof s_seed, file);
    fclose(file);
    return length;
}

/* Removes, duplicates or overwrites a piece, and returns the new length. Digits and brackets break more than random
 * bytes do. */
static size_t mutate(size_t length, uint64_t *state)
{
    static const char pieces[][8] = {"0", "9", "-", "\"", "{", "[", "]", "}", ",", "null", "1e99", "\\u0000", "\xff"};
    size_t at = test_random(state) % (length + 1);
    size_t piece = test_random(state) % (length - at + 1) % 40;
    const char *with = pieces[test_random(state) % TEST_COUNT(pieces)];
    switch (test_random(state) % 3) {
    case 0:
        memmove(s_text + at, s_text + at + piece, length - at - piece);
        return length - piece;
    case 1:
        if (length + piece > MOST)
            return length;
        memmove(s_text + at + piece, s_text + at, length - at);
        return length + piece;
    default:
        if (strlen(with) > length - at)
            return length;
        memcpy(s_text + at, with, strlen(with));
        return length;
    }
}

static void replay(size_t length, long mutations, uint64_t *state)
{
    LLVMFuzzerTestOneInput(s_seed, length);
    for (long i = 0; i < mutations; i++) {
        size_t mutated = length;
        memcpy(s_text, s_seed, length);
        for (uint64_t times = 1 + test_random(state) % 3; times; times--)
            mutated = mutate(mutated, state);
        LLVMFuzzerTestOneInput(s_text, mutated);
    }
}

int main(int count, char **arguments)
{
    uint64_t state = 1;
    if (count < 3)
        return 1;
    long mutations = strtol(arguments[1], NULL, 10);
    for (int i = 2; i < count; i++)
        replay(read_seed(arguments[i]), mutations, &state);
    printf("%d seeds, %ld mutations each\n", count - 2, mutations);
    return 0;
}
