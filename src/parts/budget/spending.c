/* What recording costs a thread, and for which of its nodes how many activations are left out, so that it costs what it
 * may. Decided anew every now and then, by what was counted since the last time: each node may have as many samples as
 * any other, so that those are left out which are most frequent. */
#include "budget/budget.h"

#include <string.h>

#include "base/clock.h"
#include "record/registry.h"
#include "stat/numbers.h"

enum { USUAL_NS = 15, LOOK_AFTER = 64, CLASSES = 48, LONGEST_NS = 10000000, FIRST_WINDOW = 16, LEAST_WINDOW = 128 };

#define ALL 0x1p63

static struct stint_budget_host *s_host;
static uint64_t s_longest; /* window between two decisions, in ticks */
static double s_share;     /* of the time with what recording costs */
static double s_sampled;   /* ticks that a sample costs, as measured at start */

/* Of all threads, in which the hooks of functions are not counted. */
static struct {
    uint64_t sampled, left_out;             /* activations, */
    uint64_t sampled_ticks, left_out_ticks; /* and what they cost */
} s_paid;

uint64_t stint_budget_ticks(void)
{
    return s_host->ticks();
}

/* For which the calling thread has run. */
static uint64_t cpu_ticks(void)
{
    return (uint64_t)((double)stint_clock_cpu_ns() * s_host->ticks_per_ns);
}

static enum stint_cost_kind kind_of(uint32_t id)
{
    const struct stint_entry *entry = __atomic_load_n(&(*s_host->entries)[id], __ATOMIC_ACQUIRE);
    return strcmp(entry->set->name, STINT_OS_SET) == 0 ? STINT_COST_CALL : entry->way;
}

int stint_spending_may_thin(uint32_t id)
{
    return kind_of(id) <= STINT_COST_FUNCTION;
}

/* What a sample costs in this thread, as far as that is known. */
static double sample_cost(const struct stint_spending *spending)
{
    return spending->sample > 0 ? spending->sample : s_sampled;
}

/* ----------------------------------------------------------------------------------------------------------- demand */

/* What a thread did in a window, with nodes put into classes by the binary logarithm of their activations. */
struct demand {
    double sampled, left_out; /* activations */
    double elapsed;           /* ticks */
    double least;             /* ticks that it costs to leave all out, */
    double more;              /* and by which one that is sampled costs more */
    double count[CLASSES];    /* by class: activations, */
    double nodes[CLASSES];    /* and nodes */
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

static void add_node(struct demand *demand, const struct stint_i_node *node)
{
    const struct stint_i_thinning *thinning = stint_thinning_of(node);
    uint64_t sampled = node->count - thinning->seen_counted, activations = activations_of(node);
    unsigned class = class_of(activations);
    demand->sampled += (double)sampled;
    demand->left_out += (double)(activations - sampled);
    demand->count[class] += (double)activations;
    demand->nodes[class] += 1;
    if (kind_of(node->id) == STINT_COST_FUNCTION)
        demand->least += (double)activations * HOOKS_NS * s_host->ticks_per_ns;
}

static struct demand demand_of(const struct stint_tree *tree, const struct stint_spending *spending, double elapsed)
{
    struct demand demand = {.elapsed = elapsed};
    for (const struct stint_i_node *node = tree->root->next; node; node = node->next)
        if (stint_node_is_thinned(node))
            add_node(&demand, node);
    double activations = demand.sampled + demand.left_out;
    double left_out = stint_probe_left_out(activations > 0 ? elapsed / activations : 0);
    demand.least += activations * left_out;
    demand.more = sample_cost(spending) - left_out;
    return demand;
}

/* Returns how many activations of a node may be sampled, if that may cost `ticks` in all. */
static double level_of(const struct demand *demand, double ticks)
{
    double samples = ticks / demand->more, nodes = 0;
    for (int class = 1; class < CLASSES; class ++)
        nodes += demand->nodes[class];
    for (int class = 1; class < CLASSES && nodes > 0; class ++) {
        double level = samples / nodes;
        if (level < (double)(UINT64_C(1) << class))
            return level;
        samples -= demand->count[class];
        nodes -= demand->nodes[class];
    }
    return ALL;
}

/* ------------------------------------------------------------------------------------------------------ calibration */

/* What a sample costs depends on the program: reading the clock waits for loads from memory that would overlap with
 * what follows, and the processor does not foresee which activation is sampled. So the number of samples goes up and
 * down from window to window, and the time that an activation takes, with all that is around it, is compared with that
 * in the window before. The median holds where the program itself changed. */
static double middle_of(const double *values)
{
    double sorted[COMPARISONS];
    for (unsigned i = 0; i < COMPARISONS; i++) {
        unsigned at = i;
        for (; at && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return sorted[COMPARISONS / 2];
}

static double between(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where samples differ so little that the difference cannot be seen, nothing is learnt. */
static void compare(struct stint_spending *spending, const struct demand *demand)
{
    static const double s_seen = 0.01;
    double activations = demand->sampled + demand->left_out;
    double each = activations > 0 ? demand->elapsed / activations : 0;
    double share = activations > 0 ? demand->sampled / activations : 0;
    double change = (spending->share - share) * demand->more;
    if (activations >= 2 * LOOK_AFTER && spending->each > 0 && (change > s_seen * each || change < -s_seen * each)) {
        double left_out = sample_cost(spending) - demand->more;
        double cost = (spending->each - each) / (spending->share - share) + left_out;
        if (!spending->compared)
            for (int i = 0; i < COMPARISONS; i++)
                spending->cost[i] = s_sampled;
        spending->cost[spending->compared++ % COMPARISONS] = between(cost, s_sampled / 4, s_sampled * 50);
        spending->sample = middle_of(spending->cost);
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
static double allowance(const struct stint_spending *spending, const struct demand *demand)
{
    double allowed = s_share * demand->elapsed, saved = s_share * spending->ran - spending->spent;
    double more = between(saved / 10, -allowed, allowed / 2);
    double rest = allowed + more - demand->least;
    return rest > allowed / 20 ? rest : allowed / 20;
}

/* Every other window may have half as many samples as the others, for what one costs to be seen: also where all may be
 * sampled, until that is known. */
static double level_now(struct stint_spending *spending, const struct demand *demand)
{
    double ticks = allowance(spending, demand), all = (demand->sampled + demand->left_out) * demand->more;
    if (ticks > all && spending->compared < COMPARISONS)
        ticks = all;
    return level_of(demand, spending->decisions++ % 2 ? ticks * 1.3 : ticks * 0.7);
}

static void add_up(uint64_t *sum, double value)
{
    (void)__atomic_add_fetch(sum, (uint64_t)value, __ATOMIC_RELAXED);
}

static void pay(struct stint_spending *spending, const struct demand *demand)
{
    double each = sample_cost(spending), left_out = each - demand->more;
    spending->ran += demand->elapsed;
    spending->spent += demand->least + demand->sampled * demand->more;
    add_up(&s_paid.sampled, demand->sampled);
    add_up(&s_paid.left_out, demand->left_out);
    add_up(&s_paid.sampled_ticks, demand->sampled * each);
    add_up(&s_paid.left_out_ticks, demand->left_out * left_out);
}

/* The time is that for which the thread ran: others may have run in between. */
static void decide(struct stint_tree *tree, struct stint_spending *spending)
{
    uint64_t cpu = cpu_ticks(), begin = s_host->ticks();
    struct demand demand = demand_of(tree, spending, (double)(cpu - spending->decided_cpu));
    pay(spending, &demand);
    compare(spending, &demand);
    double level = level_now(spending, &demand);
    for (struct stint_i_node *node = tree->root->next; node; node = node->next)
        if (stint_node_is_thinned(node))
            thin(node, level, spending);
    /* a window is as long as a thousand decisions, so that these cost a thousandth */
    uint64_t now = s_host->ticks(), least = 1000 * (now - begin);
    spending->window = 2 * spending->window < s_longest ? 2 * spending->window : s_longest;
    if (spending->window < least)
        spending->window = least;
    stint_probe_again();
    spending->spent += (double)(s_host->ticks() - begin);
    spending->decided = s_host->ticks();
    spending->decided_cpu = cpu_ticks();
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
    if (elapsed >= spending->window || (is_much && elapsed >= s_longest / LEAST_WINDOW))
        decide(tree, spending);
}

/* ------------------------------------------------------------------------------------------------------------ costs */

static double mean_of(const uint64_t *sum, const uint64_t *count, double otherwise)
{
    uint64_t activations = __atomic_load_n(count, __ATOMIC_RELAXED);
    return activations ? (double)__atomic_load_n(sum, __ATOMIC_RELAXED) / (double)activations : otherwise;
}

struct stint_budget_costs stint_spending_ns(void)
{
    double sampled = mean_of(&s_paid.sampled_ticks, &s_paid.sampled, s_sampled);
    double usual = stint_probe_left_out(USUAL_NS * s_host->ticks_per_ns);
    double left_out = mean_of(&s_paid.left_out_ticks, &s_paid.left_out, usual);
    return (struct stint_budget_costs){sampled / s_host->ticks_per_ns, left_out / s_host->ticks_per_ns};
}

void stint_spending_start(struct stint_budget_host *host)
{
    s_host = host;
    s_longest = (uint64_t)(LONGEST_NS * host->ticks_per_ns);
    s_share = host->share / (1 + host->share);
    double recorded = stint_probe_start();
    s_sampled = recorded > 1 ? 1.5 * recorded : 1.5; /* with the slow path, as was measured on several machines */
}
