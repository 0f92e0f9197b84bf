/* The functions that are running on each thread, innermost last.
 *
 * This list is kept in addition to the calling-context tree, because leaving a function by longjmp(), or by an
 * exception in code compiled with clang, calls no hook. The stack pointer at the time a function was entered tells
 * whether it can still be running. Activations that are not recorded are in the list, too, so that the end of one is
 * not taken for that of another.
 *
 * Only one thread-local pointer changes: a signal handler that interrupts a hook anywhere leaves everything as it
 * was. */
#ifndef STINT_FUNCTIONS_ACTIVATION_H
#define STINT_FUNCTIONS_ACTIVATION_H

#include <stdint.h>

#include "functions/function.h"
#include "stint/detail/record.h"

#define STINT_NO_FRAME UINTPTR_MAX

struct stint_activation {
    struct stint_activation *below; /* fixed; NULL: this is the lowest entry, which is no activation */
    struct stint_activation *above; /* fixed once it is set */
    uintptr_t function;
    uintptr_t frame;           /* of the hook that was called; STINT_NO_FRAME: the entry is free or being filled */
    uintptr_t call_site;       /* the return address of the function */
    uintptr_t from;            /* the return address of the hook */
    struct stint_i_node *node; /* NULL: not recorded */
};

/* The list of a new thread. */
extern struct stint_activation stint_no_activation;

extern STINT_I_THREAD_LOCAL struct stint_activation *stint_tl_activation __attribute__((tls_model("initial-exec")));

/* Returns the entry above the innermost, which is allocated if it does not exist; NULL without memory. The caller
 * blocks signals. */
struct stint_activation *stint_activation_more(void);

/* From now on each thread's memory is freed when the thread ends. Returns 0, or -1 if that is impossible. */
int stint_activation_start(void);

/* Counts the calls of functions that are not recorded, by thread. */

/* What a thread has not recorded. A record outlives its thread, and is used again. */
struct stint_tally {
    uint64_t calls[STINT_FUNCTION_KINDS];
    struct stint_tally *next;
    int taken;
};

/* NULL before the thread's first call that is left out. */
extern STINT_I_THREAD_LOCAL struct stint_tally *stint_tl_tally __attribute__((tls_model("initial-exec")));

/* Begins the calling thread's tally; without memory there is none. It has to end before the thread does. The caller
 * blocks signals. */
void stint_tally_begin(void);
void stint_tally_end(void);

/* In a forked child: nothing has been left out yet, and only the calling thread exists. */
void stint_tally_after_fork(void);

/* Counts a function as one that is tiny. */
void stint_tally_tiny(void);

/* Adds up what has been left out. Takes no lock. */
void stint_tally_sum(struct stint_i_left_out *sum);

static inline void stint_tally_count(struct stint_tally *tally, enum stint_function_kind kind)
{
    STINT_I_ADD(&tally->calls[kind], 1u);
}

/* Offers libstint to measure what hooks cost (hook_cost.c). */
void stint_hook_cost_start(void);

/* Measures what the hooks of a function that is left out cost, in ns. The caller blocks signals. */
double stint_hook_cost_left_out(void);

/* ------------------------------------------------------------------------------------------------------- measured.c */

/* Functions as programs have them, to measure what their hooks cost. */

typedef uint64_t stint_measured_fn(uint64_t value, stint_i_work_fn *work);

/* They only call work(). The first is compiled with hooks. */
stint_measured_fn stint_measured_recorded;
stint_measured_fn stint_measured_alone;

/* A few small functions that call each other, as those do that are left out: STINT_MEASURED_SMALL calls in each step.
 * Functions of one file keep values in registers that they know the others not to use; with hooks, which may use all of
 * them, they cannot. So what hooks cost is seen in such functions only. The first is compiled with hooks. */
enum { STINT_MEASURED_SMALL = 8, STINT_MEASURED_FUNCTIONS = 5 };
typedef uint64_t stint_measured_steps_fn(unsigned steps);
stint_measured_steps_fn stint_measured_small;
stint_measured_steps_fn stint_measured_small_alone;
extern void (*const stint_measured_small_functions[STINT_MEASURED_FUNCTIONS])(void);

/* ----------------------------------------------------------------------------------------------------------- tiny.c */

/* Leaves out functions that take less time than recording them does.
 *
 * A function is judged when one of its calling contexts has been entered 64 times, 128 times, and so on, by all of its
 * contexts on that thread: by the mean of all calls so far, without what recording took of it. Functions that call such
 * functions are judged by too long a time at first, and by a better one each time that the number of calls doubles.
 * What is left out stays so. */

enum { STINT_TINY_FIRST = 64 };

/* Whether the function of a node is to be judged after an activation of it, if functions are. */
static inline int stint_tiny_is_due(const struct stint_i_node *node)
{
    uint64_t count = STINT_I_LOAD(&node->count);
    return count >= STINT_TINY_FIRST && !(count & (count - 1));
}

/* Judges the function at an address. The node is the calling thread's. */
void stint_tiny_judge(uintptr_t address, const struct stint_i_node *node);

#endif
