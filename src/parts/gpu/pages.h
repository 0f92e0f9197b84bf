/* Large tables: zeroed, of a fixed size, using memory only where they have been written. */
#ifndef STINT_GPU_PAGES_H
#define STINT_GPU_PAGES_H

#include <stddef.h>

/* Returns `size` zeroed bytes that stay until the process ends, or NULL if the system has no memory. */
void *stint_pages_map(size_t size);

/* Zeroes the table, and returns its memory to the system. NULL is ignored. */
void stint_pages_zero(void *pages, size_t size);

#endif
