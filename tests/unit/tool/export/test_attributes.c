#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/tracks.h"
#include "stint_test.h"

static struct stint_attributes s_attributes;

static int begin(void **state)
{
    s_attributes = (struct stint_attributes){0};
    return 0;
}

static int end(void **state)
{
    stint_attributes_free(&s_attributes);
    return 0;
}

static struct stint_event value_of(const char *name, const char *field, double value)
{
    return (struct stint_event){
        .kind = STINT_EVENT_VALUE, .name = name, .set = "NVTX:NCCL", .field = field, .tid = 7, .value = value};
}

static int is_identifier(const char *field, double value)
{
    struct stint_event event = value_of("range", field, value);
    return stint_is_identifier(&s_attributes, &event);
}

TEST(names_and_sizes_tell_identifiers_from_amounts)
{
    static const char *const names[] = {"Communicator ID",  "comm_hash", "peerRank",   "RANK",
                                        "CUDA device",      "comm",      "outer.root", "handle [hex]",
                                        "address (device)", "bufferPtr", "batch idx"};
    static const char *const amounts[] = {
        "Number of ranks", "message size [bytes]", "hash table size", "device memory", "valid", "power (W)", "", "[2]",
        "lossid"};
    for (size_t i = 0; i < TEST_COUNT(names); i++)
        assert_true(is_identifier(names[i], 1));
    for (size_t i = 0; i < TEST_COUNT(amounts); i++)
        assert_false(is_identifier(amounts[i], 1));
    assert_true(is_identifier("x", 0x1p50));
    assert_false(is_identifier("x", 0x1p50 + 0.5));
    assert_false(is_identifier("bytes so far", 0x1p50));
    assert_false(is_identifier("rank", NAN));
}

static int learns(double least, double most, double sum, uint64_t count, size_t processes, const char *set)
{
    const struct stint_nvtx_value value = {set, "range", "x", count, sum, least, most};
    const struct stint_snapshot snapshot = {.nvtx_values = &value, .nvtx_value_count = 1, .process_count = processes};
    struct stint_event one = value_of("range", "x", least), other = value_of("range", "y", least);
    struct stint_attributes learned = {0};
    one.set = set;
    assert_int_equal(stint_attributes_learn(&learned, &snapshot), 0);
    assert_false(stint_is_identifier(&learned, &other));
    int is_one = stint_is_identifier(&learned, &one);
    stint_attributes_free(&learned);
    return is_one;
}

TEST(sums_tell_serial_numbers_and_small_hashes)
{
    assert_true(learns(1, 100, 5050, 100, 0, "NVTX"));
    assert_true(learns(1, 100, 2 * 5050, 200, 2, "NVTX"));
    assert_false(learns(1, 100, 2 * 5050, 200, 0, "NVTX")); /* each twice in one process */
    assert_false(learns(1, 100, 5051, 100, 0, "NVTX"));
    assert_false(learns(1, 100, 5050 * 0.99, 99, 0, "NVTX"));
    assert_false(learns(0.5, 100, 5050, 100, 0, "NVTX"));
    assert_false(learns(1, 4, 10, 4, 0, "NVTX")); /* too few to tell */
    assert_false(learns(1, 100, 5050, 100, 0, "NVTX counters"));
    assert_true(learns(7, 0x1p60, 0x1p61, 9, 0, "NVTX")); /* 7 is one of the hashes */
}

static struct stint_event range(const char *name, uint64_t start_ns, uint64_t end_ns)
{
    return (struct stint_event){
        .kind = STINT_EVENT_SCOPE, .name = name, .set = "NVTX:NCCL", .tid = 7, .start_ns = start_ns, .end_ns = end_ns};
}

static int hold(const char *name, const char *field, uint64_t ns, double value)
{
    struct stint_event event = value_of(name, field, value);
    event.start_ns = event.end_ns = ns;
    return stint_attributes_hold(&s_attributes, &event);
}

/* What the range has: "Rank 3, peer 4". */
static const char *taken_by(struct stint_event event)
{
    static char text[200];
    const struct stint_attribute *all;
    size_t count = stint_attributes_take(&s_attributes, &event, &all), length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s %g", i ? ", " : "", all[i].name, all[i].value);
    return text;
}

TEST_SETUP_TEARDOWN(range_has_the_numbers_that_were_given_before_it, begin, end)
{
    struct stint_event elsewhere = range("AllReduce", 20, 30);
    elsewhere.tid = 8;
    assert_int_equal(hold("AllReduce", "Rank", 10, 3), 1);
    assert_int_equal(hold("AllReduce", "size [bytes]", 11, 1024), 0);
    assert_int_equal(hold("AllReduce", "peer", 12, 4), 1);
    assert_string_equal(taken_by(range("Broadcast", 13, 14)), "");
    assert_string_equal(taken_by(elsewhere), "");
    assert_string_equal(taken_by(range("AllReduce", 20, 30)), "Rank 3, peer 4");
    assert_string_equal(taken_by(range("AllReduce", 40, 50)), "");
    assert_int_equal(hold("AllReduce", "Rank", 90, 5), 1);
    assert_string_equal(taken_by(range("AllReduce", 91, 99)), "Rank 5");
}

TEST_SETUP_TEARDOWN(numbers_that_were_given_at_an_end_are_not_those_of_the_next, begin, end)
{
    assert_int_equal(hold("AllReduce", "Rank", 10, 3), 1);
    assert_string_equal(taken_by(range("AllReduce", 11, 20)), "Rank 3");
    assert_int_equal(hold("AllReduce", "Rank", 21, 4), 1);
    assert_string_equal(taken_by(range("AllReduce", 50, 60)), "");
}

TEST_SETUP_TEARDOWN(counters_belong_to_no_range, begin, end)
{
    struct stint_event event = value_of("rank", "", 3);
    event.set = "NVTX counters";
    assert_int_equal(stint_attributes_hold(&s_attributes, &event), 0);
}

TEST_SETUP_TEARDOWN(so_many_are_kept, begin, end)
{
    char field[20];
    size_t kept = 0;
    for (unsigned i = 0; i < 40; i++) {
        (void)snprintf(field, sizeof field, "%u.id", i);
        assert_int_equal(hold("AllReduce", field, 10, i), 1);
    }
    for (const char *at = taken_by(range("AllReduce", 20, 30)); (at = strstr(at, ".id")); at++)
        kept++;
    assert_int_equal(kept, STINT_ATTRIBUTES_MOST);
}
