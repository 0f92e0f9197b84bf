/* Every macro and function of barrier.h, as C, C++ and CUDA host code; compiled on and off, linked and run. */
#include <stint/stint.h>

#include <string.h>
#include <sys/time.h>

#ifdef __cplusplus
#define NOTHING nullptr
#define CAST(type, value) static_cast<type>(value)
#else
#define NOTHING NULL
#define CAST(type, value) ((type)(value))
#endif

static void every_macro(struct stint_statset *set, const char *name, int participants, int id, unsigned long long us)
{
    const uint16_t narrow = 3;
    const struct timeval time = {1, 2};
    REGISTER_BARRIER_TIMER_SERVER(set, name, participants, id);
    REGISTER_BARRIER_TIMER_SERVER(NOTHING, "end", narrow, id, "_tag");
    REGISTER_BARRIER_TIMER_SERVER_SET(set, "at", participants, id, time);
    REGISTER_BARRIER_TIMER_SERVER_SET(set, "at", participants, id, time, "_tag");
    REGISTER_BARRIER_DELTA_SERVER_SET(set, "delta", participants, id, us);
    REGISTER_BARRIER_DELTA_SERVER_SET(set, "delta", participants, id, 1000, "_tag");
    REGISTER_SLOW_NODES_PROBE(set, "probe", participants, id);
    REGISTER_SLOW_NODES_PROBE(set, "probe", participants, id, "_tag");
    CHECK_BARRIER_TIMER(set, "probe", participants);
    CHECK_BARRIER_TIMER(set, "probe", participants, "_tag");
    STINT_BARRIER_ARRIVE(set, name, participants, id);
    STINT_BARRIER_ARRIVE_AT(set, "at", participants, id, time);
    STINT_BARRIER_REPORT(set, "delta", participants, id, us);
    STINT_BARRIER_PROBE(set, "probe", participants, id);
    STINT_BARRIER_CHECK(set, "probe", participants);
    if (id)
        REGISTER_BARRIER_TIMER_SERVER(set, name, participants, id);
    else
        REGISTER_SLOW_NODES_PROBE(set, name, participants, id);
}

static int count_bytes(void *context, const char *text, size_t length)
{
    (void)text;
    *CAST(size_t *, context) += length;
    return 0;
}

static int write_tables(void)
{
    struct stint_snapshot *snapshot = NOTHING;
    size_t length = 0;
    stint_barrier_set_display(STINT_BARRIER_ALWAYS, 3);
    if (stint_snapshot_take(&snapshot) != STINT_OK)
        return 1;
    int failed = snapshot->barrier_count == 0 ||
                 stint_barrier_write(&snapshot->barriers[0], count_bytes, &length) != STINT_OK || length == 0;
    stint_snapshot_free(snapshot);
    return failed;
}

int main(void)
{
    for (int id = 0; id < 3; ++id)
        if (stint_barrier_arrive(NOTHING, "arrive", 3, id) != STINT_OK ||
            stint_barrier_arrive_at(NOTHING, "at", 3, id, 12) != STINT_OK ||
            stint_barrier_delta(NOTHING, "delta", 3, id, 12) != STINT_OK)
            return 1;
    if (stint_barrier_check(NOTHING, "arrive", 3) != STINT_OK || write_tables() ||
        stint_barrier_print(NOTHING, NOTHING) != STINT_OK || printBarrierTimerStatus() != STINT_OK ||
        stint_barrier_reset(NOTHING, "at", STINT_RESET_ALL) != STINT_OK)
        return 1;
    every_macro(NOTHING, "end", 3, 0, 5);
    return 0;
}
