/* The part of the CUDA driver that measuring needs: libcuda.so.1, opened at run time. */
#ifndef STINT_CEILING_CEILING_DRIVER_H
#define STINT_CEILING_CEILING_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "ceiling/ceilings.h"

struct stint_ceiling_function {
    size_t place; /* of the pointer to it in a structure */
    const char *name;
};

/* Opens the library and fills in the structure's pointers. Returns NULL, or what is missing. */
const char *stint_ceiling_library_open(const char *library, const struct stint_ceiling_function *functions,
                                       size_t count, void *structure);

/* ----------------------------------------------------------------------------------------------------------- driver */

/* Attributes of devices. */
enum {
    STINT_CUDA_MULTIPROCESSORS = 16,
    STINT_CUDA_L2_BYTES = 38,
    STINT_CUDA_COMPUTE_MAJOR = 75,
    STINT_CUDA_COMPUTE_MINOR = 76
};

/* Each returns 0 or an error of CUDA. Contexts, modules, functions, streams and events are pointers. */
struct stint_cuda {
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *count);
    int (*name)(char *name, int length, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*retain)(void **context, int device);
    int (*release)(int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*allocate)(uint64_t *address, size_t bytes);
    int (*free)(uint64_t address);
    int (*set)(uint64_t address, unsigned value, size_t count);
    int (*load)(void **module, const void *image);
    int (*unload)(void *module);
    int (*function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra);
    int (*make_event)(void **event, unsigned flags);
    int (*record)(void *event, void *stream);
    int (*wait)(void *event);
    int (*elapsed)(float *ms, void *begin, void *end);
    int (*destroy_event)(void *event);
    int (*device)(int *device); /* of the current context */
};

/* Opens the driver. Returns NULL, or what is missing. */
const char *stint_cuda_open(struct stint_cuda *cuda);

/* ------------------------------------------------------------------------------------------------------------- code */

/* Kernels that do one thing as fast as a device can, as text in PTX, which the driver compiles for the device. */

enum { STINT_CODE_SIZE = 65536, STINT_CODE_ITEMS = 4, STINT_CODE_ITEM_BYTES = 16 };

/* Its entry has four parameters: the addresses of what it reads and of what it writes, the number of items that it
 * moves, and how often it does all of it. */
#define STINT_CODE_ENTRY "work"

struct stint_code {
    enum stint_ceiling ceiling;
    unsigned least, most; /* compute capabilities that it runs on: 80, 90 */
    unsigned block;       /* threads */
    unsigned blocks;      /* on a multiprocessor */
    double amount;        /* bytes of an item, or FLOPs of a thread each time */
};

/* Returns the kernel at a position, or NULL behind the last. Several may have the same ceiling: the fastest counts. */
const struct stint_code *stint_code_at(size_t index);

/* Writes its text. */
void stint_code_write(const struct stint_code *code, char text[STINT_CODE_SIZE]);

#endif
