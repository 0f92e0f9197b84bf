/* Libraries of stint that a program loads only when it asks for what they do, and that are never closed:
 * libstint_module.so, for traces and for reports in other tools' formats, and libstint_sample.so, for samples. */
#ifndef STINT_MODULES_MODULE_H
#define STINT_MODULES_MODULE_H

#include <stddef.h>

/* Loads the module and returns the address of one of its functions, or NULL if it cannot be loaded; `reason` then says
 * why and what to do. Must not be called from a signal handler. */
void *stint_module_find(const char *function, char *reason, size_t size);

/* The same for libstint_sample.so. */
void *stint_module_find_sampler(const char *function, char *reason, size_t size);

/* Returns what STINT_SAMPLE asks libstint_sample.so for; NULL: no samples. */
const char *stint_module_samples_wanted(void);

#endif
