/* Reports of several processes, put in order and together. */
#include "cli/results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "captured_output.h"
#include "stat/builder.h"
#include "stint_test.h"
#include "store/scratch.h"

static struct stint_snapshot *take(int64_t pid, uint64_t start_unix_ns, uint64_t wall_ns, const char *rank)
{
    const struct stint_stat like = {.set = "GlobalStatInfo", .name = "step", .file = "", .function = ""};
    const struct stint_numbers numbers = {.count = 1, .total_ns = 10, .self_ns = 10, .min_ns = 10, .max_ns = 10};
    struct stint_process process = {
        .pid = pid, .command = "train", .host = "", .clock = "", .start_unix_ns = start_unix_ns, .wall_ns = wall_ns};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    stint_builder_add_stat(&builder, stint_builder_stat(&builder, &like), &numbers);
    (void)snprintf(process.rank, sizeof process.rank, "%s", rank);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &(const struct stint_dropped){0});
    assert_non_null(snapshot);
    return snapshot;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(the_first_process_is_in_front)
{
    struct stint_results results = {0};
    assert_non_null(stint_results_add(&results, take(2, 2000, 10, ""), NULL));
    assert_non_null(stint_results_add(&results, take(1, 1000, 500, ""), NULL));
    assert_int_equal(stint_results_at(&results, 0)->process.pid, 1);
    assert_true(stint_results_have(&results, 2, 2000));
    assert_false(stint_results_have(&results, 2, 1000));
    struct stint_snapshot *sum = stint_results_sum(&results);
    assert_non_null(sum);
    assert_int_equal(sum->process.wall_ns, 1010);
    assert_int_equal(sum->stats[0].numbers.count, 2);
    stint_snapshot_free(sum);
    stint_results_free(&results);
}

TEST(of_one_there_is_no_sum)
{
    struct stint_results results = {0};
    assert_non_null(stint_results_add(&results, take(1, 1000, 500, ""), NULL));
    assert_null(stint_results_sum(&results));
    stint_results_free(&results);
}

static int print(const struct stint_results *results, struct stint_print *how)
{
    static char fast[] = "--fast";
    char *others[] = {fast, NULL};
    captured_output_begin();
    int failed = stint_results_print(results, how, "train", others);
    captured_output_end();
    return failed;
}

TEST(several_processes_have_one_report_or_each_its_own)
{
    struct stint_results results = {0};
    struct stint_print how = {.to_stdout = 1};
    assert_non_null(stint_results_add(&results, take(1, 1000, 500, ""), NULL));
    assert_non_null(stint_results_add(&results, take(2, 1100, 500, ""), NULL));
    stint_print_usual(&how);
    assert_int_equal(print(&results, &how), 0);
    assert_non_null(strstr(captured_output.out, "stint: 2 processes: train --fast"));
    assert_null(strstr(captured_output.out, "(pid 1)"));
    how.per_process = 1;
    assert_int_equal(print(&results, &how), 0);
    assert_non_null(strstr(captured_output.out, "(pid 1)"));
    assert_non_null(strstr(captured_output.out, "(pid 2)"));
    stint_results_free(&results);
}

TEST(ranks_are_compared_on_request)
{
    struct stint_results results = {0};
    struct stint_print how = {.to_stdout = 1};
    assert_non_null(stint_results_add(&results, take(1, 1000, 500, "0"), NULL));
    assert_non_null(stint_results_add(&results, take(2, 1100, 500, "1"), NULL));
    assert_non_null(stint_results_add(&results, take(3, 1200, 500, ""), NULL));
    assert_int_equal(stint_print_choose(&how, "", "ranks,table", 0), 0);
    assert_int_equal(print(&results, &how), 0);
    assert_non_null(strstr(captured_output.out, ", 2 ranks"));
    assert_string_equal(captured_output.err,
                        "stint: 1 of the recordings is of a process without a rank, and is left out\n");
    stint_results_free(&results);
}

TEST(reports_are_read_from_a_folder_once)
{
    struct stint_results results = {0};
    struct stint_folder folder = {.path = "."};
    FILE *file = fopen("7.json", "w");
    assert_non_null(file);
    (void)fputs("{", file);
    (void)fclose(file);
    assert_int_equal(symlink(STINT_GOLDEN_DIR "/report_json_training.json", "8.json"), 0);
    captured_output_begin();
    stint_results_read(&results, &folder);
    captured_output_end();
    assert_int_equal(results.all.count, 1);
    assert_non_null(strstr(captured_output.err, "the report of a process cannot be read: 7.json:1: "));
    assert_int_equal(access("7.json", F_OK), -1);
    stint_results_free(&results);
}
