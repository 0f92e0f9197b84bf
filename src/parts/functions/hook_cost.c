/* Measures what hooks cost, on request of libstint: calls functions with hooks, recorded or left out, and the same
 * without, and says how many calls were left out. */
#include <time.h>

#include "functions/activation.h"
#include "functions/function.h"
#include "stint/detail/record.h"

/* Functions with hooks are called with a list of activations of their own: this may be another stack than that of the
 * functions that are running. Returns the list of those. */
static struct stint_activation *begin_list(struct stint_activation list[2])
{
    struct stint_activation *top = stint_tl_activation;
    list[0] = (struct stint_activation){.above = &list[1], .frame = STINT_NO_FRAME};
    list[1] = (struct stint_activation){.below = &list[0], .frame = STINT_NO_FRAME};
    stint_tl_activation = list;
    return top;
}

static void call(stint_measured_fn *function, unsigned repeats, stint_i_work_fn *work)
{
    struct stint_activation list[2], *top = begin_list(list);
    uint64_t value = 3;
    for (unsigned i = 0; i < repeats; i++)
        value = function(value, work);
    stint_tl_activation = top;
    __asm__ volatile("" : : "r"(value));
}

/* Takes a lock only at first, since it is done within what is measured. */
static int is_known(uintptr_t address, enum stint_function_kind kind)
{
    return stint_function_find(address) || !stint_function_to_measure(address, kind);
}

static void record(unsigned repeats, stint_i_work_fn *work)
{
    if (is_known((uintptr_t)stint_measured_recorded, STINT_FUNCTION_RECORDED))
        call(stint_measured_recorded, repeats, work);
}

static void call_small(stint_measured_steps_fn *function, unsigned repeats)
{
    struct stint_activation list[2], *top = begin_list(list);
    uint64_t sum = function(repeats / STINT_MEASURED_SMALL);
    stint_tl_activation = top;
    __asm__ volatile("" : : "r"(sum));
}

static void leave_out(unsigned repeats, stint_i_work_fn *work)
{
    (void)work;
    for (int i = 0; i < STINT_MEASURED_FUNCTIONS; i++)
        if (!is_known((uintptr_t)stint_measured_small_functions[i], STINT_FUNCTION_OWN))
            return;
    call_small(stint_measured_small, repeats);
}

static void leave_out_alone(unsigned repeats, stint_i_work_fn *work)
{
    (void)work;
    call_small(stint_measured_small_alone, repeats);
}

static void alone(unsigned repeats, stint_i_work_fn *work)
{
    call(stint_measured_alone, repeats, work);
}

/* ------------------------------------------------------------------------------------------------- in this library */

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

enum { ROUNDS = 16, REPEATS = 128 };

static uint64_t least_time_of(stint_i_probe_fn *run)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t begin = now_ns();
        run(REPEATS, NULL);
        uint64_t time = now_ns() - begin;
        least = time < least ? time : least;
    }
    return least;
}

/* The calls are not those of the scope around. */
double stint_hook_cost_left_out(void)
{
    struct stint_i_node *around = stint_i_self->current;
    uint64_t passed = around ? around->passed : 0;
    uint64_t hooks = least_time_of(leave_out), alone = least_time_of(leave_out_alone);
    if (around)
        STINT_I_STORE(&around->passed, passed);
    return hooks > alone ? (double)(hooks - alone) / REPEATS : 0;
}

void stint_hook_cost_start(void)
{
    static const struct stint_i_functions functions = {record, alone, leave_out, leave_out_alone, stint_tally_sum};
    stint_i_add_functions(&functions);
}
