/* Wide characters to UTF-8. */
#ifndef STINT_NVTX_WIDE_H
#define STINT_NVTX_WIDE_H

#include <stddef.h>

/* Writes `wide` (NULL is L"") to `out`, NUL-terminated, cut to `size` but not inside a character. Invalid characters
 * become U+FFFD. */
void stint_nvtx_narrow(char *out, size_t size, const wchar_t *wide);

#endif
