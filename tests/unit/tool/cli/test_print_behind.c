/* What stint run prints behind its reports. */
#include "cli/recording.h"
#include "cli/results.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "import/import.h"
#include "stint_test.h"

TEST(ops_is_taken_out_of_a_list_of_reports)
{
    static const struct {
        const char *reports, *left;
        int found, csv;
    } lists[] = {
        {"table,ops", "table", 1, 0},       {"OPS:csv,tree", "tree", 1, 1}, {"ops", "", 1, 0},
        {"table,oops", "table,oops", 0, 0}, {"a,ops,b", "a,b", 1, 0},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct stint_op_table lines = {.count = 0};
        char reports[64];
        (void)snprintf(reports, sizeof reports, "%s", lists[i].reports);
        assert_int_equal(stint_print_ops_take(reports, &lines), lists[i].found);
        assert_string_equal(reports, lists[i].left);
        assert_int_equal(lines.csv, lists[i].csv);
        assert_int_equal(lines.count != 0, lists[i].found);
    }
}

static int print_ops(const char *recording, const struct stint_op_table *lines)
{
    struct stint_print print = {.to_stdout = 1};
    captured_output_begin();
    int failed = stint_print_ops(&print, recording, lines);
    captured_output_end();
    return failed;
}

TEST(operations_are_sums_or_lines)
{
    struct stint_op_table lines = {.count = 0};
    char reports[] = "ops";
    assert_int_equal(print_ops(STINT_GOLDEN_DIR "/report_json_gpu.json", &lines), 0);
    assert_non_null(strstr(captured_output.out, "(no operation)"));
    assert_true(stint_print_ops_take(reports, &lines));
    assert_int_equal(print_ops(STINT_GOLDEN_DIR "/report_json_gpu.json", &lines), 0);
    assert_non_null(strstr(captured_output.out, "1 na 0 na na convolve"));
    assert_int_equal(print_ops(STINT_GOLDEN_DIR "/report_json_training.json", &lines), 0);
    assert_string_equal(captured_output.err, "stint: no kernel was recorded, so there are no operations to print\n");
    assert_int_equal(print_ops("nothing.json", &lines), -1);
}

static int print_samples(const char *report, const struct stint_launch *launch, int is_alone)
{
    struct stint_print print = {.to_stdout = 1};
    struct stint_results results = {0};
    struct stint_snapshot *snapshot;
    struct stint_import_error error;
    assert_int_equal(stint_import_file(report, &snapshot, &error), STINT_OK);
    assert_non_null(stint_results_add(&results, snapshot, NULL));
    captured_output_begin();
    int failed = stint_print_samples(&print, &results, launch, is_alone);
    captured_output_end();
    stint_results_free(&results);
    return failed;
}

TEST(functions_are_printed_if_there_are_samples)
{
    assert_int_equal(print_samples(STINT_GOLDEN_DIR "/report_json_samples.json", NULL, 0), 0);
    assert_non_null(strstr(captured_output.out, "Function"));
    assert_int_equal(print_samples(STINT_GOLDEN_DIR "/report_json_training.json", NULL, 0), 0);
    assert_string_equal(captured_output.out, "");
}

/* What the program itself used is in the golden file. */
TEST(time_of_processes_that_were_not_sampled_is_told)
{
    static const char golden[] = STINT_GOLDEN_DIR "/report_json_samples.json";
    struct stint_launch launch = {.children_cpu_ns = 1000};
    assert_int_equal(print_samples(golden, &launch, 1), 0);
    assert_non_null(strstr(captured_output.out, "Functions"));
    assert_null(strstr(captured_output.out, "--sample"));
    launch.children_cpu_ns = 500000000;
    assert_int_equal(print_samples(golden, &launch, 1), 0);
    assert_non_null(strstr(captured_output.out, "Functions"));
    assert_non_null(strstr(captured_output.out, "of CPU time besides: --sample shows"));
    launch.children_cpu_ns = UINT64_C(60000000000);
    assert_int_equal(print_samples(golden, &launch, 1), 0);
    assert_null(strstr(captured_output.out, "Functions"));
    assert_non_null(strstr(captured_output.out, "of CPU time: --sample shows"));
}

TEST(time_of_processes_that_could_not_be_sampled_is_told)
{
    static const char golden[] = STINT_GOLDEN_DIR "/report_json_samples.json";
    struct stint_launch launch = {.cpu_ns = 1000};
    assert_int_equal(print_samples(golden, &launch, 0), 0);
    assert_null(strstr(captured_output.out, "missing above"));
    launch.cpu_ns = UINT64_C(60000000000);
    assert_int_equal(print_samples(golden, &launch, 0), 0);
    assert_non_null(
        strstr(captured_output.out, " s of CPU time is missing above: used by programs that cannot be sampled"));
}

TEST(samples_are_hidden_from_footnotes_and_back)
{
    struct stint_results results = {0};
    struct stint_snapshot *snapshot;
    struct stint_import_error error;
    assert_int_equal(stint_import_file(STINT_GOLDEN_DIR "/report_json_samples.json", &snapshot, &error), STINT_OK);
    assert_non_null(stint_results_add(&results, snapshot, NULL));
    assert_int_equal(stint_import_file(STINT_GOLDEN_DIR "/report_json_training.json", &snapshot, &error), STINT_OK);
    assert_non_null(stint_results_add(&results, snapshot, NULL));
    stint_results_hide_samples(&results, 1);
    assert_false(stint_results_at(&results, 0)->sampling.sampled);
    stint_results_hide_samples(&results, 0);
    assert_true(stint_results_at(&results, 0)->sampling.sampled);
    assert_false(stint_results_at(&results, 1)->sampling.sampled);
    stint_results_free(&results);
}
