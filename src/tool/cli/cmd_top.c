/* stint top - shows what running processes do, again and again. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/live.h"
#include "cli/options.h"
#include "cli/results.h"

#define LEAST_SECONDS 0.1
#define MOST_SECONDS 3600.0

struct command {
    struct stint_top top;
    struct stint_top_view view;
    unsigned long long iterations; /* 0: no end */
    int is_batch;
};

static const char *const s_orders[] = {"total", "self", "count", "name", NULL};

#define AT(member) offsetof(struct command, member)

static int read_delay(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_seconds(option, text, LEAST_SECONDS, value);
}

static int read_iterations(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_number(option, text, 1, UINT_MAX, value);
}

static const struct stint_option s_options[] = {
    {"all", 'a', NULL, "all of your processes that stint can reach, including those that start later", NULL,
     stint_option_flag, AT(top.wants_all)},
    {"delay", 'd', "S", "update every S seconds (default: 2)", NULL, read_delay, AT(view.seconds)},
    {"iterations", 'n', "N", "exit after N updates", NULL, read_iterations, AT(iterations)},
    {"batch", 'b', NULL, "print each update to standard output, for files and pipes", NULL, stint_option_flag,
     AT(is_batch)},
    {"sort", 0, NULL, "order of rows (default: total)", s_orders, stint_option_choice, AT(view.order)},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint top [PID... | --all]\n"
             "\n"
             "Shows where the time went since the last update: scopes, NVTX ranges, calls of\n"
             "CUDA, GPUs. The processes must be yours, and must have been started by stint\n"
             "run or with STINT_CONTROL set. Press h for a list of keys.\n",
    .options = s_options,
};

/* ------------------------------------------------------------------------------------------------------------- look */

static void wait_ms(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&time, &time))
        ;
}

static int delay_ms(const struct command *command)
{
    return (int)(command->view.seconds * 1000);
}

static int say_none(const struct command *command)
{
    stint_cli_say(command->top.wants_all
                      ? "none of your processes can be reached: start one with stint run, or with STINT_CONTROL set"
                      : "the process has ended, or does not answer");
    return STINT_CLI_NO;
}

/* ------------------------------------------------------------------------------------------------------------ batch */

/* The first look is not printed: it is on all that was before. */
static int run_batch(struct command *command)
{
    int to = STDOUT_FILENO;
    if (!stint_top_look(&command->top))
        return say_none(command);
    for (unsigned long long i = 0; !command->iterations || i < command->iterations; i++) {
        struct stint_text text;
        wait_ms(delay_ms(command));
        if (!stint_top_look(&command->top))
            return STINT_CLI_OK;
        stint_text_begin(&text, stint_write_fd, &to);
        stint_text_string(&text, i ? "\n" : "");
        stint_top_put(&text, &command->top, &command->view);
        if (stint_text_end(&text)) {
            stint_cli_end_if_unread(to, EPIPE);
            return STINT_CLI_NO;
        }
    }
    return STINT_CLI_OK;
}

/* ----------------------------------------------------------------------------------------------------------- screen */

enum { HEAD_LINES = 2 };

struct frame {
    char text[1 << 16];
    size_t length;
};

static int keep(void *context, const char *text, size_t length)
{
    struct frame *frame = context;
    size_t room = sizeof frame->text - frame->length;
    size_t kept = length < room ? length : room;
    memcpy(frame->text + frame->length, text, kept);
    frame->length += kept;
    return 0;
}

static void draw(struct command *command)
{
    static struct frame s_frame;
    struct stint_text text;
    size_t lines, columns;
    stint_terminal_size(&lines, &columns);
    command->view.layout = stint_print_screen(STDOUT_FILENO);
    command->view.layout.columns = (unsigned)columns;
    command->view.rows = lines > HEAD_LINES ? lines - HEAD_LINES : 1;
    s_frame.length = 0;
    stint_text_begin(&text, keep, &s_frame);
    stint_top_put(&text, &command->top, &command->view);
    (void)stint_text_end(&text);
    stint_terminal_show(s_frame.text, s_frame.length);
}

static size_t row_count(const struct command *command)
{
    return command->view.is_by_process ? command->top.processes.count : command->top.rows.all.count;
}

static void scroll(struct command *command, int key)
{
    struct stint_top_view *view = &command->view;
    size_t step = key == STINT_KEY_PAGE_UP || key == STINT_KEY_PAGE_DOWN ? view->rows : 1, all = row_count(command);
    if (key == STINT_KEY_HOME)
        view->first = 0;
    else if (key == STINT_KEY_UP || key == STINT_KEY_PAGE_UP)
        view->first -= view->first < step ? view->first : step;
    else if (view->first + step < all)
        view->first += step;
}

static void change_delay(struct stint_top_view *view, double by)
{
    double seconds = view->seconds * by;
    view->seconds = seconds < LEAST_SECONDS ? LEAST_SECONDS : seconds > MOST_SECONDS ? MOST_SECONDS : seconds;
}

/* Does what a key asks for. Returns 1 if the processes are to be looked at now. */
static int obey(struct command *command, int key)
{
    static const char orders[] = {[STINT_LIVE_BY_TOTAL] = 't',
                                  [STINT_LIVE_BY_SELF] = 's',
                                  [STINT_LIVE_BY_COUNT] = 'c',
                                  [STINT_LIVE_BY_NAME] = 'n'};
    struct stint_top_view *view = &command->view;
    for (size_t i = 0; i < sizeof orders; i++)
        if (key == orders[i]) {
            view->order = (enum stint_live_order)i;
            view->is_by_process = view->shows_help = 0;
            view->first = 0;
        }
    if (key == 'h' || key == '?')
        view->shows_help = !view->shows_help;
    else if (key == 'p') {
        view->is_by_process = !view->is_by_process;
        view->first = 0;
    } else if (key == 'z')
        view->is_paused = !view->is_paused;
    else if (key == '+' || key == '-')
        change_delay(view, key == '+' ? 2 : 0.5);
    else if (key >= STINT_KEY_UP && key <= STINT_KEY_HOME)
        scroll(command, key);
    return key == ' ';
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Obeys keys until it is time for the next look. Returns 0, or 1 to end. */
static int wait_for_keys(struct command *command)
{
    int64_t begin = now_ms();
    for (;;) {
        int64_t rest = begin + delay_ms(command) - now_ms();
        if (rest <= 0 && !command->view.is_paused)
            return 0;
        int key = stint_terminal_key(command->view.is_paused ? -1 : (int)rest);
        if (key == 'q' || key == STINT_KEY_END)
            return 1;
        if (key != STINT_KEY_NONE && obey(command, key))
            return 0;
        if (key != STINT_KEY_NONE)
            draw(command);
    }
}

static int run_on_screen(struct command *command)
{
    int is_over = 0;
    size_t found = stint_top_look(&command->top);
    if (!found)
        return say_none(command);
    if (stint_terminal_begin()) {
        stint_cli_say("standard input and output are not a terminal: use stint top --batch");
        return STINT_CLI_USAGE;
    }
    command->top.is_first = 1;
    for (unsigned long long i = 0; found && !is_over; i++) {
        draw(command);
        is_over = (command->iterations && i == command->iterations) || wait_for_keys(command);
        if (is_over)
            break;
        found = stint_top_look(&command->top);
        command->top.is_first = 0;
    }
    stint_terminal_end();
    if (!found)
        stint_cli_say("all processes have ended");
    return STINT_CLI_OK;
}

int stint_cli_top(int count, char **arguments)
{
    struct command command = {.view = {.seconds = 2, .layout = stint_print_screen(STDOUT_FILENO)}};
    int code = stint_options_read(count, arguments, &s_syntax, &command);
    if (code >= 0)
        return code;
    code = stint_find_listeners(count, arguments, &command.top.wants_all, stint_top_watch, &command.top);
    if (code == STINT_CLI_OK)
        code = command.is_batch ? run_batch(&command) : run_on_screen(&command);
    stint_top_free(&command.top);
    return code;
}
