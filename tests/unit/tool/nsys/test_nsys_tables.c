/* What NVTX's events carried: nvtx_values, JSON and the lines on losses. */
#include <string.h>

#include "report/golden.h"
#include "report/nvtx_fixture.h"
#include "stint/report.h"
#include "stint_test.h"

static struct capture write_named(const struct stint_snapshot *snapshot, const char *name, int csv, unsigned columns)
{
    const struct stint_layout layout = {.columns = columns};
    struct capture out = {0};
    assert_int_equal(stint_report_named(snapshot, name, csv, &layout, capture_write, &out), STINT_OK);
    return out;
}

static void check(struct stint_snapshot *snapshot, const char *name, int csv, unsigned columns, const char *file)
{
    assert_golden(write_named(snapshot, name, csv, columns), file);
    stint_snapshot_free(snapshot);
}

TEST(values_are_one_row_for_each_field)
{
    check(fixture_nvtx_values(), "nvtx_values", 0, 0, "report_nvtx_values.txt");
    check(fixture_nvtx_values(), "nvtx_values", 0, 80, "report_nvtx_values_80.txt");
    check(fixture_nvtx_values(), "nvtx_values", 1, 0, "report_nvtx_values.csv");
}

TEST(nasty_values_keep_their_columns_and_losses_are_told)
{
    check(fixture_nvtx_nasty(), "nvtx_values", 0, 0, "report_nvtx_values_nasty.txt");
    check(fixture_nvtx_nasty(), "nvtx_values", 1, 0, "report_nvtx_values_nasty.csv");
}

TEST(json_has_all_of_it)
{
    check(fixture_nvtx_values(), "json", 0, 0, "report_json_nvtx.json");
    check(fixture_nvtx_nasty(), "json", 0, 0, "report_json_nvtx_nasty.json");
}

TEST(without_values_there_is_no_table)
{
    struct stint_snapshot *snapshot = fixture_nvtx_values();
    snapshot->nvtx_value_count = 0;
    struct capture out = write_named(snapshot, "nvtx_values", 0, 0);
    assert_string_equal(out.text, "Processing [serve (pid 4711)] with [nvtx_values]...\n"
                                  "SKIPPED: serve (pid 4711) does not contain NVTX payloads or counters.\n\n");
    stint_snapshot_free(snapshot);
}
