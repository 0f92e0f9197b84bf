/* Takes any text as the mangled name of a function. */
#include <stdint.h>
#include <stdlib.h>

#include "demangle/demangle.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_arena arena = {0};
    char *text = copy_text(data, size);
    (void)stint_kernel_text(&arena, text);
    stint_arena_free(&arena);
    free(text);
    return 0;
}
