/* The system's memory: mmap and munmap, wrapped, so that a test can count it and make it run out. From any thread. */
#ifndef STINT_TESTS_MEMORY_H
#define STINT_TESTS_MEMORY_H

#include <stddef.h>

/* From now on the mmap after the next `calls` fails, and each after it. */
void memory_fail_after(long calls);

/* From now on the mmap after the next `calls` fails, but those after it do not. */
void memory_fail_once_after(long calls);

/* From now on no mmap fails. Returns how many have failed since one of the above. */
long memory_recover(void);

/* Bytes mapped and not unmapped. */
size_t memory_mapped(void);

/* Calls of mmap, ever. */
long memory_calls(void);

#endif
