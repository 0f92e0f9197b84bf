/* Keys, and what is shown, of a terminal that a pair of pseudo-terminals stands for. */
#include "cli/live.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "stint_test.h"

static int s_user; /* the side at which keys are typed */

static int begin(void **state)
{
    s_user = posix_openpt(O_RDWR | O_NOCTTY);
    if (s_user < 0 || grantpt(s_user) || unlockpt(s_user))
        return -1;
    int terminal = open(ptsname(s_user), O_RDWR | O_NOCTTY);
    return terminal < 0 || dup2(terminal, STDIN_FILENO) < 0 ? -1 : 0;
}

static void type(const char *keys)
{
    assert_int_equal(write(s_user, keys, strlen(keys)), strlen(keys));
}

TEST_ONCE(begin, NULL)

/* Nothing is asserted while standard output is the terminal. */
TEST(keys_are_read_one_by_one)
{
    int before = dup(STDOUT_FILENO);
    char shown[256] = "";
    assert_true(dup2(STDIN_FILENO, STDOUT_FILENO) >= 0);
    int failed = stint_terminal_begin();
    struct winsize size = {.ws_row = 2, .ws_col = 30};
    (void)ioctl(STDIN_FILENO, TIOCSWINSZ, &size);
    size_t lines, columns;
    stint_terminal_size(&lines, &columns);
    stint_terminal_show("one\ntwo\nthree\n", 14);
    type("q\x1b[A\x1bOB\x1b[5~\x1b[99x");
    int keys[] = {stint_terminal_key(1000), stint_terminal_key(1000), stint_terminal_key(1000),
                  stint_terminal_key(1000), stint_terminal_key(1000), stint_terminal_key(0)};
    type("\x1bz\x1b[1");
    int cut[] = {stint_terminal_key(1000), stint_terminal_key(1000), stint_terminal_key(1000), stint_terminal_key(0)};
    (void)raise(SIGWINCH);
    int changed = stint_terminal_key(0);
    (void)raise(SIGTERM);
    int end = stint_terminal_key(0);
    stint_terminal_end();
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    assert_int_equal(failed, 0);
    assert_true(lines == 2 && columns == 30);
    assert_true(keys[0] == 'q' && keys[1] == STINT_KEY_UP && keys[2] == STINT_KEY_DOWN);
    assert_true(keys[3] == STINT_KEY_PAGE_UP && keys[4] == STINT_KEY_OTHER && keys[5] == STINT_KEY_NONE);
    assert_true(cut[0] == STINT_KEY_OTHER && cut[1] == 'z' && cut[2] == STINT_KEY_OTHER && cut[3] == STINT_KEY_NONE);
    assert_true(changed == STINT_KEY_CHANGED && end == STINT_KEY_END);
    assert_true(read(s_user, shown, sizeof shown - 1) > 0);
    assert_non_null(strstr(shown, "one\x1b[K"));
    assert_non_null(strstr(shown, "two\x1b[K"));
    assert_null(strstr(shown, "three"));
}

TEST(without_a_terminal_nothing_begins)
{
    int file = open("/dev/null", O_RDWR), before = dup(STDIN_FILENO);
    assert_true(dup2(file, STDIN_FILENO) >= 0);
    assert_int_equal(stint_terminal_begin(), -1);
    assert_true(dup2(before, STDIN_FILENO) >= 0);
}
