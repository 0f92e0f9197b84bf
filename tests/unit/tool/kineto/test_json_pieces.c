#include "kineto/kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"

static char s_path[] = "/tmp/stint_pieces_XXXXXX";
static struct stint_json_pieces s_pieces;
static struct stint_json_piece s_piece;

static void remove_file(void)
{
    unlink(s_path);
}

static void begin_file(void)
{
    static int s_made;
    if (!s_made) {
        int file = mkstemp(s_path);
        assert_true(file >= 0);
        close(file);
        atexit(remove_file);
        s_made = 1;
    }
    assert_int_equal(truncate(s_path, 0), 0);
}

static void add(const char *text)
{
    FILE *file = fopen(s_path, "ae");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void open_text(const char *text)
{
    begin_file();
    add(text);
    assert_int_equal(stint_json_pieces_open(&s_pieces, s_path, "events"), 0);
}

static int close_file(void **state)
{
    stint_json_pieces_close(&s_pieces);
    return 0;
}

static void assert_piece(const char *key, const char *text, int is_elements)
{
    assert_int_equal(stint_json_pieces_next(&s_pieces, &s_piece), 1);
    assert_string_equal(s_piece.text, text);
    assert_int_equal(s_piece.length, strlen(text));
    assert_int_equal(s_piece.is_elements, is_elements);
    assert_string_equal(s_piece.key, key);
}

static void assert_end(void)
{
    assert_int_equal(stint_json_pieces_next(&s_pieces, &s_piece), 0);
    assert_int_equal(stint_json_pieces_next(&s_pieces, &s_piece), 0);
}

/* The elements are taken one by one, by their closing braces, as far as they are there. */
static int take_elements(void)
{
    int count = 0;
    size_t whole = 0;
    for (const char *at = s_piece.text; (at = strchr(at, '}')); at++) {
        whole = (size_t)(at + 1 - s_piece.text);
        count++;
        if (at[1] == ']')
            break;
    }
    int has_ended = s_piece.text[whole] == ']';
    stint_json_pieces_take(&s_pieces, whole + (size_t)has_ended, has_ended);
    return count;
}

/* Reads to the end, which has to be a failure. */
static void assert_fails(const char *reason, size_t line)
{
    int more;
    while ((more = stint_json_pieces_next(&s_pieces, &s_piece)) > 0)
        if (s_piece.is_elements)
            (void)take_elements();
    assert_int_equal(more, -1);
    assert_string_equal(s_pieces.reason, reason);
    assert_int_equal(s_pieces.line, line);
}

TEST_EACH(NULL, close_file)

TEST(members_come_one_by_one_and_elements_as_they_are)
{
    open_text("{\"a\": 1, \"b\" :[1, {\"c\": \"]}\"}] ,\n\"events\": [{\"x\": \"\\\"],\"}, 2\n,3], \"z\": \"q\"}\n");
    assert_piece("a", "1", 0);
    assert_piece("b", "[1, {\"c\": \"]}\"}]", 0);
    assert_int_equal(s_piece.line, 1);
    assert_piece("events", "{\"x\": \"\\\"],\"}, 2\n,3], \"z\": \"q\"}\n", 1);
    assert_int_equal(s_piece.line, 2);
    stint_json_pieces_take(&s_pieces, 14, 0);
    assert_piece("events", " 2\n,3], \"z\": \"q\"}\n", 1);
    assert_true(s_piece.is_last);
    stint_json_pieces_take(&s_pieces, 6, 1);
    assert_piece("z", "\"q\"", 0);
    assert_int_equal(s_piece.line, 3);
    assert_end();
}

TEST(empty_lists_are_read)
{
    open_text(" { } ");
    assert_end();
    close_file(state);
    open_text("{\"events\": [ ], \"events\": {}}");
    assert_piece("events", " ], \"events\": {}}", 1);
    stint_json_pieces_take(&s_pieces, 2, 1);
    assert_piece("events", "{}", 0);
    assert_end();
}

/* It need not be closed. */
TEST(the_file_may_be_a_list)
{
    static const char *const ends[] = {"]", "", ",\n", "] "};
    for (size_t i = 0; i < TEST_COUNT(ends); i++) {
        char text[100];
        snprintf(text, sizeof text, "\xef\xbb\xbf [{\"n\": 1}%s", ends[i]);
        open_text(text);
        assert_int_equal(stint_json_pieces_next(&s_pieces, &s_piece), 1);
        assert_string_equal(s_piece.key, "");
        assert_int_equal(take_elements(), 1);
        while (stint_json_pieces_next(&s_pieces, &s_piece) == 1)
            stint_json_pieces_take(&s_pieces, strspn(s_piece.text, ", \n"), 0);
        assert_string_equal(s_pieces.reason, "");
        close_file(state);
    }
    open_text("[{\"n\": 1}, {\"n");
    assert_fails("the file ends here, within the list: the rest is missing", 1);
}

/* Elements of all lengths, so that each part of one is at the end of what is in memory some time. */
TEST(a_large_file_is_read_element_by_element)
{
    enum { ELEMENTS = 4000 };
    char *text = calloc(1, ELEMENTS * 2000);
    size_t used = 0, numbers = 0, letters = 0, wanted = 0, line = 1;
    assert_non_null(text);
    used += (size_t)sprintf(text, "{\"events\":\n[");
    for (int i = 0; i < ELEMENTS; i++) {
        int length = i * 7 % 1500;
        used += (size_t)sprintf(text + used, "%s{\"n\": [%d], \"t\": \"%*s\"}", i ? "\n,\n" : "", i, length, "x");
        wanted += (size_t)i;
    }
    (void)sprintf(text + used, "], \"rest\": 12}");
    open_text(text);
    free(text);
    while (stint_json_pieces_next(&s_pieces, &s_piece) == 1 && s_piece.is_elements) {
        size_t whole = s_piece.length;
        while (whole && !strchr("}]", s_piece.text[whole - 1]))
            whole--;
        char *end = strstr(s_piece.text, "], \"rest\"");
        whole = end ? (size_t)(end + 1 - s_piece.text) : whole;
        char *copy = strndup(s_piece.text, whole);
        assert_non_null(copy);
        assert_true(s_piece.line >= line);
        line = s_piece.line;
        for (const char *at = copy; (at = strstr(at, "{\"n\": [")); at++) {
            const char *close = strchr(at, '}');
            if (!close) {
                whole = (size_t)(at - copy);
                break;
            }
            numbers += (size_t)strtol(at + 7, NULL, 10);
            letters++;
        }
        free(copy);
        stint_json_pieces_take(&s_pieces, whole, end != NULL);
    }
    assert_true(line > 1000); /* there were several pieces */
    assert_int_equal(numbers, wanted);
    assert_int_equal(letters, ELEMENTS);
    assert_string_equal(s_piece.text, "12");
    assert_end();
}

TEST(what_is_complete_in_a_cut_file_is_read)
{
    static const char whole[] = "{\"a\": 1,\n\"events\": [{\"n\": 1},\n{\"n\": 2}]}";
    static const char reason[] = "the file ends here, within the list: the rest is missing";
    open_text("{\"a\": 1,\n\"events\": [{\"n\": 1},\n{\"n\": ");
    assert_piece("a", "1", 0);
    assert_piece("events", "{\"n\": 1},\n{\"n\": ", 1);
    assert_int_equal(take_elements(), 1);
    assert_fails(reason, 2);
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char text[sizeof whole];
        int count = 0;
        close_file(state);
        memcpy(text, whole, length);
        text[length] = '\0';
        open_text(text);
        while (stint_json_pieces_next(&s_pieces, &s_piece) > 0)
            if (s_piece.is_elements)
                count += take_elements();
        assert_true(*s_pieces.reason);
        assert_int_equal(count, (length >= 28) + (length >= 38));
    }
}

TEST(what_is_no_object_is_refused)
{
    open_text("1");
    assert_fails("expected an object", 1);
    close_file(state);
    open_text("{\"a\": 1\n\"b\": 2}");
    assert_fails("expected ','", 2);
    close_file(state);
    open_text("{\"a\" 1}");
    assert_fails("expected ':'", 1);
    close_file(state);
    open_text("{a: 1}");
    assert_fails("expected a member's name", 1);
}

TEST(a_value_larger_than_memory_should_be_is_refused)
{
    enum { SIZE = 1 << 20, TIMES = 65 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, 'x', SIZE);
    text[SIZE] = '\0';
    begin_file();
    add("{\"events\": [\"");
    for (int i = 0; i < TIMES; i++)
        add(text);
    free(text);
    assert_int_equal(stint_json_pieces_open(&s_pieces, s_path, "events"), 0);
    assert_fails("a value is longer than 64 MiB", 1);
}

TEST(what_is_no_file_is_refused)
{
    assert_int_equal(stint_json_pieces_open(&s_pieces, "/nonexistent", "events"), -1);
    assert_string_equal(s_pieces.reason, "No such file or directory");
    close_file(state);
    assert_int_equal(stint_json_pieces_open(&s_pieces, "/dev/zero", "events"), -1);
    assert_string_equal(s_pieces.reason, "Invalid argument");
}
