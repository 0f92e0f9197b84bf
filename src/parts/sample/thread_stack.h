/* Where the calling thread's stack is. Others' are not known, and are looked at page by page. */
#ifndef STINT_SAMPLE_THREAD_STACK_H
#define STINT_SAMPLE_THREAD_STACK_H

#include "sample/walk.h"

struct stint_walk_stack stint_own_stack(void);

#endif
