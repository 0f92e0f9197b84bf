/* Samples in recordings: call chains, and what they refer to. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctf/ctf.h"
#include "ctf_fixture.h"
#include "ctf_writer/ctf_output.h"
#include "ctf_writer/ctf_writer.h"
#include "stint_test.h"

enum { SCOPE = 2, MAIN = 1, WORK, LOST, SAMPLES = 4 };

#define PROCESS                                                                                                        \
    "\"process\":{\"pid\":77,\"command\":\"train\",\"host\":\"h\",\"start_unix_ns\":5,\"wall_ns\":9000},"              \
    "\"stats\":[{\"set\":\"GlobalStatInfo\",\"name\":\"step\",\"count\":1,\"total_ns\":50}],"                          \
    "\"contexts\":[{\"stat\":0,\"parent\":null,\"depth\":0,\"count\":1,\"total_ns\":50}]"

/* Of the chains, the report has main() only. */
static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1," PROCESS ",\"sampling\":{\"sampled\":true,\"hz\":100,\"samples\":7},"
    "\"sample_modules\":[{\"pid\":77,\"path\":\"/bin/train\",\"build_id\":\"ab\",\"begin\":0,\"end\":9,\"bias\":0}],"
    "\"sample_frames\":[{\"module\":0,\"address\":16}],\"sample_stacks\":[{\"parent\":null,\"frame\":0}],"
    "\"sample_threads\":[{\"pid\":77,\"tid\":8,\"name\":\"worker\",\"exited\":false}],"
    "\"sample_counts\":[{\"thread\":0,\"context\":0,\"stack\":0,\"samples\":7,\"time_ns\":70}]}\n";

static void define(struct stint_event_writer *writer)
{
    const struct stint_sample_module program = {77, "/bin/train", "ab", 0x1000, 0x2000, 0x1000};
    const struct stint_event_chain chains[] = {{MAIN, 0, 3, 0x10}, {WORK, MAIN, 3, 0x20}, {LOST, MAIN, 4, 0x30}};
    assert_int_equal(writer->context(writer, &(struct stint_event_context){SCOPE, 0, "GlobalStatInfo", "step", "", 0}),
                     0);
    assert_int_equal(writer->sampling(writer, &(struct stint_sample_info){.wall = 1, .hz = 50}), 0);
    assert_int_equal(writer->module(writer, 3, &program), 0);
    for (size_t i = 0; i < TEST_COUNT(chains); i++)
        assert_int_equal(writer->chain(writer, &chains[i]), 0);
}

static void add(struct stint_event_writer *writer, uint64_t ns, size_t context, size_t chain)
{
    struct stint_event event = {.kind = STINT_EVENT_SAMPLE,
                                .start_ns = ns,
                                .end_ns = ns,
                                .pid = 77,
                                .tid = 8,
                                .context = context,
                                .name = "",
                                .set = "",
                                .sample = {chain, 10}};
    assert_int_equal(writer->event(writer, &event), 0);
}

/* Writes samples, the second of which is taken before the first. */
static struct stint_event_writer *write_samples(const char *path)
{
    static const struct stint_event_process process = {77, "train", "h", 5};
    char reason[512];
    struct stint_event_writer *writer = stint_ctf_writer_open(path, &process, reason, sizeof reason);
    if (!writer)
        fail_msg("%s", reason);
    define(writer);
    add(writer, 2000, SCOPE, WORK);
    add(writer, 1000, SCOPE, MAIN);
    add(writer, 3000, STINT_GPU_UNATTRIBUTED, LOST);
    add(writer, 4000, 0, 0);
    assert_int_equal(writer->flush(writer), 0);
    return writer;
}

static struct stint_ctf *open_recording(const char *path)
{
    char reason[512];
    struct stint_ctf *ctf = stint_ctf_open(path, reason, sizeof reason);
    if (!ctf)
        fail_msg("%s: %s", path, reason);
    return ctf;
}

static void assert_chain(const struct stint_snapshot *snapshot, size_t stack, const uint64_t *addresses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(stack < snapshot->sample_stack_count);
        const struct stint_sample_frame *frame = &snapshot->sample_frames[snapshot->sample_stacks[stack].frame];
        assert_int_equal(frame->address, addresses[i]);
        assert_string_equal(snapshot->sample_modules[frame->module].path, "/bin/train");
        assert_string_equal(snapshot->sample_modules[frame->module].build_id, "ab");
        stack = snapshot->sample_stacks[stack].parent;
    }
    assert_true(stack == STINT_SAMPLE_NO_STACK);
}

/* Whatever the report says, events have their chains. */
static void check_events(struct stint_ctf *ctf)
{
    static const uint64_t work[] = {0x20, 0x10};
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    struct stint_event_source *source = stint_ctf_events(ctf);
    struct stint_event events[SAMPLES + 1];
    size_t count = 0;
    assert_int_equal(source->begin(source), 0);
    while (count <= SAMPLES && source->next(source, &events[count]) > 0)
        count++;
    assert_int_equal(count, SAMPLES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(events[i].kind, STINT_EVENT_SAMPLE);
        assert_int_equal(events[i].start_ns, 1000 * (i + 1));
        assert_int_equal(events[i].end_ns, events[i].start_ns);
        assert_int_equal(events[i].tid, 8);
        assert_int_equal(events[i].sample.time_ns, 10);
    }
    assert_chain(snapshot, events[0].sample.stack, work + 1, 1);
    assert_chain(snapshot, events[1].sample.stack, work, 2);
    assert_true(events[2].sample.stack == STINT_SAMPLE_NO_STACK);
    assert_true(events[3].sample.stack == STINT_SAMPLE_NO_STACK);
    assert_string_equal(snapshot->stats[snapshot->contexts[events[0].context].stat].name, "step");
    assert_true(events[2].context == STINT_GPU_UNATTRIBUTED);
    assert_true(events[3].context == STINT_GPU_NO_SCOPE);
}

TEST(samples_know_their_call_chains)
{
    const char *path = ctf_scratch("samples.stint");
    struct stint_event_writer *writer = write_samples(path);
    assert_int_equal(writer->finish(writer, s_report, sizeof s_report - 1), 0);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    check_events(ctf);
    assert_int_equal(snapshot->sampling.samples, 7); /* as the report has it */
    assert_int_equal(snapshot->sampling.hz, 100);
    assert_int_equal(snapshot->sample_stack_count, 2);
    stint_ctf_close(ctf);
}

TEST(a_killed_programs_samples_are_counted)
{
    const char *path = ctf_scratch("killed_samples.stint");
    struct stint_event_writer *writer = write_samples(path);
    struct stint_ctf *ctf = open_recording(path);
    const struct stint_snapshot *snapshot = stint_ctf_snapshot(ctf);
    check_events(ctf);
    assert_int_equal(snapshot->sampling.samples, SAMPLES);
    assert_int_equal(snapshot->sampling.time_ns, 10 * SAMPLES);
    assert_int_equal(snapshot->sampling.hz, 50);
    assert_true(snapshot->sampling.wall);
    assert_int_equal(snapshot->sample_count_count, SAMPLES);
    assert_int_equal(snapshot->sample_threads[0].tid, 8);
    stint_ctf_close(ctf);
    (void)writer->finish(writer, "{}", 2);
}

TEST(samples_count_as_events)
{
    const char *path = ctf_scratch("counted_samples.stint");
    struct stint_event_writer *writer = write_samples(path);
    assert_int_equal(writer->finish(writer, s_report, sizeof s_report - 1), 0);
    struct stint_ctf *ctf = open_recording(path);
    struct stint_ctf_state had = stint_ctf_state(ctf);
    stint_ctf_close(ctf);
    char samples[300];
    (void)snprintf(samples, sizeof samples, "%s/samples", path);
    assert_int_equal(remove(samples), 0);
    ctf = open_recording(path);
    struct stint_ctf_state has = stint_ctf_state(ctf);
    stint_ctf_close(ctf);
    assert_int_equal(had.events, SAMPLES);
    assert_int_equal(had.missing_events, 0);
    assert_int_equal(has.missing_events, SAMPLES);
}

TEST(nothing_is_left_of_a_recording_that_is_removed)
{
    const char *path = ctf_scratch("removed_samples.stint");
    struct stint_event_writer *writer = write_samples(path);
    assert_int_equal(writer->finish(writer, s_report, sizeof s_report - 1), 0);
    stint_ctf_remove(path);
    assert_int_equal(access(path, F_OK), -1);
}
