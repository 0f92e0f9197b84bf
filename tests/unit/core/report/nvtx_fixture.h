/* Snapshots with what NVTX's events carry, built by stat/builder.h. Each function returns a new one: free it. */
#ifndef STINT_TESTS_REPORT_NVTX_FIXTURE_H
#define STINT_TESTS_REPORT_NVTX_FIXTURE_H

#include "stint/snapshot.h"

/* A service that counts requests: ranges, marks and counters in three domains, whole and broken numbers. */
struct stint_snapshot *fixture_nvtx_values(void);

/* Names that break formats, the largest and the smallest numbers, domains that are called like kinds, something lost
 * for every reason that NVTX has. */
struct stint_snapshot *fixture_nvtx_nasty(void);

#endif
