/* How calls of CUDA's API are shown that files of Nsight Systems name. */
#include <string.h>

#include "store/foreign_dialect.h"

/* "_v3020", "_ptsz": the version of CUDA that a function is of, and variants for per-thread default streams. "_v2" is
 * part of a function's name. */
static int is_variant(const char *suffix, size_t length)
{
    if (length == 5 && (strncmp(suffix, "_ptsz", 5) == 0 || strncmp(suffix, "_ptds", 5) == 0))
        return 1;
    return length > 5 && suffix[1] == 'v' && strspn(suffix + 2, "0123456789") >= length - 2;
}

const char *stint_foreign_shown_call(const char *name, char *out, size_t size)
{
    size_t length = strlen(name), at = length;
    while (at--) {
        if (name[at] != '_')
            continue;
        if (!at || !is_variant(name + at, length - at))
            break;
        length = at;
    }
    if (!name[length] || length >= size)
        return name;
    memcpy(out, name, length);
    out[length] = '\0';
    return out;
}
