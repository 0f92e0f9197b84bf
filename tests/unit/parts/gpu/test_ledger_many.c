/* The ledger under very many records. */
#include <stdio.h>

#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "gpu/correlate.h"
#include "memory.h"
#include "record/registry.h"
#include "stint_test.h"

#if defined(__SANITIZE_ADDRESS__) || TEST_UNDER_TSAN
enum { RECORDS = 3000000 };
#elif defined(__OPTIMIZE__) && defined(NDEBUG)
enum { RECORDS = 30000000 };
#else
enum { RECORDS = 10000000 };
#endif

enum { KERNELS = 64, PATHS = 16, LIMIT = 65536 };

static char s_names[KERNELS][80];

/* Pages of this process in memory. */
static size_t resident(void)
{
    size_t total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &total, &pages), 2);
    fclose(file);
    return pages;
}

static int start(void **state)
{
    static const struct stint_limits limits = {.nodes = 1000, .names = 1000, .threads = 10};
    for (int i = 0; i < KERNELS; ++i)
        snprintf(s_names[i], sizeof s_names[i], "a_kernel_with_a_name_as_long_as_names_of_kernels_are_%d", i);
    return stint_registry_start(&limits) || stint_correlate_start(0) || stint_ledger_start(LIMIT, 0);
}

static uint64_t duration_of(uint32_t i)
{
    return 500 + i % 1000;
}

static void add(uint32_t i)
{
    const struct stint_activity activity = {
        .kind = STINT_GPU_KERNEL,
        .name = s_names[i % KERNELS],
        .start = 1000,
        .end = 1000 + duration_of(i),
        .correlation = i + 1,
    };
    stint_correlate_put(i + 1, STINT_PATH_ROOT + i / KERNELS % PATHS, 0);
    stint_ledger_add(&activity);
}

TEST_ONCE(start, NULL)

TEST(millions_of_records_are_added_up_exactly_in_the_memory_of_few)
{
    uint64_t expected = 0, total = 0, count = 0, charged = 0;
    size_t mapped, pages;
    uint32_t i = 0;
    stint_ledger_lock();
    for (; i < 2 << 20; ++i) /* until the correlations have wrapped once */
        add(i);
    mapped = memory_mapped();
    (void)resident(); /* which takes memory of its own */
    pages = resident();
    for (; i < RECORDS; ++i)
        add(i);
    assert_int_equal(memory_mapped(), mapped);
    assert_in_range(resident(), 0, pages + 16);
    for (i = 0; i < RECORDS; ++i)
        expected += duration_of(i);
    for (i = 0; i < stint_activities_activity_count(); ++i) {
        const struct stint_activity_entry *activity = stint_activities_activity(i);
        count += activity->sum.count;
        total += activity->sum.total_ns;
        charged += activity->no_scope.total_ns + activity->unattributed.total_ns;
        assert_in_range(activity->sum.count, RECORDS / KERNELS, RECORDS / KERNELS + 1);
        assert_int_equal(activity->unattributed.count, 0);
    }
    for (i = 0; i < stint_activities_charge_count(); ++i)
        charged += stint_activities_charge(i)->sum.total_ns;
    stint_ledger_unlock();
    assert_int_equal(stint_activities_activity_count(), KERNELS);
    assert_int_equal(stint_activities_charge_count(), KERNELS * (PATHS - 1));
    assert_int_equal(count, RECORDS);
    assert_int_equal(total, expected);
    assert_int_equal(charged, expected);
}
