/* A queue of fixed size from many signal handlers to the one thread that writes the recording. Each place counts its
 * rounds, which says whether it is free, without a lock. */
#include "sample/call_tree.h"

#include <sys/mman.h>

/* A place of the ring. It is used again and again: in round r, from 0 on, it is free when `turn` is 2 r, and has a
 * sample when `turn` is 2 r + 1. */
struct place {
    uint32_t turn;
    struct stint_waiting_sample sample;
};

static struct {
    struct place *places;
    uint64_t added; /* places that were claimed since the start; number n is in round n / STINT_SAMPLE_RING_MOST */
    uint64_t taken;
    uint64_t lost;
} s_ring;

int stint_sample_ring_start(void)
{
    if (!s_ring.places) {
        void *memory = mmap(NULL, STINT_SAMPLE_RING_MOST * sizeof *s_ring.places, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        s_ring.places = memory == MAP_FAILED ? NULL : memory;
    }
    return s_ring.places ? 0 : -1;
}

static struct place *place_of(uint64_t number)
{
    return &s_ring.places[number % STINT_SAMPLE_RING_MOST];
}

static uint32_t turn_of(uint64_t number)
{
    return (uint32_t)(2 * (number / STINT_SAMPLE_RING_MOST));
}

void stint_sample_ring_add(const struct stint_waiting_sample *sample)
{
    uint64_t number = __atomic_load_n(&s_ring.added, __ATOMIC_RELAXED);
    for (;;) {
        uint32_t turn = __atomic_load_n(&place_of(number)->turn, __ATOMIC_ACQUIRE);
        if (turn == turn_of(number)) {
            if (__atomic_compare_exchange_n(&s_ring.added, &number, number + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                break;
            continue; /* `number` is that of now */
        }
        uint64_t now = __atomic_load_n(&s_ring.added, __ATOMIC_RELAXED);
        if (now == number) {
            __atomic_add_fetch(&s_ring.lost, 1, __ATOMIC_RELAXED);
            return;
        }
        number = now;
    }
    place_of(number)->sample = *sample;
    __atomic_store_n(&place_of(number)->turn, turn_of(number) + 1, __ATOMIC_RELEASE);
}

size_t stint_sample_ring_take(struct stint_waiting_sample *samples, size_t most, uint64_t *lost)
{
    size_t count = 0;
    for (; s_ring.places && count < most; count++, __atomic_add_fetch(&s_ring.taken, 1, __ATOMIC_RELAXED)) {
        struct place *place = place_of(s_ring.taken);
        if (__atomic_load_n(&place->turn, __ATOMIC_ACQUIRE) != turn_of(s_ring.taken) + 1)
            break;
        samples[count] = place->sample;
        __atomic_store_n(&place->turn, turn_of(s_ring.taken) + 2, __ATOMIC_RELEASE);
    }
    *lost += __atomic_exchange_n(&s_ring.lost, 0, __ATOMIC_RELAXED);
    return count;
}

size_t stint_sample_ring_waiting(void)
{
    return (size_t)(__atomic_load_n(&s_ring.added, __ATOMIC_RELAXED) -
                    __atomic_load_n(&s_ring.taken, __ATOMIC_RELAXED));
}

void stint_sample_ring_after_fork(void)
{
    if (s_ring.places)
        (void)madvise(s_ring.places, STINT_SAMPLE_RING_MOST * sizeof *s_ring.places,
                      MADV_DONTNEED); /* all are 0 again */
    s_ring.added = s_ring.taken = s_ring.lost = 0;
}
