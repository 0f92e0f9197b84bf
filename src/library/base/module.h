/* libstint_module.so: what a program needs only when it is asked for a trace, or for reports as other tools print them.
 * Loaded then, never closed. */
#ifndef STINT_BASE_MODULE_H
#define STINT_BASE_MODULE_H

#include <stddef.h>

/* Loads it, and returns the address of one of its functions. NULL: it cannot be had; why, and what to do, is in
 * `reason`. Not for signal handlers. */
void *stint_module_find(const char *function, char *reason, size_t size);

#endif
