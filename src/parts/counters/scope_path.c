/* Names the scopes around a launch, from the outermost in, through a function of the library that has them: the module
 * itself has no tree. */
#include "counters/scope_path.h"

#include <stdio.h>

#include "counters/kernel_choice.h"

enum { MOST_DEPTH = 64 };

static size_t write_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path, int depth)
{
    uint32_t parent;
    const char *name = depth < MOST_DEPTH ? scope(path, &parent) : NULL;
    size_t used = name ? write_path(out, size, scope, parent, depth + 1) : 0;
    if (!name)
        return 0;
    int length = snprintf(out + used, size - used, "%s%s", used ? "/" : "", name);
    used += length > 0 ? (size_t)length : 0;
    return used < size ? used : size - 1;
}

size_t stint_scope_path(char *out, size_t size, stint_scope_name_fn *scope, uint32_t path)
{
    return write_path(out, size, scope, path, 0);
}

int stint_scope_is_among(const char *patterns, stint_scope_name_fn *scope, uint32_t path)
{
    uint32_t parent;
    for (const char *name; (name = scope(path, &parent)); path = parent)
        if (stint_scope_name_is_among(patterns, name))
            return 1;
    return !patterns;
}
