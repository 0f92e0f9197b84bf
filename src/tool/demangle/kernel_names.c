/* Kernels' names as in the source, whatever the program that recorded them made of them. */
#include "demangle/kernel_names.h"

#include <string.h>

#include "demangle/demangle.h"
#include "stat/kernel_symbol.h"

const char *stint_kernel_text(struct stint_arena *arena, const char *name)
{
    struct stint_arena work = {0};
    const char *own = stint_static_kernel(name);
    const char *text = stint_demangle(&work, own);
    char *kept = text ? stint_arena_copy(arena, text, strlen(text)) : NULL;
    stint_arena_free(&work);
    if (!kept)
        return name;
    stint_drop_numba_tags(kept);
    return kept;
}

struct kernel_name {
    const char *mangled, *text;
};

const char *stint_kernel_name(struct stint_kernel_names *names, const char *name)
{
    static const struct stint_table_key key = STINT_TABLE_KEY_COPYING(struct kernel_name, mangled);
    struct kernel_name *row;
    if (!stint_is_mangled(stint_static_kernel(name)))
        return name;
    row = stint_table_take(&names->rows, &key, &names->arena, &(struct kernel_name){.mangled = name});
    if (row && !row->text)
        row->text = stint_kernel_text(&names->arena, row->mangled);
    return row ? row->text : name;
}

void stint_kernel_names_free(struct stint_kernel_names *names)
{
    stint_arena_free(&names->arena);
}
