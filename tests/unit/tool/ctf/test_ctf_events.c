#include "ctf/ctf.h"

#include <string.h>

#include "ctf/ctf_fixture.h"
#include "stint_test.h"

TEST(what_is_written_is_read_in_the_order_of_starts)
{
    const char *path = ctf_scratch("a.stint");
    ctf_write(path);
    assert_true(stint_ctf_is(path));
    struct stint_ctf *ctf = ctf_open(path);
    ctf_check_events(stint_ctf_events(ctf));
    ctf_check_events(stint_ctf_events(ctf));
    struct stint_ctf_state got = stint_ctf_state(ctf);
    assert_true(got.has_ended && !got.missing_events && !got.damaged_bytes);
    stint_ctf_close(ctf);
}

/* Reads all events, or those of a time. Returns how many touch the time, and in *told how many there are. */
static size_t touching(struct stint_event_source *source, uint64_t from_ns, uint64_t to_ns, int only, size_t *told)
{
    struct stint_event event;
    size_t touching = 0;
    source->from_ns = only ? from_ns : 0;
    source->to_ns = only ? to_ns : 0;
    assert_int_equal(source->begin(source), 0);
    for (*told = 0; source->next(source, &event) == 1; ++*told)
        touching += event.start_ns <= to_ns && event.end_ns >= from_ns;
    return touching;
}

TEST(a_part_of_the_time_has_all_events_that_touch_it)
{
    enum { PARTS = 50 };
    const char *path = ctf_scratch("part.stint");
    size_t all, told, fewest = SIZE_MAX;
    ctf_write(path);
    struct stint_ctf *ctf = ctf_open(path);
    struct stint_event_source *source = stint_ctf_events(ctf);
    uint64_t end_ns = stint_ctf_snapshot(ctf)->process.wall_ns;
    for (uint64_t i = 0; i < PARTS; i++) {
        uint64_t from_ns = end_ns * i / PARTS, to_ns = end_ns * (i + 1) / PARTS;
        size_t expected = touching(source, from_ns, to_ns, 0, &all);
        assert_int_equal(touching(source, from_ns, to_ns, 1, &told), expected);
        fewest = told < fewest ? told : fewest;
    }
    assert_int_equal(all, CTF_EVENTS);
    assert_true(fewest < all / 2);
    stint_ctf_close(ctf);
}

static void check_version_5(const struct stint_snapshot *snapshot, struct stint_event_source *source)
{
    static const char operation[] = "in\"ner, seq = 54, op_id = 7, sizes = [[64, 16]], input_op_ids = [(4,0)]";
    const struct stint_sample_stack *stack = snapshot->sample_stacks;
    struct stint_event event;
    size_t known = 0, operations = 0, samples = 0;
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1) {
        if (event.kind == STINT_EVENT_SAMPLE) {
            stack += event.sample.stack;
            samples += event.sample.time_ns == 1000000;
        } else if (event.text && strcmp(event.text, operation) == 0) {
            operations++;
        } else {
            known += (size_t)ctf_is_known(&event, 0);
        }
    }
    assert_int_equal(known, CTF_EVENTS);
    assert_int_equal(operations, 1);
    assert_int_equal(samples, 1);
    assert_int_equal(snapshot->sample_frames[stack->frame].address, 0x2345);
    assert_int_equal(snapshot->sample_frames[snapshot->sample_stacks[stack->parent].frame].address, 0x1234);
    assert_string_equal(snapshot->nvtx_names[0].name, "loader");
}

/* Those of every version stay readable: these are never written again. That of version 5 also has a sample, an
 * operation, and the name of a thread. */
TEST(an_old_recording_is_still_read)
{
    ctf_write(ctf_scratch("a.stint")); /* makes the events to compare with */
    struct stint_ctf *ctf = ctf_open(STINT_GOLDEN_DIR "/recording_v1.stint");
    ctf_check_events_1(stint_ctf_events(ctf));
    stint_ctf_close(ctf);
    ctf = ctf_open(STINT_GOLDEN_DIR "/recording_v2.stint");
    ctf_check_events_2(stint_ctf_events(ctf));
    stint_ctf_close(ctf);

    ctf = ctf_open(STINT_GOLDEN_DIR "/recording_v5.stint");
    check_version_5(stint_ctf_snapshot(ctf), stint_ctf_events(ctf));
    stint_ctf_close(ctf);
}
