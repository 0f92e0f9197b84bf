/* The objects that are loaded, program and shared libraries, and their symbols: files are mapped at the first look-up
 * in them and kept until the object is unloaded. */
#ifndef STINT_FUNCTIONS_OBJECT_H
#define STINT_FUNCTIONS_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* --------------------------------------------------------------------------------------------- what the loader says */

/* An object while it is loaded. */
struct stint_loaded {
    uintptr_t base; /* what was added to the file's addresses */
    uintptr_t start;
    uintptr_t end;       /* of what is mapped */
    const char *path;    /* the loader's; "" for the program; NULL: there is no such object */
    const void *headers; /* the program headers; NULL: not known */
    size_t header_count;
};

/* Returns the object that contains an address. Since glibc 2.35 it takes no lock and may interrupt the loader itself;
 * before, it waits for a lock, under which users' callbacks may run: the caller must hold none that those wait for. */
struct stint_loaded stint_loaded_at(uintptr_t address);

/* Returns the C++ runtime library, if it is loaded and shared. Waits for that lock, whatever the system. */
struct stint_loaded stint_loaded_cpp_runtime(void);

/* -------------------------------------------------------------------------------- what is known; all under one lock */

struct stint_object;

/* Returns the object, added if it is new; NULL without memory. It stays until stint_objects_sweep. */
struct stint_object *stint_object_of(const struct stint_loaded *loaded);

/* The name of its file without the folder. Lives as long as the object. */
const char *stint_object_name(const struct stint_object *object);

/* Returns the name of the function at an address, as linkers know it; NULL if it has none. Lives as long as the
 * object. */
const char *stint_object_function_at(const struct stint_object *object, uintptr_t address);

/* Returns the address of the object's own __cxa_demangle, 0 if it has none. */
uintptr_t stint_object_demangler(struct stint_object *object);

/* The offset of an address from where the file is mapped. */
uintptr_t stint_object_offset(const struct stint_object *object, uintptr_t address);

/* Returns where the object at this position begins; 0 behind the last. */
uintptr_t stint_object_start(size_t position);

/* Marks objects that cannot be there any more, now that `loaded` is: others that were in its place; with `path` NULL,
 * all that have `start` in them. Returns how many there are. */
size_t stint_objects_mark_gone(const struct stint_loaded *loaded);
int stint_object_is_gone(const struct stint_object *object);

/* Forgets those, and unmaps their files. */
void stint_objects_sweep(void);

#endif
