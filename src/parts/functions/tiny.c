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
    uint64_t recorded; /* calls of others that are recorded, from these */
    uint64_t passed;   /* calls of others that are left out, from these */
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
        if (node->id != id) {
            calls.recorded += node->parent->id == id ? node->count : 0;
            continue;
        }
        calls.passed += node->passed;
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

struct stint_call_costs {
    struct stint_i_function_cost recorded;
    double left_out; /* ticks */
};

/* Measured once, so that all functions are judged alike. Returns 0, or -1 if it is not known at present. */
static int learn_costs(struct stint_call_costs *costs)
{
    enum { UNKNOWN, BUSY, KNOWN };
    static struct stint_call_costs s_costs;
    static int s_state;
    int state = UNKNOWN;

    if (__atomic_compare_exchange_n(&s_state, &state, BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        state = stint_i_measure_function(&s_costs.recorded) ? UNKNOWN : KNOWN;
        s_costs.left_out = stint_hook_cost_left_out() * s_costs.recorded.ticks_per_ns;
        __atomic_store_n(&s_state, state, __ATOMIC_RELEASE);
    }
    if (state == KNOWN)
        *costs = s_costs;
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

/* What recording took of the calls' time. What it took of calls further below is not known. */
static double cost_within(const struct stint_calls *calls, const struct stint_call_costs *costs)
{
    return costs->recorded.inside * (double)calls->outer +
           costs->recorded.whole * (double)(calls->nested + calls->recorded) + costs->left_out * (double)calls->passed;
}

static int is_tiny(const struct stint_calls *calls, const struct stint_call_costs *costs)
{
    double recording = costs->recorded.whole * (double)(calls->outer + calls->nested);
    double ticks = ticks_without_delays(calls, costs->recorded.ticks_per_ns);
    return ticks - cost_within(calls, costs) < recording;
}

/* Whether enough calls were seen, by all threads, since the function was judged last. A context is seen when its calls
 * have doubled. */
static int is_due(struct stint_function *function, uint64_t count)
{
    uint64_t fresh = count == STINT_TINY_FIRST ? count : count / 2;
    uint64_t seen = __atomic_add_fetch(&function->seen, fresh, __ATOMIC_RELAXED);
    uint64_t judge_at = STINT_I_LOAD(&function->judge_at);
    if (seen < (judge_at ? judge_at : ENOUGH))
        return 0;
    STINT_I_STORE(&function->judge_at, seen + seen / 2);
    return 1;
}

void stint_tiny_judge(uintptr_t address, const struct stint_i_node *node)
{
    struct stint_function *function = stint_function_find(address);
    struct stint_call_costs costs;
    if (!function || STINT_I_LOAD(&function->kind) != STINT_FUNCTION_RECORDED || !*function->name ||
        !is_due(function, node->count) || learn_costs(&costs))
        return;
    struct stint_calls calls = calls_of(node);
    if (calls.is_known && calls.outer + calls.nested >= ENOUGH && is_tiny(&calls, &costs) &&
        stint_function_leave_out(function))
        stint_tally_tiny();
}
