/* Large tables: zeroed, of a fixed size, and taking memory only where they have been written. */
#ifndef STINT_GPU_PAGES_H
#define STINT_GPU_PAGES_H

#include <stddef.h>

/* Returns `size` zeroed bytes that stay until the process ends, or NULL if the system gave none. */
void *stint_pages_map(size_t size);

/* Zeroes them, and gives what they took back to the system. NULL is ignored. */
void stint_pages_zero(void *pages, size_t size);

#endif
