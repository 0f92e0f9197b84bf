#include <string.h>

#include "html/large.h"
#include "html/overview.h"
#include "html/page_fixture.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------------- page */

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(no_name_ends_a_script)
{
    static const struct stint_stat stat = {.set = "GlobalStatInfo",
                                           .name = "</script><script>alert(1)</script><!--",
                                           .file = "</script>",
                                           .function = "<!--",
                                           .numbers = {.count = 1}};
    struct stint_snapshot snapshot = *fixture_empty();
    struct capture before = page_titled(&snapshot, NULL);
    TEST_ROWS(snapshot, stats, stat_count, stat);
    struct capture page = page_titled(&snapshot, NULL);
    assert_int_equal(count_words(page.text, "<script"), 2);
    assert_int_equal(count_words(page.text, "</script>"), 2);
    assert_int_equal(count_words(page.text, "<!--"), count_words(before.text, "<!--"));
}

TEST(title_is_text)
{
    struct capture page = page_titled(fixture_empty(), "</title><b>\"a\" & b\n");
    assert_non_null(strstr(page.text, "<title>&lt;/title&gt;&lt;b&gt;&quot;a&quot; &amp; b&#10;</title>"));
}

TEST(title_is_the_program_unless_given)
{
    assert_non_null(strstr(page_titled(fixture_gpu(), NULL).text, "<title>train</title>"));
}

TEST(title_of_several_recordings_is_the_program)
{
    struct stint_snapshot sum = *fixture_empty();
    sum.process.command = "12 recordings: bin/train --gpus 2";
    assert_non_null(strstr(page_titled(&sum, NULL).text, "<title>train</title>"));
    sum.process.command = "12 recordings";
    assert_non_null(strstr(page_titled(&sum, NULL).text, "<title>12</title>"));
}

TEST(page_refers_to_nothing_outside)
{
    struct capture page = page_titled(fixture_gpu(), NULL);
    static const char *const references[] = {"http:", "https:", "src=", "@import", "url(", "<link"};
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        assert_null(strstr(page.text, references[i]));
}

TEST(same_recording_is_the_same_page)
{
    assert_string_equal(page_titled(fixture_gpu(), NULL).text, page_titled(fixture_gpu(), NULL).text);
}

TEST(page_stays_below_three_megabytes)
{
    struct large *large = large_make(238); /* 99 960 events, 1001 scopes */
    assert_in_range(page_of_events(large_snapshot(large), large_events(large), NULL).length, 1000000, 3000000);
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

TEST(data_that_would_be_too_long_are_made_coarser)
{
    struct many many = {.source = {.begin = many_begin, .next = many_next}};
    struct capture page = page_of_events(fixture_empty(), &many.source, NULL);
    assert_in_range(page.length, 1000000, 2650000);
    assert_non_null(strstr(page.text, "\"events\":90000,"));
}

static int refuse(void *context, const char *text, size_t length)
{
    return -1;
}

TEST(failure_to_write_is_reported)
{
    struct stint_html html = {.snapshot = fixture_empty(), .overview = &page_overview};
    assert_int_equal(stint_overview_read(&page_overview, NULL, NULL, 0), 0);
    assert_int_equal(stint_html_write(&html, refuse, NULL), STINT_ERROR_IO);
    stint_overview_free(&page_overview);
}
