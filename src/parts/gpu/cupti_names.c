/* Takes the suffixes of versions and of streams per thread off the names of CUDA's functions, so that users see the
 * names that they wrote. */
#include "gpu/cupti_names.h"

#include <string.h>

static int begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Whether the text from `suffix` to `end` is a suffix that distinguishes variants of a function. */
static int is_variant(const char *suffix, const char *end)
{
    size_t length = (size_t)(end - suffix);

    if (length == 5 && (begins(suffix, "_ptsz") || begins(suffix, "_ptds")))
        return 1; /* per-thread default streams */
    return length > 2 && begins(suffix, "_v") && strspn(suffix + 2, "0123456789") >= length - 2;
}

static const char *last_suffix(const char *name, const char *end)
{
    while (end > name && *--end != '_')
        ;
    return end;
}

const char *stint_cupti_shown_name(const char *name, char *out, size_t size)
{
    const char *end = name + strlen(name);
    const char *suffix = last_suffix(name, end);

    while (suffix > name && is_variant(suffix, end)) {
        end = suffix;
        suffix = last_suffix(name, end);
    }
    if (!*end)
        return name;
    size_t length = (size_t)(end - name);
    if (length >= size)
        length = size - 1;
    memcpy(out, name, length);
    out[length] = '\0';
    return out;
}
