/* Which kinds of records CUPTI is asked for. */
#include "gpu/enable.h"

#include <string.h>

#include "stint/gpu.h"
#include "stint_test.h"

/* Kinds by CUPTI's number that must stay off, and why. */
enum {
    KERNEL = 3,           /* serialises kernels */
    PCIE = 46,            /* launches of eight threads take five times as long */
    MEMORY2 = 49,         /* programs that share memory pools die of it */
    SYNCHRONIZATION = 38, /* launches of PyTorch's take 2.7 us longer */
    GRAPH_TRACE = 65,     /* a graph in place of the kernels in it */
    KINDS = 96
};

static struct {
    uint32_t first;
    unsigned count;
    int enabled[KINDS];
    unsigned disabled; /* how often one was */
    uint32_t refused;  /* the kind that cannot be enabled */
} s_cupti;

static int enable(uint32_t kind)
{
    assert_in_range(kind, 1, KINDS - 1);
    if (s_cupti.count++ == 0)
        s_cupti.first = kind;
    s_cupti.enabled[kind] = kind != s_cupti.refused;
    return kind == s_cupti.refused ? STINT_CUPTI_INVALID_KIND : 0;
}

/* As CUPTI, which takes two seconds for some kinds that are not enabled. */
static int disable(uint32_t kind)
{
    assert_true(s_cupti.enabled[kind]);
    s_cupti.enabled[kind] = 0;
    s_cupti.disabled++;
    return 0;
}

static int configure(struct stint_cupti_unified_memory_config *configs, uint32_t count)
{
    (void)configs;
    (void)count;
    return 0;
}

static const struct stint_cupti s_functions = {
    .activity_enable = enable, .activity_disable = disable, .activity_configure_unified_memory_counter = configure};

static int set_up(void **state)
{
    (void)state;
    stint_disable_kinds(&s_functions, STINT_GPU_EVERYTHING);
    memset(&s_cupti, 0, sizeof s_cupti);
    return 0;
}

static void kernels_come_before_all_others(void **state)
{
    unsigned enabled = 0;

    assert_int_equal(stint_enable_kinds(&s_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_int_equal(s_cupti.first, STINT_CUPTI_KIND_CONCURRENT_KERNEL);
    assert_int_equal(enabled, STINT_GPU_EVERYTHING);
}

static void what_slows_programs_down_stays_off(void **state)
{
    unsigned enabled = 0;

    assert_int_equal(stint_enable_kinds(&s_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_false(s_cupti.enabled[KERNEL]);
    assert_false(s_cupti.enabled[PCIE]);
    assert_false(s_cupti.enabled[MEMORY2]);
    assert_false(s_cupti.enabled[SYNCHRONIZATION]);
    assert_false(s_cupti.enabled[GRAPH_TRACE]);
}

static void only_what_is_enabled_is_disabled(void **state)
{
    unsigned enabled = 0;

    s_cupti.refused = STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER;
    assert_int_equal(stint_enable_kinds(&s_functions, STINT_GPU_EVERYTHING, &enabled), 0);
    assert_int_equal(enabled, STINT_GPU_EVERYTHING & ~STINT_GPU_UNIFIED_MEMORY);
    stint_disable_kinds(&s_functions, STINT_GPU_OVERHEADS);
    assert_int_equal(s_cupti.disabled, 1);
    stint_disable_kinds(&s_functions, STINT_GPU_EVERYTHING);
    for (int i = 0; i < KINDS; i++)
        assert_int_equal(s_cupti.enabled[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(kernels_come_before_all_others, set_up),
        cmocka_unit_test_setup(what_slows_programs_down_stays_off, set_up),
        cmocka_unit_test_setup(only_what_is_enabled_is_disabled, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
