#include "import/cxx_name.h"

#include <string.h>

#include "base/demangle.h"
#include "import/cxx_node.h"

const char *stint_cxx_name(struct stint_arena *arena, const char *mangled)
{
    const struct stint_cxx_node *node = stint_cxx_parse(arena, mangled);
    return node ? stint_cxx_print(arena, node) : NULL;
}

const char *stint_kernel_text(struct stint_arena *arena, const char *name)
{
    struct stint_arena work = {0};
    const char *own = stint_static_kernel(name);
    const char *text = stint_is_mangled(own) ? stint_cxx_name(&work, own) : NULL;
    char *kept = text ? stint_arena_copy(arena, text, strlen(text)) : NULL;
    stint_arena_free(&work);
    if (!kept)
        return name;
    stint_drop_numba_tags(kept);
    return kept;
}

struct stint_kernel_name {
    const char *mangled, *text;
};

static int is_mangled_as(const void *rows, size_t position, const void *name)
{
    return strcmp(((const struct stint_kernel_name *)rows)[position].mangled, name) == 0;
}

const char *stint_kernel_name(struct stint_kernel_names *names, const char *name)
{
    if (!stint_is_mangled(stint_static_kernel(name)))
        return name;
    uint64_t hash = stint_hash(name, strlen(name), 0);
    size_t at = stint_index_find(&names->index, hash, is_mangled_as, names->rows.items, name);
    if (at != STINT_INDEX_NONE)
        return ((const struct stint_kernel_name *)names->rows.items)[at].text;
    struct stint_kernel_name *row = stint_array_add(&names->rows, &names->arena, sizeof *row);
    const char *mangled = row ? stint_arena_copy(&names->arena, name, strlen(name)) : NULL;
    if (!mangled)
        return name;
    *row = (struct stint_kernel_name){mangled, stint_kernel_text(&names->arena, mangled)};
    (void)stint_index_add(&names->index, &names->arena, hash, names->rows.count - 1); /* else it is read again */
    return row->text;
}

void stint_kernel_names_free(struct stint_kernel_names *names)
{
    stint_arena_free(&names->arena);
}
