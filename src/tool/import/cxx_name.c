/* Turns mangled names into readable ones, each once. */
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

const char *stint_kernel_name(struct stint_kernel_names *names, const char *name)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_COPYING(struct stint_kernel_name, mangled);
    struct stint_kernel_name like = {.mangled = name};
    if (!stint_is_mangled(stint_static_kernel(name)))
        return name;
    struct stint_kernel_name *row = stint_table_take(&names->rows, &key, &names->arena, &like);
    if (row && !row->text)
        row->text = stint_kernel_text(&names->arena, row->mangled);
    return row ? row->text : name;
}

void stint_kernel_names_free(struct stint_kernel_names *names)
{
    stint_arena_free(&names->arena);
}
