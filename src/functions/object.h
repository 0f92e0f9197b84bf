/* The objects that are loaded, program and shared libraries, and their symbols: files are mapped at the first look-up in
 * them and kept until the object is unloaded. */
#ifndef STINT_FUNCTIONS_OBJECT_H
#define STINT_FUNCTIONS_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* ------------------------------------------------------------------------------- the loader's list, read without lock */

/* An object while it is loaded. */
struct stint_loaded {
    uintptr_t base;      /* what was added to the file's addresses */
    const char *path;    /* the loader's; "" for the program; NULL: there is no such object */
    const void *headers; /* the program headers; NULL: not known */
    size_t header_count;
};

/* Returns the object that contains an address. Where the system has a way, it takes no lock and may interrupt the loader. */
struct stint_loaded stint_loaded_at(uintptr_t address);

/* Returns the C++ runtime library, if it is loaded and shared. The loader's own lock is held meanwhile: the caller must
 * hold none that is waited for in a loader's callback. So do the following two. */
struct stint_loaded stint_loaded_cpp_runtime(void);

/* Returns how many objects were unloaded since the program began. */
uint64_t stint_unloads(void);

/* Tells objects apart. */
struct stint_object_id {
    uintptr_t base;
    uint64_t path_hash;
};

/* Returns the objects that are loaded now, in memory of `arena`; NULL, and count 0, if there is none. */
struct stint_object_id *stint_loaded_list(struct stint_arena *arena, size_t *count);

/* ----------------------------------------------------------------------------------- what is known; all under one lock */

struct stint_object;

/* Returns the object, added if it is new; NULL without memory. It stays until stint_objects_forget. */
struct stint_object *stint_object_of(const struct stint_loaded *loaded);

/* The name of its file without the folder. Lives as long as the object. */
const char *stint_object_name(const struct stint_object *object);

/* Returns the name of the function at an address, as linkers know it; NULL if it has none. Lives as long as the object. */
const char *stint_object_function_at(const struct stint_object *object, uintptr_t address);

/* Returns the address of the function of that name, 0 if the object defines none. */
uintptr_t stint_object_address_of(const struct stint_object *object, const char *name);

/* The offset of an address from where the file is mapped. */
uintptr_t stint_object_offset(const struct stint_object *object, uintptr_t address);

/* Marks the objects that are not in the list as gone. */
void stint_objects_mark(const struct stint_object_id *loaded, size_t count);
int stint_object_is_gone(const struct stint_object *object);

/* Forgets those that are gone, and unmaps their files. */
void stint_objects_sweep(void);

#endif
