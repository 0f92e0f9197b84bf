/* Turns mangled C++ names into those of the source. The work is done by the C++ runtime library of the program, if it
 * has one: this library links none. All calls of stint_demangle must be made under one lock. */
#ifndef STINT_BASE_DEMANGLE_H
#define STINT_BASE_DEMANGLE_H

#include <stddef.h>

/* Returns whether a name is mangled, in the only scheme that is used on Linux. */
int stint_is_mangled(const char *name);

/* nvcc names a static kernel like "__nv_static_4__1_f_name": the number of bytes that identify its file, these bytes,
 * and the kernel's own name. Returns the kernel's own name; other names are returned unchanged. */
const char *stint_static_kernel(const char *name);

/* Removes the tags "[abi:v1]" and "[abi:cw51cX...]" from a demangled name. Numba puts them into every name; the second
 * has a hundred characters that only Numba can read. */
void stint_drop_numba_tags(char *name);

/* A function with the interface of __cxa_demangle. */
typedef char *stint_demangle_fn(const char *mangled, char *buffer, size_t *size, int *status);

/* Returns the program's __cxa_demangle if it was present when this library was loaded, else NULL. */
stint_demangle_fn *stint_demangler(void);

/* Returns the same function, or that of a C++ runtime library that the program has loaded since, wherever its symbols
 * are visible; that library then stays loaded. This calls the dynamic loader, so no lock may be held: the constructor
 * of a library may wait for the lock while it holds the loader's. */
stint_demangle_fn *stint_demangler_loaded(void);

/* Returns the name as in the source, or NULL if `mangled` is not a mangled name, is too long, or there is no memory.
 * The caller frees it with free(). Runs on a stack of its own, because `demangle` needs much stack, and the stacks of
 * threads and signals may be small. */
char *stint_demangle(stint_demangle_fn *demangle, const char *mangled);

#endif
