/* Switches a terminal to a screen of its own, reads keys without waiting for a line, and leaves it as it was, also when
 * a signal ends the program. */
#include "cli/live.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios s_before;
static volatile sig_atomic_t s_is_over, s_has_changed;

static void on_signal(int signal)
{
    if (signal == SIGWINCH)
        s_has_changed = 1;
    else
        s_is_over = 1;
}

static void put(const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

static void put_string(const char *text)
{
    put(text, strlen(text));
}

/* Without SA_RESTART, so that a wait for a key ends. */
static void catch_signals(void (*handler)(int signal))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
    struct sigaction action = {.sa_handler = handler};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        (void)sigaction(signals[i], &action, NULL);
}

int stint_terminal_begin(void)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &s_before))
        return -1;
    struct termios raw = s_before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;
    s_is_over = s_has_changed = 0;
    catch_signals(on_signal);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    put_string("\x1b[?1049h\x1b[?25l"); /* another screen, without cursor */
    return 0;
}

void stint_terminal_end(void)
{
    put_string("\x1b[?25h\x1b[?1049l");
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &s_before);
    catch_signals(SIG_DFL);
}

void stint_terminal_size(size_t *lines, size_t *columns)
{
    struct winsize size = {0};
    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *lines = size.ws_row ? size.ws_row : 24;
    *columns = size.ws_col ? size.ws_col : 80;
}

void stint_terminal_show(const char *text, size_t length)
{
    size_t lines, columns;
    const char *end = text + length;
    stint_terminal_size(&lines, &columns);
    put_string("\x1b[H");
    for (size_t i = 0; i < lines && text < end; i++) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        size_t part = (size_t)((feed ? feed : end) - text);
        put_string(i ? "\r\n" : "");
        put(text, part);
        put_string("\x1b[K"); /* the rest of the line */
        text += part + (feed != NULL);
    }
    put_string("\x1b[J"); /* what is below */
}

/* ------------------------------------------------------------------------------------------------------------- keys */

static char s_typed[32]; /* what was read, and is not yet a key */
static size_t s_typed_length;

static int take(size_t length, int key)
{
    memmove(s_typed, s_typed + length, s_typed_length - length);
    s_typed_length -= length;
    return key;
}

/* A sequence that means nothing here ends with a letter or a tilde. */
static size_t sequence_length(void)
{
    size_t length = s_typed_length > 1 && (s_typed[1] == '[' || s_typed[1] == 'O') ? 2 : 1;
    while (length > 1 && length < s_typed_length && (unsigned char)s_typed[length] < '@')
        length++;
    return length > 1 && length < s_typed_length ? length + 1 : length;
}

/* Takes the first key of those that were typed. */
static int take_key(void)
{
    static const struct {
        const char *bytes;
        int key;
    } keys[] = {{"\x1b[A", STINT_KEY_UP},   {"\x1bOA", STINT_KEY_UP},       {"\x1b[B", STINT_KEY_DOWN},
                {"\x1bOB", STINT_KEY_DOWN}, {"\x1b[5~", STINT_KEY_PAGE_UP}, {"\x1b[6~", STINT_KEY_PAGE_DOWN},
                {"\x1b[H", STINT_KEY_HOME}, {"\x1b[1~", STINT_KEY_HOME},    {"\x1bOH", STINT_KEY_HOME}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t length = strlen(keys[i].bytes);
        if (s_typed_length >= length && memcmp(s_typed, keys[i].bytes, length) == 0)
            return take(length, keys[i].key);
    }
    if (s_typed[0] == '\x1b')
        return take(sequence_length(), STINT_KEY_OTHER);
    return take(1, (unsigned char)s_typed[0]);
}

int stint_terminal_key(int limit_ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = s_is_over || s_has_changed || s_typed_length ? 0 : poll(&input, 1, limit_ms);
    if (s_is_over)
        return STINT_KEY_END;
    if (s_has_changed) {
        s_has_changed = 0;
        return STINT_KEY_CHANGED;
    }
    if (ready > 0) {
        ssize_t length = read(STDIN_FILENO, s_typed, sizeof s_typed);
        if (length <= 0)
            return STINT_KEY_END;
        s_typed_length = (size_t)length;
    }
    return s_typed_length ? take_key() : STINT_KEY_NONE;
}
