/* A snapshot with samples, for the report writers. Free it. */
#ifndef STINT_TESTS_REPORT_SAMPLE_FIXTURE_H
#define STINT_TESTS_REPORT_SAMPLE_FIXTURE_H

#include "stint/snapshot.h"

/* Two scopes and two threads, of which one has exited; code of a program, of a library and of none; a call chain within
 * and outside a scope; a sample without a call chain. */
struct stint_snapshot *fixture_samples(void);

#endif
