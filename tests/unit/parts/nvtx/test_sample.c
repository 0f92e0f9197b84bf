#include <pthread.h>
#include <string.h>

#include "nvtx/client.h"
#include "nvtx/domain.h"
#include "nvtx/handler.h"
#include "record/fixture.h"
#include "stint_test.h"

TEST_ONCE(client_start, NULL)
TEST_EACH(client_reset, NULL)

TEST(a_range_is_one_sample_from_start_to_end)
{
    const uint64_t id = start("loading");
    assert_true(id != 0);
    clock_advance(30);
    end(id);
    assert_int_equal(of("NVTX start/end", "loading").count, 1);
    assert_int_equal(of("NVTX start/end", "loading").total_ns, 30);
    assert_int_equal(of("NVTX start/end", "loading").self_ns, 30);
}

TEST(no_scope_encloses_it)
{
    push("around");
    uint64_t id = start("beside");
    clock_advance(5);
    end(id);
    pop();
    assert_int_equal(now_at("around/beside").count, 0);
    assert_int_equal(now_at("beside").count, 1);
    assert_int_equal(of("NVTX", "around").self_ns, 5);
}

TEST(ranges_overlap_as_they_like)
{
    const uint64_t a = start("a"), b = start("b");
    clock_advance(1);
    end(a);
    clock_advance(2);
    end(b);
    assert_int_equal(of("NVTX start/end", "a").total_ns, 1);
    assert_int_equal(of("NVTX start/end", "b").total_ns, 3);
}

static void *end_there(void *id)
{
    clock_advance(6);
    end(*(const uint64_t *)id);
    return NULL;
}

TEST(a_range_may_end_on_another_thread)
{
    uint64_t id = start("handed over");
    in_thread(end_there, &id);
    assert_int_equal(of("NVTX start/end", "handed over").total_ns, 6);
}

TEST(each_domain_has_a_set_of_them_and_any_may_end_them)
{
    const nvtx_handle domain = create("spans");
    end(start_in(domain, "a"));
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RANGE_END, void, (nvtx_handle, uint64_t), (domain, start("b")));
    assert_int_equal(of("NVTX start/end:spans", "a").count, 1);
    assert_int_equal(of("NVTX start/end", "b").count, 1);
}

TEST(ended_twice_is_mismatched)
{
    const uint64_t id = start("twice");
    end(id);
    end(id);
    uint64_t next = start("in its place");
    end(id);
    clock_advance(5);
    end(next);
    assert_int_equal(of("NVTX start/end", "twice").count, 1);
    assert_int_equal(of("NVTX start/end", "in its place").total_ns, 5);
    check_dropped((struct stint_dropped){.mismatched = 2});
}

TEST(numbers_of_nobodys_are_mismatched_and_0_is_none)
{
    end(0);
    check_dropped((struct stint_dropped){0});
    end(UINT64_MAX);
    end(1);
    check_dropped((struct stint_dropped){.mismatched = 2});
}

TEST(those_that_have_not_ended_are_counted)
{
    const uint64_t before = stint_nvtx_info().open, a = start("open"), b = start("open");
    assert_int_equal(stint_nvtx_info().open - before, 2);
    end(a);
    assert_int_equal(stint_nvtx_info().open - before, 1);
    end(b);
    assert_int_equal(stint_nvtx_info().open, before);
}

TEST(too_many_at_a_time_are_counted_and_places_come_back)
{
    static uint64_t ids[STINT_NVTX_MAX_OPEN];
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < STINT_NVTX_MAX_OPEN; ++i)
            ids[i] = start("many");
        assert_int_equal(start("one more"), 0);
        assert_int_equal(stint_dropped.nvtx_ranges, round + 1);
        for (int i = 0; i < STINT_NVTX_MAX_OPEN; ++i)
            end(ids[i]);
    }
    assert_int_equal(of("NVTX start/end", "many").count, 2 * STINT_NVTX_MAX_OPEN);
    check_dropped((struct stint_dropped){.nvtx_ranges = 2});
}

TEST(a_range_open_during_a_reset_counts_from_there)
{
    const uint64_t id = start("reset");
    clock_advance(100);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(4);
    end(id);
    assert_int_equal(of("NVTX start/end", "reset").total_ns, 4);
}

TEST(none_starts_while_off_but_those_started_before_end)
{
    const uint64_t id = start("before");
    clock_advance(2);
    stint_registry_set_enabled(0);
    assert_int_equal(start("while off"), 0);
    end(id);
    stint_registry_set_enabled(1);
    assert_int_equal(of("NVTX start/end", "before").total_ns, 2);
    assert_int_equal(of("NVTX start/end", "while off").count, 0);
}

/* Threads that start, and end what others started. */
enum { THREADS = 4, ROUNDS = 5000, POOL = 64 };

static uint64_t s_pool[POOL];

static void *trade(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed;
    for (int i = 0; i < ROUNDS; ++i) {
        const uint64_t id = start("traded");
        end(__atomic_exchange_n(&s_pool[test_random(&random) % POOL], id, __ATOMIC_ACQ_REL));
    }
    return NULL;
}

TEST(each_range_ends_once_whatever_threads_do)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, trade, (void *)(uintptr_t)(i + 1)), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < POOL; ++i)
        end(s_pool[i]);
    assert_int_equal(of("NVTX start/end", "traded").count, THREADS * ROUNDS);
    assert_int_equal(stint_nvtx_info().open, 0);
    check_dropped((struct stint_dropped){0});
}

/* ------------------------------------------------------------------------------------------------------------ marks */

TEST(marks_are_counted_without_a_duration)
{
    const nvtx_handle domain = create("spans");
    mark("here");
    clock_advance(3);
    mark("here");
    mark_in(domain, "there");
    assert_int_equal(of("NVTX marks", "here").count, 2);
    assert_int_equal(of("NVTX marks", "here").total_ns, 0);
    assert_int_equal(of("NVTX marks", "here").max_ns, 0);
    assert_int_equal(of("NVTX marks:spans", "there").count, 1);
}

TEST(marks_while_off_are_none)
{
    stint_registry_set_enabled(0);
    mark("off");
    mark_in(NULL, "off");
    stint_registry_set_enabled(1);
    assert_int_equal(of("NVTX marks", "off").count, 0);
}
