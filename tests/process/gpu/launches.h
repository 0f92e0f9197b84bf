/* What the programs of these tests do on a GPU, and functions that read their reports. */
#ifndef STINT_TESTS_PROCESS_GPU_LAUNCHES_H
#define STINT_TESTS_PROCESS_GPU_LAUNCHES_H

#include <stdint.h>

#include "gpu_mock/mock.h"
#include "process/harness.h"
#include "stint/stint.h"

/* For run(): the path of CUPTI. */
#define WITH_CUPTI "STINT_CUPTI_PATH=" CUPTI

enum { FORWARD_NS = 2000, BACKWARD_NS = 3000 };

/* -------------------------------------------------------------------------------------------- in the mode's process */

extern const struct mock_kernel forward, backward;

void launch(const struct mock_kernel *kernel, unsigned count);

/* Launches within a scope of that name. */
void launch_in(const char *scope, const struct mock_kernel *kernel, unsigned count);

/* Numbers of a snapshot taken now; zeros for a missing row. */
struct seen {
    uint64_t count;
    uint64_t total_ns;
};

struct seen seen_activity(const char *name);           /* summed over all streams */
struct stint_gpu_use seen_use(const char *scope);      /* of the statistic, including enclosed ones */
struct stint_gpu_use seen_self_use(const char *scope); /* of the statistic, without enclosed ones */
struct seen seen_charge(size_t context);               /* kernels; STINT_GPU_NO_SCOPE or STINT_GPU_UNATTRIBUTED */
uint64_t seen_calls(const char *function);             /* in STINT_API_SET */

/* Returns whether the charges of each activity add up to its numbers. */
int charges_add_up(void);

/* If the condition is false, makes main return the line number, as far as an exit code can hold it. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return not_as_required(__LINE__, #condition);                                                              \
    } while (0)

int not_as_required(int line, const char *condition);

/* ------------------------------------------------------------------------------------------------------ in the test */

/* Fails unless the process returned 0 and did nothing that CUPTI forbids. */
void assert_good(const struct result *result);
void assert_no_misuse(const struct result *result);

/* Reading reports in JSON. A missing activity or key fails the test. */
uint64_t activity_number(const char *report, const char *name, const char *key);
uint64_t use_number(const char *report, const char *scope, const char *key);

#endif
