/* Reports on a terminal: no line is wider than the terminal; colour is used only where it is wanted. */
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

/* Names of all kinds, losses, recursion, a running scope: every line that a report can have. */
static void recurse(int depth)
{
    STINT_SCOPE("recursion");
    if (depth)
        recurse(depth - 1);
}

MODE(prints_all_kinds)
{
    static char huge[3000];
    struct stint_timer never = STINT_TIMER_INIT;
    STINT_SCOPE("running");

    memset(huge, 'h', sizeof huge - 1);
    scopes("a", 100000);
    scopes(huge, 1);
    scopes("a name with blanks, of about the length that people give to names of scopes if nobody stops them", 3);
    scopes("日本語の名前がここにあり、とても長いので切り取られるはずです。日本語の名前がここにあり", 2);
    scopes("line\nbreak\ttab \033[31m red", 2);
    scopes("\xff\xfe broken", 1);
    scopes("", 1);
    scopes(NULL, 1);
    recurse(3);
    (void)stint_timer_stop(&never);
    (void)stint_statset_add(stint_statset_get("a set"), "an hour", UINT64_C(3600000000000));
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

#define TO_STDERR "STINT_OUTPUT="

/* Runs the mode on a terminal of that width, and returns what was displayed. */
static const char *show(unsigned short columns, const char *report, const char *change)
{
    static char text[1 << 20];
    const struct winsize size = {.ws_row = 25, .ws_col = columns};
    int master, slave;
    size_t used = 0;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
    fcntl(master, F_SETFD, FD_CLOEXEC);
    redirect_next(STDERR_FILENO, slave);
    struct child child = begin("prints_all_kinds", TO_STDERR, report, "TERM=xterm", change, NULL);
    close(slave);
    for (ssize_t length; used < sizeof text - 1; used += (size_t)length)
        if ((length = read(master, text + used, sizeof text - 1 - used)) <= 0) /* EIO once the other side is closed */
            break;
    text[used] = '\0';
    close(master);
    struct result result = finish(&child);
    assert_exit(&result, 0);
    assert_true(used > 200);
    return text;
}

/* Returns where the character at `text` ends, and adds its width in columns: 0 for an escape sequence. */
static const char *skip_character(const char *text, unsigned *columns)
{
    uint32_t code;
    if (!strncmp(text, "\033[", 2)) {
        text += strcspn(text, "m");
        return text + (*text == 'm');
    }
    size_t length = stint_utf8_read(text, &code);
    *columns += code == STINT_UTF8_INVALID ? 1 : stint_utf8_columns(code);
    return text + length;
}

/* The terminal sends a carriage return with every newline. */
static unsigned widest_line(const char *text)
{
    unsigned widest = 0, columns = 0;
    while (*text) {
        if (*text == '\n' || *text == '\r') {
            columns = 0;
            ++text;
            continue;
        }
        text = skip_character(text, &columns);
        if (columns > widest)
            widest = columns;
    }
    return widest;
}

TEST(test_width)
{
    static const unsigned short widths[] = {80, 100, 200};
    static const char *const reports[] = {"STINT_REPORT=table", "STINT_REPORT=tree"};
    for (size_t i = 0; i < 3; ++i)
        for (size_t k = 0; k < 2; ++k) {
            const unsigned widest = widest_line(show(widths[i], reports[k], NULL));
            if (widest > widths[i])
                fail_msg("%s: %u columns on a terminal of %u", reports[k], widest, widths[i]);
        }
    assert_true(widest_line(show(200, "STINT_REPORT=table", NULL)) > 100);
}

/* Narrower than any table: the report is still readable. */
TEST(test_narrow)
{
    assert_non_null(strstr(show(1, "STINT_REPORT=table", NULL), "Count"));
    assert_non_null(strstr(show(20, "STINT_REPORT=tree", NULL), "stint"));
}

/* The terminal does not know its width; COLUMNS says it. */
TEST(test_columns)
{
    assert_true(widest_line(show(0, "STINT_REPORT=table", "COLUMNS=90")) <= 90);
    assert_true(widest_line(show(0, "STINT_REPORT=table", NULL)) > 200);
    assert_true(widest_line(show(0, "STINT_REPORT=table", "COLUMNS=wide")) > 200);
    assert_true(widest_line(show(0, "STINT_REPORT=table", "COLUMNS=-1")) > 200);
    assert_true(widest_line(show(0, "STINT_REPORT=table", "COLUMNS=99999999999999999999")) > 200);
}

static unsigned escapes(const char *text)
{
    return occurrences(text, "\033");
}

TEST(test_color)
{
    assert_true(escapes(show(80, "STINT_REPORT=table", NULL)) > 0);
    assert_int_equal(escapes(show(80, "STINT_REPORT=table", "NO_COLOR=1")), 0);
    assert_int_equal(escapes(show(80, "STINT_REPORT=table", "TERM=dumb")), 0);
    assert_int_equal(escapes(show(80, "STINT_REPORT=table", "TERM")), 0);
    assert_true(escapes(show(80, "STINT_REPORT=table", "NO_COLOR=")) > 0); /* an empty variable counts as unset */
    assert_int_equal(escapes(show(80, "STINT_REPORT=json", NULL)), 0);
}

/* To a file or a pipe: no escape sequences, and no limit on the width, whatever the terminal is like. */
TEST(test_no_terminal)
{
    const struct result result =
        run("prints_all_kinds", TO_STDERR, "STINT_REPORT=table", "TERM=xterm", "COLUMNS=80", NULL);
    assert_exit(&result, 0);
    assert_int_equal(escapes(result.err), 0);
    assert_true(widest_line(result.err) > 100);
}
