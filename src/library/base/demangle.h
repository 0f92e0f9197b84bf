/* C++ names as they are in the source. The C++ runtime library of the program does it, if there is one: this library
 * links none. All of it under one lock. */
#ifndef STINT_BASE_DEMANGLE_H
#define STINT_BASE_DEMANGLE_H

#include <stddef.h>

/* Returns whether a name is a mangled one, of the only scheme that Linux has. */
int stint_is_mangled(const char *name);

/* Returns the kernel's own name within that which nvcc gives a static one, "__nv_static_4__1_f_name": a number of bytes
 * that tell its file apart, these, and the name. Returns other names as they are. */
const char *stint_static_kernel(const char *name);

/* Takes the tags "[abi:v1]" and "[abi:cw51cX...]" out of a demangled name. Numba puts them into every one; the second
 * has a hundred characters that only Numba can read. */
void stint_drop_numba_tags(char *name);

/* A function with the interface of __cxa_demangle. */
typedef char *stint_demangle_fn(const char *mangled, char *buffer, size_t *size, int *status);

/* Returns the program's __cxa_demangle if it was there when this library was loaded, else NULL. */
stint_demangle_fn *stint_demangler(void);

/* Likewise, or that of a C++ runtime library which the program has loaded since, wherever its symbols are visible; it
 * then stays loaded. Asks the loader: not under a lock, since a library's constructor may wait for that with the
 * loader's. */
stint_demangle_fn *stint_demangler_loaded(void);

/* Returns the name in the source, NULL if this is no mangled name, it is too long, or memory is short. To be freed with
 * free(). Runs on a stack of its own: `demangle` uses much, and thread and signal stacks may be small. */
char *stint_demangle(stint_demangle_fn *demangle, const char *mangled);

#endif
