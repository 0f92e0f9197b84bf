/* The loaded objects, that is, the program and its shared libraries, and their symbols. A file is mapped when a
 * function in it is first looked up, and stays mapped until the object is unloaded. */
#ifndef STINT_FUNCTIONS_OBJECT_H
#define STINT_FUNCTIONS_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* --------------------------------------------------------------------------------------------- what the loader says */

/* An object while it is loaded. */
struct stint_loaded {
    uintptr_t base; /* the difference between addresses in memory and in the file */
    uintptr_t start;
    uintptr_t end;       /* of the mapping */
    const char *path;    /* the loader's path; "" for the program; NULL: there is no such object */
    const void *headers; /* the program headers; NULL: not known */
    size_t header_count;
};

/* Returns the object that contains an address. Since glibc 2.35 this takes no lock, and may interrupt the loader
 * itself. Before, it waits for a lock under which the program's callbacks may run, so the caller must not hold a lock
 * that those callbacks wait for. */
struct stint_loaded stint_loaded_at(uintptr_t address);

/* Returns the C++ runtime library, if it is loaded as a shared library. Always waits for the loader's lock. */
struct stint_loaded stint_loaded_cpp_runtime(void);

/* -------------------------------------------------------------------------------- what is known; all under one lock */

struct stint_object;

/* Returns the object, which is added if it is new; NULL without memory. It stays until stint_objects_sweep. */
struct stint_object *stint_object_of(const struct stint_loaded *loaded);

/* The name of its file without the folder. Lives as long as the object. */
const char *stint_object_name(const struct stint_object *object);

/* Returns the linker's name of the function at an address; NULL if it has none. Lives as long as the object. */
const char *stint_object_function_at(const struct stint_object *object, uintptr_t address);

/* Returns the address of the object's own __cxa_demangle, 0 if it has none. */
uintptr_t stint_object_demangler(struct stint_object *object);

/* The offset of an address from the beginning of the file's mapping. */
uintptr_t stint_object_offset(const struct stint_object *object, uintptr_t address);

/* Returns where the object at this position begins; 0 after the last. */
uintptr_t stint_object_start(size_t position);

/* Marks objects that cannot be loaded any more, because `loaded` takes their place; if its path is NULL, all objects
 * that contain its `start`. Returns how many there are. */
size_t stint_objects_mark_gone(const struct stint_loaded *loaded);
int stint_object_is_gone(const struct stint_object *object);

/* Forgets the marked objects, and unmaps their files. */
void stint_objects_sweep(void);

#endif
