/* Recording in NVTX ranges of certain names alone (STINT_WINDOW): functions that take the place of those of
 * nvtx/call.h, so that programs without it pay nothing for it. */
#ifndef STINT_NVTX_RANGE_WINDOW_H
#define STINT_NVTX_RANGE_WINDOW_H

#include "nvtx/call.h"
#include "record/hold.h"

enum { STINT_NVTX_MAX_WINDOW = 255 };

enum { STINT_HOLD_RANGE = STINT_HOLD_OTHERS << 1 }; /* outside of the NVTX ranges that STINT_WINDOW names */

/* Holds recording back (record/hold.h) but for while a thread is in a range that `text` names: NAME, of the default
 * domain, or NAME@DOMAIN, both shell patterns. Before NVTX is attached, once. Returns 0, or -1 for an empty name or one
 * longer than STINT_NVTX_MAX_WINDOW. */
int stint_nvtx_window_set(const char *text);

int stint_nvtx_window_is_set(void);

/* In a forked child: other threads' ranges do not end there. */
void stint_nvtx_window_after_fork(void);

extern const struct stint_nvtx_call stint_nvtx_window_core_calls[];
extern const struct stint_nvtx_call stint_nvtx_window_core2_calls[];

/* Ranges of the payload extension open no window, but nest with those that do. */
extern const struct stint_nvtx_call stint_nvtx_window_payload_calls[];

#endif
