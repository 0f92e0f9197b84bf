/* nvprof's names of metrics, as those of today. */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "stint_test.h"

static struct stint_nvprof_counters s_counters;

static int add(const char *words)
{
    s_counters = (struct stint_nvprof_counters){.words = ""};
    captured_output_begin();
    int failed = stint_nvprof_counters_add(&s_counters, "metrics", words);
    captured_output_end();
    return failed;
}

TEST(each_name_is_there_once_and_has_terms)
{
    const struct stint_nvprof_metric *metric;
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++) {
        assert_ptr_equal(stint_nvprof_metric(metric->name, strlen(metric->name)), metric);
        assert_non_null(metric->terms[0].metric);
        assert_string_not_equal(metric->description, "");
    }
    assert_null(stint_nvprof_metric("ipc2", 4));
}

TEST(old_names_become_counters_of_today)
{
    assert_int_equal(add("ipc, ipc,flop_count_sp_add,flop_count_sp"), 0);
    assert_string_equal(s_counters.words, "ipc,flop_count_sp_add,flop_count_sp");
    assert_string_equal(s_counters.metrics, "sm__inst_executed.avg.per_cycle_active,"
                                            "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum,"
                                            "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum,"
                                            "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    assert_int_equal(add("dram__bytes_read.sum"), 0);
    assert_string_equal(s_counters.metrics, "dram__bytes_read.sum");
    assert_int_equal(add("all"), 0);
    assert_non_null(strstr(s_counters.metrics, "sm__cycles_elapsed.sum"));
    assert_int_equal(add("ipc,nonsense"), -1);
    assert_non_null(strstr(captured_output.err, "--metrics nonsense: there is no such metric"));
}

TEST(kernels_are_chosen_by_name_and_invocation)
{
    assert_int_equal(stint_nvprof_counters_filter(&s_counters, "gemm*"), 0);
    assert_string_equal(s_counters.kernels, "gemm*");
    assert_int_equal(stint_nvprof_counters_filter(&s_counters, "::gemm:3"), 0);
    assert_string_equal(s_counters.kernels, "gemm");
    assert_string_equal(s_counters.launches, "3");
    captured_output_begin();
    assert_int_equal(stint_nvprof_counters_filter(&s_counters, "1::gemm:3"), -1);
    captured_output_end();
    assert_non_null(strstr(captured_output.err, "contexts and streams cannot be chosen"));
    captured_output_begin();
    assert_int_equal(stint_nvprof_counters_filter(&s_counters, ":7:gemm:3"), -1);
    captured_output_end();
    assert_int_equal(stint_nvprof_counters_filter(&s_counters, "a::b"), 0);
    assert_string_equal(s_counters.kernels, "a::b");
}

TEST(what_is_too_long_is_refused)
{
    char words[STINT_NVPROF_METRICS_SIZE + 8], filter[300];
    memset(words, 0, sizeof words);
    for (size_t i = 0; i + 8 < sizeof words; i += 8)
        (void)snprintf(words + i, 9, "__%05zu,", i / 8);
    assert_int_equal(add(words), -1);
    assert_string_equal(captured_output.err, "stint: there are too many metrics\n");
    (void)snprintf(filter, sizeof filter, "%0*d", (int)sizeof s_counters.kernels, 0);
    const char *const filters[] = {filter, "::gemm:1,2,3,4,5,6,7,8,9,10,11,12"};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        captured_output_begin();
        assert_int_equal(stint_nvprof_counters_filter(&s_counters, filters[i]), -1);
        captured_output_end();
        assert_non_null(strstr(captured_output.err, ": this is too long\n"));
    }
}

TEST(the_list_has_names_and_groups)
{
    captured_output_begin();
    stint_nvprof_counters_list();
    captured_output_end();
    assert_memory_equal(captured_output.out, "Available Metrics:\n", 19);
    assert_non_null(strstr(captured_output.out, " warps_launched:  (event) warps\n"));
    assert_non_null(strstr(captured_output.out, "\nGroups, and their metrics:\n"));
}
