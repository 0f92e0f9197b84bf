/* One thinned node: which of its activations are sampled, and what follows from these for the others.
 *
 * A period is the time between two changes of the mean gap. Within one, each activation is sampled with the same
 * probability, so that the mean of the samples is that of those that were left out, too. Periods are estimated apart:
 * activations at the beginning of a program, of which more are sampled, would else count for more. */
#include "budget/budget.h"

/* A period with fewer samples goes on under the next gap. */
enum { ENOUGH = 16 };

static void store_count(uint64_t *at, uint64_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

/* Readers on other threads begin again if the numbers changed meanwhile: each of these is stored after the version, and
 * loaded before it. */
static void begin_change(struct stint_i_thinning *thinning)
{
    STINT_I_STORE(&thinning->version, thinning->version + 1);
}

static void end_change(struct stint_i_thinning *thinning)
{
    __atomic_store_n(&thinning->version, thinning->version + 1, __ATOMIC_RELEASE);
}

/* ----------------------------------------------------------------------------------------------------------- sample */

/* Takes in the sample that was begun last: the self time that the node has got since. One that never ended, left by
 * longjmp, is none. */
static void take_sample(struct stint_i_thinning *thinning, const struct stint_i_node *node)
{
    uint64_t ended = node->count - thinning->counted;
    double self = (double)(int64_t)(node->self - thinning->self);
    if (!ended)
        return;
    begin_change(thinning);
    stint_budget_store(&thinning->sum, thinning->sum + self);
    stint_budget_store(&thinning->square, thinning->square + self * self / (double)ended);
    store_count(&thinning->sampled, thinning->sampled + ended);
    end_change(thinning);
    thinning->self = node->self;
    thinning->counted = node->count;
}

/* xorshift64, of which no period is a program's. */
static uint64_t next_random(uint64_t *random)
{
    uint64_t x = *random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *random = x;
    return x;
}

/* From 0 to twice the mean gap, each as probable as the other. */
static void draw(struct stint_i_thinning *thinning, struct stint_spending *spending)
{
    uint64_t wide = 2 * (uint64_t)thinning->gap + 1;
    uint64_t gap = ((next_random(&spending->random) >> 32) * wide) >> 32;
    STINT_I_STORE(&thinning->limit, STINT_I_LOAD(&thinning->skipped) + gap);
}

static struct stint_spending *begin_spending(struct stint_tree *tree)
{
    static uint64_t s_begun; /* so that each thread has random numbers of its own */
    tree->spending = stint_arena_alloc(&tree->arena, sizeof *tree->spending);
    if (tree->spending)
        tree->spending->random = __atomic_add_fetch(&s_begun, 1, __ATOMIC_RELAXED) * UINT64_C(0x9E3779B97F4A7C15);
    return tree->spending;
}

/* The clock is read at the end of an activation when its work is done, but at the beginning of the next one without
 * waiting. Where the one before was left out, its loads would still be under way, and be part of the sample. */
static void wait_for_work_before(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("dsb ish\n\tisb" ::: "memory");
#endif
}

void stint_thinning_sample(struct stint_tree *tree, struct stint_i_node *node)
{
    struct stint_i_thinning *thinning = stint_thinning_of(node);
    struct stint_spending *spending = tree->spending ? tree->spending : begin_spending(tree);
    if (!spending)
        return;
    take_sample(thinning, node);
    stint_spending_count(tree, spending);
    draw(thinning, spending);
    wait_for_work_before();
}

/* ----------------------------------------------------------------------------------------------------------- period */

struct period {
    double missed, missed_square, sum, square;
    uint64_t sampled, left_out, skipped;
};

static struct period read_period(const struct stint_i_thinning *thinning)
{
    enum { TRIES = 1000 }; /* in a handler, the thread may have been interrupted in the middle of a change */
    struct period period;
    uint32_t version;
    int tries = 0;
    do {
        version = __atomic_load_n(&thinning->version, __ATOMIC_ACQUIRE);
        period.missed = stint_budget_load(&thinning->missed);
        period.missed_square = stint_budget_load(&thinning->missed_square);
        period.sum = stint_budget_load(&thinning->sum);
        period.square = stint_budget_load(&thinning->square);
        period.sampled = __atomic_load_n(&thinning->sampled, __ATOMIC_ACQUIRE);
        period.skipped = __atomic_load_n(&thinning->skipped, __ATOMIC_ACQUIRE);
        period.left_out = period.skipped - __atomic_load_n(&thinning->period, __ATOMIC_ACQUIRE);
    } while ((version % 2 || version != STINT_I_LOAD(&thinning->version)) && tries++ < TRIES);
    return period;
}

/* The variance of the sum of those that were left out, about the mean of those that were sampled: that of a sample
 * without replacement. */
static void add_missed(struct stint_missed *missed, double left_out, double n, double sum, double square)
{
    double mean = sum / n, deviation = n > 1 ? (square - sum * mean) / (n - 1) : square;
    missed->self += mean * left_out;
    missed->square += deviation > 0 ? left_out * (left_out + n) / n * deviation : 0;
}

static struct stint_missed missed_in(const struct stint_i_node *node, const struct period *period)
{
    struct stint_missed missed = {period->skipped, period->missed, period->missed_square};
    double left_out = (double)period->left_out, count = (double)STINT_I_LOAD(&node->count);
    double whole;
    __atomic_load(&node->square, &whole, __ATOMIC_RELAXED);
    if (left_out > 0 && period->sampled > 1)
        add_missed(&missed, left_out, (double)period->sampled, period->sum, period->square);
    else if (left_out > 0 && count > 0) /* by all of its samples */
        add_missed(&missed, left_out, count, (double)(int64_t)STINT_I_LOAD(&node->self), whole);
    return missed;
}

struct stint_missed stint_thinning_missed(const struct stint_i_node *node)
{
    struct period period;
    if (!stint_node_is_thinned(node))
        return (struct stint_missed){0};
    period = read_period(stint_thinning_of(node));
    return missed_in(node, &period);
}

/* Within a change: `missed` is what the periods before miss. */
static void begin_period(struct stint_i_thinning *thinning, const struct stint_missed *missed)
{
    stint_budget_store(&thinning->missed, missed->self);
    stint_budget_store(&thinning->missed_square, missed->square);
    stint_budget_store(&thinning->sum, 0);
    stint_budget_store(&thinning->square, 0);
    store_count(&thinning->sampled, 0);
    store_count(&thinning->period, missed->left_out);
}

static void end_period(struct stint_i_thinning *thinning, const struct stint_i_node *node)
{
    struct period period = read_period(thinning);
    struct stint_missed missed = missed_in(node, &period);
    begin_change(thinning);
    begin_period(thinning, &missed);
    end_change(thinning);
}

void stint_thinning_set_gap(struct stint_i_node *node, uint32_t gap, struct stint_spending *spending)
{
    struct stint_i_thinning *thinning = stint_thinning_of(node);
    uint64_t left = STINT_I_LOAD(&thinning->limit) - STINT_I_LOAD(&thinning->skipped);
    if (!node->start)
        take_sample(thinning, node);
    if (thinning->sampled >= ENOUGH)
        end_period(thinning, node);
    thinning->gap = gap;
    if (left > 2 * (uint64_t)gap)
        draw(thinning, spending);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

void stint_thinning_zero(struct stint_i_node *node)
{
    struct stint_i_thinning *thinning = stint_thinning_of(node);
    begin_change(thinning);
    begin_period(thinning, &(struct stint_missed){0});
    store_count(&thinning->skipped, 0);
    STINT_I_STORE(&thinning->limit, 0);
    end_change(thinning);
    thinning->self = thinning->counted = thinning->seen_counted = thinning->seen_skipped = 0;
}

void stint_thinning_merge(struct stint_i_node *into, const struct stint_i_node *from)
{
    struct stint_i_thinning *thinning = stint_thinning_of(into);
    struct stint_missed missed = stint_thinning_missed(from);
    thinning->skipped += missed.left_out;
    thinning->period += missed.left_out;
    thinning->missed += missed.self;
    thinning->missed_square += missed.square;
}
