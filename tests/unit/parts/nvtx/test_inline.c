/* The fast path of push and pop, on the processor's own counter: nothing here depends on how long things take. Skipped
 * where the processor has no counter to read inline. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "nvtx/range.h"
#include "nvtx/string.h"
#include "record/collect.h"
#include "record/registry.h"
#include "record/scope.h"
#include "stint_test.h"

enum { SKIPPED = 77 };

static struct stint_nvtx_string *s_string, *s_other;

static int start(void)
{
    const struct stint_limits limits = {.nodes = 100000, .names = 1000, .threads = 100};
    stint_clock_start(STINT_CLOCK_TSC);
    if (!stint_clock_is_inline() || stint_registry_start(&limits) || stint_thread_start())
        return -1;
    stint_registry_set_inline(1);
    return stint_nvtx_strings_start();
}

static int reset(void **state)
{
    stint_registry_lock();
    stint_registry_reset(NULL, STINT_RESET_ALL);
    stint_registry_unlock();
    stint_dropped = (struct stint_dropped){0};
    if (stint_thread_self())
        stint_thread_self()->extension = NULL;
    s_string = stint_nvtx_string_add(&stint_nvtx_domains[0], "fast");
    s_other = stint_nvtx_string_add(&stint_nvtx_domains[1], "fast, elsewhere");
    return s_string && s_other ? 0 : -1;
}

static int push(struct stint_nvtx_string *string)
{
    return stint_nvtx_range_push(string->domain, stint_nvtx_string_id(string, STINT_NVTX_PUSHED));
}

static int pop(struct stint_nvtx_string *string)
{
    uint32_t id;
    const int level = stint_nvtx_range_pop(string->domain, &id);
    return id == stint_nvtx_string_id(string, STINT_NVTX_PUSHED) ? level : -100;
}

static struct stint_numbers of(const struct stint_nvtx_string *string)
{
    const struct stint_costs costs = {0};
    struct stint_snapshot *snapshot = NULL;
    struct stint_numbers numbers = {0};
    assert_int_equal(stint_collect(&snapshot, &costs, 0), STINT_OK);
    const struct stint_stat *stat =
        stint_snapshot_find(snapshot, stint_registry_entry(string->ids[STINT_NVTX_PUSHED])->set->name, string->text);
    if (stat)
        numbers = stat->numbers;
    stint_snapshot_free(snapshot);
    return numbers;
}

int __real_stint_nvtx_range_push_slow(struct stint_nvtx_domain *domain, uint32_t id);
int __real_stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id);
static int s_slow;

int __wrap_stint_nvtx_range_push_slow(struct stint_nvtx_domain *domain, uint32_t id)
{
    ++s_slow;
    return __real_stint_nvtx_range_push_slow(domain, id);
}

int __wrap_stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id)
{
    ++s_slow;
    return __real_stint_nvtx_range_pop_slow(domain, id);
}

TEST_EACH(reset, NULL)

TEST(after_the_first_time_all_is_fast)
{
    push(s_string);
    push(s_other);
    pop(s_other);
    pop(s_string);
    s_slow = 0;
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(push(s_string), 0);
        assert_int_equal(push(s_other), 0);
        assert_int_equal(pop(s_other), 0);
        assert_int_equal(pop(s_string), 0);
    }
    assert_int_equal(s_slow, 0);
    assert_int_equal(of(s_string).count, 101);
    assert_int_equal(of(s_other).count, 101);
}

TEST(another_order_is_slow_and_right)
{
    push(s_string);
    pop(s_string);
    s_slow = 0;
    assert_int_equal(push(s_string), 0);
    assert_int_equal(push(s_other), 0);
    assert_int_equal(pop(s_string), 0);
    assert_int_equal(pop(s_other), 0);
    assert_true(s_slow > 0);
    assert_int_equal(of(s_string).count, 2);
    const struct stint_numbers other = of(s_other);
    assert_int_equal(other.count, 1);
    assert_true(other.total_ns >= other.self_ns);
}

TEST(after_a_shell_all_is_fast_again)
{
    struct stint_i_node *timer;
    push(s_string);
    timer = stint_scope_enter_dynamic(NULL, "timer", NULL, 0);
    assert_int_equal(pop(s_string), 0);
    stint_scope_leave(timer, stint_i_ordered_ticks());
    push(s_string);
    s_slow = 0;
    pop(s_string);
    push(s_string);
    pop(s_string);
    assert_int_equal(s_slow, 0);
    assert_int_equal(of(s_string).count, 3);
}

TEST(a_reset_is_noticed)
{
    push(s_string);
    stint_registry_lock();
    stint_registry_reset(NULL, STINT_RESET_ALL);
    stint_registry_unlock();
    pop(s_string);
    push(s_string);
    pop(s_string);
    assert_int_equal(of(s_string).count, 2);
}

TEST(switching_off_is_noticed)
{
    uint32_t id = 1;
    push(s_string);
    stint_registry_set_enabled(0);
    assert_int_equal(push(s_string), 1);
    assert_int_equal(stint_nvtx_range_pop(s_string->domain, &id), 1);
    assert_int_equal(id, 0);
    stint_registry_set_enabled(1);
    assert_int_equal(pop(s_string), 0);
    assert_int_equal(of(s_string).count, 1);
}

/* ---------------------------------------------------------------------------------------------------------- signals */

static volatile sig_atomic_t s_signals, s_wrong;

/* Only levels are checked: what interrupts the slow path pushes a range that is not recorded, so its pop names none. */
static void handle(int number)
{
    uint32_t id;
    ++s_signals;
    const int level = push(s_other);
    const int popped = stint_nvtx_range_pop(s_other->domain, &id);
    s_wrong |= level == 0 && popped != 0;
}

static pthread_t s_main;
static int s_stop;

static void *shoot(void *unused)
{
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED))
        pthread_kill(s_main, SIGUSR1);
    return unused;
}

/* A handler that pushes and pops between any two instructions leaves everything as it was. */
TEST(signal_handlers_may_push_and_pop)
{
    enum { ENOUGH = TEST_UNDER_TSAN ? 100 : 2000, MOST = TEST_UNDER_TSAN ? 100000 : 50000000 };
    pthread_t shooter;
    int wrong = 0, rounds = 0;

    push(s_other);
    pop(s_other);
    s_main = pthread_self();
    signal(SIGUSR1, handle);
    assert_int_equal(pthread_create(&shooter, NULL, shoot, NULL), 0);
    for (; rounds < MOST && s_signals < ENOUGH; ++rounds) {
        wrong |= push(s_string) != 0;
        wrong |= push(s_string) != 1;
        wrong |= pop(s_string) != 1;
        wrong |= pop(s_string) != 0;
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    pthread_join(shooter, NULL);
    signal(SIGUSR1, SIG_IGN);
    assert_int_equal(wrong, 0);
    assert_int_equal(s_wrong, 0);
    assert_int_equal(of(s_string).count, (uint64_t)rounds * 2);
    assert_int_equal(stint_dropped.mismatched, 0);
    assert_int_equal(stint_dropped.abandoned, 0);
    if (!TEST_UNDER_TSAN) /* it delays signals to where nothing can be interrupted */
        assert_true(of(s_other).count > 1);
}

int test_main(int argc, char **argv)
{
    stint_nvtx_domains[1] = (struct stint_nvtx_domain){.name = "elsewhere", .index = 1};
    if (start())
        return SKIPPED;
    return test_run(NULL, NULL);
}
