/* libstint_module.so contains what a program needs only for a trace or for reports in other tools' formats. It is
 * loaded when one of them is asked for, and never closed. */
#ifndef STINT_BASE_MODULE_H
#define STINT_BASE_MODULE_H

#include <stddef.h>

/* Loads the module and returns the address of one of its functions, or NULL if it cannot be loaded; `reason` then says
 * why and what to do. Must not be called from a signal handler. */
void *stint_module_find(const char *function, char *reason, size_t size);

#endif
