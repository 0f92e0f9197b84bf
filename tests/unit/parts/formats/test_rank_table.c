/* The report on ranks: its tables, and their order. */
#include <string.h>

#include "formats/rank_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

TEST(title_counts_ranks_and_scopes)
{
    const struct stint_snapshot snapshot = two_ranks();
    struct capture out = capture_report(&snapshot, STINT_FORMAT_RANKS, NULL);
    assert_non_null(strstr(out.text, "solver, 2 ranks, 1 scope, 50.00 ms\n"));
}

TEST(scopes_come_before_activities_and_sentences_last)
{
    const struct stint_snapshot snapshot = two_ranks();
    for (int tree = 0; tree < 2; tree++) {
        struct capture out = capture_report(&snapshot, tree ? STINT_FORMAT_RANKS_TREE : STINT_FORMAT_RANKS, NULL);
        const char *scope = strstr(out.text, "  compute\n"), *activity = strstr(out.text, "\nGPU activity\n");
        const char *slow = strstr(out.text, "slow: ");
        assert_true(scope && activity && slow && scope < activity && activity < slow);
    }
}
