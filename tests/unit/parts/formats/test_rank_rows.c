/* What the rows and the sentences on ranks say. */
#include <string.h>

#include "formats/rank_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

TEST(rows_have_the_slowest_and_the_fastest_rank)
{
    const struct stint_snapshot snapshot = two_ranks();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_RANKS_CSV, NULL);
    assert_non_null(
        strstr(out.text, "kind,set,share_percent,total_ns,ranks,calls,min_ns,min_rank,avg_ns,max_ns,max_rank,"));
    assert_non_null(strstr(out.text, "\nscope,GlobalStatInfo,"));
    assert_non_null(strstr(out.text, ",40000000,2,8,10000000,0,20000000,30000000,1,10000000,"));
    assert_non_null(strstr(out.text, "\nkernel,,"));
}

TEST(slow_rank_is_named_with_what_it_cost)
{
    const struct stint_snapshot snapshot = two_ranks();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_RANKS, NULL);
    assert_non_null(strstr(out.text,
                           "slow: rank 1 (node7): compute, 1.50 times the mean rank (score 0.33 of the best): "
                           "10.00 ms lost\n"));
}

TEST(kernel_says_which_rank_waited_in_it)
{
    const struct stint_snapshot snapshot = two_ranks();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_RANKS, NULL);
    assert_non_null(strstr(out.text, "waiting: ncclAllReduce, 91.7 % of 24.00 ms; rank 0 most, 21.00 ms; rank 1 least, "
                                     "1.000 ms\n"));
}

TEST(time_in_a_kernel_beyond_64_bits_was_not_waited)
{
    struct stint_snapshot snapshot = two_ranks();
    struct stint_gpu_activity activity = snapshot.gpu_activities[0];
    struct stint_spread spread = *activity.numbers.spread;
    spread.shortest_ns = (UINT64_C(1) << 63) + 10;
    activity.numbers.spread = &spread;
    snapshot.gpu_activities = &activity;
    struct capture out = capture_report(&snapshot, STINT_FORMAT_RANKS, NULL);
    assert_non_null(strstr(out.text, "waiting: ncclAllReduce, 0.0 % of "));
}

TEST(time_of_what_still_runs_on_all_ranks_is_unknown)
{
    struct stint_snapshot snapshot = two_ranks();
    struct stint_stat around = {.set = "GlobalStatInfo", .name = "main", .file = "", .function = ""};
    around.numbers = (struct stint_numbers){.running = 2, .running_ns = 90000000};
    snapshot.stats = &around;
    struct capture csv = capture_report(&snapshot, STINT_FORMAT_RANKS_CSV, NULL);
    struct capture table = capture_report(&snapshot, STINT_FORMAT_RANKS, NULL);
    assert_non_null(strstr(csv.text, "\nscope,GlobalStatInfo,,,1,0,,,,,,,,,,,,,,main\n"));
    assert_non_null(strstr(table.text, "\n      -          -      1     0*        -     -        -"));
    assert_non_null(strstr(table.text, "2 activations still running"));
}
