#include "ctf_writer/ctf_limits.h"

#include <stdlib.h>
#include <string.h>

#include "stint_test.h"

static const char *const s_variables[] = {"STINT_TRACE_MAX", "STINT_TRACE_RING", "STINT_TRACE_ROTATE",
                                          "STINT_DUMP_SLOW"};

static int begin(void **state)
{
    for (size_t i = 0; i < TEST_COUNT(s_variables); i++)
        (void)unsetenv(s_variables[i]);
    return 0;
}

TEST_EACH(begin, NULL)

TEST(without_variables_there_is_no_limit)
{
    struct stint_ctf_limits limits;
    char reason[256];
    assert_int_equal(stint_ctf_limits_read(&limits, reason, sizeof reason), 0);
    assert_true(limits.bytes == UINT64_MAX && limits.until_ns == UINT64_MAX);
    assert_false(stint_ctf_limits_is_ring(&limits) || stint_ctf_limits_has_pieces(&limits) || limits.slow_count);
}

TEST(sizes_and_times_have_units)
{
    static const struct {
        const char *text;
        uint64_t bytes, ns;
    } expected[] = {
        {"100", 100, 0},
        {"3K", 3 << 10, 0},
        {"500M", 500 << 20, 0},
        {"2G", UINT64_C(2) << 30, 0},
        {"7us", 0, 7000},
        {"50ms", 0, 50000000},
        {"10s", 0, UINT64_C(10000000000)},
        {"2m", 0, UINT64_C(120000000000)},
        {"1h", 0, UINT64_C(3600000000000)},
        {"64M,30s", 64 << 20, UINT64_C(30000000000)},
    };
    for (size_t i = 0; i < TEST_COUNT(expected); i++) {
        struct stint_ctf_limits limits = {0};
        assert_int_equal(stint_ctf_limits_read_max(&limits, expected[i].text), 0);
        assert_int_equal(limits.bytes, expected[i].bytes);
        assert_int_equal(limits.until_ns, expected[i].ns);
    }
}

TEST(what_is_none_is_refused)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1X",
                                        "1M,",
                                        ",1M",
                                        "1KB",
                                        "1ss",
                                        "0x1",
                                        "1.5G",
                                        "99999999999999999999",
                                        "20000000000G"};
    struct stint_ctf_limits limits = {0};
    for (size_t i = 0; i < TEST_COUNT(texts); i++)
        if (stint_ctf_limits_read_max(&limits, texts[i]) == 0)
            fail_msg("\"%s\" is taken", texts[i]);
    assert_int_equal(stint_ctf_limits_read_ring(&limits, "255K"), -1); /* a ring has files of whole packets */
    assert_int_equal(stint_ctf_limits_read_ring(&limits, "0"), -1);
    assert_int_equal(stint_ctf_limits_read_pieces(&limits, "keep=3"), -1);
    assert_int_equal(stint_ctf_limits_read_pieces(&limits, "1M,keep=x"), -1);
}

TEST(pieces_say_how_many_are_kept)
{
    struct stint_ctf_limits limits = {0};
    assert_int_equal(stint_ctf_limits_read_pieces(&limits, "1G,1h,keep=24"), 0);
    assert_true(limits.piece_bytes == 1 << 30 && limits.piece_ns == UINT64_C(3600000000000) && limits.pieces == 24);
}

TEST(slow_scopes_are_patterns_with_times)
{
    struct stint_ctf_limits limits = {0};
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "request:50ms,a::*:2s"), 0);
    assert_int_equal(limits.slow_count, 2);
    assert_string_equal(limits.slow[0].name, "request");
    assert_int_equal(limits.slow[0].ns, 50000000);
    assert_string_equal(limits.slow[1].name, "a::*");
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "request"), -1);
    assert_int_equal(stint_ctf_limits_read_slow(&limits, ":2s"), -1);
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "request:50"), -1);
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "request:2s,"), -1);
}

TEST(the_reason_names_the_variable)
{
    struct stint_ctf_limits limits;
    char reason[512];
    (void)setenv("STINT_TRACE_RING", "much", 1);
    assert_int_equal(stint_ctf_limits_read(&limits, reason, sizeof reason), -1);
    assert_non_null(strstr(reason, "STINT_TRACE_RING=much is neither a size"));
    (void)setenv("STINT_TRACE_RING", "64M", 1);
    (void)setenv("STINT_TRACE_ROTATE", "1G", 1);
    assert_int_equal(stint_ctf_limits_read(&limits, reason, sizeof reason), -1);
    assert_string_equal(reason, "STINT_TRACE_RING and STINT_TRACE_ROTATE contradict each other");
}

/* What is slow is noticed, and then nothing for a while: mostly what is slow is so again and again. */
TEST(a_slow_scope_is_noticed_once_in_a_while)
{
    struct stint_ctf_watch watch = {.next_ns = 0};
    struct stint_ctf_limits limits = {0};
    struct stint_arena arena = {0};
    struct stint_event_context context = {.path = 2, .name = "request"}, other = {.path = 3, .name = "other"};
    assert_int_equal(stint_ctf_limits_read_slow(&limits, "req*:1ms"), 0);
    assert_int_equal(stint_ctf_watch_context(&watch, &limits, &context, &arena), 0);
    assert_int_equal(stint_ctf_watch_context(&watch, &limits, &other, &arena), 0);
    assert_false(stint_ctf_watch_scope(&watch, 2, 0, 999999));
    assert_false(stint_ctf_watch_scope(&watch, 3, 0, 5000000));
    assert_false(stint_ctf_watch_scope(&watch, 9, 0, 5000000));
    assert_true(stint_ctf_watch_scope(&watch, 2, 0, 1000000));
    assert_false(stint_ctf_watch_scope(&watch, 2, 1000000, 9000000));
    assert_true(stint_ctf_watch_scope(&watch, 2, 0, UINT64_C(10001000000)));
    stint_arena_free(&arena);
}
