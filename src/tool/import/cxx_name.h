/* Turns mangled names of C++ functions into those of the source, as c++filt writes them. While a program runs, its C++
 * runtime library does so; this is for programs without one, and for names of more than 1024 bytes, which that library
 * refuses. */
#ifndef STINT_IMPORT_CXX_NAME_H
#define STINT_IMPORT_CXX_NAME_H

#include "base/keyed_table.h"

/* Returns the name as in the source, in `arena`. Returns NULL if `mangled` is not the mangled name of a function, uses
 * a part of the language that kernels do not have, is too long, or if there is no memory. */
const char *stint_cxx_name(struct stint_arena *arena, const char *mangled);

/* Returns a kernel's name as in the source, in `arena`; `name` itself if it is not mangled or cannot be demangled. */
const char *stint_kernel_text(struct stint_arena *arena, const char *name);

/* Kernels' names that have been asked for. Zero it to begin. */
struct stint_kernel_names {
    struct stint_arena arena;
    struct stint_table rows; /* struct stint_kernel_name */
};

/* The same, and the text lives as long as `names`. */
const char *stint_kernel_name(struct stint_kernel_names *names, const char *name);

void stint_kernel_names_free(struct stint_kernel_names *names);

#endif
