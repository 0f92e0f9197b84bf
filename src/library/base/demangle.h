/* C++ names as they are in the source. The C++ runtime library of the program does it, if there is one: this library
 * links none. All of it under one lock. */
#ifndef STINT_BASE_DEMANGLE_H
#define STINT_BASE_DEMANGLE_H

#include <stddef.h>

/* Returns whether a name is a mangled one, of the only scheme that Linux has. */
int stint_is_mangled(const char *name);

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
