/* What the processes of a run reported, and how reports are printed. */
#ifndef STINT_CLI_RESULTS_H
#define STINT_CLI_RESULTS_H

#include <limits.h>

#include "cli/files.h"
#include "cli/options.h"
#include "op/op_table.h"
#include "report/report.h"
#include "stint/snapshot.h"
#include "transform/transform.h"

/* -------------------------------------------------------------------------------------------------- print_reports.c */

/* Which reports are printed, and where they go. */

enum { STINT_PRINT_MOST = 32 };

struct stint_print {
    struct stint_report_form forms[STINT_PRINT_MOST];
    size_t count;
    int per_process;     /* 1: of several processes, the reports of each are printed, too */
    char path[PATH_MAX]; /* prepared (base/whole_file.h); "": stderr, or stdout */
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

/* As stint_path_finish (base/whole_file.h), for the process that is reported; NULL: none. Returns 0, or -1 if there is
 * no room. */
int stint_print_path(char *out, size_t size, const char *prepared, const struct stint_process *process);

/* Opens a file that text is written to; `flags` is O_APPEND or O_TRUNC. Returns the descriptor, or -1 with errno. */
int stint_print_open(const char *path, int flags);

/* Sends reports to the file named by a pattern. Returns 0, or -1 after saying what is wrong. */
int stint_print_to(struct stint_print *print, const char *origin, const char *pattern);

/* Checks, before a program runs, that this file can be written, as far as that is known then. Returns 0, or -1 after
 * saying why not; reports then go to stderr. */
int stint_print_try(struct stint_print *print, const char *origin);

/* Checks that reports for programs are not to be written one after the other: each of several processes then needs a
 * file, which `file_option` names. Returns 0, or -1 after saying what is wrong. */
int stint_print_check(const struct stint_print *print, const char *file_option);

/* Opens what reports on all processes are written to, behind them and a blank line. Returns the descriptor, or -1. */
int stint_print_open_behind(struct stint_print *print);

/* How wide the terminal is that the descriptor leads to, and whether it shows colors; without one, zeroed. */
struct stint_layout stint_print_screen(int file);

/* Writes the reports of a process, or with `together` those of several. `events` may be NULL. Returns 0, or -1 after
 * saying what failed. */
int stint_print(struct stint_print *print, const struct stint_snapshot *snapshot,
                const struct stint_report_events *events, int together);

/* -------------------------------------------------------------------------------------------------------- results.c */

/* What the processes of a run reported. */

struct stint_results {
    struct stint_arena arena;
    struct stint_array all;  /* struct stint_result, the process that began first in front */
    struct stint_array lost; /* struct stint_silent: processes that have left no report */
    struct stint_array cut;  /* the same: those that have left one, and their sockets, so that it may be a checkpoint */
    size_t unsampled;        /* processes without a report, as none of their samples came, */
    uint64_t unsampled_ns;   /* and the CPU time of all processes while that was so */
};

struct stint_result {
    struct stint_snapshot *snapshot;
    struct stint_report_events events; /* without a source: there are none */
    int is_recovered;                  /* made from what the process recorded, as it left no report */
};

/* Moves all reports in the folder into empty results, and notes which processes have left none. Says which reports
 * cannot be read, and why. */
void stint_results_read(struct stint_results *results, const struct stint_folder *folder);

/* Adds a snapshot, and takes ownership of it; without memory the snapshot is freed. `events`, which may be NULL, is
 * copied; its source and its snapshot have to outlive the results. Returns the result, until the next one is added;
 * NULL without memory. */
struct stint_result *stint_results_add(struct stint_results *results, struct stint_snapshot *snapshot,
                                       const struct stint_report_events *events);

/* Whether that process, which began at that time, has reported itself: after exec it reports again. */
int stint_results_have(const struct stint_results *results, int64_t pid, uint64_t start_unix_ns);

struct stint_snapshot *stint_results_at(const struct stint_results *results, size_t i);

/* Returns the snapshots of all processes as one, from the first start to the last end, for the caller to free; NULL if
 * there is only one, or no memory. */
struct stint_snapshot *stint_results_sum(const struct stint_results *results);

/* As stint_rank_sum (transform/transform.h). Says what is left out, and that there is no memory. */
struct stint_snapshot *stint_results_sum_ranks(struct stint_rank_files *files);

/* Prints the reports of the only process; of several, the reports of all together and, if that is asked for or each has
 * a file of its own, before these the reports of each. `first` and others, up to NULL, are the command line, or the
 * files, that all are called by. Returns 0, or -1 after saying what failed. */
int stint_results_print(const struct stint_results *results, struct stint_print *print, const char *first,
                        char **others);

/* Returns a snapshot as JSON, for free; NULL without memory. */
char *stint_results_json(const struct stint_snapshot *snapshot, size_t *length);

void stint_results_free(struct stint_results *results);

/* --------------------------------------------------------------------------------------------------- print_behind.c */

/* What stint run prints behind its reports: with --ops sums of the kernels by operation, and by layer, if the recording
 * is not kept; or a line for each kernel, which is the report "ops"; with --sample the functions that took most CPU
 * time. */

/* Takes "ops" or "ops:csv" out of a list of reports, and says in `lines` which columns it has. Returns whether one of
 * them was there. */
int stint_print_ops_take(char *reports, struct stint_op_table *lines);

/* Prints operations; the sums if `lines` has no columns. Returns 0, or -1 after saying what failed. */
int stint_print_ops(struct stint_print *print, const char *recording, const struct stint_op_table *lines);

/* Prints the functions if anything was sampled, and what CPU time is in none. `launch` is that of the program; NULL:
 * what processes used is not known. `is_alone`: the program alone was sampled, not what it started. Returns 0, or -1
 * after saying what failed. */
struct stint_launch;
int stint_print_samples(struct stint_print *print, const struct stint_results *results,
                        const struct stint_launch *launch, int is_alone);

/* Whether footnotes are to be silent of samples, of which the functions say more. */
void stint_results_hide_samples(const struct stint_results *results, int are_hidden);

/* CPU time of processes that the program started that is worth a line. */
#define STINT_CPU_WORTH_NS UINT64_C(20000000)

#endif
