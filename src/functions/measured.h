/* Functions as programs have them, to measure what their hooks cost. They only call work(). */
#ifndef STINT_FUNCTIONS_MEASURED_H
#define STINT_FUNCTIONS_MEASURED_H

#include <stdint.h>

#include "stint/detail/record.h"

typedef uint64_t stint_measured_fn(uint64_t value, stint_i_work_fn *work);

/* Compiled with hooks, but for the last. */
stint_measured_fn stint_measured_recorded;
stint_measured_fn stint_measured_left_out;
stint_measured_fn stint_measured_alone;

#endif
