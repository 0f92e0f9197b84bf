/* The names of sampled functions, for timelines. */
#ifndef STINT_CPU_CPU_NAMES_H
#define STINT_CPU_CPU_NAMES_H

#include "stat/function_names.h"
#include "symbols/symbols.h"

/* Returns what looks them up there; addresses if `symbols` is NULL. They are used as long as that is. */
struct stint_function_names stint_cpu_names(struct stint_symbols *symbols);

#endif
