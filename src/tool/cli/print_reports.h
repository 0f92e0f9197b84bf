/* Which reports are printed, and where they go. */
#ifndef STINT_CLI_PRINT_REPORTS_H
#define STINT_CLI_PRINT_REPORTS_H

#include <limits.h>

#include "cli/select.h"
#include "report/report_form.h"
#include "stint/snapshot.h"

enum { STINT_PRINT_MOST = 32 };

struct stint_print {
    struct stint_report_form forms[STINT_PRINT_MOST];
    size_t count;
    int per_process;     /* 1: of several processes, the reports of each are printed, too */
    char path[PATH_MAX]; /* prepared (base/file_name.h); "": stderr, or stdout */
    int to_stdout;       /* 1: stdout */
    int begun;           /* something has been written to where all reports go */
    int ends_blank;      /* and its last line is blank */
    struct stint_select select;
};

/* Reads a list of the words that STINT_REPORT has, separated by commas; with `csv` each in its form in CSV. `origin` is
 * where it comes from, for messages. "off" is none. Returns 0, or -1 after saying what is wrong. */
int stint_print_choose(struct stint_print *print, const char *origin, const char *list, int csv);

/* Chooses what the options --report and --format, NULL if not given, ask for; without them, what STINT_REPORT asks for.
 * A mistake in STINT_REPORT is reported, but is not an error. Returns 0, or -1 after saying what is wrong. */
int stint_print_ask(struct stint_print *print, const char *report, const char *format);

/* Whether the word is what reports in CSV were called once, "nvprof-csv". Writes what they are called now. */
int stint_print_is_old_csv(const char *word, char *now, size_t size);

/* Chooses what is printed if nothing is asked for. */
void stint_print_usual(struct stint_print *print);

/* As stint_path_finish (base/file_name.h), with the process id of the process that is reported. Returns 0, or -1 if
 * there is no room. */
int stint_print_path(char *out, size_t size, const char *prepared, long long pid);

/* Opens a file that text is written to; `flags` is O_APPEND or O_TRUNC. Returns the descriptor, or -1 with errno. */
int stint_print_open(const char *path, int flags);

/* Sends reports to the file named by a pattern. Returns 0, or -1 after saying what is wrong. */
int stint_print_to(struct stint_print *print, const char *origin, const char *pattern);

/* Checks that reports for programs are not to be written one after the other: each of several processes then needs a
 * file, which `file_option` names. Returns 0, or -1 after saying what is wrong. */
int stint_print_check(const struct stint_print *print, const char *file_option);

/* Opens what reports on all processes are written to, behind them and a blank line. Returns the descriptor, or -1. */
int stint_print_open_behind(struct stint_print *print);

/* How wide the terminal is that the descriptor leads to, and whether it shows colours; without one, zeroed. */
struct stint_layout stint_print_screen(int file);

/* Writes the reports of a process, or with `together` those of several. `events` may be NULL. Returns 0, or -1 after
 * saying what failed. */
int stint_print(struct stint_print *print, const struct stint_snapshot *snapshot,
                const struct stint_report_events *events, int together);

#endif
