/* Numbers single activations of scopes that launch work, so that a recording can say which pass through a scope caused
 * a kernel. The chain of scopes is noted from the outermost in, once for each activation, without locks. */
#include "gpu/correlate.h"

#include "base/arena.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"

/* No scope begins twice at the same time on one thread, so node and start identify the activation. */
struct record {
    const struct stint_i_node *node;
    uint64_t start;
    uint32_t path;
    uint32_t parent;
};

enum { LAUNCHES = 1 << 20 };

/* Written by launching threads, without locks. A record is complete before its number is stored in a slot. It belongs
 * to a scope of one thread; threads that help it look for it, too. */
static struct {
    struct record *records;
    uint32_t *slots;    /* numbers, by node and start; 0: free */
    uint64_t *launches; /* by correlation: its id in the upper half, the number in the lower; NULL: not started */
    uint32_t limit;
    uint32_t mask;
    uint32_t last;
} s_instances;

int stint_instance_start(size_t limit)
{
    uint64_t slots = 16;
    uint64_t *launches;
    if (!limit || s_instances.launches)
        return 0;
    limit = limit < UINT32_MAX / 4 ? limit : UINT32_MAX / 4;
    while (slots < 2 * (uint64_t)limit)
        slots *= 2;
    s_instances.limit = (uint32_t)limit;
    s_instances.mask = (uint32_t)(slots - 1);
    s_instances.records = stint_pages_map((limit + 1) * sizeof *s_instances.records);
    s_instances.slots = stint_pages_map(slots * sizeof *s_instances.slots);
    launches = stint_pages_map(LAUNCHES * sizeof *launches);
    if (!s_instances.records || !s_instances.slots || !launches)
        return -1;
    __atomic_store_n(&s_instances.launches, launches, __ATOMIC_RELEASE);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------- one instance */

static uint32_t first_slot(const struct stint_i_node *node, uint64_t start)
{
    return (uint32_t)stint_hash_mix((uintptr_t)node, start);
}

static int is_of(uint32_t number, const struct stint_i_node *node, uint64_t start)
{
    return s_instances.records[number].node == node && s_instances.records[number].start == start;
}

/* Returns the running node's instance, or 0 if it has none yet. `at` receives its slot, or the free slot that ends the
 * search; at least half of the slots are free. */
static uint32_t find(const struct stint_i_node *node, uint64_t start, uint32_t *at)
{
    for (*at = first_slot(node, start);; (*at)++) {
        uint32_t number = __atomic_load_n(&s_instances.slots[*at & s_instances.mask], __ATOMIC_ACQUIRE);
        if (!number || is_of(number, node, start))
            return number;
    }
}

static uint32_t take_number(void)
{
    uint32_t last = __atomic_load_n(&s_instances.last, __ATOMIC_RELAXED);
    while (last < s_instances.limit)
        if (__atomic_compare_exchange_n(&s_instances.last, &last, last + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return last + 1;
    return 0;
}

static uint32_t add(const struct stint_i_node *node, uint64_t start, uint32_t parent, uint32_t at)
{
    uint32_t number = take_number();
    uint32_t expected = 0;
    if (!number)
        return 0;
    s_instances.records[number] = (struct record){node, start, STINT_I_LOAD(&node->path), parent};
    while (!__atomic_compare_exchange_n(&s_instances.slots[at & s_instances.mask], &expected, number, 0,
                                        __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
        if (is_of(expected, node, start))
            return expected; /* added meanwhile, for a launch of another thread */
        expected = 0;
        at++;
    }
    return number;
}

/* ----------------------------------------------------------------------------------------------------------- launch */

/* Returns the node if it is a scope that runs, else the one around it: a call of CUDA's API is not a scope, and around
 * adopted work are scopes of another thread, whose start is 0 (contexts/contexts.h). NULL: the root. */
static const struct stint_i_node *scope_at(const struct stint_i_node *node)
{
    while (node->parent && (stint_call_is(node->id) || !STINT_I_LOAD(&node->start)))
        node = node->parent;
    return node->parent ? node : NULL;
}

static uint32_t instance_at(const struct stint_i_node *innermost);

static STINT_I_THREAD_LOCAL uint32_t tl_waiting __attribute__((tls_model("initial-exec")));

static void note_waiting(uint32_t correlation, const struct stint_i_node *waits)
{
    (void)correlation;
    tl_waiting = instance_at(waits);
}

/* Returns the instance of another thread's scope that waits for what runs in the node; 0: there is none. */
static uint32_t waiting_for(const struct stint_i_node *node)
{
    while (node->parent && (stint_call_is(node->id) || STINT_I_LOAD(&node->start)))
        node = node->parent;
    if (!node->parent)
        return 0;
    tl_waiting = 0;
    (void)stint_adopt_launch(0, note_waiting);
    uint32_t path = s_instances.records[tl_waiting].path;
    return path && (path == STINT_I_LOAD(&node->path) || path == STINT_I_LOAD(&node->parent->path)) ? tl_waiting : 0;
}

/* Notes the scopes down to `node`, outermost first, so that an instance's number is greater than that of the one around
 * it; as many per call as fit into the array. Does not recurse, because a tree may be deeper than a thread's stack.
 * Returns the number of the innermost scope noted, 0 if there is no room; `left` receives how many scopes down to
 * `node` are left. */
static uint32_t note_some(const struct stint_i_node *node, size_t *left)
{
    const struct stint_i_node *chain[64];
    size_t room = sizeof chain / sizeof chain[0];
    size_t height = 0, done = 0;
    const struct stint_i_node *outermost = node;
    uint32_t number = 0, at;
    for (; node && !(number = find(node, STINT_I_LOAD(&node->start), &at)); node = scope_at(node->parent))
        chain[height++ % room] = outermost = node;
    if (!node)
        number = waiting_for(outermost);
    for (; done < height && done < room && (number || !done); done++) {
        const struct stint_i_node *scope = chain[(height - 1 - done) % room];
        uint64_t start = STINT_I_LOAD(&scope->start);
        number = add(scope, start, number, first_slot(scope, start));
    }
    *left = height - done;
    return number;
}

static uint32_t instance_at(const struct stint_i_node *innermost)
{
    const struct stint_i_node *node = innermost ? scope_at(innermost) : NULL;
    uint32_t number = 0;
    size_t left = 0;
    if (!node)
        return innermost ? waiting_for(innermost) : 0;
    do
        number = note_some(node, &left);
    while (number && left);
    return left ? 0 : number;
}

void stint_instance_note(uint32_t correlation, const struct stint_i_node *innermost)
{
    uint64_t *launches = __atomic_load_n(&s_instances.launches, __ATOMIC_ACQUIRE);
    if (launches && correlation)
        __atomic_store_n(&launches[correlation % LAUNCHES], (uint64_t)correlation << 32 | instance_at(innermost),
                         __ATOMIC_RELEASE);
}

/* -------------------------------------------------------------------------------------------------------------- use */

uint32_t stint_instance_of(uint32_t correlation)
{
    const uint64_t *launches = __atomic_load_n(&s_instances.launches, __ATOMIC_ACQUIRE);
    uint64_t word = launches ? __atomic_load_n(&launches[correlation % LAUNCHES], __ATOMIC_ACQUIRE) : 0;
    return word >> 32 == correlation ? (uint32_t)word : 0;
}

struct stint_instance stint_instance_at(uint32_t number)
{
    const struct record *record = &s_instances.records[number];
    if (!number || number > stint_instance_last())
        return (struct stint_instance){STINT_PATH_NONE, 0};
    return (struct stint_instance){record->path, record->parent < number ? record->parent : 0};
}

uint32_t stint_instance_last(void)
{
    return __atomic_load_n(&s_instances.last, __ATOMIC_ACQUIRE);
}

void stint_instance_forget(void)
{
    if (!s_instances.launches)
        return;
    stint_pages_zero(s_instances.launches, LAUNCHES * sizeof *s_instances.launches);
    stint_pages_zero(s_instances.slots, ((size_t)s_instances.mask + 1) * sizeof *s_instances.slots);
    __atomic_store_n(&s_instances.last, 0, __ATOMIC_RELEASE);
}
