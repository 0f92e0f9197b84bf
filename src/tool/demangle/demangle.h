/* Turns mangled names of C++ and Rust functions into those of the source, as c++filt writes them. While a program runs,
 * its C++ runtime library does so (parts/cxxabi); this is for names in files, which may be made to harm. */
#ifndef STINT_DEMANGLE_DEMANGLE_H
#define STINT_DEMANGLE_DEMANGLE_H

#include "base/arena.h"
#include "support/keyed_table.h"

/* Returns the name as in the source, in `arena`. Returns NULL if `mangled` is no mangled name, if it or the text is too
 * long or takes too much time, if stint was built without libiberty, or if there is no memory. */
const char *stint_demangle(struct stint_arena *arena, const char *mangled);

/* Kernels' names as in the source. Programs with a C++ runtime library have most of them so already; names of more than
 * 1024 bytes, and those of other programs, are mangled in what they write. */

/* Returns a kernel's name as in the source, in `arena`; `name` itself if it is not mangled or cannot be demangled. */
const char *stint_kernel_text(struct stint_arena *arena, const char *name);

/* Kernels' names that have been asked for. Zero it to begin. */
struct stint_demangled_names {
    struct stint_arena arena;
    struct stint_table rows;
};

/* The same, and the text lives as long as `names`. */
const char *stint_kernel_name(struct stint_demangled_names *names, const char *name);

void stint_demangled_names_free(struct stint_demangled_names *names);

#endif
