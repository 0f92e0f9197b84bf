/* Functions of libraries that are opened at run time. */
#ifndef STINT_CEILING_CEILING_LIBRARY_H
#define STINT_CEILING_CEILING_LIBRARY_H

#include <stddef.h>

struct stint_ceiling_function {
    size_t place; /* of the pointer to it in a structure */
    const char *name;
};

/* Opens the library and fills in the structure's pointers. Returns NULL, or what is missing. */
const char *stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                       size_t count, void *structure);

#endif
