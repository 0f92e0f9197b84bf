/* Records only within NVTX ranges of certain names (STINT_WINDOW): these functions replace those of nvtx/call.h, so
 * that programs without STINT_WINDOW have no overhead. */
#ifndef STINT_NVTX_RANGE_WINDOW_H
#define STINT_NVTX_RANGE_WINDOW_H

#include "nvtx/call.h"
#include "record/suspend.h"

enum { STINT_NVTX_MAX_WINDOW = 255 };

/* Holds recording back (record/suspend.h) except while a thread is in a range that `text` names: NAME, in the default
 * domain, or NAME@DOMAIN; both are shell patterns. To be called once, before NVTX is attached. Returns 0, or -1 for a
 * name that is empty or longer than STINT_NVTX_MAX_WINDOW. */
int stint_nvtx_window_set(const char *text);

int stint_nvtx_window_is_set(void);

/* In a forked child: closes the windows of other threads, whose ranges do not end there. */
void stint_nvtx_window_after_fork(void);

stint_nvtx_calls_fn stint_nvtx_window_core_calls, stint_nvtx_window_core2_calls;

/* Ranges of the payload extension open no window, but nest within windows. */
stint_nvtx_calls_fn stint_nvtx_window_payload_calls;

#endif
