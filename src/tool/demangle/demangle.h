/* Turns mangled names of C++ and Rust functions into those of the source, as c++filt writes them. While a program runs,
 * its C++ runtime library does so (parts/cxxabi); this is for names in files, which may be made to harm. */
#ifndef STINT_DEMANGLE_DEMANGLE_H
#define STINT_DEMANGLE_DEMANGLE_H

#include "base/arena.h"

/* Returns the name as in the source, in `arena`. Returns NULL if `mangled` is no mangled name, if it or the text is too
 * long or takes too much time, if stint was built without libiberty, or if there is no memory. */
const char *stint_demangle(struct stint_arena *arena, const char *mangled);

#endif
