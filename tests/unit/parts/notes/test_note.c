#include "notes/note.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contexts/contexts.h"
#include "record/fixture.h"
#include "stint_test.h"

enum { CHUNKS = 4, ROWS = sizeof((struct stint_chunk *)0)->rows / sizeof(struct stint_i_noted) };

static struct stint_chunk *s_taken;

static const struct stint_i_noted *rows(void)
{
    return (const struct stint_i_noted *)(void *)s_taken->rows + s_taken->first;
}

static const char *name_of(uint32_t row)
{
    return stint_registry_entry(stint_path_at(rows()[row].path).id)->name;
}

static void give_back(void)
{
    if (s_taken)
        stint_chunks_give_back(s_taken);
    s_taken = NULL;
}

/* Returns how many rows the next chunk that was handed over has; 0: there is none. */
static uint32_t take_next(void)
{
    give_back();
    s_taken = stint_chunks_take();
    return s_taken ? s_taken->count - s_taken->first : 0;
}

static uint32_t sweep(void)
{
    stint_notes_sweep();
    return take_next();
}

static int begin(void **state)
{
    while (sweep())
        continue;
    return fixture_reset(state);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static int start(void **state)
{
    if (stint_chunks_start(CHUNKS))
        return -1;
    stint_notes_start();
    return fixture_start(state);
}

TEST_ONCE(start, NULL)
TEST_EACH(begin, NULL)

TEST(an_activation_is_noted_with_its_path_and_time)
{
    const uint64_t start = clock_now();
    run("noted", 30);
    assert_int_equal(sweep(), 1);
    assert_string_equal(name_of(0), "noted");
    assert_int_equal(stint_path_at(rows()[0].path).parent, STINT_PATH_ROOT);
    assert_int_equal(rows()[0].start, start);
    assert_int_equal(rows()[0].span, 30);
    assert_int_equal(rows()[0].form, 0);
    assert_int_equal(s_taken->kind, STINT_CHUNK_NOTES);
    assert_int_equal(s_taken->tid, getpid());
}

TEST(inner_scopes_end_first_and_know_their_outer_one)
{
    struct stint_i_node *outer = enter("noted outer");
    run("noted inner", 5);
    stint_i_leave(outer);
    assert_int_equal(sweep(), 2);
    assert_string_equal(name_of(0), "noted inner");
    assert_string_equal(name_of(1), "noted outer");
    assert_int_equal(stint_path_at(rows()[0].path).parent, rows()[1].path);
}

TEST(a_timers_sample_floats)
{
    const uint64_t start = clock_now();
    struct stint_timer timer;
    assert_int_equal(stint_scope_timer_start(&timer, "noted timer", NULL), STINT_OK);
    clock_advance(70);
    assert_int_equal(stint_scope_timer_stop(&timer), STINT_OK);
    assert_int_equal(sweep(), 1);
    assert_int_equal(rows()[0].form, 1);
    assert_int_equal(rows()[0].start, start);
    assert_int_equal(rows()[0].span, 70);
    assert_int_equal(stint_path_at(rows()[0].path).parent, STINT_PATH_ROOT);
}

TEST(a_sample_without_a_beginning_is_not_noted)
{
    assert_int_equal(stint_scope_add(NULL, "noted sample", 70), STINT_OK);
    assert_int_equal(sweep(), 0);
}

TEST(calls_are_not_noted)
{
    stint_call_leave(stint_call_enter(stint_call_id("cudaNoted")));
    assert_int_equal(sweep(), 0);
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* Notes an activation of "noted text" that took 3 ticks, with a text of that length. */
static void note_text(uint32_t length)
{
    struct stint_thread_record *record = stint_thread_self();
    char text[STINT_NOTE_TEXT_MOST];
    struct stint_i_node *node = enter("noted text");
    for (uint32_t i = 0; i < length; i++)
        text[i] = (char)('a' + i % 26);
    stint_note_more(&record->tree, node, 40, 3, STINT_NOTE_FLOATING,
                    &(struct stint_note_more){.length = length, .text = text});
    stint_end_unnoted(&record->tree.hot, node, 3, 0);
}

static void check_text(uint32_t row, uint32_t length)
{
    const struct stint_i_noted *note = &rows()[row];
    assert_string_equal(name_of(row), "noted text");
    assert_int_equal(note->start, 40);
    assert_int_equal(note->span, 3);
    assert_int_equal(note->form & 1, STINT_NOTE_FLOATING);
    assert_int_equal(stint_note_text_length(note), length);
    for (uint32_t i = 0; i < length; i++) {
        const char *bytes = (const char *)(note + 1 + i / STINT_NOTE_TEXT_BYTES);
        assert_int_equal(bytes[i % STINT_NOTE_TEXT_BYTES], 'a' + i % 26);
    }
}

TEST(a_text_is_in_the_rows_after_its_note)
{
    static const uint32_t lengths[] = {1, 19, 20, 21, 40, STINT_NOTE_TEXT_MOST};
    for (size_t i = 0; i < TEST_COUNT(lengths); i++) {
        note_text(lengths[i]);
        run("noted after", 1);
        assert_int_equal(sweep(), 2 + stint_note_text_rows(lengths[i]));
        check_text(0, lengths[i]);
        assert_string_equal(name_of(1 + stint_note_text_rows(lengths[i])), "noted after");
    }
}

TEST(a_text_is_never_in_two_chunks)
{
    do
        run("noted before", 1);
    while (!stint_chunks_waiting());
    for (uint32_t i = 0; i < ROWS - 10; i++)
        run("noted before", 1);
    assert_int_equal(stint_chunks_waiting(), 1);
    note_text(400);
    assert_int_equal(stint_chunks_waiting(), 2);
    (void)take_next();
    assert_true(take_next() < ROWS);
    assert_int_equal(sweep(), 1 + stint_note_text_rows(400));
    check_text(0, 400);
}

/* -------------------------------------------------------------------------------------------------------- hand over */

TEST(each_is_handed_over_once)
{
    run("noted first", 1);
    assert_int_equal(sweep(), 1);
    assert_int_equal(sweep(), 0);
    run("noted second", 1);
    assert_int_equal(sweep(), 1);
    assert_string_equal(name_of(0), "noted second");
}

TEST(a_full_chunk_is_handed_over_by_its_thread)
{
    run("noted often", 1);
    (void)sweep();
    for (uint32_t i = 0; i <= ROWS; ++i)
        run("noted often", 1);
    assert_true(stint_chunks_waiting() > 0);
    struct stint_chunk *first = stint_chunks_take();
    assert_true(first->count > first->first && first->count <= ROWS);
    assert_int_equal(first->count - first->first + sweep(), ROWS + 1);
    stint_chunks_give_back(first);
}

static void *run_noted(void *tid)
{
    run("noted elsewhere", 4);
    *(int64_t *)tid = gettid();
    return NULL;
}

TEST(what_runs_is_handed_over_as_if_it_ended)
{
    struct stint_i_node *const outer = enter("noted outer"), *const inner = enter("noted inner");
    clock_advance(9);
    stint_notes_sweep_running();
    assert_int_equal(take_next(), 2);
    assert_string_equal(name_of(0), "noted inner");
    assert_int_equal(rows()[0].span, 9);
    assert_string_equal(name_of(1), "noted outer");
    stint_i_leave(inner);
    stint_i_leave(outer);
}

TEST(a_call_that_runs_is_not_handed_over)
{
    struct stint_i_node *const node = stint_call_enter(stint_call_id("cudaNoted"));
    stint_notes_sweep_running();
    assert_int_equal(take_next(), 0);
    stint_call_leave(node);
}

TEST(a_thread_hands_over_its_notes_when_it_ends)
{
    int64_t tid;
    in_thread(run_noted, &tid);
    assert_int_equal(take_next(), 1);
    assert_string_equal(name_of(0), "noted elsewhere");
    assert_int_equal(s_taken->tid, tid);
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

static uint64_t count_all(void)
{
    uint64_t sum = 0;
    for (uint32_t count; (count = sweep());)
        sum += count;
    return sum;
}

TEST(what_finds_no_chunk_is_counted)
{
    const uint64_t made = (CHUNKS + 1) * (uint64_t)ROWS;
    for (uint64_t i = 0; i < made; ++i)
        run("noted too often", 1);
    assert_true(stint_dropped.events > 0);
    assert_int_equal(count_all() + stint_dropped.events, made);
}

TEST(noting_goes_on_when_chunks_are_free_again)
{
    for (uint64_t i = 0; i < (CHUNKS + 1) * (uint64_t)ROWS; ++i)
        run("noted too often", 1);
    (void)count_all();
    stint_dropped.events = 0;
    run("noted again", 1);
    assert_int_equal(stint_dropped.events, 0);
    assert_int_equal(sweep(), 1);
}

TEST(a_handler_that_interrupts_noting_is_counted)
{
    run("noted before", 1);
    stint_i_self->noting = 1;
    run("noted in a handler", 1);
    stint_i_self->noting = 0;
    assert_int_equal(stint_dropped.events, 1);
    assert_int_equal(sweep(), 1);
    assert_string_equal(name_of(0), "noted before");
}

TEST(a_full_chunk_stays_while_a_handler_runs_inside_of_stint)
{
    run("noted before", 1);
    (void)sweep();
    while (stint_i_self->noted != stint_i_self->noted_limit)
        run("noted before", 1);
    assert_int_equal(stint_guard_begin(), 1);
    stint_note(stint_i_self, stint_i_self->current, 1, 1, 0);
    stint_guard_end();
    assert_int_equal(stint_dropped.events, 1);
    assert_int_equal(stint_chunks_waiting(), 0);
}

/* ------------------------------------------------------------------------------------------------------------- fork */

static int is_right_in_child(void)
{
    stint_thread_after_fork();
    stint_notes_after_fork();
    if (sweep())
        return 0;
    run("noted by the child", 1);
    return sweep() == 1 && s_taken->tid == getpid() && strcmp(name_of(0), "noted by the child") == 0;
}

TEST(a_forked_child_notes_its_own)
{
    int status;
    run("noted by the parent", 1);
    pid_t child = fork();
    if (!child)
        _exit(is_right_in_child() ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(sweep(), 1);
}
