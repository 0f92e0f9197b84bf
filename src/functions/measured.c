/* This file is compiled with -finstrument-functions. What a hook costs includes the call, and what the compiler does to
 * keep arguments and results for it. */
#include "functions/measured.h"

__attribute__((noinline)) uint64_t stint_measured_recorded(uint64_t value, stint_i_work_fn *work)
{
    return stint_i_work(work, value);
}

__attribute__((noinline)) uint64_t stint_measured_left_out(uint64_t value, stint_i_work_fn *work)
{
    return stint_i_work(work, value);
}

__attribute__((noinline, no_instrument_function)) uint64_t stint_measured_alone(uint64_t value, stint_i_work_fn *work)
{
    return stint_i_work(work, value);
}
