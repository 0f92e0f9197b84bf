/* Texts that carry data, in a trace. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts/contexts.h"
#include "notes/note.h"
#include "nvtx/client.h"
#include "nvtx/range.h"
#include "nvtx/string.h"
#include "record/fixture.h"
#include "stint_test.h"

enum { CHUNKS = 512, MOST = 16 };

/* What was noted, in order: up to MOST of it. */
static struct {
    char name[64];
    char *text; /* NULL: none */
    size_t length;
    uint64_t span;
    uint32_t form;
    uint32_t color, category;
    const char *field; /* of a value; else NULL */
    double value;
} s_noted[MOST];
static size_t s_count;

static uint32_t take_note(const struct stint_i_noted *note)
{
    uint32_t length = stint_note_text_length(note), rows = stint_note_rows(note);
    int is_value = note->form & STINT_NOTE_VALUE;
    const struct stint_i_noted *row = note + stint_note_text_at(note);
    if (s_count++ >= MOST)
        return rows;
    snprintf(s_noted[s_count - 1].name, sizeof s_noted[0].name, "%s",
             stint_registry_entry(is_value ? note->path : stint_path_at(note->path).id)->name);
    s_noted[s_count - 1].span = note->span;
    s_noted[s_count - 1].form = note->form & 1;
    s_noted[s_count - 1].length = length;
    s_noted[s_count - 1].color = note->form & STINT_NOTE_LOOK ? (uint32_t)note[1].start : 0;
    s_noted[s_count - 1].category = note->form & STINT_NOTE_LOOK ? (uint32_t)note[1].span : 0;
    s_noted[s_count - 1].field = is_value ? (const char *)(uintptr_t)note[1].start : NULL;
    memcpy(&s_noted[s_count - 1].value, &note->span, sizeof(double));
    free(s_noted[s_count - 1].text);
    s_noted[s_count - 1].text = length ? calloc(1, length + 1) : NULL;
    for (uint32_t at = 0; at < length; at += STINT_NOTE_TEXT_BYTES)
        memcpy(s_noted[s_count - 1].text + at, row++,
               length - at < STINT_NOTE_TEXT_BYTES ? length - at : STINT_NOTE_TEXT_BYTES);
    return rows;
}

/* Reads all that was noted. */
static void sweep(void)
{
    struct stint_chunk *chunk;
    stint_notes_sweep();
    s_count = 0;
    while ((chunk = stint_chunks_take())) {
        const struct stint_i_noted *notes = (const struct stint_i_noted *)(const void *)chunk->rows;
        for (uint32_t i = chunk->first; i < chunk->count;)
            i += take_note(&notes[i]);
        stint_chunks_give_back(chunk);
    }
}

static void check(size_t at, const char *name, const char *text)
{
    assert_true(at < s_count);
    assert_string_equal(s_noted[at].name, name);
    if (text)
        assert_string_equal(s_noted[at].text, text);
    else
        assert_null(s_noted[at].text);
}

/* Fails unless no text is kept any more. */
static void check_nothing_is_kept(void)
{
    const struct stint_nvtx_ranges *ranges = stint_thread_self()->extension;
    assert_int_equal(ranges->kept_used, 0);
    assert_int_equal(ranges->special, 0);
}

static int begin(void **state)
{
    sweep();
    return client_reset(state);
}

static int start_noting(void **state)
{
    stint_notes_start();
    return stint_chunks_start(CHUNKS) || client_start(state);
}

TEST_ONCE(start_noting, NULL)
TEST_EACH(begin, NULL)

TEST(data_of_a_range_are_noted_when_it_ends)
{
    range("Thunk:#hlo_op=a,id=1#", 3);
    range("plain", 4);
    range("Thunk:#hlo_op=b,id=2#", 5);
    sweep();
    assert_int_equal(s_count, 3);
    check(0, "Thunk", "Thunk:#hlo_op=a,id=1#");
    assert_int_equal(s_noted[0].span, 3);
    check(1, "plain", NULL);
    assert_int_equal(s_noted[1].span, 4);
    check(2, "Thunk", "Thunk:#hlo_op=b,id=2#");
    assert_int_equal(s_noted[2].form, STINT_NOTE_SCOPE);
    check_nothing_is_kept();
}

TEST(each_of_nested_ranges_has_its_own)
{
    push("outer#id=1#");
    push("plain");
    push("inner#id=22#");
    push("inner#id=333#");
    pop();
    pop();
    range("inner#id=4444#", 1);
    pop();
    pop();
    sweep();
    assert_int_equal(s_count, 5);
    check(0, "inner", "inner#id=333#");
    check(1, "inner", "inner#id=22#");
    check(2, "inner", "inner#id=4444#");
    check(3, "plain", NULL);
    check(4, "outer", "outer#id=1#");
    check_nothing_is_kept();
}

TEST(ranges_of_domains_may_overlap)
{
    const nvtx_handle one = create("noted one"), two = create("noted two");
    push_in(one, "first#id=1#");
    push_in(two, "second#id=2#");
    pop_in(one);
    push_in(one, "third#id=3#");
    pop_in(two);
    pop_in(one);
    sweep();
    assert_int_equal(s_count, 3);
    check(0, "first", "first#id=1#");
    check(1, "second", "second#id=2#");
    check(2, "third", "third#id=3#");
    check_nothing_is_kept();
}

TEST(a_range_that_ends_around_a_timer_keeps_its_own)
{
    struct stint_i_node *timer;
    push("around#id=1#");
    timer = enter("timer");
    pop();
    range("inside#id=2#", 1);
    stint_i_leave(timer);
    range("after", 1);
    sweep();
    assert_int_equal(s_count, 4);
    check(0, "around", "around#id=1#");
    check(1, "inside", "inside#id=2#");
    check(2, "timer", NULL);
    check(3, "after", NULL);
    check_nothing_is_kept();
}

TEST(every_kind_of_text_is_noted)
{
    const nvtx_handle domain = create("noted kinds");
    const struct stint_nvtx_attributes ascii = text("ascii#id=1#"), wides = wide(L"wide#id=\u00e4#");
    push_attributes(domain, &ascii);
    pop_in(domain);
    push_attributes(domain, &wides);
    pop_in(domain);
    call(STINT_NVTX_CORE, STINT_NVTX_RANGE_PUSH_W, int, (const wchar_t *), (L"wide#id=2#"));
    pop();
    for (int i = 0; i < 2; i++) {
        push_registered(domain, register_text(domain, "registered#id=3#"));
        pop_in(domain);
    }
    mark("mark#id=4#");
    sweep();
    assert_int_equal(s_count, 6);
    check(0, "ascii", "ascii#id=1#");
    check(1, "wide", "wide#id=\xc3\xa4#");
    check(2, "wide", "wide#id=2#");
    check(3, "registered", "registered#id=3#");
    check(4, "registered", "registered#id=3#");
    check(5, "mark", "mark#id=4#");
    assert_int_equal(s_noted[5].form, STINT_NOTE_FLOATING);
    assert_int_equal(of("NVTX:noted kinds", "registered").count, 2);
}

TEST(started_ranges_have_theirs_when_they_end)
{
    char text[2000];
    const nvtx_handle domain = create("noted started");
    uint64_t first = start("first#id=1#"), second = start_in(domain, "second#id=2#"), plain = start("plain");
    memset(text, 'x', sizeof text);
    memcpy(text, "long#id=", 8);
    memcpy(text + sizeof text - 2, "#", 2);
    uint64_t too_long = start(text);
    clock_advance(5);
    end(first);
    end(plain);
    first = start("again#id=33#");
    end(too_long);
    end(second);
    end(first);
    sweep();
    assert_int_equal(s_count, 5);
    check(0, "first", "first#id=1#");
    assert_int_equal(s_noted[0].span, 5);
    assert_int_equal(s_noted[0].form, STINT_NOTE_FLOATING);
    check(1, "plain", NULL);
    check(2, "long", NULL);
    check(3, "second", "second#id=2#");
    check(4, "again", "again#id=33#");
    check_dropped((struct stint_dropped){.truncated = 1});
}

static struct stint_nvtx_attributes looking(const char *name, uint32_t color, uint32_t category)
{
    struct stint_nvtx_attributes attributes = text(name);
    attributes.color_type = color ? STINT_NVTX_COLOR_ARGB : STINT_NVTX_COLOR_NONE;
    attributes.color = color;
    attributes.category = category;
    return attributes;
}

static void check_look(size_t at, const char *name, const char *text, uint32_t color, uint32_t category)
{
    check(at, name, text);
    assert_int_equal(s_noted[at].color, color);
    assert_int_equal(s_noted[at].category, category);
}

TEST(colors_and_categories_are_noted)
{
    const nvtx_handle domain = create("noted looks");
    struct stint_nvtx_attributes green = looking("green", 0xFF00FF00, 0), filed = looking("filed#id=1#", 0, 7);
    struct stint_nvtx_attributes string = looking(NULL, 0xFFFF0000, 9);
    string.text_type = STINT_NVTX_TEXT_REGISTERED;
    string.text.registered = register_text(domain, "registered");
    push_attributes(domain, &green);
    push_attributes(domain, &filed);
    pop_in(domain);
    pop_in(domain);
    for (int i = 0; i < 2; i++) {
        push_attributes(domain, &string);
        clock_advance(3);
        pop_in(domain);
    }
    call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_MARK_EX, void, (const void *, const void *), (domain, &green));
    end(call(STINT_NVTX_CORE2, STINT_NVTX_DOMAIN_RANGE_START_EX, uint64_t, (const void *, const void *),
             (domain, &filed)));
    range("plain", 1);
    sweep();
    assert_int_equal(s_count, 7);
    check_look(0, "filed", "filed#id=1#", 0, 7);
    check_look(1, "green", NULL, 0xFF00FF00, 0);
    check_look(2, "registered", NULL, 0xFFFF0000, 9);
    check_look(3, "registered", NULL, 0xFFFF0000, 9);
    assert_int_equal(s_noted[3].span, 3);
    check_look(4, "green", NULL, 0xFF00FF00, 0);
    check_look(5, "filed", "filed#id=1#", 0, 7);
    check_look(6, "plain", NULL, 0, 0);
    check_nothing_is_kept();
}

TEST(numbers_are_noted)
{
    const nvtx_handle domain = create("noted numbers");
    struct stint_nvtx_attributes attributes = text("step");
    attributes.payload_type = STINT_NVTX_PAYLOAD_F64;
    attributes.payload.f64 = -0.25;
    push_attributes(domain, &attributes);
    pop_in(domain);
    sweep();
    assert_int_equal(s_count, 2);
    check(0, "step", NULL);
    assert_string_equal(s_noted[0].field, "");
    assert_true(s_noted[0].value == -0.25);
    assert_null(s_noted[1].field);
}

TEST(registered_texts_without_data_are_as_fast_as_ever)
{
    const nvtx_handle domain = create("noted plain"), string = register_text(domain, "registered");
    push_registered(domain, string);
    pop_in(domain);
    assert_true(((const struct stint_nvtx_string *)string)->ids[STINT_NVTX_PUSHED] != 0);
    sweep();
    check(0, "registered", NULL);
}

TEST(a_long_text_is_cut_and_counted)
{
    char text[20000];
    memset(text, 'x', sizeof text);
    memcpy(text, "long#id=", 8);
    memcpy(text + sizeof text - 2, "#", 2);
    range(text, 1);
    sweep();
    assert_int_equal(s_count, 1);
    assert_string_equal(s_noted[0].name, "long");
    assert_int_equal(s_noted[0].length, STINT_NOTE_TEXT_MOST);
    assert_memory_equal(s_noted[0].text, text, STINT_NOTE_TEXT_MOST);
    check_dropped((struct stint_dropped){.truncated = 1});
}

TEST(a_text_that_cannot_be_registered_is_its_name)
{
    char text[64];
    nvtx_handle domain = create("noted registers"), handle;
    register_text(domain, "Thunk"); /* as names are, there is room for it before the table is full */
    for (unsigned i = 0; i < STINT_NVTX_MAX_STRINGS; i++) {
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        handle = register_text(domain, text);
    }
    push_registered(domain, handle);
    pop_in(domain);
    sweep();
    check(0, "Thunk", NULL);
}

TEST(texts_of_open_ranges_have_a_bound)
{
    enum {
        LENGTH = 4000,
        FIT = STINT_NVTX_MAX_OPEN_TEXT / (LENGTH + (int)sizeof(struct stint_note_more)),
        ALL = FIT + 3
    };
    char text[LENGTH + 1];

    memset(text, 'x', sizeof text);
    memcpy(text, "open#id=", 8);
    memcpy(text + LENGTH - 1, "#", 2);
    for (int i = 0; i < ALL; i++)
        push(text);
    for (int i = 0; i < ALL; i++)
        pop();
    sweep();
    assert_int_equal(s_count, ALL);
    check(0, "open", NULL);
    check(2, "open", NULL);
    check(3, "open", text);
    check_dropped((struct stint_dropped){.truncated = 3});
    check_nothing_is_kept();
}

enum { THREADS = 4, RANGES = 3000 };
static unsigned s_running;

static void *push_many(void *number)
{
    char text[256];
    for (int i = 0; i < RANGES; i++) {
        snprintf(
            text, sizeof text, "thread#number=%d,id=%d,rest=%.*s#", *(const int *)number, i, i % 200,
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        push(text);
        pop();
    }
    __atomic_fetch_sub(&s_running, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Counts the texts of a chunk, of which each thread's have to come whole and in order. */
static size_t check_chunk(const struct stint_chunk *chunk, int next[THREADS])
{
    const struct stint_i_noted *notes = (const struct stint_i_noted *)(const void *)chunk->rows;
    size_t count = 0;
    for (uint32_t i = chunk->first; i < chunk->count; count++) {
        int number, id;
        s_count = 0;
        i += take_note(&notes[i]);
        assert_int_equal(sscanf(s_noted[0].text, "thread#number=%d,id=%d,", &number, &id), 2);
        assert_int_equal(id, next[number]++);
        assert_int_equal(strlen(s_noted[0].text), s_noted[0].length);
        assert_int_equal(s_noted[0].text[s_noted[0].length - 1], '#');
    }
    return count;
}

static size_t check_chunks(int next[THREADS])
{
    struct stint_chunk *chunk;
    size_t count = 0;
    stint_notes_sweep();
    while ((chunk = stint_chunks_take())) {
        count += check_chunk(chunk, next);
        stint_chunks_give_back(chunk);
    }
    return count;
}

TEST(texts_of_threads_are_whole_whenever_they_are_swept)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], next[THREADS] = {0};
    size_t count = 0;
    s_running = THREADS;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, push_many, &numbers[i]), 0);
    }
    while (__atomic_load_n(&s_running, __ATOMIC_ACQUIRE))
        count += check_chunks(next);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    count += check_chunks(next);
    assert_int_equal(count, THREADS * RANGES);
}
