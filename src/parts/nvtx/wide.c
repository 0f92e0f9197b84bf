/* Texts of wchar_t, which NVTX allows wherever it has texts, as the UTF-8 that everything else in stint takes. */
#include "nvtx/wide.h"

#include <string.h>

#include "base/utf8.h"
#include "record/registry.h"

void stint_nvtx_narrow(char *out, size_t size, const wchar_t *wide)
{
    for (; wide && *wide; wide++) {
        char character[STINT_UTF8_LONGEST];
        size_t length = stint_utf8_write(character, (uint32_t)*wide);
        if (length >= size) {
            stint_count_dropped(&stint_dropped.truncated);
            break;
        }
        memcpy(out, character, length);
        out += length;
        size -= length;
    }
    *out = '\0';
}
