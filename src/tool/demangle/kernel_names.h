/* Kernels' names as in the source. Programs with a C++ runtime library have most of them so already; names of more than
 * 1024 bytes, and those of other programs, are mangled in what they write. */
#ifndef STINT_DEMANGLE_KERNEL_NAMES_H
#define STINT_DEMANGLE_KERNEL_NAMES_H

#include "base/arena.h"
#include "base/keyed_table.h"

/* Returns a kernel's name as in the source, in `arena`; `name` itself if it is not mangled or cannot be demangled. */
const char *stint_kernel_text(struct stint_arena *arena, const char *name);

/* Kernels' names that have been asked for. Zero it to begin. */
struct stint_kernel_names {
    struct stint_arena arena;
    struct stint_table rows;
};

/* The same, and the text lives as long as `names`. */
const char *stint_kernel_name(struct stint_kernel_names *names, const char *name);

void stint_kernel_names_free(struct stint_kernel_names *names);

#endif
