#include "stat/statistic.h"

#include "stint/snapshot.h"
#include "stint_test.h"

static void a_statistic_is_of_a_scope_function_range_or_call(void **state)
{
    (void)state;
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "main", 7), STINT_COST_SCOPE);
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "", 0), STINT_COST_SCOPE);
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "main", 0), STINT_COST_FUNCTION);
    assert_int_equal(stint_cost_kind_of(STINT_NVTX_SET ":NCCL", "", 0), STINT_COST_RANGE);
    assert_int_equal(stint_cost_kind_of(STINT_API_SET, "", 0), STINT_COST_CALL);
    assert_true(stint_gpu_is_call(&(struct stint_stat){.set = STINT_API_SET}));
    assert_false(stint_gpu_is_call(&(struct stint_stat){.set = "Layers"}));
}

static void what_was_not_measured_costs_as_a_scope_does(void **state)
{
    const struct stint_process process = {.scope_ns = 20, .inside_ns = 10, .range = {30, 15}};
    (void)state;
    assert_true(stint_recording_cost(&process, STINT_COST_RANGE).whole_ns == 30);
    assert_true(stint_recording_cost(&process, STINT_COST_CALL).whole_ns == 20);
    assert_true(stint_recording_cost(&process, STINT_COST_CALL).inside_ns == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statistic_is_of_a_scope_function_range_or_call),
        cmocka_unit_test(what_was_not_measured_costs_as_a_scope_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
