/* Frames of Python in a chain of calls: src/parts/sample/python_frames.c, with an interpreter of each version made up
 * in this process' memory. */
#include "sample/python.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

enum { LOOP = 0x5000, OTHER = 0x9000, FUNCTIONS = 4, FRAMES = 700, FRAME_SIZE = 128, TEXT_SIZE = 128 };

static uint64_t s_code_type, s_text_type;
static uint64_t s_state[32], s_records[FUNCTIONS][8];
static unsigned char s_frames[FRAMES][FRAME_SIZE] __attribute__((aligned(8)));
static unsigned char s_codes[FUNCTIONS][STINT_PYTHON_CODE] __attribute__((aligned(8)));
static unsigned char s_texts[FUNCTIONS + 1][TEXT_SIZE] __attribute__((aligned(8)));
static struct stint_interpreter s_interpreter;
static struct stint_python *s_room;
static struct stint_walk s_walk;
static size_t s_frame_count;

static void put(void *object, size_t offset, uint64_t value, size_t size)
{
    memcpy((unsigned char *)object + offset, &value, size);
}

static void put_text(unsigned char *object, const char *text)
{
    enum { ASCII = 0x64 };
    put(object, 8, (uintptr_t)&s_text_type, 8);
    put(object, 16, strlen(text), 8);
    put(object, 32, ASCII, 4);
    memcpy(object + s_interpreter.layout->ascii, text, strlen(text));
}

/* Functions a, b, c and d, in lines 10, 20, 30 and 40. */
static void begin(unsigned minor)
{
    memset(s_state, 0, sizeof s_state);
    memset(s_records, 0, sizeof s_records);
    memset(s_frames, 0, sizeof s_frames);
    s_frame_count = 0;
    s_interpreter = (struct stint_interpreter){.layout = stint_python_layout_of(minor),
                                               .code_type = (uintptr_t)&s_code_type,
                                               .text_type = (uintptr_t)&s_text_type,
                                               .loop = LOOP,
                                               .loop_end = LOOP + 0x1000};
    put_text(s_texts[FUNCTIONS], "/a/x.py");
    for (size_t i = 0; i < FUNCTIONS; i++) {
        put_text(s_texts[i], (const char[]){(char)('a' + i), '\0'});
        put(s_codes[i], 8, (uintptr_t)&s_code_type, 8);
        put(s_codes[i], s_interpreter.layout->file, (uintptr_t)s_texts[FUNCTIONS], 8);
        put(s_codes[i], s_interpreter.layout->name, (uintptr_t)s_texts[i], 8);
        put(s_codes[i], s_interpreter.layout->line, 10 * (i + 1), 4);
    }
    s_walk = (struct stint_walk){.page = STINT_WALK_NO_PAGE};
}

/* Adds a frame further out, and links the one before to it. */
static unsigned char *add_frame(size_t function)
{
    unsigned char *frame = s_frames[s_frame_count++];
    if (s_frame_count > 1)
        put(s_frames[s_frame_count - 2], s_interpreter.layout->previous, (uintptr_t)frame, 8);
    put(frame, s_interpreter.layout->code, (uintptr_t)s_codes[function], 8);
    return frame;
}

/* The frames since the last call belong to one that is the `call`th from inside. Returns an address in its frame. */
static uint64_t end_call(size_t call)
{
    const struct stint_python_layout *layout = s_interpreter.layout;
    uint64_t record = (uintptr_t)s_records[call];
    unsigned char *last = s_frames[s_frame_count - 1];
    if (layout->kind == STINT_PYTHON_OWN)
        return 0;
    if (layout->kind == STINT_PYTHON_ENTRY)
        last = add_frame(0);
    put(last, layout->mark, layout->begins, 1);
    if (call)
        put(s_records[call - 1], layout->record_previous, record, 8);
    return layout->kind == STINT_PYTHON_ENTRY ? (uintptr_t)last : record;
}

static void end_state(void)
{
    const struct stint_python_layout *layout = s_interpreter.layout;
    uint64_t first = (uintptr_t)s_frames[0], record = (uintptr_t)s_records[0];
    put(s_state, layout->top, layout->record_previous ? record : first, 8);
    if (layout->record_previous)
        put(s_records[0], layout->record_frame, first, 8);
}

static void add_place(uint64_t address, uint64_t sp)
{
    s_walk.frames[s_walk.count++] = (struct stint_walk_frame){address, sp, 1};
}

static enum stint_walk_end merge(enum stint_walk_end end)
{
    return stint_python_merge(&s_room, &s_walk, end, (uintptr_t)s_state, &s_interpreter);
}

/* The chain in words: functions of Python by name, others by their addresses. */
static const char *chain(void)
{
    static char text[4096];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s_walk.count && used < sizeof text - 100; i++) {
        const struct stint_walk_frame *frame = &s_walk.frames[i];
        used += (size_t)(frame->module < STINT_PYTHON_FIRST
                             ? snprintf(text + used, 100, "%s%llx", i ? " " : "", (unsigned long long)frame->address)
                             : snprintf(text + used, 100, "%s%s", i ? " " : "", stint_python_function(frame->module)));
    }
    return text;
}

static int start(void **state)
{
    (void)state;
    return stint_python_names_start();
}

TEST_ONCE(start, NULL)

TEST(versions_that_are_not_known_have_no_layout)
{
    assert_null(stint_python_layout_of(8));
    assert_null(stint_python_layout_of(14));
}

/* From 3.11 on one call runs several frames. */
TEST(functions_take_the_place_of_the_loop_that_runs_them)
{
    for (unsigned minor = 11; minor <= 13; minor++) {
        begin(minor);
        add_frame(0);
        add_frame(1);
        uint64_t inner = end_call(0);
        add_frame(2);
        uint64_t outer = end_call(1);
        end_state();
        uint64_t low = inner < outer ? inner : outer, high = inner < outer ? outer : inner;
        assert_true(low == inner); /* as on a stack */
        add_place(OTHER, low - 64);
        add_place(LOOP + 1, low - 8);
        add_place(OTHER + 1, low + 8);
        add_place(LOOP + 2, high);
        add_place(OTHER + 2, high + 8);
        assert_int_equal(merge(STINT_WALK_WHOLE), STINT_WALK_WHOLE);
        assert_string_equal(chain(), "9000 /a/x.py:10 a /a/x.py:20 b 9001 /a/x.py:30 c 9002");
    }
}

TEST(before_each_frame_has_a_call_and_the_innermost_may_have_none_yet)
{
    for (unsigned minor = 9; minor <= 10; minor++) {
        begin(minor);
        add_frame(0);
        add_frame(1);
        end_state();
        add_place(LOOP + 1, 0);
        add_place(LOOP + 2, 0);
        add_place(OTHER, 0);
        add_place(LOOP + 3, 0);
        assert_int_equal(merge(STINT_WALK_WHOLE), STINT_WALK_WHOLE);
        assert_string_equal(chain(), "5001 /a/x.py:10 a 9000 /a/x.py:20 b");
    }
}

TEST(where_the_outermost_calls_are_missing_the_innermost_have_their_functions)
{
    begin(9);
    add_frame(0);
    add_frame(1);
    add_frame(2);
    end_state();
    add_place(OTHER, 0);
    add_place(LOOP + 1, 0);
    assert_int_equal(merge(STINT_WALK_CUT), STINT_WALK_CUT);
    assert_string_equal(chain(), "9000 /a/x.py:10 a");
}

/* Nothing is read that is not there, and nothing is said that is not known. */
TEST(what_cannot_be_read_leaves_the_chain_as_it_is)
{
    for (unsigned minor = 9; minor <= 13; minor++) {
        static const uint64_t bad[] = {8, 12345, UINT64_MAX - 7, UINT64_C(1) << 63};
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            begin(minor);
            add_frame(0);
            uint64_t home = end_call(0);
            end_state();
            if (i % 2)
                put(s_frames[0], s_interpreter.layout->code, bad[i], 8);
            else
                put(s_state, s_interpreter.layout->top, bad[i], 8);
            add_place(LOOP + 1, home - (home ? 8 : 0));
            assert_int_equal(merge(STINT_WALK_WHOLE), STINT_WALK_WHOLE);
            assert_string_equal(chain(), "5001");
        }
    }
}

TEST(frames_that_form_a_ring_end)
{
    begin(11);
    add_frame(0);
    put(s_frames[0], s_interpreter.layout->previous, (uintptr_t)s_frames[0], 8);
    end_state();
    add_place(LOOP + 1, 0);
    assert_int_equal(merge(STINT_WALK_WHOLE), STINT_WALK_WHOLE);
    assert_string_equal(chain(), "5001");
}

TEST(of_more_frames_than_are_kept_the_outermost_are_missing)
{
    begin(12);
    for (int i = 0; i < FRAMES - 1; i++)
        add_frame((size_t)i % FUNCTIONS);
    uint64_t home = end_call(0);
    end_state();
    add_place(OTHER, home - 64);
    add_place(LOOP, home - 8);
    add_place(OTHER + 1, home + 8);
    assert_int_equal(merge(STINT_WALK_WHOLE), STINT_WALK_DEEP);
    assert_int_equal(s_walk.count, STINT_WALK_FRAMES);
    assert_int_equal(s_walk.frames[0].address, OTHER);
    for (size_t i = 1; i < s_walk.count; i++)
        assert_int_equal(s_walk.frames[i].module, s_walk.frames[1 + (i - 1) % FUNCTIONS].module);
}

TEST(a_thread_without_a_state_has_none)
{
    begin(13);
    add_place(LOOP, 0);
    assert_int_equal(stint_python_merge(&s_room, &s_walk, STINT_WALK_CUT, 0, &s_interpreter), STINT_WALK_CUT);
    assert_string_equal(chain(), "5000");
    stint_python_look(); /* this program has none */
    assert_null(stint_python_interpreter());
    assert_int_equal(stint_python_state(), 0);
}
