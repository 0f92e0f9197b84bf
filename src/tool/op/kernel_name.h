/* Short names of kernels, as PyProf prints them: the function's own, without its namespaces of PyTorch, its parameters
 * and its template arguments. */
#ifndef STINT_OP_KERNEL_NAME_H
#define STINT_OP_KERNEL_NAME_H

#include "base/arena.h"

/* Returns the short name, in `arena`; NULL without memory. */
const char *stint_op_kernel_name(struct stint_arena *arena, const char *name);

#endif
