/* Compares what a function's calls took with what it costs to record them, and leaves the function out from then on if
 * it is the smaller one. Delays by a busy machine are taken off first, so that the decision does not depend on it. */
#include "functions/activation.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { ENOUGH = 1000 };

/* What a function's calls took. Calls from within another call of it are part of that one's time. */
struct stint_calls {
    uint64_t outer;
    uint64_t nested;
    uint64_t ticks;
    uint64_t longest;
    int is_known; /* 0: an outer call is running, and the clock is not one that can be read here */
};

static void add_running(struct stint_calls *calls, uint64_t start)
{
    calls->outer++;
    calls->ticks += stint_i_ticks() - start;
    calls->is_known &= stint_i_self->state == STINT_I_LOAD(&stint_i_state);
}

/* Adds up the calls in all contexts of the thread's tree. */
static struct stint_calls calls_of(const struct stint_i_node *node)
{
    struct stint_calls calls = {.is_known = 1};
    uint32_t id = node->id;
    while (node->parent)
        node = node->parent;
    while ((node = node->next)) {
        if (node->id != id)
            continue;
        if (node->recursive) {
            calls.nested += node->count;
            continue;
        }
        calls.outer += node->count;
        calls.ticks += node->total;
        calls.longest = node->max > calls.longest ? node->max : calls.longest;
        if (node->start)
            add_running(&calls, node->start);
    }
    return calls;
}

/* Measured once, so that all functions are judged alike. Returns 0, or -1 if it is not known at present. */
static int learn_cost(struct stint_i_function_cost *cost)
{
    enum { UNKNOWN, BUSY, KNOWN };
    static struct stint_i_function_cost s_cost;
    static int s_state;
    int state = UNKNOWN;

    if (__atomic_compare_exchange_n(&s_state, &state, BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        state = stint_i_measure_function(&s_cost) ? UNKNOWN : KNOWN;
        __atomic_store_n(&s_state, state, __ATOMIC_RELEASE);
    }
    if (state == KNOWN)
        *cost = s_cost;
    return state == KNOWN ? 0 : -1;
}

/* What the thread has spent since it began, in ns. */
struct stint_spent {
    double running;
    double delayed; /* ready to run, while others did */
};

static struct stint_spent spent(void)
{
    char text[128] = "", *end = text;
    struct stint_spent spent = {0, 0};
    int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return spent;
    if (read(file, text, sizeof text - 1) > 0) {
        spent.running = strtod(text, &end);
        spent.delayed = strtod(end, NULL);
    }
    close(file);
    return spent;
}

/* Takes off what a busy machine made of it: the longest call, if the thread was delayed for as long, and a share of all
 * others as of all that the thread did. */
static double ticks_without_delays(const struct stint_calls *calls, double ticks_per_ns)
{
    struct stint_spent whole = spent();
    double ticks = (double)calls->ticks, longest = (double)calls->longest;
    if (whole.running <= 0)
        return ticks;
    if (whole.delayed * ticks_per_ns >= longest)
        ticks -= longest;
    return ticks * whole.running / (whole.running + whole.delayed);
}

static int is_tiny(const struct stint_calls *calls, const struct stint_i_function_cost *cost)
{
    double recording = cost->whole * (double)(calls->outer + calls->nested);
    double within = cost->inside * (double)calls->outer + cost->whole * (double)calls->nested;
    return ticks_without_delays(calls, cost->ticks_per_ns) - within < recording;
}

void stint_tiny_judge(uintptr_t address, const struct stint_i_node *node)
{
    struct stint_function *function = stint_function_find(address);
    struct stint_i_function_cost cost;
    if (!function || STINT_I_LOAD(&function->kind) != STINT_FUNCTION_RECORDED || !*function->name)
        return;
    struct stint_calls calls = calls_of(node);
    uint64_t count = calls.outer + calls.nested;
    if (!calls.is_known || count < ENOUGH || count < STINT_I_LOAD(&function->judge_at) || learn_cost(&cost))
        return;
    STINT_I_STORE(&function->judge_at, 2 * count);
    if (is_tiny(&calls, &cost) && stint_function_leave_out(function))
        stint_tally_tiny();
}
