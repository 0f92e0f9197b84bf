#include <string.h>

#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/summary.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(table_of_nothing_still_says_what_was_dropped)
{
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.dropped.threads = 1;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\ndropped: 1 scope beyond the thread limit (raise STINT_MAX_THREADS)\n"));
}

TEST(footer_leaves_out_what_was_not_measured)
{
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.process.clock_read_ns = 0;
    snapshot.process.scope_ns = 0;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nclock: tsc, 2.494 GHz\n"));
    assert_non_null(strstr(out.text, "\noverhead: not measured\n"));
    assert_null(strstr(out.text, "dropped"));
    assert_null(strstr(out.text, "running"));
}

TEST(footer_adds_up_what_each_way_of_recording_costs)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat function = {.set = snapshot.sets[0], .name = "f", .file = "train", .function = "f"};
    function.numbers.count = 1000;
    snapshot.stats = &function;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    snapshot.process.function.whole_ns = 25;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 25.0 ns per function, about 25.00 us in all"));
    snapshot.process.function.whole_ns = 0;
    assert_non_null(strstr(write_table(&snapshot, 0, 0).text, "\noverhead: 19.2 ns per scope, about 19.20 us in all"));
}

/* Of 1000 activations that no function, range or call made, 400 are samples. */
TEST(overhead_of_added_samples_is_their_own)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_stat both = {.set = snapshot.sets[0], .name = "b", .file = "train", .function = "f", .line = 1};
    both.numbers.count = 1000;
    snapshot.stats = &both;
    snapshot.stat_count = 1;
    snapshot.context_count = 0;
    snapshot.process.added_samples = 400;
    snapshot.process.added_ns = 50;
    struct capture out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 19.2 ns per scope, 50.0 ns per added sample, about 31.52 us in all"));
    snapshot.process.added_samples = 2000; /* those of the whole recording, of which this is a part */
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\noverhead: 50.0 ns per added sample, about 50.00 us in all"));
}

TEST(footer_says_what_an_unordered_clock_does)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct capture out = write_table(&snapshot, 0, 0);
    assert_null(strstr(out.text, "does not wait"));
    snapshot.process.clock = "unordered tsc";
    out = write_table(&snapshot, 0, 0);
    assert_non_null(strstr(out.text, "\nclock: unordered tsc, 2.494 GHz, 8.3 ns per read\n"));
    assert_non_null(strstr(out.text, "\nthe clock does not wait for the work of a scope"));
}
