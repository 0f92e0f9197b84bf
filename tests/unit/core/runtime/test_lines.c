#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "captured_log.h"
#include "memory.h"
#include "stint_test.h"

/* --------------------------------------------------------------------------------------------------------- prefixer */

static char s_text[8192];

/* Writes the pieces through a prefixer, and returns what came out. */
static const char *prefix(const char *const *pieces, size_t count)
{
    struct stint_prefixer prefixer = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    prefixer.fd = ends[1];
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(stint_prefixer_write(&prefixer, pieces[i], strlen(pieces[i])), 0);
    close(ends[1]);
    ssize_t length = read(ends[0], s_text, sizeof s_text - 1);
    close(ends[0]);
    assert_true(length >= 0);
    s_text[length] = '\0';
    return s_text;
}

/* Returns the message of the line at `text`, behind its prefix: "I0101 hh:mm:ss.uuuuuu tid file:line] ". */
static const char *message_of(const char *text)
{
    const char *end = strstr(text, "] ");
    assert_int_equal(*text, 'I');
    assert_non_null(end);
    assert_non_null(strstr(text, "lines.c:"));
    assert_true(end < text + strcspn(text, "\n"));
    return end + 2;
}

static void assert_two_lines(const char *text)
{
    const char *second = strchr(text, '\n') + 1;
    assert_int_equal(strncmp(message_of(text), "first\n", 6), 0);
    assert_string_equal(message_of(second), "second\n");
}

TEST(every_line_has_a_prefix)
{
    static const char *const whole[] = {"first\nsecond\n"};
    static const char *const lines[] = {"first\n", "second\n"};
    static const char *const parts[] = {"fi", "rst\nsec", "ond", "\n"};
    static const char *const letters[] = {"f", "i", "r", "s", "t", "\n", "", "s", "e", "c", "o", "n", "d", "\n"};
    assert_two_lines(prefix(whole, TEST_COUNT(whole)));
    assert_two_lines(prefix(lines, TEST_COUNT(lines)));
    assert_two_lines(prefix(parts, TEST_COUNT(parts)));
    assert_two_lines(prefix(letters, TEST_COUNT(letters)));
}

TEST(empty_lines_have_one_too)
{
    static const char *const text[] = {"\n\n"};
    const char *first = prefix(text, 1);
    const char *second = strchr(first, '\n') + 1;
    assert_int_equal(*message_of(first), '\n');
    assert_string_equal(message_of(second), "\n");
}

TEST(nothing_is_nothing)
{
    static const char *const text[] = {"", ""};
    assert_string_equal(prefix(text, 2), "");
}

TEST(last_line_needs_no_end)
{
    static const char *const text[] = {"begun"};
    assert_string_equal(message_of(prefix(text, 1)), "begun");
}

TEST(failing_descriptor_is_reported)
{
    struct stint_prefixer prefixer = {open("/dev/full", O_WRONLY), 0};
    assert_int_equal(stint_prefixer_write(&prefixer, "x\n", 2), -1);
    assert_int_equal(errno, ENOSPC);
    close(prefixer.fd);
    assert_int_equal(stint_prefixer_write(&prefixer, "x\n", 2), -1);
    assert_int_equal(errno, EBADF);
}

/* ------------------------------------------------------------------------------------------------------------ liner */

static int put(struct stint_liner *liner, const char *text)
{
    return stint_liner_write(liner, text, strlen(text));
}

TEST(log_gets_whole_lines)
{
    struct stint_liner liner = {0};
    captured_log_begin();
    assert_int_equal(put(&liner, "fi"), 0);
    assert_int_equal(captured_log.lines, 0);
    assert_int_equal(put(&liner, "rst\nsec"), 0);
    assert_int_equal(captured_log.lines, 1);
    assert_string_equal(captured_log.message, "first");
    assert_int_equal(captured_log.level, STINT_LOG_INFO);
    assert_int_equal(put(&liner, "ond\n"), 0);
    assert_int_equal(captured_log.lines, 2);
    assert_string_equal(captured_log.message, "second");
    assert_int_equal(put(&liner, ""), 0);
    assert_int_equal(put(&liner, "\n"), 0);
    assert_int_equal(captured_log.lines, 3);
    assert_string_equal(captured_log.message, "");
    stint_arena_free(&liner.arena);
}

TEST(several_lines_at_once_are_as_many)
{
    struct stint_liner liner = {0};
    captured_log_begin();
    assert_int_equal(put(&liner, "a\nb\n\nc\nrest"), 0);
    assert_int_equal(captured_log.lines, 4);
    assert_string_equal(captured_log.message, "c");
    stint_arena_free(&liner.arena);
}

static size_t s_longest;

static void measure(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    const size_t length = strlen(message);
    (void)context, (void)level, (void)file, (void)line;
    assert_int_equal(strspn(message, "x"), length);
    s_longest = length > s_longest ? length : s_longest;
}

/* Of every length around those at which the room is doubled, in pieces and at once. */
TEST(lines_of_any_length_stay_whole)
{
    static char line[9000];
    stint_log_set_sink(measure, NULL);
    for (size_t length = 1; length < sizeof line - 1; length += length < 600 ? 1 : 613) {
        struct stint_liner liner = {0};
        memset(line, 'x', length);
        line[length] = '\n';
        s_longest = 0;
        assert_int_equal(stint_liner_write(&liner, line, length + 1), 0);
        assert_int_equal(s_longest, length);
        s_longest = 0;
        for (size_t i = 0; i <= length; i += 100)
            assert_int_equal(stint_liner_write(&liner, line + i, i + 100 <= length ? 100 : length + 1 - i), 0);
        assert_int_equal(s_longest, length);
        stint_arena_free(&liner.arena);
    }
}

TEST(without_memory_it_gives_up)
{
    struct stint_liner liner = {0};
    captured_log_begin();
    memory_fail_after(0);
    errno = 0;
    assert_int_equal(put(&liner, "line\n"), -1);
    assert_int_equal(errno, ENOMEM);
    memory_recover();
    assert_int_equal(captured_log.lines, 0);
    assert_int_equal(put(&liner, "line\n"), 0);
    assert_string_equal(captured_log.message, "line");
    stint_arena_free(&liner.arena);
}

/* What did not fit is lost, what was there before is not. */
TEST(without_memory_for_more_it_keeps_what_it_has)
{
    static char line[100000];
    struct stint_liner liner = {0};
    captured_log_begin();
    memset(line, 'x', sizeof line - 1);
    assert_int_equal(put(&liner, "begun "), 0);
    memory_fail_after(0);
    assert_int_equal(put(&liner, line), -1);
    memory_recover();
    assert_int_equal(put(&liner, "ended\n"), 0);
    assert_string_equal(captured_log.message, "begun ended");
    stint_arena_free(&liner.arena);
}

TEST(memory_is_given_back)
{
    const size_t before = memory_mapped();
    struct stint_liner liner = {0};
    static char line[50000];
    captured_log_begin();
    memset(line, 'x', sizeof line - 1);
    assert_int_equal(put(&liner, line), 0);
    assert_true(memory_mapped() > before);
    stint_arena_free(&liner.arena);
    assert_int_equal(memory_mapped(), before);
}
