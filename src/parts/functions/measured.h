/* Functions as programs have them, to measure what their hooks cost. */
#ifndef STINT_FUNCTIONS_MEASURED_H
#define STINT_FUNCTIONS_MEASURED_H

#include <stdint.h>

#include "stint/detail/record.h"

typedef uint64_t stint_measured_fn(uint64_t value, stint_i_work_fn *work);

/* They only call work(). The first is compiled with hooks. */
stint_measured_fn stint_measured_recorded;
stint_measured_fn stint_measured_alone;

/* A few small functions that call each other, as those do that are left out: STINT_MEASURED_SMALL calls in each step.
 * Functions of one file keep values in registers that they know the others not to use; with hooks, which may use all of
 * them, they cannot. So what hooks cost is seen in such functions only. The first is compiled with hooks. */
enum { STINT_MEASURED_SMALL = 8, STINT_MEASURED_FUNCTIONS = 5 };
typedef uint64_t stint_measured_steps_fn(unsigned steps);
stint_measured_steps_fn stint_measured_small;
stint_measured_steps_fn stint_measured_small_alone;
extern void (*const stint_measured_small_functions[STINT_MEASURED_FUNCTIONS])(void);

#endif
