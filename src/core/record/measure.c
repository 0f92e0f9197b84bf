/* Finds out on the spot what one activation costs: the same work is done with and without recording, many times, on a
 * tree aside from the program's, and the least disturbed rounds count. */
#include "record/collect.h"

#include <pthread.h>
#include <signal.h>

#include "base/clock.h"
#include "record/scope.h"
#include "record/thread.h"

enum { ROUNDS = 16, REPEATS = 64, STEPS = 32 };

static stint_i_probe_fn *s_probes[STINT_COST_KINDS];
static int s_left_in;
static const struct stint_i_functions *s_functions;

void stint_measure_with(enum stint_cost_kind way, stint_i_probe_fn *run)
{
    __atomic_store_n(&s_probes[way], run, __ATOMIC_RELEASE);
}

void stint_measure_leave_in(void)
{
    s_left_in = 1;
}

void stint_measure_functions(const struct stint_i_functions *functions)
{
    __atomic_store_n(&s_functions, functions, __ATOMIC_RELEASE);
    stint_measure_with(STINT_COST_FUNCTION, functions->record);
}

struct stint_i_left_out stint_measure_left_out(void)
{
    const struct stint_i_functions *functions = __atomic_load_n(&s_functions, __ATOMIC_ACQUIRE);
    struct stint_i_left_out left_out = {0};
    if (functions)
        functions->sum(&left_out);
    return left_out;
}

/* ------------------------------------------------------------------------------------------------------------- work */

/* Some tens of nanoseconds of work, which needs the result of the work before, so that in a loop without scopes no two
 * overlap. In an empty scope the two readings of the clock wait for each other, which in others they do not: the
 * processor begins with the work while it reads the clock. */
static uint64_t some_work(uint64_t value)
{
    for (int i = 0; i < STEPS; i++) {
        value *= value;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

static void work_alone(unsigned repeats, stint_i_work_fn *work)
{
    uint64_t value = 3;
    for (unsigned i = 0; i < repeats; i++)
        value = stint_i_work(work, value);
    __asm__ volatile("" : : "r"(value));
}

/* Id 0 belongs to no statistic: the node exists in this tree only. */
static void run_scopes(unsigned repeats, stint_i_work_fn *work)
{
    struct stint_i_tree *hot = stint_i_self;
    uint64_t value = 3;
    for (unsigned i = 0; i < repeats; i++) {
        stint_cpu_begin(hot->current);
        struct stint_i_node *node = stint_i_begin_child(hot, 0);

        if (!stint_clock_is_inline())
            STINT_I_STORE(&node->start, stint_clock_ticks());
        value = stint_i_work(work, value);
        uint64_t now = stint_clock_is_inline() ? stint_i_end_ticks(hot) : stint_clock_ticks();
        stint_end_unnoted(hot, node, now - node->start, 1);
        stint_cpu_end(hot->current);
    }
    __asm__ volatile("" : : "r"(value));
}

/* As scopes are recorded where the clock cannot be read inline. Any statistic will do, as the tree is aside. */
static void run_slow_scopes(unsigned repeats, stint_i_work_fn *work)
{
    uint64_t value = 3, span;
    for (unsigned i = 0; i < repeats; i++) {
        struct stint_i_node *node = stint_scope_enter_guarded(stint_registry_last_id());
        value = stint_i_work(work, value);
        (void)stint_i_end_ticks(stint_i_self); /* which the call site reads in vain */
        if (node)
            (void)stint_scope_end(node, stint_clock_ticks(), &span);
    }
    __asm__ volatile("" : : "r"(value));
}

static void read_clock(unsigned repeats, stint_i_work_fn *work)
{
    (void)work;
    for (unsigned i = 0; i < repeats; i++)
        (void)stint_clock_ticks();
}

/* ---------------------------------------------------------------------------------------------------------- measure */

static uint64_t time_of(stint_i_probe_fn *run, stint_i_work_fn *work)
{
    uint64_t begin = stint_clock_ticks();
    run(REPEATS, work);
    return stint_clock_ticks() - begin;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t least_time_of(stint_i_probe_fn *run, stint_i_work_fn *work)
{
    uint64_t time = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++)
        time = least(time, time_of(run, work));
    return time;
}

/* Returns the sum of the activations' own times. */
static uint64_t time_within(const struct stint_tree *tree, stint_i_probe_fn *run, stint_i_work_fn *work)
{
    uint64_t before = tree->last->total;
    run(REPEATS, work);
    return tree->last->total - before;
}

/* Rounds to whole picoseconds, as reports do, so that the same number is read back from a report. */
static double each_ns(uint64_t ticks, uint64_t without)
{
    double ns = ticks > without ? (double)(ticks - without) * stint_clock_ns_per_tick() / REPEATS : 0;
    return (double)(uint64_t)(ns * 1000 + 0.5) / 1000;
}

/* The smallest element comes first afterwards, and the median in the middle. */
static void sort(uint64_t *times)
{
    for (int i = 1; i < ROUNDS; i++)
        for (int j = i; j && times[j - 1] > times[j]; j--) {
            uint64_t greater = times[j - 1];
            times[j - 1] = times[j];
            times[j] = greater;
        }
}

/* The same work, recorded and not. */
struct probe {
    stint_i_probe_fn *run;
    stint_i_probe_fn *alone;
};

/* What an activation costs in all is that of an empty one, of which a processor would do several at once, unless a
 * reading of the clock waited for each. It is a median, because the program ran on the same, perhaps busy, machine. */
static double whole_ns(struct probe probe)
{
    uint64_t recorded[ROUNDS], alone = UINT64_MAX;
    probe.run(1, NULL); /* makes the node */
    for (int i = 0; i < ROUNDS; i++) {
        alone = least(alone, time_of(probe.alone, NULL));
        recorded[i] = time_of(probe.run, NULL);
    }
    sort(recorded);
    return each_ns(recorded[ROUNDS / 2], alone);
}

struct measured {
    struct stint_cost cost;
    double empty_ns;
};

/* What is inside is the difference of two times of which each may be disturbed, so it is one of minima. */
static void measure_within(const struct stint_tree *tree, struct probe probe, struct measured *measured)
{
    uint64_t alone = UINT64_MAX, inside = UINT64_MAX, empty[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        alone = least(alone, time_of(probe.alone, some_work));
        inside = least(inside, time_within(tree, probe.run, some_work));
        empty[i] = time_within(tree, probe.run, NULL);
    }
    sort(empty);
    measured->cost.inside_ns = each_ns(inside, alone);
    measured->empty_ns = each_ns(empty[ROUNDS / 2], 0);
}

/* ---------------------------------------------------------------------------------------------------------- aside */

/* The calling thread records into a tree of its own, by the fast path. */
struct aside {
    struct stint_thread_record record;
    struct stint_i_tree *self;
    sigset_t signals;
};

/* What a handler records is not to be lost, so signals are blocked, but those that an instruction raises: one that is
 * raised while it is blocked ends the process. */
static sigset_t signals_from_outside(void)
{
    static const int from_instructions[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof from_instructions / sizeof *from_instructions; i++)
        sigdelset(&set, from_instructions[i]);
    return set;
}

static int step_aside(struct aside *aside)
{
    struct stint_tree *tree = &aside->record.tree;
    sigset_t blocked = signals_from_outside();
    aside->record = (struct stint_thread_record){0};
    if (stint_tree_begin(tree, STINT_TREE_PROBE) || !stint_tree_child(tree, tree->root, 0))
        return -1;
    tree->root->path = STINT_PATH_HELD; /* launches look for the path of the running scope */
    tree->hot.state = STINT_I_LOAD(&stint_i_state);
    pthread_sigmask(SIG_SETMASK, &blocked, &aside->signals);
    aside->self = stint_i_self;
    STINT_I_STORE(&stint_i_self, &tree->hot); /* until step_back, by a store of which gcc does not warn */
    return 0;
}

static void step_back(const struct aside *aside)
{
    stint_i_self = aside->self;
    pthread_sigmask(SIG_SETMASK, &aside->signals, NULL);
}

static int may_probe(enum stint_cost_kind way)
{
    return __atomic_load_n(&s_probes[way], __ATOMIC_ACQUIRE) && stint_registry_enabled() && stint_clock_is_inline();
}

/* `within`: also what is in an activation's time, where it has one. */
static struct measured measure_probe(struct probe probe, int within)
{
    struct measured measured = {0};
    struct aside aside;
    if (!step_aside(&aside)) {
        measured.cost.whole_ns = whole_ns(probe);
        if (within)
            measure_within(&aside.record.tree, probe, &measured);
        step_back(&aside);
    }
    stint_tree_end(&aside.record.tree);
    return measured;
}

/* Within the guard, which keeps a handler's scopes out: they are counted, rather than lost with the tree. Other ways
 * begin and end it themselves. */
static struct measured measure_scopes(void)
{
    struct measured measured = {0};
    int slow = !stint_clock_is_inline() && stint_registry_enabled() && stint_registry_last_id();
    if (stint_guard_begin()) {
        measured = measure_probe((struct probe){slow ? run_slow_scopes : run_scopes, work_alone}, 1);
        stint_guard_end();
    }
    return measured;
}

static struct measured measure_way(enum stint_cost_kind way)
{
    if (way == STINT_COST_SCOPE)
        return measure_scopes();
    struct probe probe = {s_probes[way], way == STINT_COST_FUNCTION ? s_functions->alone : work_alone};
    return measure_probe(probe, way != STINT_COST_SAMPLE);
}

struct stint_costs stint_measure_costs(void)
{
    struct stint_costs costs = {0};
    for (enum stint_cost_kind way = STINT_COST_SCOPE; way < STINT_COST_KINDS; way++) {
        struct measured measured = way == STINT_COST_SCOPE || may_probe(way) ? measure_way(way) : (struct measured){0};
        costs.way[way] = measured.cost;
        costs.empty_ns[way] = measured.empty_ns;
        if (s_left_in)
            costs.way[way].inside_ns = 0;
    }
    if (costs.way[STINT_COST_SCOPE].whole_ns > 0)
        costs.clock_read_ns = each_ns(least_time_of(read_clock, NULL), 0);
    if (may_probe(STINT_COST_FUNCTION))
        costs.left_out_ns =
            measure_probe((struct probe){s_functions->leave_out, s_functions->leave_out_alone}, 0).cost.whole_ns;
    if (stint_budget)
        stint_budget->costs(&costs);
    return costs;
}

int stint_measure_function(struct stint_i_function_cost *cost)
{
    struct stint_cost ns = measure_way(may_probe(STINT_COST_FUNCTION) ? STINT_COST_FUNCTION : STINT_COST_SCOPE).cost;
    cost->ticks_per_ns = 1 / stint_clock_ns_per_tick();
    cost->whole = ns.whole_ns * cost->ticks_per_ns;
    cost->inside = ns.inside_ns * cost->ticks_per_ns;
    return ns.whole_ns > 0 ? 0 : -1;
}
