#include <stdio.h>
#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/report.h"
#include "stint_test.h"

static struct capture write_paddle(const struct stint_snapshot *snapshot)
{
    return capture_report(snapshot, STINT_FORMAT_PADDLE, NULL);
}

static struct capture write_set(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_report_paddle_set(&text, snapshot, set, name);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    return out;
}

/* What Paddle's own stream operators print, said with printf. */
static int format_numbers(char *out, size_t size, const struct stint_numbers *numbers)
{
    uint64_t total_us = numbers->total_ns / 1000;
    return snprintf(out, size, " total=%-10g avg=%-10g max=%-10g min=%-10g count=%-10d\n", (double)total_us * 0.001,
                    (double)(total_us / numbers->count) * 0.001, (double)(numbers->max_ns / 1000) * 0.001,
                    (double)(numbers->min_ns / 1000) * 0.001, (int)numbers->count);
}

static const struct stint_numbers *numbers_of(const struct stint_snapshot *snapshot, const char *name)
{
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (strcmp(snapshot->stats[i].name, name) == 0)
            return &snapshot->stats[i].numbers;
    fail_msg("no statistic %s", name);
    return NULL;
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(all_sets_then_the_trailer)
{
    assert_golden(write_paddle(fixture_training()), "report_paddle_training.txt");
}

TEST(nasty_names_stay_on_their_line)
{
    assert_golden(write_paddle(fixture_nasty()), "report_paddle_nasty.txt");
}

TEST(row_is_paddles_byte_for_byte)
{
    const struct stint_snapshot *snapshot = fixture_training();
    char expected[512];
    int length = snprintf(expected, sizeof expected, "Stat=%-30s", "forwardBackward");
    format_numbers(expected + length, sizeof expected - (size_t)length, numbers_of(snapshot, "forwardBackward"));
    assert_string_equal(write_set(snapshot, "GlobalStatInfo", "forwardBackward").text, expected);
}

TEST(totals_from_a_million_ms_have_an_exponent)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat stat = snapshot.stats[0];
    stat.numbers.total_ns = UINT64_C(1234567890123);
    stat.numbers.max_ns = 999; /* below a microsecond: cut */
    snapshot.stats = &stat;
    snapshot.stat_count = 1;
    struct capture out = write_set(&snapshot, stat.set, NULL);
    assert_non_null(
        strstr(out.text, " total=1.23457e+06 avg=1.23457e+06 max=0          min=12031.4    count=1         \n"));
}

TEST(by_thread_has_a_row_per_live_thread_then_the_exited)
{
    const struct stint_snapshot *snapshot = fixture_training();
    const struct stint_thread_stat *parts = snapshot->thread_stats + 1; /* of "decode": live, live, exited */
    char numbers[3][256], expected[1024];
    for (int i = 0; i < 3; i++)
        format_numbers(numbers[i], sizeof numbers[i], &parts[i].numbers);
    snprintf(expected, sizeof expected,
             "Stat=%-30s TID=%-6d%s"
             "%42sStat=%-30s TID=%-6d%s"
             "Stat=%-30s%s",
             "decode", 4712, numbers[0], " ", "decode", 4713, numbers[1], "decode", numbers[2]);
    assert_string_equal(write_set(snapshot, "GlobalStatInfo", "decode").text, expected);
}

TEST(rows_without_samples_are_left_out)
{
    struct capture out = write_paddle(fixture_running());
    assert_non_null(strstr(out.text, "Stat=fibonacci "));
    assert_null(strstr(out.text, "Stat=main "));
}

TEST(average_is_of_the_activations_in_the_total)
{
    struct capture out = write_set(fixture_running(), "GlobalStatInfo", "fibonacci");
    assert_non_null(strstr(out.text, " total=729.876    avg=91.234     "));
    assert_non_null(strstr(out.text, " count=56        \n"));
}

TEST(empty_global_set_still_has_its_header)
{
    struct capture out = write_paddle(fixture_empty());
    assert_string_equal(out.text, "======= StatSet: [GlobalStatInfo] status ======\n"
                                  "======= BarrierStatSet status ======\n"
                                  "--------------------------------------------------\n");
}

TEST(one_set_shows_its_own_rows_only)
{
    struct capture out = write_set(fixture_training(), "Network", NULL);
    assert_non_null(strstr(out.text, "======= StatSet: [Network] status ======\nStat=send "));
    assert_non_null(strstr(out.text, "Stat=recv "));
    assert_null(strstr(out.text, "decode"));
}

TEST(gpu_time_stands_at_the_end_of_the_line)
{
    assert_golden(write_paddle(fixture_gpu()), "report_paddle_gpu.txt");
}

TEST(calls_of_cuda_are_not_printed_with_all_sets)
{
    struct capture out = write_paddle(fixture_gpu());
    assert_null(strstr(out.text, "CUDA API"));
    assert_null(strstr(out.text, "cudaMalloc"));
    out = write_set(fixture_gpu(), STINT_API_SET, NULL); /* asked for by name, they are */
    assert_non_null(strstr(out.text, "Stat=cudaMalloc "));
}
