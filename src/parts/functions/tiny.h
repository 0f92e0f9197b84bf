/* Leaves out functions that take less time than recording them does.
 *
 * A function is judged when one of its calling contexts has been entered 64 times, 128 times, and so on, by all of its
 * contexts on that thread: by the mean of all calls so far, without what recording took of it. Functions that call such
 * functions are judged by too long a time at first, and by a better one each time that the number of calls doubles.
 * What is left out stays so. */
#ifndef STINT_FUNCTIONS_TINY_H
#define STINT_FUNCTIONS_TINY_H

#include <stdint.h>

#include "functions/function.h"

/* Whether the function of a node is to be judged after an activation of it, if functions are. */
static inline int stint_tiny_is_due(const struct stint_i_node *node)
{
    enum { FIRST = 64 };
    uint64_t count = STINT_I_LOAD(&node->count);

    return count >= FIRST && !(count & (count - 1));
}

/* Judges the function at an address. The node is the calling thread's. */
void stint_tiny_judge(uintptr_t address, const struct stint_i_node *node);

#endif
