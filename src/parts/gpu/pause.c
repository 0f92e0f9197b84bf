/* Remembers when recording was switched off and on, for records that tell only a time: was that moment to be
 * recorded? */
#include "gpu/pause.h"

#include <stddef.h>

#include "base/clock.h"

/* The latest changes, in a ring: twice the ticks, plus 1 if recording was held back from then on. No lock, because
 * recording may be switched in a signal handler. */
static uint64_t s_changes[STINT_PAUSES];
static size_t s_count;
static int s_held;

/* One moment on both clocks. With the tick rate it converts other times accurately enough. */
static struct {
    uint64_t ticks;
    uint64_t cupti_ns; /* 0: not known */
} s_pair;

void stint_pause_note(int held)
{
    if (__atomic_exchange_n(&s_held, held, __ATOMIC_ACQ_REL) == held)
        return;
    size_t at = __atomic_fetch_add(&s_count, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&s_changes[at % STINT_PAUSES], stint_clock_ticks() << 1 | (uint64_t)(held != 0), __ATOMIC_RELEASE);
}

void stint_pause_align(uint64_t ticks, uint64_t cupti_ns)
{
    s_pair.ticks = ticks;
    s_pair.cupti_ns = cupti_ns;
}

static uint64_t ticks_of(uint64_t cupti_ns)
{
    double ns = (double)(int64_t)(cupti_ns - s_pair.cupti_ns);

    return s_pair.ticks + (uint64_t)(int64_t)(ns / stint_clock_ns_per_tick());
}

int stint_pause_at(uint64_t cupti_ns)
{
    size_t count = __atomic_load_n(&s_count, __ATOMIC_ACQUIRE);
    size_t kept = count < STINT_PAUSES ? count : STINT_PAUSES;
    uint64_t change = 0, ticks;

    if (!count || !s_pair.cupti_ns)
        return __atomic_load_n(&s_held, __ATOMIC_ACQUIRE);
    ticks = ticks_of(cupti_ns);
    for (size_t i = 1; i <= kept; i++) {
        change = __atomic_load_n(&s_changes[(count - i) % STINT_PAUSES], __ATOMIC_ACQUIRE);
        if (change >> 1 <= ticks)
            return (int)(change & 1);
    }
    return !(change & 1);
}
