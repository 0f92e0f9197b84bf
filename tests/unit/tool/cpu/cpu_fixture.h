/* Samples, added up. */
#ifndef STINT_TESTS_CPU_CPU_FIXTURE_H
#define STINT_TESTS_CPU_CPU_FIXTURE_H

#include "cpu/cpu_profile.h"

/* main > outer > loop > add (inlined): 60 ms in the scope "forward" of "step"; main > recurse > recurse: 30 ms; and 10
 * ms of a sample for whose stack there was no room. */
struct stint_cpu_profile cpu_fixture(const struct stint_cpu_options *options);

#endif
