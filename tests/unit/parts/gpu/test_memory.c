#include "gpu/activity_table.h"

#include "memory.h"
#include "record/registry.h"
#include "stint_test.h"

enum { LIMIT = 1000 };

static int start(void **state)
{
    stint_memory_forget();
    stint_dropped = (struct stint_dropped){0};
    return stint_memory_start(LIMIT);
}

static void allocate(uint64_t address, uint64_t bytes)
{
    stint_memory_note(
        &(struct stint_allocation){.address = address, .bytes = bytes, .device = 0, .kind = STINT_GPU_MEMORY_DEVICE});
}

static void release(uint64_t address)
{
    stint_memory_note(&(struct stint_allocation){.freed = 1, .address = address});
}

static void check(const struct stint_gpu_memory *memory, uint64_t allocations, uint64_t frees, uint64_t current,
                  uint64_t peak)
{
    assert_non_null(memory);
    assert_int_equal(memory->allocations, allocations);
    assert_int_equal(memory->frees, frees);
    assert_int_equal(memory->current_bytes, current);
    assert_int_equal(memory->peak_bytes, peak);
}

/* Must run first: the table is made once. */
TEST(without_memory_the_start_fails_and_can_be_repeated)
{
    memory_fail_after(0);
    assert_int_equal(stint_memory_start(LIMIT), -1);
    memory_recover();
    assert_int_equal(stint_memory_start(LIMIT), 0);
}

TEST_SETUP(the_peak_is_the_most_at_one_time, start)
{
    allocate(0x1000, 100);
    allocate(0x2000, 50);
    release(0x1000);
    allocate(0x3000, 20);
    check(stint_memory_at(0), 3, 1, 70, 150);
    assert_null(stint_memory_at(1));
}

TEST_SETUP(devices_kinds_and_pools_count_apart, start)
{
    const struct stint_allocation allocations[] = {
        {.address = 1, .bytes = 10, .device = 0, .kind = STINT_GPU_MEMORY_DEVICE},
        {.address = 2, .bytes = 20, .device = 1, .kind = STINT_GPU_MEMORY_DEVICE},
        {.address = 3, .bytes = 30, .device = 0, .kind = STINT_GPU_MEMORY_PINNED},
        {.address = 4, .bytes = 40, .device = 0, .kind = STINT_GPU_MEMORY_DEVICE, .pool = 1},
        {.address = 5, .bytes = 1, .device = 0, .kind = STINT_GPU_MEMORY_DEVICE},
    };
    for (size_t i = 0; i < TEST_COUNT(allocations); ++i)
        stint_memory_note(&allocations[i]);
    check(stint_memory_at(0), 2, 0, 11, 11);
    check(stint_memory_at(1), 1, 0, 20, 20);
    check(stint_memory_at(2), 1, 0, 30, 30);
    check(stint_memory_at(3), 1, 0, 40, 40);
    assert_int_equal(stint_memory_at(1)->device, 1);
    assert_int_equal(stint_memory_at(2)->kind, STINT_GPU_MEMORY_PINNED);
    assert_int_equal(stint_memory_at(3)->pool, 1);
}

TEST_SETUP(an_end_counts_where_the_allocation_did, start)
{
    stint_memory_note(
        &(struct stint_allocation){.address = 9, .bytes = 5, .device = 3, .kind = STINT_GPU_MEMORY_PINNED});
    release(9); /* says another device and kind */
    check(stint_memory_at(0), 1, 1, 0, 5);
    assert_null(stint_memory_at(1));
}

TEST_SETUP(an_end_whose_beginning_was_not_seen_is_passed_over, start)
{
    allocate(0x1000, 100);
    release(0x2000);
    release(0x1000);
    release(0x1000);
    check(stint_memory_at(0), 1, 1, 0, 100);
}

TEST_SETUP(an_address_allocated_again_was_freed, start)
{
    allocate(0x1000, 100);
    allocate(0x1000, 30);
    check(stint_memory_at(0), 2, 1, 30, 100);
    release(0x1000);
    check(stint_memory_at(0), 2, 2, 0, 100);
}

TEST_SETUP(beyond_the_limit_nothing_is_noted_but_the_loss, start)
{
    for (uint64_t i = 1; i <= LIMIT + 5; ++i)
        allocate(i * 512, 8);
    check(stint_memory_at(0), LIMIT, 0, 8 * LIMIT, 8 * LIMIT);
    assert_int_equal(stint_dropped.gpu_activities, 5);
    for (uint64_t i = 1; i <= LIMIT + 5; ++i)
        release(i * 512);
    check(stint_memory_at(0), LIMIT, LIMIT, 0, 8 * LIMIT);
    allocate(512, 8);
    assert_int_equal(stint_dropped.gpu_activities, 5);
}

/* Against a plain array of what is allocated. */
TEST_SETUP(an_end_of_a_range_ends_all_that_lies_in_it, start)
{
    allocate(0x1000, 0x1000);
    allocate(0x2000, 0x3000);
    allocate(0x5000, 0x1000);
    stint_memory_note(&(struct stint_allocation){.freed = 1, .address = 0x1000, .bytes = 0x4000});
    check(stint_memory_at(0), 3, 2, 0x1000, 0x5000);
}

TEST_SETUP(any_order_of_allocations_and_ends_adds_up, start)
{
    enum { ADDRESSES = 900, STEPS = 200000 };
    static uint64_t bytes[ADDRESSES];
    uint64_t random = 1, current = 0, peak = 0, allocations = 0, frees = 0;

    for (int i = 0; i < STEPS; ++i) {
        const uint64_t at = test_random(&random) % ADDRESSES, size = 1 + test_random(&random) % 1000;
        frees += bytes[at] != 0;
        current -= bytes[at];
        if (test_random(&random) % 2) {
            allocate(0x7f0000000000 + at * 256, size);
            bytes[at] = size;
            current += size;
            ++allocations;
        } else {
            release(0x7f0000000000 + at * 256);
            bytes[at] = 0;
        }
        if (current > peak)
            peak = current;
    }
    check(stint_memory_at(0), allocations, frees, current, peak);
    assert_int_equal(stint_dropped.gpu_activities, 0);
}

TEST_SETUP(a_reset_keeps_what_is_allocated, start)
{
    allocate(0x1000, 100);
    allocate(0x2000, 50);
    release(0x1000);
    stint_memory_reset();
    check(stint_memory_at(0), 0, 0, 50, 50);
    release(0x2000);
    check(stint_memory_at(0), 0, 1, 0, 50);
}

TEST_SETUP(forgetting_forgets_all, start)
{
    allocate(0x1000, 100);
    stint_memory_forget();
    assert_null(stint_memory_at(0));
    release(0x1000);
    allocate(0x2000, 7);
    check(stint_memory_at(0), 1, 0, 7, 7);
}
