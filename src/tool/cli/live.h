/* Running processes: where they listen, what they answer, what they do at the moment, and how stint top shows that. */
#ifndef STINT_CLI_LIVE_H
#define STINT_CLI_LIVE_H

#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "base/text.h"
#include "cli/files.h"
#include "stint/report.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"
#include "symbols/symbols.h"

/* ------------------------------------------------------------------------------------------------------- listener.c */

/* Running processes that listen (control/listen.h): where they do, and what they answer. */

/* Returns the folder in which a process listens, by STINT_CONTROL of the environment that the process was started with,
 * for free. NULL: errno says why the environment cannot be read, or is 0 if there is no folder. */
char *stint_control_folder(long long pid);

/* Returns that folder by the socket on which the process listens, for free, or NULL: some programs write over their
 * environment, to show a title. */
char *stint_socket_folder(long long pid);

/* Calls `tell` for each process that listens, and has this user: with its folder, which is valid until it returns. */
void stint_each_listener(void (*tell)(void *context, long long pid, const char *folder), void *context);

/* ---------------------------------------------------------------------------------------------------- for a command */

/* Reads a process id. Returns 0, or -1 after saying that it is none. */
int stint_read_pid(const char *text, long long *pid);

/* Finds the folder in which the process listens. Returns 0, or -1 after saying what is wrong. */
int stint_find_listener(char *folder, size_t size, long long pid);

/* Calls `tell` for each process that the arguments from optind on name; without any, sets `wants_all`, of which the
 * option --all may have been given. Returns STINT_CLI_OK, or the exit code after saying what is wrong. */
int stint_find_listeners(int count, char **arguments, int *wants_all,
                         void (*tell)(void *context, long long pid, const char *folder), void *context);

/* --------------------------------------------------------------------------------------------------------- requests */

/* How long to wait for the next part of an answer, and for all of it, and how long it may be. */
enum { STINT_ASK_PATIENCE_S = 2, STINT_ASK_MOST_S = 10, STINT_ASK_MOST_BYTES = 1 << 30 };

/* Sends a request to the process that listens in the folder, and returns the text after its "ok", NUL-terminated,
 * for free. NULL: it refused, does not listen or does not answer in time; `reason` says which, for "process 4711
 * ...". */
char *stint_ask(const char *folder, long long pid, const char *request, size_t *length, char *reason, size_t size);

/* Returns what the process has recorded so far; NULL if it does not answer, or with something else. Sets whether it is
 * silent: listens, but does not answer in time, since it is stopped, for one. Who was silent the last time, as that
 * says, is given much less time, so that it does not delay what is asked of others. */
struct stint_snapshot;
struct stint_snapshot *stint_ask_snapshot(const char *folder, long long pid, int *is_silent);

/* The same of the process whose socket has that name in the folder. */
struct stint_snapshot *stint_ask_snapshot_at(const char *folder, const char *name, int *is_silent);

/* Connects to a socket in the folder, which has that name. Returns the descriptor, or -1 and errno. */
int stint_socket_connect(const char *folder, const char *name);

/* ----------------------------------------------------------------------------------------------------------- live.c */

/* What processes do at the moment: the numbers of scopes, ranges, calls and of what devices do, by name. Of a process
 * that has none of these, the functions of its samples. */

struct stint_live_row {
    const char *group; /* "GPU", "CPU" for a function, a set's name, "" for the global one's */
    const char *name;
    uint64_t total_ns; /* with the time so far of what still runs */
    uint64_t self_ns;
    uint64_t count; /* of a function, its samples */
};

/* Zeroed, there are none. Texts are copied. */
struct stint_live_rows {
    struct stint_arena arena;
    struct stint_table all; /* struct stint_live_row */
};

/* Adds the rows of a snapshot; activities of the same name on several streams are one row. What looks functions up is
 * made when it is needed, and is for the next snapshot, too. Without memory some are left out. */
void stint_live_rows_add(struct stint_live_rows *rows, const struct stint_snapshot *snapshot,
                         struct stint_symbols **symbols);

/* Adds what is in `now` and was not yet in `before`. Where numbers have become smaller they have been reset, and all of
 * `now` counts. */
void stint_live_rows_since(struct stint_live_rows *rows, const struct stint_live_rows *now,
                           const struct stint_live_rows *before);

enum stint_live_order { STINT_LIVE_BY_TOTAL, STINT_LIVE_BY_SELF, STINT_LIVE_BY_COUNT, STINT_LIVE_BY_NAME };

/* Afterwards none can be added or looked for. */
void stint_live_rows_sort(struct stint_live_rows *rows, enum stint_live_order order);

static inline const struct stint_live_row *stint_live_row_at(const struct stint_live_rows *rows, size_t i)
{
    return (const struct stint_live_row *)rows->all.items + i;
}

void stint_live_rows_free(struct stint_live_rows *rows);

/* ------------------------------------------------------------------------------------------------------------- live */

/* Adds ", 1 of them does not answer" to a line that tells how many processes there are, if there is one. */
struct stint_line;
void stint_live_put_silent(struct stint_line *line, size_t silent);

/* Prints every few seconds what a run's processes have recorded so far. */
struct stint_live {
    double seconds; /* between two blocks; 0: none are printed */
    const struct stint_folder *folder;
    char **arguments;         /* of the program */
    struct stint_arena arena; /* of the next */
    struct stint_table known; /* processes by the names of their sockets, and whether they are silent */
    size_t silent;            /* how many are */
    struct stint_symbols *symbols;
    int begun;
    int over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* Begin to print blocks to stderr from a separate thread; end that. */
void stint_live_begin(struct stint_live *live);
void stint_live_end(struct stint_live *live);

/* ------------------------------------------------------------------------------------------------------- top_view.c */

/* What stint top shows: what the processes that are watched did between two looks at them. */

struct stint_top_process {
    long long pid;
    char *folder; /* in which it listens */
    struct stint_snapshot *last;
    struct stint_live_rows rows; /* of `last` */
    int is_there;                /* it answered the last time, */
    int is_silent;               /* or did not in time */
    /* Between the last two looks; since it began, if there was only one. Of who is silent, 0. */
    uint64_t wall_ns, gpu_ns, kernels, scopes;
};

struct stint_top {
    struct stint_arena arena;
    struct stint_array processes; /* struct stint_top_process */
    struct stint_symbols *symbols;
    int wants_all;               /* every process of this user that listens, also those that begin later */
    struct stint_live_rows rows; /* between the last two looks, of all together */
    size_t silent;               /* how many of the processes are */
    uint64_t wall_ns;            /* the longest of the processes' */
    int is_first;                /* there was one look: all is since the processes began */
};

/* Adds a process to those that a struct stint_top watches; `folder` is copied. */
void stint_top_watch(void *top, long long pid, const char *folder);

/* Asks all of them. Returns how many have not ended. */
size_t stint_top_look(struct stint_top *top);

static inline struct stint_top_process *stint_top_process(const struct stint_top *top, size_t i)
{
    return (struct stint_top_process *)top->processes.items + i;
}

void stint_top_free(struct stint_top *top);

/* ------------------------------------------------------------------------------------------------------------- view */

struct stint_top_view {
    struct stint_layout layout;
    enum stint_live_order order;
    double seconds; /* between two looks */
    size_t rows;    /* most rows; 0: all */
    size_t first;   /* row that is shown first */
    int is_by_process;
    int is_paused;
    int shows_help;
};

void stint_top_put(struct stint_text *text, struct stint_top *top, const struct stint_top_view *view);

/* Returns the word for an order, as --sort takes it. */
const char *stint_top_order_word(enum stint_live_order order);

/* ------------------------------------------------------------------------------------------------------- terminal.c */

/* A terminal that is written over, and the keys that are pressed at it. */

/* Keys that are no characters. */
enum stint_key {
    STINT_KEY_NONE = 0,      /* none was pressed in time */
    STINT_KEY_END = -1,      /* a signal asks to end, or the terminal is gone */
    STINT_KEY_CHANGED = 256, /* the size has changed */
    STINT_KEY_UP,
    STINT_KEY_DOWN,
    STINT_KEY_PAGE_UP,
    STINT_KEY_PAGE_DOWN,
    STINT_KEY_HOME,
    STINT_KEY_OTHER
};

/* Takes over the terminal that standard input and output are. Returns 0, or -1 if they are none. What it showed before
 * comes back at the end. */
int stint_terminal_begin(void);
void stint_terminal_end(void);

/* Sets how many lines and columns there are. */
void stint_terminal_size(size_t *lines, size_t *columns);

/* Shows the first lines of the text that have room. */
void stint_terminal_show(const char *text, size_t length);

/* Waits for a key, at most so long. */
int stint_terminal_key(int limit_ms);

#endif
