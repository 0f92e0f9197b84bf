/* Balances the CPU time of threads that ended against the samples that they got; what is missing goes to samples of
 * others. */
#include "sample/call_tree.h"

static struct {
    uint64_t left_ns; /* what is in no sample, as far as known */
    uint32_t node;    /* of the last sample that included what was left; 0: there is none */
    uint64_t other_ns;
    uint64_t whole_ns; /* of all threads that have ended, as they said */
    uint64_t count;    /* of those */
    uint64_t more_ns;  /* of what was left, that which they did not say: */
    uint64_t each_ns;  /* so much each, going by the last comparison, */
    uint64_t compared; /* when so many had ended, */
    uint64_t found_ns; /* which had used so much more than they said */
} s_unsampled;

static void leave(uint64_t ns)
{
    __atomic_add_fetch(&s_unsampled.left_ns, ns, __ATOMIC_RELAXED);
}

void stint_unsampled_time_begin(uint64_t other_ns)
{
    s_unsampled.other_ns = other_ns;
    __atomic_store_n(&s_unsampled.node, 0, __ATOMIC_RELAXED);
    s_unsampled.whole_ns = s_unsampled.count = s_unsampled.compared = s_unsampled.more_ns = s_unsampled.each_ns =
        s_unsampled.found_ns = 0;
    __atomic_store_n(&s_unsampled.left_ns, 0, __ATOMIC_RELAXED);
}

void stint_unsampled_time_end(uint64_t whole_ns, uint64_t rest_ns)
{
    s_unsampled.whole_ns += whole_ns;
    s_unsampled.count++;
    s_unsampled.more_ns += s_unsampled.each_ns;
    leave(rest_ns + s_unsampled.each_ns);
}

/* What was left too much, the threads that end next leave less. */
void stint_unsampled_time_compare(uint64_t process_ns, uint64_t alive_ns)
{
    uint64_t said_ns = s_unsampled.other_ns + s_unsampled.whole_ns + alive_ns,
             ended = s_unsampled.count - s_unsampled.compared;
    uint64_t more_ns = process_ns > said_ns ? process_ns - said_ns : 0;
    if (!ended)
        return;
    uint64_t lately_ns = more_ns > s_unsampled.found_ns ? more_ns - s_unsampled.found_ns : 0, excess_ns = 0;
    if (more_ns > s_unsampled.more_ns) {
        leave(more_ns - s_unsampled.more_ns);
        s_unsampled.more_ns = more_ns;
    } else {
        excess_ns = s_unsampled.more_ns - more_ns;
    }
    s_unsampled.each_ns = lately_ns > excess_ns ? (lately_ns - excess_ns) / ended : 0;
    s_unsampled.compared = s_unsampled.count;
    s_unsampled.found_ns = more_ns;
}

/* Where threads had no sample for long, the next one alone would stand for all of that. */
uint64_t stint_unsampled_time_take(void)
{
    uint64_t left_ns = __atomic_load_n(&s_unsampled.left_ns, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&s_unsampled.left_ns, &left_ns, left_ns / 2, 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    return left_ns - left_ns / 2;
}

void stint_unsampled_time_goes_to(uint32_t node)
{
    __atomic_store_n(&s_unsampled.node, node, __ATOMIC_RELAXED);
}

uint64_t stint_unsampled_time_left(uint32_t *node)
{
    *node = __atomic_load_n(&s_unsampled.node, __ATOMIC_RELAXED);
    return *node ? __atomic_load_n(&s_unsampled.left_ns, __ATOMIC_RELAXED) : 0;
}
