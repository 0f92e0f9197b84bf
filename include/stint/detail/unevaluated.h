/* stint/detail/unevaluated.h - what macros expand to when they are compiled out. Implementation detail.
 *
 * STINT_I_UNEVALUATED(call) checks the types of a call that is never made. It is two declarations, so that an `if`
 * without braces does not compile, just as when compiled in. nvcc does not count an operand of sizeof as a use of its
 * variables, so for nvcc the call is also written where it is never reached. */
#ifndef STINT_DETAIL_UNEVALUATED_H
#define STINT_DETAIL_UNEVALUATED_H

#include "stint/detail/api.h"

#ifdef __cplusplus
#define STINT_I_ASSERT(condition) static_assert(condition, "")
#else
#define STINT_I_ASSERT(condition) _Static_assert(condition, "")
#endif
#ifdef __NVCC__
#define STINT_I_MENTION(call)                                                                                          \
    ;                                                                                                                  \
    static_cast<void>(false && call)
#else
#define STINT_I_MENTION(call)
#endif
#define STINT_I_CHECKED(uid, call)                                                                                     \
    typedef char STINT_I_CAT(stint_checked_, uid)[sizeof(call)];                                                       \
    STINT_I_ASSERT(sizeof(STINT_I_CAT(stint_checked_, uid)) != 0) STINT_I_MENTION(call)
#define STINT_I_UNEVALUATED(call) STINT_I_CHECKED(__COUNTER__, call)

#endif
