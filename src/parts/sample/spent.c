#include "sample/spent.h"

static struct {
    uint64_t left_ns; /* what is in no sample, as far as known */
    uint64_t other_ns;
    uint64_t whole_ns; /* of all threads that have ended, as they said */
    uint64_t count;    /* of those */
    uint64_t more_ns;  /* of what was left, that which they did not say: */
    uint64_t each_ns;  /* so much each, going by the last comparison, */
    uint64_t compared; /* when so many had ended, */
    uint64_t found_ns; /* which had used so much more than they said */
} s_spent;

static void leave(uint64_t ns)
{
    __atomic_add_fetch(&s_spent.left_ns, ns, __ATOMIC_RELAXED);
}

void stint_spent_begin(uint64_t other_ns)
{
    s_spent.other_ns = other_ns;
    s_spent.whole_ns = s_spent.count = s_spent.compared = s_spent.more_ns = s_spent.each_ns = s_spent.found_ns = 0;
    __atomic_store_n(&s_spent.left_ns, 0, __ATOMIC_RELAXED);
}

void stint_spent_end(uint64_t whole_ns, uint64_t rest_ns)
{
    s_spent.whole_ns += whole_ns;
    s_spent.count++;
    s_spent.more_ns += s_spent.each_ns;
    leave(rest_ns + s_spent.each_ns);
}

/* What was left too much, the threads that end next leave less. */
void stint_spent_compare(uint64_t process_ns, uint64_t alive_ns)
{
    uint64_t said_ns = s_spent.other_ns + s_spent.whole_ns + alive_ns, ended = s_spent.count - s_spent.compared;
    uint64_t more_ns = process_ns > said_ns ? process_ns - said_ns : 0;

    if (!ended)
        return;
    uint64_t lately_ns = more_ns > s_spent.found_ns ? more_ns - s_spent.found_ns : 0, excess_ns = 0;
    if (more_ns > s_spent.more_ns) {
        leave(more_ns - s_spent.more_ns);
        s_spent.more_ns = more_ns;
    } else {
        excess_ns = s_spent.more_ns - more_ns;
    }
    s_spent.each_ns = lately_ns > excess_ns ? (lately_ns - excess_ns) / ended : 0;
    s_spent.compared = s_spent.count;
    s_spent.found_ns = more_ns;
}

uint64_t stint_spent_take(void)
{
    return __atomic_exchange_n(&s_spent.left_ns, 0, __ATOMIC_RELAXED);
}
