#include "html/string_table.h"

#include <string.h>

static int same(const void *array, size_t position, const void *key)
{
    return strcmp(((const char *const *)array)[position], key) == 0;
}

size_t stint_html_strings_add(struct stint_html_strings *strings, const char *text)
{
    uint64_t hash = stint_hash(text, strlen(text), 0);
    size_t found = stint_index_find(&strings->index, hash, same, strings->all.items, text);
    if (found != STINT_INDEX_NONE)
        return found;
    const char **item = stint_array_add(&strings->all, strings->arena, sizeof *item);
    if (!item || stint_index_add(&strings->index, strings->arena, hash, strings->all.count - 1)) {
        strings->failed = 1;
        return 0;
    }
    *item = text;
    return strings->all.count - 1;
}
