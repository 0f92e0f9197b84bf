/* Names of functions at addresses that samples have, for what writes files of them. */
#ifndef STINT_MODEL_FUNCTION_NAMES_H
#define STINT_MODEL_FUNCTION_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "stint/samples.h"

/* A function at an address. */
struct stint_function_name {
    const char *name; /* "0x1234" if nobody knows it */
    const char *file; /* of the source; "" if unknown */
    uint32_t line;    /* in it; 0: unknown */
};

/* Knows the names of functions, as the program `stint` does. */
struct stint_function_names {
    /* Fills `found`, with room for `most`, with the function at an address of the module, as the module's file states
     * it, and with those that it was inlined into, the innermost first. Returns how many there are, one at least. Texts
     * stay valid. */
    size_t (*find)(void *context, const struct stint_sample_module *module, uint64_t address,
                   struct stint_function_name *found, size_t most);
    void *context;
};

#endif
