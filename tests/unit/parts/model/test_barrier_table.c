/* Barrier tables: src/parts/model/barrier_table.c, and what other formats say of barriers. */
#include "model/model.h"

#include <string.h>

#include "report/golden.h"
#include "report/report.h"
#include "stint_test.h"

#define MS UINT64_C(1000000)

/* Paddle's own test case. */
static const struct stint_barrier_part s_nine[] = {{9, 9, 810 * MS, 90 * MS, 90 * MS, 720 * MS, 90 * MS, 360 * MS}};

static struct stint_barrier_stat paddles_case(void)
{
    return (struct stint_barrier_stat){
        .set = "GlobalStatInfo",
        .name = "endBarrier",
        .kind = STINT_BARRIER_END,
        .participants = 10,
        .rounds = 10,
        .total = {0, 9, 810 * MS, 90 * MS, 90 * MS, 720 * MS, 90 * MS, 360 * MS},
        .slowest = s_nine,
        .slowest_count = 1,
    };
}

static const struct stint_barrier_part s_many[] = {
    {17, 40, 4000123456, 99500000, 123456789, 3900000000, 1234, 2000000000},
    {3, 30, 3000000000, 98 * MS, 101 * MS, 2900000000, 0, 1500000000},
    {44, 12, 1200 * MS, 90 * MS, 110 * MS, 1100 * MS, 12000, 600 * MS},
    {0, 5, 500 * MS, 90 * MS, 110 * MS, 400 * MS, 5000, 250 * MS},
    {1, 4, 400 * MS, 90 * MS, 110 * MS, 300 * MS, 4000, 200 * MS},
    {2, 4, 400 * MS, 90 * MS, 110 * MS, 300 * MS, 4000, 200 * MS},
    {9, 4, 400 * MS, 90 * MS, 110 * MS, 300 * MS, 4000, 200 * MS},
};

static struct stint_barrier_stat many(enum stint_barrier_kind kind)
{
    return (struct stint_barrier_stat){
        .set = "server",
        .name = kind == STINT_BARRIER_END ? "readAllBlocks_denseUpdater" : "a\nb",
        .kind = kind,
        .participants = 64,
        .pending = 2,
        .rounds = 100,
        .total = {0, 99, 9900123456, 90 * MS, 123456789, 9200 * MS, 31234, 4950 * MS},
        .slowest = s_many,
        .slowest_count = TEST_COUNT(s_many),
    };
}

static struct stint_snapshot snapshot_of(const struct stint_barrier_stat *barriers, size_t count)
{
    static const char *const sets[] = {"GlobalStatInfo", "server"};
    return (struct stint_snapshot){
        .size = sizeof(struct stint_snapshot),
        .process = {.command = "", .host = "", .clock = ""},
        .sets = sets,
        .set_count = 2,
        .barriers = barriers,
        .barrier_count = count,
    };
}

static struct capture write_as(const struct stint_snapshot *snapshot, enum stint_format format)
{
    return capture_report(snapshot, format, NULL);
}

static struct capture write_one(const struct stint_barrier_stat *barrier)
{
    struct capture out = {0};
    assert_int_equal(stint_barrier_write(barrier, capture_write, &out), STINT_OK);
    return out;
}

static int is_shown(const struct stint_barrier_stat *barrier)
{
    const int shown = write_one(barrier).length != 0;
    return shown;
}

static int default_display(void **state)
{
    stint_barrier_set_display(STINT_BARRIER_AUTO, 5);
    return 0;
}

TEST_EACH(default_display, NULL)

TEST(paddles_case_is_printed_byte_for_byte)
{
    const struct stint_barrier_stat barrier = paddles_case();
    struct capture out = write_one(&barrier);
    assert_string_equal(
        out.text,
        "endBarrier          \n"
        "                                          trainerId      avgGap         avgSecondGap   avgLastTwoGap  "
        "avgMidGap      rate      samples   totSamples\n"
        "                                          totAbstract    90             80             10             "
        "40             0.9       9         10        \n"
        "                                          9              90             80             10             "
        "40             0.9       9         10        \n");
}

TEST(tables_of_both_kinds)
{
    const struct stint_barrier_stat barriers[] = {paddles_case(), many(STINT_BARRIER_END), many(STINT_BARRIER_DELTA)};
    const struct stint_snapshot snapshot = snapshot_of(barriers, TEST_COUNT(barriers));
    assert_golden(write_as(&snapshot, STINT_FORMAT_PADDLE), "report_paddle_barriers.txt");
}

TEST(json_has_all_of_them)
{
    const struct stint_barrier_stat barriers[] = {paddles_case(), many(STINT_BARRIER_DELTA)};
    const struct stint_snapshot snapshot = snapshot_of(barriers, TEST_COUNT(barriers));
    assert_golden(write_as(&snapshot, STINT_FORMAT_JSON), "report_json_barriers.json");
}

TEST(footer_has_a_line_for_each_that_had_a_round)
{
    struct stint_barrier_stat barriers[] = {paddles_case(), paddles_case(), many(STINT_BARRIER_DELTA)};
    const struct stint_snapshot snapshot = snapshot_of(barriers, TEST_COUNT(barriers));
    barriers[1].rounds = 1;
    barriers[1].total.rounds = barriers[1].slowest_count = 0;
    struct capture out = write_as(&snapshot, STINT_FORMAT_TABLE);
    assert_non_null(strstr(
        out.text, "barrier endBarrier: 9 rounds of 10, gap 90.00 ms on average, slowest in 9 of them: 9\n"
                  "barrier server/a\\nb: 99 rounds of 64, gap 100.0 ms on average, slowest in 40 of them: 17\n"));
}

TEST(threshold_is_one_nth_and_an_eighth_of_n_over_n_plus_1)
{
    assert_true(stint_barrier_threshold(3, STINT_BARRIER_AUTO) == (float)(1 / 3.0 + 3 / 8.0 / 4));
    assert_true(stint_barrier_threshold(10, STINT_BARRIER_AUTO) == (float)(0.1 + 1.25 / 11));
    assert_true(stint_barrier_threshold(65535, STINT_BARRIER_AUTO) == (float)(1 / 65535.0 + 65535 / 8.0 / 65536));
    assert_true(stint_barrier_threshold(10, STINT_BARRIER_ALWAYS) == 0);
}

TEST(shown_from_the_threshold_on)
{
    struct stint_barrier_stat barrier = paddles_case();
    struct stint_barrier_part part = s_nine[0];
    barrier.slowest = &part;
    barrier.rounds = 1000;
    barrier.total.rounds = 999;
    part.rounds = 213; /* p is 0.213636 */
    assert_false(is_shown(&barrier));
    part.rounds = 214;
    assert_true(is_shown(&barrier));
}

TEST(not_shown_without_a_round_or_a_third_participant)
{
    struct stint_barrier_stat barrier = paddles_case();
    stint_barrier_set_display(STINT_BARRIER_ALWAYS, 5);
    barrier.participants = 2;
    assert_false(is_shown(&barrier));
    barrier.participants = 3;
    barrier.rounds = 0;
    assert_false(is_shown(&barrier));
}

TEST(always_shows_even_the_first_round_as_a_header)
{
    struct stint_barrier_stat barrier = paddles_case();
    barrier.rounds = 1;
    barrier.total = (struct stint_barrier_part){0};
    barrier.slowest_count = 0;
    assert_false(is_shown(&barrier));
    stint_barrier_set_display(STINT_BARRIER_ALWAYS, 5);
    struct capture out = write_one(&barrier);
    assert_non_null(strstr(out.text, "endBarrier          \n    "));
    assert_non_null(strstr(out.text, "totSamples\n"));
    assert_null(strstr(out.text, "totAbstract"));
}

TEST(never_shows_the_header_of_the_sets_alone)
{
    const struct stint_barrier_stat barrier = paddles_case();
    const struct stint_snapshot snapshot = snapshot_of(&barrier, 1);
    stint_barrier_set_display(STINT_BARRIER_NEVER, 5);
    struct capture out = write_as(&snapshot, STINT_FORMAT_PADDLE);
    assert_string_equal(out.text, "======= StatSet: [GlobalStatInfo] status ======\n"
                                  "======= StatSet: [server] status ======\n"
                                  "======= BarrierStatSet status ======\n"
                                  "--------------------------------------------------\n");
}

TEST(as_many_participants_as_told)
{
    const struct stint_barrier_stat barrier = many(STINT_BARRIER_END);
    const unsigned lowest[] = {0, 1, 7, 100}, rows[] = {3, 4, 10, 10};
    for (size_t i = 0; i < TEST_COUNT(lowest); ++i) {
        unsigned lines = 0;
        stint_barrier_set_display(STINT_BARRIER_AUTO, lowest[i]);
        struct capture out = write_one(&barrier);
        for (const char *at = out.text; (at = strchr(at, '\n')); ++at)
            ++lines;
        assert_int_equal(lines, rows[i]);
    }
}

TEST(without_barriers_there_is_the_barrier_header_as_in_paddle)
{
    const struct stint_snapshot snapshot = snapshot_of(NULL, 0);
    struct capture out = write_as(&snapshot, STINT_FORMAT_PADDLE);
    assert_non_null(strstr(out.text, "======= BarrierStatSet status ======\n"
                                     "--------------------------------------------------\n"));
}

TEST(one_set_has_its_own_tables_and_the_trailer)
{
    const struct stint_barrier_stat barriers[] = {paddles_case(), many(STINT_BARRIER_END)};
    const struct stint_snapshot snapshot = snapshot_of(barriers, TEST_COUNT(barriers));
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_report_paddle_one(&text, &snapshot, "server", NULL);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_non_null(strstr(out.text, "======= StatSet: [server] status ======\n======= BarrierStatSet status ======\n"
                                     "readAllBlocks_denseUpdater\n"));
    assert_null(strstr(out.text, "endBarrier"));
    assert_non_null(strstr(out.text, "\n--------------------------------------------------\n"));
}

TEST(nothing_is_written_of_null)
{
    const struct stint_barrier_stat barrier = paddles_case();
    assert_int_equal(stint_barrier_write(NULL, capture_write, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_barrier_write(&barrier, NULL, NULL), STINT_ERROR_INVALID_ARGUMENT);
}
