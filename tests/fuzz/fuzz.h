/* What the targets share. Each has LLVMFuzzerTestOneInput, which libFuzzer calls, or replay.c. */
#ifndef STINT_TESTS_FUZZ_H
#define STINT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program unless the condition holds. */
void require(int condition, const char *what);

/* Returns the bytes with a NUL behind them, for free(): no more memory than that, so that AddressSanitizer notices
 * reading beyond it. */
char *copy_text(const uint8_t *data, size_t size);

/* Makes a folder in memory if there is such a file system, else on the disk, and returns its path. `clean` is called
 * when the program exits, and has to remove what is in it. */
const char *make_folder(void (*clean)(void));

/* What was written, for free(). Zeroed: nothing. */
struct output {
    char *text; /* with a NUL behind it; NULL: nothing was written */
    size_t used, room;
};

/* Both are stint_write_fn; the first one's context is a struct output. */
int keep(void *context, const char *text, size_t length);
int discard(void *context, const char *text, size_t length);

#endif
