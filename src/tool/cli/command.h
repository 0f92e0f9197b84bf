/* The subcommands of the program, one per file, and how they print messages and progress. */
#ifndef STINT_CLI_COMMAND_H
#define STINT_CLI_COMMAND_H

#include "model/event.h"
#include "stint/version.h"

/* The version as text. The program does not link the library that has stint_version_string. */
#define STINT_CLI_TEXT_(x) #x
#define STINT_CLI_TEXT(x) STINT_CLI_TEXT_(x)
#define STINT_CLI_SO_VERSION STINT_CLI_TEXT(STINT_ABI)
#define STINT_CLI_VERSION                                                                                              \
    STINT_CLI_TEXT(STINT_VERSION_MAJOR)                                                                                \
    "." STINT_CLI_TEXT(STINT_VERSION_MINOR) "." STINT_CLI_TEXT(STINT_VERSION_PATCH)

/* Exit codes. What a program that was run returned is passed on instead. */
enum {
    STINT_CLI_OK = 0,
    STINT_CLI_NO = 1,
    STINT_CLI_USAGE = 2,
    STINT_CLI_UNSURE = 3,
    STINT_CLI_UNCOUNTED = 4,
    STINT_CLI_NOT_EXECUTABLE = 126,
    STINT_CLI_NOT_FOUND = 127
};

/* The program: the first argument is its name, the second the command. Returns the exit code. */
int stint_cli(int count, char **arguments);

/* Each takes the arguments from its own name on, and returns the exit code. */
int stint_cli_run(int count, char **arguments);
int stint_cli_nvprof(int count, char **arguments);
int stint_cli_attach(int count, char **arguments);
int stint_cli_top(int count, char **arguments);
int stint_cli_metrics(int count, char **arguments);
int stint_cli_stats(int count, char **arguments);
int stint_cli_ops(int count, char **arguments);
int stint_cli_samples(int count, char **arguments);
int stint_cli_export(int count, char **arguments);
int stint_cli_diff(int count, char **arguments);
int stint_cli_merge(int count, char **arguments);
int stint_cli_report(int count, char **arguments);
int stint_cli_doctor(int count, char **arguments);

/* Writes "stint: " and the message, with a line feed, to stderr. Names in it may come from anywhere: characters that
 * a terminal would act on are escaped. */
__attribute__((format(printf, 1, 2))) void stint_cli_say(const char *format, ...);

/* Says that there is not enough memory, and what for: "to add up the recordings". Returns -1. */
int stint_cli_say_no_memory(const char *what);

/* Says why the events of a file cannot be read: the source's reason; or as above, if it has none. Returns -1. */
int stint_cli_say_unread(const char *path, const struct stint_event_source *events, const char *what);

/* Ends the program by SIGPIPE, silently, as other programs end whose output nobody reads any more, if that is the
 * error of writing to `fd` and `fd` is stdout. Returns otherwise, or if SIGPIPE is ignored. */
void stint_cli_end_if_unread(int fd, int error);

/* Sets the prefix that stint_cli_say writes from now on instead of "stint: ". */
void stint_cli_speak(const char *prefix);

/* ------------------------------------------------------------------------------------------------------- progress.c */

/* Says on a terminal how far something is that takes longer than a second: passes events on, and counts them. */

struct stint_progress {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *events;
    const char *what;
    int is_shown;
    uint64_t count, done;
    uint64_t next;     /* when so many are done, look at the clock */
    uint64_t shown_ns; /* when the line was written last; at first when it began */
};

/* Returns a source with the same events, `count` of them; 0: it is not known how many. `what` is what they are of, or
 * what is made of them. The line is removed after the last event. */
struct stint_event_source *stint_progress_begin(struct stint_progress *progress, const char *what,
                                                struct stint_event_source *events, uint64_t count);

/* Removes the line, so that something else can be written. */
void stint_progress_hide(void);

/* From the first of these calls on, sources that are made after it fail when a signal comes that would end the program,
 * so that nothing is left of a file that is being made of their events; a second such signal ends it at once. From the
 * other call on, signals do what they did before, and one that has come does so, too. */
void stint_progress_catch(void);
void stint_progress_release(void);

/* ---------------------------------------------------------------------------------------------------------- serve.c */

/* The page of stint report, served to a browser, so that its timeline can be seen down to the last event. */

struct stint_html;

/* Serves the page at the port, 0: any that is free, until Ctrl-C. `events` are those of the page; NULL: it has none.
 * Returns 0, or -1 after saying why not. */
int stint_serve(const struct stint_html *html, struct stint_event_source *events, uint16_t port);

#endif
