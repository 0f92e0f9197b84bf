/* What recording costs a thread, and for which of its nodes how many activations are left out, so that it costs what it
 * may. Decided anew every now and then, by what was counted since the last time: each node may have as many samples as
 * any other, so that those are left out which are most frequent. */
#include "budget/budget.h"

#include <string.h>

#include "base/clock.h"
#include "record/registry.h"
#include "stat/numbers.h"

enum {
    LOOK_AFTER = 64,
    CLASSES = 48,
    COMPARE_AFTER = 16,
    LONGEST_NS = 20000000,
    FIRST_WINDOW = 32,
    LEAST_WINDOW = 256
};

#define FEW 8.0
#define ALL 0x1p63

static struct stint_budget_host *s_host;
static uint64_t s_longest; /* window between two decisions, in ticks */
static double s_share;     /* of the time with what recording costs */
static struct stint_budget_costs s_costs[STINT_COST_FUNCTION + 1];

/* For which the calling thread has run. */
static uint64_t cpu_ticks(void)
{
    return (uint64_t)((double)stint_clock_cpu_ns() * s_host->ticks_per_ns);
}

static enum stint_cost_kind kind_of(uint32_t id)
{
    const struct stint_entry *entry = __atomic_load_n(&(*s_host->entries)[id], __ATOMIC_ACQUIRE);
    return strcmp(entry->set->name, STINT_OS_SET) == 0
               ? STINT_COST_CALL
               : stint_cost_kind_of(entry->set->name, entry->function, entry->line);
}

int stint_spending_may_thin(uint32_t id)
{
    return kind_of(id) <= STINT_COST_FUNCTION;
}

/* What a sample of a scope costs in this thread, as far as that is known. */
static double sample_cost(const struct stint_spending *spending)
{
    return spending->sample > 0 ? spending->sample : s_costs[STINT_COST_SCOPE].sampled;
}

static const struct stint_budget_costs *costs_of(const struct stint_i_node *node)
{
    return &s_costs[kind_of(node->id) == STINT_COST_FUNCTION];
}

/* ----------------------------------------------------------------------------------------------------------- demand */

/* What a thread did in a window, with nodes put into classes by the binary logarithm of their activations. */
struct demand {
    double sampled, skipped; /* activations */
    double spent;            /* ticks */
    double left_out;         /* ticks that it would have cost to leave all out */
    double whole[CLASSES];   /* by class: ticks that it costs to sample all activations, */
    double each[CLASSES];    /* and one of each node */
};

static unsigned class_of(uint64_t activations)
{
    unsigned bits = activations ? 64u - (unsigned)__builtin_clzll(activations) : 0;
    return bits < CLASSES ? bits : CLASSES - 1;
}

static uint64_t activations_of(const struct stint_i_node *node)
{
    const struct stint_i_thinning *thinning = stint_thinning_of(node);
    return node->count - thinning->seen_counted + STINT_I_LOAD(&thinning->skipped) - thinning->seen_skipped;
}

static void add_node(struct demand *demand, const struct stint_i_node *node, double factor)
{
    const struct stint_i_thinning *thinning = stint_thinning_of(node);
    const struct stint_budget_costs *costs = costs_of(node);
    double sampled = (double)(node->count - thinning->seen_counted);
    double left_out = (double)(STINT_I_LOAD(&thinning->skipped) - thinning->seen_skipped);
    unsigned class = class_of(activations_of(node));
    demand->sampled += sampled;
    demand->skipped += left_out;
    demand->spent += sampled * costs->sampled * factor + left_out * costs->left_out;
    demand->left_out += (sampled + left_out) * costs->left_out;
    demand->whole[class] += (sampled + left_out) * costs->sampled * factor;
    demand->each[class] += costs->sampled * factor;
}

/* Returns how many activations of a node may be sampled, if all together may cost `ticks`. */
static double level_of(const struct demand *demand, double ticks)
{
    double below = 0, above = 0;
    for (int class = 1; class < CLASSES; class ++)
        above += demand->each[class];
    for (int class = 1; class < CLASSES && above > 0; class ++) {
        double level = (ticks - below) / above;
        if (level < (double)(UINT64_C(1) << class))
            return level;
        below += demand->whole[class];
        above -= demand->each[class];
    }
    return ALL;
}

/* ------------------------------------------------------------------------------------------------------ calibration */

/* What a sample costs depends on the program: reading the clock waits for loads from memory that would overlap with
 * what follows. So every now and then all activations are sampled for a moment, and the time that one takes, with all
 * that is around it, is compared with that in the window before, in which nearly all were left out. */
static double middle_of(const double *values, unsigned count)
{
    double sorted[COMPARISONS];
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i;
        for (; at && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return sorted[count / 2];
}

static double between(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static void compare(struct stint_spending *spending, const struct demand *demand, double elapsed)
{
    double activations = demand->sampled + demand->skipped;
    double each = activations > 0 ? elapsed / activations : 0,
           share = activations > 0 ? demand->sampled / activations : 0;
    double change = spending->share - share;
    if (activations >= 2 * LOOK_AFTER && spending->each > 0 && (change > 0.25 || change < -0.25)) {
        double cost = (spending->each - each) / change + s_host->left_out_ticks;
        spending->cost[spending->compared++ % COMPARISONS] =
            between(cost, s_costs[STINT_COST_SCOPE].sampled / 2, s_costs[STINT_COST_SCOPE].sampled * 50);
        spending->sample = s_host->sampled_ticks =
            middle_of(spending->cost, spending->compared < COMPARISONS ? spending->compared : COMPARISONS);
    }
    spending->each = each;
    spending->share = share;
}

/* --------------------------------------------------------------------------------------------------------- decision */

static uint32_t gap_for(uint64_t activations, double level)
{
    enum { MOST = 1 << 30 };
    double gap = (double)activations / level - 1;
    if (gap <= 0.1)
        return 0;
    return gap < MOST ? (uint32_t)(gap + 0.5) : MOST;
}

/* Small changes are not made: each begins a new period. */
static int is_change(uint32_t from, uint32_t to)
{
    return to > from + from / 4 || to + to / 4 < from;
}

static void thin(struct stint_i_node *node, double level, struct stint_spending *spending)
{
    struct stint_i_thinning *thinning = stint_thinning_of(node);
    uint64_t activations = activations_of(node);
    uint32_t gap = activations ? gap_for(activations, level) : 0;
    thinning->seen_counted = node->count;
    thinning->seen_skipped = STINT_I_LOAD(&thinning->skipped);
    if (is_change(thinning->gap, gap))
        stint_thinning_set_gap(node, gap, spending);
}

/* What may be spent on samples in as much time as the window took: at least a twentieth of the budget, so that there
 * are some where it cannot be kept. What was spent too much before is paid back within ten windows. */
static double allowance(const struct stint_spending *spending, const struct demand *demand, double elapsed)
{
    double allowed = s_share * elapsed, saved = s_share * spending->ran - spending->spent;
    double more = between(saved / 10, -allowed, allowed / 2);
    double rest = allowed + more - demand->left_out;
    return rest > allowed / 20 ? rest : allowed / 20;
}

static double level_now(struct stint_spending *spending, const struct demand *demand, double elapsed)
{
    spending->compares = spending->decisions++ % COMPARE_AFTER == 0;
    if (!spending->compares)
        return level_of(demand, allowance(spending, demand, elapsed));
    return demand->sampled > demand->skipped ? FEW : ALL;
}

/* The time is that for which the thread ran: others may have run in between. */
static void decide(struct stint_tree *tree, struct stint_spending *spending)
{
    struct demand demand = {0};
    uint64_t cpu = cpu_ticks(), begin = s_host->ticks();
    double factor = sample_cost(spending) / s_costs[STINT_COST_SCOPE].sampled;
    double elapsed = (double)(cpu - spending->decided_cpu);
    for (struct stint_i_node *node = tree->root->next; node; node = node->next)
        if (stint_node_is_thinned(node))
            add_node(&demand, node, factor);
    spending->ran += elapsed;
    spending->spent += demand.spent;
    compare(spending, &demand, elapsed);
    double level = level_now(spending, &demand, elapsed);
    for (struct stint_i_node *node = tree->root->next; node; node = node->next)
        if (stint_node_is_thinned(node))
            thin(node, level, spending);
    /* a window is as long as a thousand decisions, so that these cost a thousandth */
    uint64_t now = s_host->ticks(), least = 1000 * (now - begin);
    spending->window = 2 * spending->window < s_longest ? 2 * spending->window : s_longest;
    if (spending->window < least)
        spending->window = least;
    spending->spent += (double)(now - begin);
    spending->decided = now;
    spending->decided_cpu = cpu;
    spending->samples = 0;
}

static void begin(struct stint_spending *spending, uint64_t now)
{
    spending->decided = now;
    spending->decided_cpu = cpu_ticks();
    spending->window = s_longest / FIRST_WINDOW;
}

void stint_spending_count(struct stint_tree *tree, struct stint_spending *spending)
{
    spending->samples++;
    if (spending->unseen--)
        return;
    spending->unseen = LOOK_AFTER - 1;
    uint64_t now = s_host->ticks(), elapsed = now - spending->decided;
    if (!spending->window) {
        begin(spending, now);
        return;
    }
    int is_much = (double)spending->samples * sample_cost(spending) > 2 * s_share * (double)spending->window;
    int is_compared = spending->compares && spending->samples >= 4 * LOOK_AFTER;
    if (elapsed >= spending->window || is_compared || (is_much && elapsed >= s_longest / LEAST_WINDOW))
        decide(tree, spending);
}

/* ------------------------------------------------------------------------------------------------------------ costs */

enum { ROUNDS = 16, REPEATS = 256 };
#define FOREVER 1e9

static struct stint_i_thinning *begin_node(struct stint_arena *arena, struct stint_i_tree *tree,
                                           struct stint_i_node **node)
{
    struct stint_i_thinning *thinning = stint_arena_alloc(arena, sizeof *thinning + sizeof **node);
    if (!thinning)
        return NULL;
    *node = (struct stint_i_node *)(void *)(thinning + 1);
    **node = (struct stint_i_node){
        .parent = tree->current, .key = ~1u, .id = 1, .min = UINT64_MAX, .newest = STINT_I_WINDOW};
    return thinning;
}

/* Some nanoseconds of work, in which each step needs the one before: what a scope costs that is left out is done
 * meanwhile, in part. */
static uint64_t some_work(uint64_t value, int steps)
{
    for (int i = 0; i < steps; i++) {
        value *= value;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

typedef uint64_t step_fn(struct stint_i_tree *tree, uint64_t value, int steps);

static uint64_t work_alone(struct stint_i_tree *tree, uint64_t value, int steps)
{
    (void)tree;
    return some_work(value, steps);
}

static uint64_t work_left_out(struct stint_i_tree *tree, uint64_t value, int steps)
{
    struct stint_i_node *node = stint_i_leave_out(tree, 1);
    value = some_work(value, steps);
    (void)stint_i_end_left_out(tree, node);
    return value;
}

static uint64_t work_recorded(struct stint_i_tree *tree, uint64_t value, int steps)
{
    struct stint_i_node *node = stint_i_begin_child(tree, 1);
    value = some_work(value, steps);
    (void)stint_i_end(tree, node, stint_i_end_ticks(tree) - node->start);
    return value;
}

static double time_of(step_fn *step, struct stint_i_tree *tree)
{
    enum { LEAST = 5 };
    uint64_t begin = s_host->ticks(), value = 3;
    for (int i = 0; i < REPEATS; i++)
        value = step(tree, value, LEAST + i % 2);
    __asm__ volatile("" : : "r"(value));
    return (double)(s_host->ticks() - begin) / REPEATS;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* On a tree of its own, of one node. What a sample costs beyond a scope was measured once, on several machines: about
 * as much as half a scope. */
static void measure(void)
{
    struct stint_arena arena = {0};
    struct stint_i_node root = {.salt = 7}, *slots[1], *node;
    struct stint_i_tree tree = {.current = &root, .table = slots};
    struct stint_i_thinning *thinning = begin_node(&arena, &tree, &node);
    double alone = FOREVER, left_out = FOREVER, recorded = FOREVER;
    if (!thinning)
        return;
    slots[0] = node;
    node->base = STINT_I_NO_WINDOW;
    thinning->limit = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        alone = least(alone, time_of(work_alone, &tree));
        node->key = ~1u;
        left_out = least(left_out, time_of(work_left_out, &tree));
        node->key = 1;
        recorded = least(recorded, time_of(work_recorded, &tree));
    }
    s_host->left_out_ticks = left_out > alone ? left_out - alone : 0;
    s_host->sampled_ticks = recorded > alone ? 1.5 * (recorded - alone) : 1;
    stint_arena_free(&arena);
}

struct stint_budget_costs stint_spending_ns(void)
{
    return (struct stint_budget_costs){s_host->sampled_ticks / s_host->ticks_per_ns,
                                       s_host->left_out_ticks / s_host->ticks_per_ns};
}

void stint_spending_start(struct stint_budget_host *host)
{
    s_host = host;
    s_longest = (uint64_t)(LONGEST_NS * host->ticks_per_ns);
    s_share = host->share / (1 + host->share);
    measure();
    for (int way = 0; way <= STINT_COST_FUNCTION; way++)
        s_costs[way] = (struct stint_budget_costs){host->sampled_ticks + way * HOOKS_NS * host->ticks_per_ns,
                                                   host->left_out_ticks + way * HOOKS_NS * host->ticks_per_ns};
}
