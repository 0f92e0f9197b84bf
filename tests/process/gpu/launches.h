/* What the programs of these tests have a GPU do, and how their reports are read. */
#ifndef STINT_TESTS_PROCESS_GPU_LAUNCHES_H
#define STINT_TESTS_PROCESS_GPU_LAUNCHES_H

#include <stdint.h>

#include "gpu_mock/mock.h"
#include "process/harness.h"
#include "stint/stint.h"

/* For run(): where CUPTI is. */
#define WITH_CUPTI "STINT_CUPTI_PATH=" CUPTI

enum { FORWARD_NS = 2000, BACKWARD_NS = 3000 };

/* -------------------------------------------------------------------------------------------- in the mode's process */

extern const struct mock_kernel forward, backward;

void launch(const struct mock_kernel *kernel, unsigned count);

/* Runs a scope of that name that launches. */
void launch_in(const char *scope, const struct mock_kernel *kernel, unsigned count);

/* What a snapshot says now; a missing row has zeros. */
struct seen {
    uint64_t count;
    uint64_t total_ns;
};

struct seen seen_activity(const char *name);           /* over all streams */
struct stint_gpu_use seen_use(const char *scope);      /* of the statistic, enclosed ones included */
struct stint_gpu_use seen_self_use(const char *scope); /* of the statistic alone */
struct seen seen_charge(size_t context);               /* STINT_GPU_NO_SCOPE or STINT_GPU_UNATTRIBUTED; kernels */
uint64_t seen_calls(const char *function);             /* in STINT_API_SET */

/* Returns whether the charges of each activity add up to it. */
int charges_add_up(void);

/* Has main return the line at which something is not as it should be, as far as an exit code can say it. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return not_as_required(__LINE__, #condition);                                                              \
    } while (0)

int not_as_required(int line, const char *condition);

/* ------------------------------------------------------------------------------------------------------ in the test */

/* Fails unless the process returned 0, and did nothing that CUPTI forbids. */
void assert_good(const struct result *result);
void assert_no_misuse(const struct result *result);

/* Reading reports in JSON. A missing activity or key fails the test. */
uint64_t activity_number(const char *report, const char *name, const char *key);
uint64_t use_number(const char *report, const char *scope, const char *key);

#endif
