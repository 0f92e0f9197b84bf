/* What recording costs, measured where it happens, at the moment when a report is made. */
#ifndef STINT_RECORD_MEASURE_H
#define STINT_RECORD_MEASURE_H

#include "record/collect.h"
#include "stint/detail/record.h"

/* Measures what a clock read costs at present, and an activation by each way, in a few short runs on a tree of their
 * own. Outside the guard. */
struct stint_costs stint_measure_costs(void);

/* From now on activations by this way are measured with `run`, which makes `repeats` of them on the calling thread, by
 * the very functions that programs call, each around work(), or around nothing if that is NULL. They have to be
 * children of the thread's running scope, all of one statistic. Without such a function, they are taken to cost what a
 * scope does. */
void stint_measure_with(enum stint_cost_kind way, stint_i_probe_fn *run);

/* Takes the probes of functions, and their counts of what is left out. */
void stint_measure_functions(const struct stint_i_functions *functions);

/* Returns what has been left out so far. Takes no lock. */
struct stint_i_left_out stint_measure_left_out(void);

/* As stint_i_measure_function. */
int stint_measure_function(struct stint_i_function_cost *cost);

/* Leaves costs in times from now on: stint_measure_costs returns no `inside_ns`. */
void stint_measure_leave_in(void);

#endif
