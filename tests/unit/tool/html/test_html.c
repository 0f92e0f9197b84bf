#include <stdlib.h>
#include <string.h>

#include "html/large.h"
#include "html/overview.h"
#include "op/op_recording.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/nvtx_fixture.h"
#include "stint_test.h"

static struct stint_overview s_overview;

static struct capture write_events(const struct stint_snapshot *snapshot, struct stint_event_source *events,
                                   const char *title)
{
    struct capture out = {0};
    struct stint_html html = {
        .snapshot = snapshot, .overview = &s_overview, .title = title, .operations = op_rows.count ? &op_rows : NULL};
    assert_int_equal(stint_overview_read(&s_overview, events, NULL, STINT_OVERVIEW_MOST), 0);
    assert_int_equal(stint_html_write(&html, capture_write, &out), STINT_OK);
    stint_overview_free(&s_overview);
    return out;
}

static struct capture write_titled(const struct stint_snapshot *snapshot, const char *title)
{
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    return write_events(snapshot, &events.source, title);
}

/* The page's data, cut out of it. */
static struct capture data_of(const struct stint_snapshot *snapshot)
{
    static const char begin[] = "<script id=\"data\" type=\"application/json\">";
    struct capture page = write_titled(snapshot, NULL), data = {0};
    const char *at = strstr(page.text, begin);
    assert_non_null(at);
    at += sizeof begin - 1;
    const char *end = strstr(at, "</script>");
    assert_non_null(end);
    assert_int_equal(capture_write(&data, at, (size_t)(end - at)), 0);
    capture_free(&page);
    return data;
}

static void assert_data(const struct stint_snapshot *snapshot, const char *file)
{
    struct capture data = data_of(snapshot);
    assert_golden(&data, file);
    capture_free(&data);
}

/* ------------------------------------------------------------------------------------------------------------- data */

static void data_of_operations(void **state)
{
    op_example();
    assert_data(fixture_empty(), "html_operations.json");
    assert_int_equal(op_forget(state), 0);
}

static void data_of_a_cpu_program(void **state)
{
    assert_data(fixture_training(), "html_training.json");
}

static void data_of_a_gpu_program(void **state)
{
    assert_data(fixture_gpu(), "html_gpu.json");
}

static void data_of_nothing(void **state)
{
    assert_data(fixture_empty(), "html_empty.json");
}

static void data_of_a_run_that_dropped_something(void **state)
{
    assert_data(fixture_running(), "html_running.json");
}

static void data_of_nasty_names(void **state)
{
    assert_data(fixture_nasty(), "html_nasty.json");
}

static void data_of_values(void **state)
{
    struct stint_snapshot *snapshot = fixture_nvtx_values();
    assert_data(snapshot, "html_values.json");
    stint_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------------------------------------------------- page */

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

static void no_name_ends_a_script(void **state)
{
    static const struct stint_stat stat = {.set = "GlobalStatInfo",
                                           .name = "</script><script>alert(1)</script><!--",
                                           .file = "</script>",
                                           .function = "<!--",
                                           .numbers = {.count = 1}};
    struct stint_snapshot snapshot = *fixture_empty();
    struct capture before = write_titled(&snapshot, NULL);
    snapshot.stats = &stat;
    snapshot.stat_count = 1;
    struct capture page = write_titled(&snapshot, NULL);
    assert_int_equal(count_of(page.text, "<script"), 2);
    assert_int_equal(count_of(page.text, "</script>"), 2);
    assert_int_equal(count_of(page.text, "<!--"), count_of(before.text, "<!--"));
    capture_free(&before);
    capture_free(&page);
}

static void title_is_text(void **state)
{
    struct capture page = write_titled(fixture_empty(), "</title><b>\"a\" & b\n");
    assert_non_null(strstr(page.text, "<title>&lt;/title&gt;&lt;b&gt;&quot;a&quot; &amp; b&#10;</title>"));
    capture_free(&page);
}

static void title_is_the_program_unless_given(void **state)
{
    struct capture page = write_titled(fixture_gpu(), NULL);
    assert_non_null(strstr(page.text, "<title>train</title>"));
    capture_free(&page);
}

static void title_of_several_recordings_is_the_program(void **state)
{
    struct stint_snapshot sum = *fixture_empty();
    sum.process.command = "12 recordings: bin/train --gpus 2";
    struct capture page = write_titled(&sum, NULL);
    assert_non_null(strstr(page.text, "<title>train</title>"));
    capture_free(&page);
    sum.process.command = "12 recordings";
    page = write_titled(&sum, NULL);
    assert_non_null(strstr(page.text, "<title>12</title>"));
    capture_free(&page);
}

static void page_refers_to_nothing_outside(void **state)
{
    struct capture page = write_titled(fixture_gpu(), NULL);
    static const char *const references[] = {"http:", "https:", "src=", "@import", "url(", "<link"};
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        assert_null(strstr(page.text, references[i]));
    capture_free(&page);
}

static void same_recording_is_the_same_page(void **state)
{
    struct capture first = write_titled(fixture_gpu(), NULL), second = write_titled(fixture_gpu(), NULL);
    assert_string_equal(first.text, second.text);
    capture_free(&first);
    capture_free(&second);
}

static void page_stays_below_three_megabytes(void **state)
{
    struct large *large = large_make(238); /* 99 960 events, 1001 scopes */
    struct capture page = write_events(large_snapshot(large), large_events(large), NULL);
    assert_in_range(page.length, 1000000, 3000000);
    capture_free(&page);
    large_free(large);
}

/* 90 000 events whose times and sizes have many digits. */
struct many {
    struct stint_event_source source; /* first */
    struct stint_gpu_event gpu;
    uint64_t at;
};

static int many_begin(struct stint_event_source *source)
{
    ((struct many *)(void *)source)->at = 0;
    return 0;
}

static int many_next(struct stint_event_source *source, struct stint_event *event)
{
    struct many *many = (struct many *)(void *)source;
    uint64_t start_ns = UINT64_C(4000000000000) * many->at;
    if (many->at == 90000)
        return 0;
    many->gpu = (struct stint_gpu_event){.kind = STINT_GPU_COPY, .bytes = UINT64_C(1000000000000) + many->at};
    *event = (struct stint_event){.kind = STINT_EVENT_DEVICE,
                                  .start_ns = start_ns,
                                  .end_ns = start_ns + UINT64_C(1000000000000) + many->at,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = "copy",
                                  .set = "",
                                  .gpu = &many->gpu};
    many->at++;
    return 1;
}

static void data_that_would_be_too_long_are_made_coarser(void **state)
{
    struct many many = {.source = {.begin = many_begin, .next = many_next}};
    struct capture page = write_events(fixture_empty(), &many.source, NULL);
    assert_in_range(page.length, 1000000, 2650000);
    assert_non_null(strstr(page.text, "\"events\":90000,"));
    capture_free(&page);
}

static int refuse(void *context, const char *text, size_t length)
{
    return -1;
}

static void failure_to_write_is_reported(void **state)
{
    struct stint_html html = {.snapshot = fixture_empty(), .overview = &s_overview};
    assert_int_equal(stint_overview_read(&s_overview, NULL, NULL, 0), 0);
    assert_int_equal(stint_html_write(&html, refuse, NULL), STINT_ERROR_IO);
    stint_overview_free(&s_overview);
}

static int teardown(void **state)
{
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_a_cpu_program),
        cmocka_unit_test(data_of_a_gpu_program),
        cmocka_unit_test(data_of_nothing),
        cmocka_unit_test(data_of_a_run_that_dropped_something),
        cmocka_unit_test(data_of_nasty_names),
        cmocka_unit_test(data_of_values),
        cmocka_unit_test(data_of_operations),
        cmocka_unit_test(no_name_ends_a_script),
        cmocka_unit_test(title_is_text),
        cmocka_unit_test(title_is_the_program_unless_given),
        cmocka_unit_test(title_of_several_recordings_is_the_program),
        cmocka_unit_test(page_refers_to_nothing_outside),
        cmocka_unit_test(same_recording_is_the_same_page),
        cmocka_unit_test(page_stays_below_three_megabytes),
        cmocka_unit_test(data_that_would_be_too_long_are_made_coarser),
        cmocka_unit_test(failure_to_write_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
