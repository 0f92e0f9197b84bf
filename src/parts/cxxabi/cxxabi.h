/* Turns mangled C++ names into those of the source. The work is done by the C++ runtime library of the program, if it
 * has one: this library links none. All calls of stint_cxxabi_demangle must be made under one lock. */
#ifndef STINT_CXXABI_CXXABI_H
#define STINT_CXXABI_CXXABI_H

#include <stddef.h>

/* A function with the interface of __cxa_demangle. */
typedef char *stint_cxxabi_fn(const char *mangled, char *buffer, size_t *size, int *status);

/* Returns the program's __cxa_demangle if it was present when this library was loaded, else NULL. */
stint_cxxabi_fn *stint_cxxabi(void);

/* Returns the same function, or that of a C++ runtime library that the program has loaded since, wherever its symbols
 * are visible; that library then stays loaded. This calls the dynamic loader, so no lock may be held: the constructor
 * of a library may wait for the lock while it holds the loader's. */
stint_cxxabi_fn *stint_cxxabi_loaded(void);

/* Returns the name as in the source, or NULL if `mangled` is not a mangled name, is too long, or there is no memory.
 * The caller frees it with free(). Runs on a stack of its own, because `demangle` needs much stack, and the stacks of
 * threads and signals may be small. */
char *stint_cxxabi_demangle(stint_cxxabi_fn *demangle, const char *mangled);

/* Returns a kernel's name as in the source, without what nvcc and Numba add to it, or NULL. As stint_cxxabi_demangle,
 * otherwise. */
char *stint_cxxabi_kernel(stint_cxxabi_fn *demangle, const char *name);

/* ------------------------------------------------------------------------------------------------- names of kernels */

/* Kernels' names as compilers write them: mangled, made unique, tagged. */

/* Returns whether a name is one of C++ that is mangled, in the only scheme that is used on Linux. */
static inline int stint_is_mangled(const char *name)
{
    return name[0] == '_' && name[1] == 'Z';
}

/* nvcc names a static kernel like "__nv_static_4__1_f_name": the number of bytes that identify its file, these bytes,
 * and the kernel's own name. Returns the kernel's own name; other names are returned unchanged. */
const char *stint_static_kernel(const char *name);

/* Removes the tags "[abi:v1]" and "[abi:cw51cX...]" from a demangled name. Numba puts them into every name; the second
 * has a hundred characters that only Numba can read. */
void stint_drop_numba_tags(char *name);

#endif
