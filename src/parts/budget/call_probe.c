/* What an activation costs that is left out: measured in the running process, by call sites like those of programs, on
 * a tree of their own. How much of it a processor does beside the program's work depends on how much work there is
 * between two activations, and on what else the processor does. So it is measured around work of several lengths, again
 * and again, and looked up by the time that an activation takes with what is around it. */
#define stint_i_state stint_probe_state
#define stint_i_self stint_probe_self
#define stint_i_enter_slow stint_probe_enter_slow
#define stint_i_leave_slow stint_probe_leave_slow
#include "stint/detail/record.h"

#include "budget/budget.h"

enum { ROUNDS = 6, FIRST_ROUNDS = 16, REPEATS = 50, LEAVES = 4, LENGTHS = 6, REMEMBERED = 8 };
#define FOREVER 1e9

static const int s_steps[LENGTHS] = {0, 2, 4, 7, 12, 30}; /* of about a nanosecond each */

static struct {
    double each[LENGTHS]; /* ticks of an activation that is left out, with its work, */
    double more[LENGTHS]; /* and how many of them are its cost */
    double reading;       /* ticks that it takes to read the clock */
    uint64_t due;         /* ticks at which it is measured again */
    int is_busy;
} s_measured;

/* --------------------------------------------------------------------------------------------------- the call sites */

uint32_t stint_probe_state = 2;
STINT_I_THREAD_LOCAL struct stint_i_tree *stint_probe_self;

/* Each node of the tree is in its slot, so that these are never called. */
struct stint_i_node *stint_probe_enter_slow(struct stint_i_site *site, const char *name, struct stint_statset *set)
{
    (void)site, (void)name, (void)set;
    return NULL;
}

uint64_t stint_probe_leave_slow(struct stint_i_node *node, uint64_t now)
{
    (void)node;
    return now;
}

enum { OUTER = 1, SHORT, LONG, SLOTS };

static struct stint_i_site s_outer = {.id = OUTER}, s_short = {.id = SHORT}, s_long = {.id = LONG};

static uint64_t work(uint64_t value, int steps)
{
    for (int i = 0; i < steps; i++) {
        value = value * value | 1;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

#define NO_NODE(site) NULL
#define NODE(site) stint_i_enter_thinned(site, "", NULL)
#define CALLS(prefix, ENTER)                                                                                           \
    __attribute__((noinline)) static uint64_t prefix##_short(uint64_t value, int steps)                                \
    {                                                                                                                  \
        struct stint_i_node *node = ENTER(&s_short);                                                                   \
        value = work(value, steps - steps / 4);                                                                        \
        (void)stint_i_leave(node);                                                                                     \
        return value;                                                                                                  \
    }                                                                                                                  \
    __attribute__((noinline)) static uint64_t prefix##_long(uint64_t value, int steps)                                 \
    {                                                                                                                  \
        struct stint_i_node *node = ENTER(&s_long);                                                                    \
        value = work(value, steps + steps / 4);                                                                        \
        (void)stint_i_leave(node);                                                                                     \
        return value;                                                                                                  \
    }                                                                                                                  \
    __attribute__((noinline)) static uint64_t prefix(uint64_t value, int steps)                                        \
    {                                                                                                                  \
        struct stint_i_node *node = ENTER(&s_outer);                                                                   \
        for (int i = 0; i < LEAVES / 2; i++)                                                                           \
            value = prefix##_long(prefix##_short(value, steps), steps);                                                \
        (void)stint_i_leave(node);                                                                                     \
        return value;                                                                                                  \
    }

CALLS(alone, NO_NODE)
CALLS(left_out, NODE)

static uint64_t recorded(uint64_t value, int steps)
{
    struct stint_i_tree *tree = stint_probe_self;
    struct stint_i_node *node = stint_i_begin_child(tree, OUTER);
    if (node)
        node->start = stint_budget_ticks();
    value = work(value, steps);
    if (node)
        (void)stint_i_end(tree, node, stint_budget_ticks() - node->start);
    return value;
}

/* ---------------------------------------------------------------------------------------------------------- measure */

typedef uint64_t call_fn(uint64_t value, int steps);

/* The least disturbed round counts. */
static double ticks_of(call_fn *call, int steps, int rounds)
{
    double least = FOREVER;
    for (int round = 0; round < rounds; round++) {
        uint64_t begin = stint_budget_ticks(), value = 3;
        for (int i = 0; i < REPEATS; i++)
            value = call(value, steps);
        __asm__ volatile("" : : "r"(value));
        double ticks = (double)(stint_budget_ticks() - begin) / REPEATS;
        least = ticks < least ? ticks : least;
    }
    return least;
}

/* The running mean: what else the processor does changes. */
static void take_in(double *mean, double value)
{
    double old = stint_budget_load(mean);
    stint_budget_store(mean, old > 0 ? old + (value - old) / REMEMBERED : value);
}

static void measure_length(int at, int rounds)
{
    double without = ticks_of(alone, s_steps[at], rounds) / (LEAVES + 1);
    double with = ticks_of(left_out, s_steps[at], rounds) / (LEAVES + 1);
    take_in(&s_measured.each[at], with);
    take_in(&s_measured.more[at], with > without ? with - without : 0);
}

/* Returns the cost of one that is recorded if `rounds` are FIRST_ROUNDS. */
static double measure(int rounds)
{
    static struct {
        struct stint_i_thinning thinning;
        struct stint_i_node node;
    } s_room[SLOTS];
    struct stint_i_node root = {0}, *slots[SLOTS + 1] = {&root};
    struct stint_i_tree tree = {.current = &root, .table = slots, .mask = SLOTS - 1, .state = 2, .counting = 2};
    double cost = 0;
    for (unsigned id = OUTER; id < SLOTS; id++) {
        s_room[id].thinning = (struct stint_i_thinning){.limit = UINT64_MAX};
        s_room[id].node = (struct stint_i_node){
            .parent = id == OUTER ? &root : &s_room[OUTER].node, .key = ~id, .id = id, .base = STINT_I_NO_WINDOW};
        slots[id] = &s_room[id].node;
    }
    stint_probe_self = &tree;
    for (int i = 0; i < LENGTHS; i++)
        measure_length(i, rounds);
    if (rounds == FIRST_ROUNDS) {
        s_room[OUTER].node.key = OUTER;
        cost = ticks_of(recorded, s_steps[LENGTHS / 2], rounds) -
               ticks_of(alone, s_steps[LENGTHS / 2], rounds) / (LEAVES + 1);
    }
    stint_probe_self = NULL;
    return cost;
}

static uint64_t read_clock(uint64_t value, int steps)
{
    (void)steps;
    return value ^ stint_budget_ticks();
}

/* So that it takes a thousandth of the time. */
static void wait_for_next(uint64_t begin)
{
    uint64_t end = stint_budget_ticks();
    STINT_I_STORE(&s_measured.due, end + 1000 * (end - begin));
}

double stint_probe_start(void)
{
    uint64_t begin = stint_budget_ticks();
    s_measured.reading = ticks_of(read_clock, 0, FIRST_ROUNDS);
    double recorded = measure(FIRST_ROUNDS);
    wait_for_next(begin);
    return recorded;
}

double stint_probe_reading(void)
{
    return s_measured.reading;
}

/* The first rounds teach the processor which way branches go. */
void stint_probe_again(void)
{
    uint64_t begin = stint_budget_ticks();
    if (begin < STINT_I_LOAD(&s_measured.due) || __atomic_exchange_n(&s_measured.is_busy, 1, __ATOMIC_ACQUIRE))
        return;
    (void)measure(ROUNDS);
    wait_for_next(begin);
    __atomic_store_n(&s_measured.is_busy, 0, __ATOMIC_RELEASE);
}

double stint_probe_left_out(double each)
{
    double shorter = 0, longer = 0;
    int at = 0;
    while (at < LENGTHS && (longer = stint_budget_load(&s_measured.each[at])) < each) {
        shorter = longer;
        at++;
    }
    if (!at || at == LENGTHS)
        return stint_budget_load(&s_measured.more[at ? at - 1 : 0]);
    double part = (each - shorter) / (longer - shorter);
    return (1 - part) * stint_budget_load(&s_measured.more[at - 1]) + part * stint_budget_load(&s_measured.more[at]);
}
