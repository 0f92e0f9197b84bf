/* Start, end and output of the library: what the sources of this stage, and parts, call. */
#ifndef STINT_RUNTIME_RUNTIME_H
#define STINT_RUNTIME_RUNTIME_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/process.h"
#include "base/text.h"
#include "stint/detail/api.h"
#include "stint/report.h"
#include "stint/statset.h"
#include "stint/status.h"

/* ---------------------------------------------------------------------------------------------------------- start.c */

/* Set-up at first use, and what public functions check. */

/* Makes the library ready. Every public function that needs more than its arguments calls it first; later calls cost
 * one load.
 *
 * Returns STINT_OK; STINT_ERROR_NO_MEMORY, and recording then is off for good; STINT_ERROR_BUSY in a signal handler
 * that interrupted the set-up. */
enum stint_status stint_runtime_start(void);

/* Returns whether this process is the one that was set up, or a child that fork prepared: not one of vfork or clone,
 * which shares or copies memory without the library's knowledge. */
int stint_runtime_is_ours(void);

/* Returns STINT_OK if the statistic is known; otherwise an error, of which STINT_ERROR_NOT_FOUND is logged. */
enum stint_status stint_statset_require(struct stint_statset *set, const char *name);

/* --------------------------------------------------------------------------------------------------------- output.c */

/* Where reports are written: to stderr, laid out for a terminal if it is one, or to a file. */

/* Reads STINT_REPORT and STINT_OUTPUT. */
void stint_output_start(void);

/* In a forked child, whose report must not overwrite its parent's: a path without %p gets the process id appended. */
void stint_output_after_fork(void);

/* Writes the report that the environment asks for to the place that it asks for. If the file cannot be written, this is
 * logged, the report goes to stderr instead, as a table if it was to be JSON, and -1 is returned. May run in a signal
 * handler. */
int stint_output_final(const struct stint_snapshot *snapshot);

/* Writes that report to the file, which has to be there (stint_output_is_file), so that it survives a power failure. */
void stint_output_checkpoint(const struct stint_snapshot *snapshot);

/* As stint_output_final, but with ".exec1.json", or the same with the first free number, appended to the name of the
 * file. */
int stint_output_before_exec(const struct stint_snapshot *snapshot);

/* Lends a function that returns a descriptor of the file of that name, which was opened when this process could still
 * do so, or -1. It is called if the report cannot be written by name. Writes the name of the file to which the final
 * report of this process goes; returns 0, or -1 if there is none. */
typedef int stint_spare_fn(const char *path);
int stint_output_lend(stint_spare_fn *spare, char *path, size_t size);

/* Returns whether the environment names a file for the report. */
int stint_output_is_file(void);

/* Returns 1 unless STINT_REPORT=off. */
int stint_output_wanted(void);

/* Writes a report to stderr. */
enum stint_status stint_output_stderr(const struct stint_snapshot *snapshot, enum stint_format format);

/* Writes a report to a file named by a pattern, whole or not at all. */
enum stint_status stint_output_file(const struct stint_snapshot *snapshot, enum stint_format format,
                                    const char *pattern);

/* ---------------------------------------------------------------------------------------------------------- lines.c */

/* Splits text into log lines, because Paddle's format consists of them. */

/* Puts glog's prefix in front of every line and passes everything on to a file descriptor. */
struct stint_prefixer {
    int fd;
    int inside; /* a line has begun */
};

/* A stint_write_fn; context points to a struct stint_prefixer. */
int stint_prefixer_write(void *context, const char *bytes, size_t length);

/* Collects whole lines and hands each to the log sink. */
struct stint_liner {
    struct stint_arena arena;
    char *line;
    size_t used;
    size_t size;
};

/* A stint_write_fn; context points to a zeroed struct stint_liner, whose arena is to be freed afterwards. */
int stint_liner_write(void *context, const char *bytes, size_t length);

/* Sends what `write` writes of a set, or of all if it is NULL, to the log, line by line. */
enum stint_status stint_report_log(void (*write)(struct stint_text *text, const struct stint_snapshot *snapshot,
                                                 const char *set, const char *name),
                                   const struct stint_snapshot *snapshot, const char *set, const char *name);

/* ----------------------------------------------------------------------------------------------------------- exit.c */

/* The report at exit. It is written once, however the process ends, if anything happened since the last full print. */

/* Registers for quick_exit; exit and return from main need no registration, _exit is interposed. */
void stint_exit_start(void);

/* In a forked child: forgets what the parent printed. */
void stint_exit_after_fork(void);

/* Writes the final report if something happened since the last full print. With `emergency`, it does only what a signal
 * handler may do. */
void stint_exit_report(int emergency);

/* Whether a signal interrupted the calling thread's report. Then it ends the process after that. */
int stint_exit_delays(int signal);

/* Does the same before the process executes another program, whose report must not overwrite this one. A child of
 * vfork, which shares the memory of its parent, may call it; it then does nothing. */
void stint_exit_before_exec(void);

/* Writes the report as at exit, the last one: a filter of system calls is about to forbid what stint does. */
void stint_exit_seal(void);

/* Writes the report to where the final one goes. May be called at any time. Without further activity there is then no
 * final report. */
enum stint_status stint_exit_print(void);

/* Writes that report to the file that it goes to, if anything has happened. The final report comes nevertheless. */
void stint_exit_checkpoint(void);

/* Has _exit also call `report`, which is that of another stint, in case this stint's _exit takes precedence over the
 * one of that stint. There are few. */
void stint_exit_also(void (*report)(void));

/* A snapshot was printed in full: without further activity, the final report is left out, unless it goes to a file. */
void stint_exit_note_print(const struct stint_snapshot *snapshot);

/* ---------------------------------------------------------------------------------------------------------- fatal.c */

/* Handles every signal whose default action ends the process and that nobody handles or ignores yet. A handler that
 * the program installs later replaces ours. Where the program would see the handlers, there are none unless
 * `even_seen`. */
void stint_fatal_start(int even_seen);

/* The calling thread's signal stack, if it is stint's. */
extern STINT_I_THREAD_LOCAL void *stint_tl_signal_stack __attribute__((tls_model("initial-exec")));

/* The program installs a handler that runs on a signal stack: from now on threads have those that it gives them. */
void stint_fatal_leave_stacks(void);

/* ------------------------------------------------------------------------------------------------------- handlers.c */

/* Hides handlers of signals (base/process.h). */

/* Returns 0; -1: there is another handler, or the signal is ignored. */
int stint_handler_hide(int number, const struct stint_hidden_handler *handler);

/* Gives the signal back to the program, with the action that it has set, unless it ignores the signal. Returns 0, or
 * -1. */
int stint_handler_show(int number);

/* Whether the program would be told of a hidden handler: the C library's functions are the ones that it calls. */
int stint_handler_is_seen(int number);

/* Blocks the signals that the program handles, until the calling thread has its mask `before` again. */
void stint_handlers_hold(sigset_t *before);

/* Does what sigaction(2), which is `real`, would do if there were no hidden handlers. */
typedef int stint_sigaction_fn(int number, const struct sigaction *action, struct sigaction *before);
int stint_handler_exchange(stint_sigaction_fn *real, int number, const struct sigaction *action,
                           struct sigaction *before);

/* --------------------------------------------------------------------------------------------------------- copies.c */

/* Several stints in one process: each plugin may have one linked statically, and one may have been injected
 * (src/parts/inject), which then finds the one that the program contains, and hands over to it: one process, one
 * recording.
 *
 * An ELF note in the object that contains a stint says where the functions below are. A note needs no exported name,
 * survives stripping, and is seen whichever way the object was loaded. */

#define STINT_INJECT_NOTE "stint" /* the note's owner */
#define STINT_INJECT_VERSION 9    /* the note's type: of the structure and all it refers to */

/* The functions of a stint. Each starts it if necessary. */
struct stint_inject_core {
    /* Whether the calling thread is about to start it, or is in a signal handler that interrupted the start. The other
     * functions then do nothing. */
    int (*is_starting)(void);
    /* Offers something to the part of that name (record/part.h). Returns whether it is accepted. */
    int (*attach)(const char *part, const void *offer);
    /* The same if the part is there and this stint has started in this process; else returns 0. */
    int (*prepare)(const char *part, const void *offer);
    void (*report)(void);      /* the process ends by _exit */
    void (*before_exec)(void); /* the process is about to execute another program */
    int (*exchange_handler)(stint_sigaction_fn *real, int number, const struct sigaction *action,
                            struct sigaction *before);
    void (*exit_also)(void (*report)(void));
    const int *number; /* of this stint among those that have started, from 1 on; 0: it has not */
};

/* What the part "modules" is offered: ends stint's threads for a while, or starts them again (support/own_thread.h). */
enum stint_rest_how {
    STINT_REST,
    STINT_REST_IS_OVER,
    STINT_REST_FOR_GOOD /* the last report is written, and nothing is done or recorded any more */
};

struct stint_rest_offer {
    enum stint_rest_how how;
};

/* What the part "recording" is offered: files by name are about to lead nowhere for this process, which will be
 * `owner`. Keeps the recording open; `spare` is lent to the report, whose file's name is written to `path`, or "". */
struct stint_drop_offer {
    uid_t owner;
    stint_spare_fn *spare;
    char *path;
    size_t size;
};

/* The functions of this stint. The content of the note is their distance from the note. */
extern const struct stint_inject_core stint_i_inject;

/* Only an injected stint has this: returns the one that the program contains, or else its own, without choosing one. */
const struct stint_inject_core *stint_inject_used(void) __attribute__((weak));

/* Set before any other constructor runs, if this stint is the injected one: it then starts to collect from GPUs when
 * CUDA is initialized, not when the library is loaded. */
extern int stint_runtime_is_injected;

/* Calls `visit` for each stint that the process has loaded, this one too; `core` may be used if `version` is
 * STINT_INJECT_VERSION. Not for signal handlers. */
typedef void stint_copies_visit_fn(void *context, uint32_t version, const struct stint_inject_core *core);
void stint_copies_visit(stint_copies_visit_fn *visit, void *context);

/* Gives this stint, which starts, a number among those that have started in the process. */
void stint_copies_start(void);

/* As stint_path_prepare_here, for files that this stint writes: from the second on, "run.json" is "run.copy2.json", and
 * in namespace 1 of dlmopen that of the first is "run.copy1-1.json". */
enum stint_status stint_copies_prepare(char *out, size_t size, const char *pattern);

#endif
