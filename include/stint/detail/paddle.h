/* stint/detail/paddle.h - functions that paddle.hpp needs besides the public ones. Implementation detail. */
#ifndef STINT_DETAIL_PADDLE_H
#define STINT_DETAIL_PADDLE_H

#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

struct stint_statset;

/* Creates the statistic without any samples. */
STINT_API enum stint_status stint_i_paddle_register(struct stint_statset *set, const char *name);

/* Zeroes one statistic, which stays known. */
STINT_API enum stint_status stint_i_paddle_reset(struct stint_statset *set, const char *name);

/* Logs the line of a slow scope. */
STINT_API void stint_i_paddle_log_slow(const char *name, const char *info, uint64_t span_us);

/* Prints the timers of one set, its barriers if it has any, and the trailer. */
STINT_API enum stint_status stint_i_paddle_print_all(struct stint_statset *set);

STINT_EXTERN_C_END

#endif
