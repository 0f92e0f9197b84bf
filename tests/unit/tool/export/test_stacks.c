#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(stacks_of_each_weight_are_as_they_were)
{
    check_export(STINT_EXPORT_COLLAPSED, fixture_gpu(), NULL, "export_collapsed_gpu_host.txt");
    check_export(STINT_EXPORT_COLLAPSED_GPU, fixture_gpu(), NULL, "export_collapsed_gpu_gpu.txt");
    check_export(STINT_EXPORT_COLLAPSED_BYTES, fixture_gpu(), NULL, "export_collapsed_gpu_bytes.txt");
    check_export(STINT_EXPORT_COLLAPSED, fixture_training(), NULL, "export_collapsed_training.txt");
}

TEST(time_of_gpu_scopes_stands_in_for_a_collector)
{
    check_export(STINT_EXPORT_COLLAPSED_GPU, fixture_gpu_spans(), NULL, "export_collapsed_spans.txt");
}

TEST(names_cannot_break_a_line)
{
    check_export(STINT_EXPORT_COLLAPSED, fixture_nasty(), NULL, "export_collapsed_nasty.txt");
    check_export(STINT_EXPORT_COLLAPSED_GPU, fixture_gpu_nasty(), NULL, "export_collapsed_gpu_nasty.txt");
}

/* Returns the sum of the numbers; each line has one behind its last blank, and it is not 0. */
static uint64_t sum(const struct capture *out)
{
    uint64_t all = 0;
    for (const char *line = out->text; line && *line; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n'), *blank = end;
        while (blank > line && *blank != ' ')
            blank--;
        assert_true(blank > line && blank + 1 + strspn(blank + 1, "0123456789") == end);
        uint64_t weight = strtoull(blank + 1, NULL, 10);
        assert_true(weight > 0);
        all += weight;
    }
    return all;
}

TEST(weights_add_up_to_the_time_of_the_devices)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = export_as(STINT_EXPORT_COLLAPSED_GPU, snapshot, NULL);
    assert_int_equal(sum(&out), stint_gpu_summarize(snapshot).total_ns);
}

TEST(weights_add_up_to_the_time_of_the_outermost_scopes)
{
    const struct stint_snapshot *snapshot = fixture_training();
    struct capture out = export_as(STINT_EXPORT_COLLAPSED, snapshot, NULL);
    uint64_t roots = 0;
    for (size_t i = 0; i < snapshot->context_count; i++)
        roots += snapshot->contexts[i].depth == 0 ? snapshot->contexts[i].numbers.total_ns : 0;
    assert_int_equal(sum(&out), roots);
}

TEST(of_nothing_there_is_nothing)
{
    assert_int_equal(export_as(STINT_EXPORT_COLLAPSED, fixture_empty(), NULL).length, 0);
}
