/* stint/detail/barrier.h - what the macros of barrier.h expand to. Implementation detail. */
#ifndef STINT_DETAIL_BARRIER_H
#define STINT_DETAIL_BARRIER_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

struct stint_statset;
struct timeval; /* the caller has the complete type, so this header needs to include no other */

STINT_API enum stint_status stint_i_barrier_arrive(struct stint_statset *set, const char *name, int64_t participants,
                                                   int64_t id, const char *tag);
STINT_API enum stint_status stint_i_barrier_at(struct stint_statset *set, const char *name, int64_t participants,
                                               int64_t id, struct timeval time, const char *tag);
STINT_API enum stint_status stint_i_barrier_report(struct stint_statset *set, const char *name, int64_t participants,
                                                   int64_t id, uint64_t delta_us, const char *tag);
STINT_API enum stint_status stint_i_barrier_check(struct stint_statset *set, const char *name, int64_t participants,
                                                  const char *tag);

STINT_EXTERN_C_END

/* STINT_I_BARRIER_SELECT(F, a, ...) -> F_n(a, ...) with n the number of arguments, 3 to 6. */
#define STINT_I_BARRIER_COUNT_(a, b, c, d, e, f, n, ...) n
#define STINT_I_BARRIER_COUNT(...) STINT_I_BARRIER_COUNT_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0)
#define STINT_I_BARRIER_SELECT(prefix, ...) STINT_I_CAT(prefix, STINT_I_BARRIER_COUNT(__VA_ARGS__))(__VA_ARGS__)

/* Where compiled out, the types of a call are checked, but it is not made. nvcc does not count an operand of sizeof as
 * a use of its variables. */
#if STINT_WITH_TIMER
#define STINT_I_BARRIER_CALL(call) call
#elif defined __NVCC__
#define STINT_I_BARRIER_CALL(call) STINT_I_CAST(void, false && call == STINT_OK)
#else
#define STINT_I_BARRIER_CALL(call) STINT_I_CAST(void, sizeof(call))
#endif

#define STINT_I_BARRIER_ARRIVE_4(set, name, n, id) STINT_I_BARRIER_ARRIVE_5(set, name, n, id, "")
#define STINT_I_BARRIER_ARRIVE_5(set, name, n, id, tag)                                                                \
    STINT_I_BARRIER_CALL(stint_i_barrier_arrive(set, name, n, id, tag))
#define STINT_I_BARRIER_AT_5(set, name, n, id, time) STINT_I_BARRIER_AT_6(set, name, n, id, time, "")
#define STINT_I_BARRIER_AT_6(set, name, n, id, time, tag)                                                              \
    STINT_I_BARRIER_CALL(stint_i_barrier_at(set, name, n, id, time, tag))
#define STINT_I_BARRIER_REPORT_5(set, name, n, id, delta_us) STINT_I_BARRIER_REPORT_6(set, name, n, id, delta_us, "")
#define STINT_I_BARRIER_REPORT_6(set, name, n, id, delta_us, tag)                                                      \
    STINT_I_BARRIER_CALL(stint_i_barrier_report(set, name, n, id, delta_us, tag))
#define STINT_I_BARRIER_PROBE_4(set, name, n, id) STINT_I_BARRIER_PROBE_5(set, name, n, id, "")
#define STINT_I_BARRIER_PROBE_5(set, name, n, id, tag) stint_i_barrier_arrive(set, name, n, id, tag)
#define STINT_I_BARRIER_CHECK_3(set, name, n) STINT_I_BARRIER_CHECK_4(set, name, n, "")
#define STINT_I_BARRIER_CHECK_4(set, name, n, tag) stint_i_barrier_check(set, name, n, tag)

#endif
