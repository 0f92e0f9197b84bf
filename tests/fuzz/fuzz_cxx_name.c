/* Takes any text as the mangled name of a kernel. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/cxx_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_arena arena = {0};
    char *text = malloc(size + 1); /* no larger, so that a read beyond it is noticed */
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    (void)stint_kernel_text(&arena, text);
    stint_arena_free(&arena);
    free(text);
    return 0;
}
