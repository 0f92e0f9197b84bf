/* The functions of gpu_scope.h, on spans that only note what they are told. */
#include "stint/gpu_scope.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/span.h"
#include "record/registry.h"
#include "record/scope.h"
#include "record/thread.h"
#include "stint/statset.h"
#include "stint_test.h"

/* What happened, one letter each: b begin, e enter, c cancel, z end; a capital where the scope of the host ran
 * meanwhile. */
static char s_story[64];
static int s_measurable;
static void *s_stream;
static uint32_t s_id;
static uint64_t s_ticks;

static void *const s_span = &s_story;

static int is_inside(void)
{
    const struct stint_thread_record *record = stint_thread_self();
    return record && record->tree.hot.current->parent;
}

static void note(const struct stint_span *span, char letter)
{
    const size_t length = strlen(s_story);
    assert_ptr_equal(span, s_span);
    assert_true(length + 1 < sizeof s_story);
    s_story[length] = (char)(is_inside() ? letter + 'A' - 'a' : letter);
    s_story[length + 1] = '\0';
}

struct stint_span *__wrap_stint_span_begin(void *stream)
{
    s_stream = stream;
    note(s_span, 'b');
    return s_measurable ? s_span : NULL;
}

void __wrap_stint_span_enter(struct stint_span *span, uint32_t id, uint64_t ticks)
{
    note(span, 'e');
    s_id = id;
    s_ticks = ticks;
}

void __wrap_stint_span_cancel(struct stint_span *span)
{
    note(span, 'c');
}

void __wrap_stint_span_end(struct stint_span *span)
{
    note(span, 'z');
}

static uint64_t count_of(const char *name)
{
    struct stint_snapshot *snapshot = NULL;
    uint64_t count;
    assert_int_equal(stint_snapshot_take(&snapshot), STINT_OK);
    const struct stint_stat *stat = stint_snapshot_find(snapshot, NULL, name);
    count = stat ? stat->numbers.count : 0;
    stint_snapshot_free(snapshot);
    return count;
}

static int setup(void **state)
{
    s_story[0] = '\0';
    s_measurable = 1;
    stint_set_enabled(1);
    stint_dropped = (struct stint_dropped){0};
    return 0;
}

static int start(void **state)
{
    setenv("STINT_REPORT", "off", 1);
    return 0;
}

TEST_ONCE(start, NULL)
TEST_EACH(setup, NULL)

TEST(a_scope_lies_between_its_events)
{
    int stream;
    {
        STINT_GPU_SCOPE("macro", &stream);
        assert_string_equal(s_story, "bE");
    }
    assert_string_equal(s_story, "bEz");
    assert_ptr_equal(s_stream, &stream);
    assert_int_equal(count_of("macro"), 1);
}

TEST(a_span_is_told_of_its_statistic_and_when_it_began)
{
    STINT_GPU_SCOPE("told", NULL);

    assert_string_equal(stint_registry_entry(s_id)->name, "told");
    assert_int_equal(s_ticks, stint_thread_self()->tree.hot.current->start);
}

TEST(what_cannot_be_measured_is_a_scope_all_the_same)
{
    s_measurable = 0;
    {
        STINT_GPU_SCOPE("host alone", NULL);
    }
    assert_string_equal(s_story, "b");
    assert_int_equal(count_of("host alone"), 1);
}

TEST(switched_off_nothing_is_begun)
{
    struct stint_gpu_span span;
    stint_set_enabled(0);
    {
        STINT_GPU_SCOPE("off", NULL);
    }
    assert_int_equal(stint_gpu_span_begin(&span, "off", NULL), STINT_OK);
    assert_int_equal(stint_gpu_span_end(&span), STINT_OK);
    assert_string_equal(s_story, "");
    stint_set_enabled(1);
    assert_int_equal(count_of("off"), 0);
}

TEST(switched_off_inside_a_scope_still_ends)
{
    {
        STINT_GPU_SCOPE("off inside", NULL);
        stint_set_enabled(0);
    }
    stint_set_enabled(1);
    assert_string_equal(s_story, "bEz");
    assert_int_equal(count_of("off inside"), 1);
}

TEST(a_scope_beyond_a_limit_is_cancelled)
{
    const uint64_t names = stint_limits.names;
    struct stint_gpu_span span;
    stint_limits.names = 0;
    {
        STINT_GPU_SCOPE("beyond the limit", NULL);
    }
    assert_string_equal(s_story, "bc");
    assert_int_equal(stint_gpu_span_begin(&span, "beyond the limit, too", NULL), STINT_ERROR_LIMIT);
    assert_int_equal(stint_gpu_span_end(&span), STINT_ERROR_NOT_STARTED);
    assert_string_equal(s_story, "bcbc");
    stint_limits.names = names;
}

TEST(scopes_nest)
{
    {
        STINT_GPU_SCOPE("outer", NULL);
        STINT_GPU_SCOPE("inner", NULL);
    }
    assert_string_equal(s_story, "bEBEZz");
}

TEST(a_span_is_a_scope_too)
{
    struct stint_gpu_span span = STINT_GPU_SPAN_INIT;
    assert_int_equal(stint_gpu_span_begin(&span, "span", s_span), STINT_OK);
    assert_true(is_inside());
    assert_int_equal(stint_gpu_span_end(&span), STINT_OK);
    assert_string_equal(s_story, "bEz");
    assert_int_equal(count_of("span"), 1);
}

TEST(names_of_spans_may_differ)
{
    const char *const names[] = {"first name", "second name", "first name"};
    for (size_t i = 0; i < TEST_COUNT(names); ++i) {
        struct stint_gpu_span span;
        assert_int_equal(stint_gpu_span_begin(&span, names[i], NULL), STINT_OK);
        assert_int_equal(stint_gpu_span_end(&span), STINT_OK);
    }
    assert_int_equal(count_of("first name"), 2);
    assert_int_equal(count_of("second name"), 1);
}

TEST(null_is_refused)
{
    assert_int_equal(stint_gpu_span_begin(NULL, "null", NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_gpu_span_end(NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(s_story, "");
}

TEST(an_end_without_a_beginning_is_refused_and_counted)
{
    struct stint_gpu_span never = STINT_GPU_SPAN_INIT, twice;
    assert_int_equal(stint_gpu_span_end(&never), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_gpu_span_begin(&twice, "twice", NULL), STINT_OK);
    assert_int_equal(stint_gpu_span_end(&twice), STINT_OK);
    assert_int_equal(stint_gpu_span_end(&twice), STINT_ERROR_NOT_STARTED);
    assert_int_equal(stint_dropped.mismatched, 2);
    assert_int_equal(count_of("twice"), 1);
}

static void *end_it(void *span)
{
    return stint_gpu_span_end(span) == STINT_ERROR_NOT_STARTED ? NULL : span;
}

TEST(an_end_on_another_thread_is_refused_and_counted)
{
    struct stint_gpu_span span, kept;
    pthread_t thread;
    void *failed;
    assert_int_equal(stint_gpu_span_begin(&span, "another thread", NULL), STINT_OK);
    kept = span;
    assert_int_equal(pthread_create(&thread, NULL, end_it, &span), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_string_equal(s_story, "bE");
    assert_int_equal(stint_dropped.mismatched, 1);
    assert_int_equal(stint_gpu_span_end(&kept), STINT_OK);
}

TEST(the_end_of_an_outer_span_pops_inner_scopes)
{
    struct stint_gpu_span outer, inner;
    assert_int_equal(stint_gpu_span_begin(&outer, "popping", NULL), STINT_OK);
    assert_int_equal(stint_gpu_span_begin(&inner, "popped", NULL), STINT_OK);
    assert_int_equal(stint_gpu_span_end(&outer), STINT_OK);
    assert_false(is_inside());
    assert_int_equal(stint_dropped.abandoned, 1);
    assert_int_equal(stint_gpu_span_end(&inner), STINT_OK); /* its events are ended, so that none is lost */
    assert_string_equal(s_story, "bEBEzz");
}

TEST(stream_0_is_the_threads_own_where_cuda_is_told_so)
{
    int stream;
    assert_null(stint_i_stream(NULL, 0));
    assert_int_equal((uintptr_t)stint_i_stream(NULL, 1), 2);
    assert_ptr_equal(stint_i_stream(&stream, 1), &stream);
}
