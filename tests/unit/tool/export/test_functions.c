/* Samples in timelines: src/tool/export/functions.c, and what the formats make of them. */
#include <stdio.h>
#include <string.h>

#include "export/fixture.h"
#include "export/stacks.h"
#include "listed_events.h"
#include "report/sample_fixture.h"
#include "stat/builder.h"
#include "stint_test.h"

enum { MS = 1000000, PID = 4711, OTHER = 4712 };

#define SAMPLE(thread, ms, chain, context_, took_ms)                                                                   \
    {                                                                                                                  \
        .kind = STINT_EVENT_SAMPLE, .start_ns = (uint64_t)((ms)*MS), .end_ns = (uint64_t)((ms)*MS), .pid = PID,        \
        .tid = thread, .context = context_, .name = "", .set = "", .sample = {                                         \
            chain,                                                                                                     \
            (uint64_t)((took_ms)*MS)                                                                                   \
        }                                                                                                              \
    }

/* The second and third touch; a bit is missing before the fourth, and much before the fifth, which stands for more time
 * than there is since the sample before. The other thread's first one stands for time before the recording began. */
static const struct stint_event s_events[] = {
    SAMPLE(OTHER, 2, 4, STINT_GPU_UNATTRIBUTED, 4),
    SAMPLE(PID, 5, 2, 1, 4),
    SAMPLE(PID, 9, 2, 1, 4),
    SAMPLE(PID, 13.25, 1, 0, 4),
    SAMPLE(PID, 40, 3, STINT_GPU_NO_SCOPE, 4),
    SAMPLE(PID, 42, STINT_SAMPLE_NO_STACK, STINT_GPU_NO_SCOPE, 4),
    SAMPLE(OTHER, 60, 4, STINT_GPU_UNATTRIBUTED, 4),
};

/* At 0x1234 a function is inlined. */
static size_t find(void *context, const struct stint_sample_module *module, uint64_t address,
                   struct stint_function_name *found, size_t most)
{
    ++*(int *)context;
    assert_true(most >= 2);
    if (address == 0x1234) {
        found[0] = (struct stint_function_name){"inlined<\"T\">()", "a.h", 12};
        found[1] = (struct stint_function_name){"main", "a.c", 34};
        return 2;
    }
    found[0] = (struct stint_function_name){address == 0x1180 ? "main" : "other", address == 0x1180 ? "a.c" : "",
                                            *module->path ? 56 : 0};
    return 1;
}

static int s_asked;
static const struct stint_function_names s_names = {find, &s_asked};

static struct capture written(enum stint_export_format format, const struct stint_function_names *names)
{
    struct listed_events listed = LISTED_EVENTS(s_events, TEST_COUNT(s_events));
    struct stint_snapshot *snapshot = fixture_samples();
    struct stint_export_input input = {snapshot, &listed.source, names, NULL};
    struct capture out = {0};
    char reason[200] = "";
    assert_non_null(snapshot);
    s_asked = 0;
    if (stint_export_write(&input, format, capture_write, &out, reason, sizeof reason))
        fail_msg("%s", reason);
    stint_snapshot_free(snapshot);
    return out;
}

TEST(chrome_has_profiles_of_threads)
{
    struct capture out = written(STINT_EXPORT_CHROME, &s_names);
    assert_int_equal(s_asked, 4); /* once for each place */
    assert_golden(out, "export_chrome_samples.json");
}

TEST(perfetto_has_a_packet_for_each)
{
    struct capture trace = written(STINT_EXPORT_PERFETTO, &s_names), packets = perfetto_packets(&trace);
    assert_golden(packets, "export_perfetto_samples.txt");
}

/* A call chain whose names take more than a packet has room for. */
enum { DEEP = 150 };

static size_t find_long(void *context, const struct stint_sample_module *module, uint64_t address,
                        struct stint_function_name *found, size_t most)
{
    static char s_long[DEEP][500];
    memset(s_long[address], 'f', sizeof s_long[0] - 1);
    (void)snprintf(s_long[address], sizeof s_long[0], "%03d", (int)address);
    s_long[address][3] = 'f';
    found[0] = (struct stint_function_name){s_long[address], "", 0};
    return 1;
}

static struct stint_snapshot *deep_snapshot(void)
{
    static const struct stint_process process = {.pid = PID, .command = "", .host = "", .clock = ""};
    static const struct stint_dropped dropped = {0};
    struct stint_builder builder;
    struct stint_sample_module module = {PID, "/bin/deep", "", 0, 1, 0};
    struct stint_sample_stack stack = {STINT_SAMPLE_NO_STACK, 0};
    stint_builder_begin(&builder);
    stint_builder_add(&builder, STINT_ROWS_SAMPLING, &(struct stint_sample_info){.sampled = 1, .hz = 1});
    (void)stint_builder_append(&builder, STINT_ROWS_SAMPLE_MODULES, &module);
    for (uint64_t i = 0; i < DEEP; i++) {
        stack.frame = stint_builder_add(&builder, STINT_ROWS_SAMPLE_FRAMES, &(struct stint_sample_frame){0, i});
        stack.parent = stint_builder_add(&builder, STINT_ROWS_SAMPLE_STACKS, &stack);
    }
    return stint_builder_end(&builder, &process, &dropped);
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

TEST(long_chains_are_complete)
{
    struct stint_function_names names = {find_long, NULL};
    const struct stint_event event = SAMPLE(PID, 1, DEEP - 1, STINT_GPU_NO_SCOPE, 1);
    struct listed_events listed = LISTED_EVENTS(&event, 1);
    struct stint_snapshot *snapshot = deep_snapshot();
    struct stint_export_input input = {snapshot, &listed.source, &names, NULL};
    struct capture trace = {0};
    char reason[200] = "";
    assert_non_null(snapshot);
    assert_int_equal(stint_export_write(&input, STINT_EXPORT_PERFETTO, capture_write, &trace, reason, sizeof reason),
                     0);
    struct capture packets = perfetto_packets(&trace);
    assert_int_equal(count_of(packets.text, "fffff\" }"), DEEP);                    /* names */
    assert_int_equal(count_of(packets.text, " 6 { 1: "), DEEP);                     /* frames */
    assert_int_equal(count_of(strstr(packets.text, " 7 { 1: "), " 2: "), DEEP + 1); /* of the chain; a pid */
    stint_snapshot_free(snapshot);
}

TEST(without_names_there_are_addresses)
{
    struct capture out = written(STINT_EXPORT_CHROME, NULL);
    assert_non_null(strstr(out.text, "\"train+0x1234\""));
    assert_non_null(strstr(out.text, "\"0x7fffe0001000\""));
}
