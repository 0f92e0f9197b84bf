/* Two sets of snapshots compared: their rows, rules on what may change, and how a comparison is written. */
#ifndef STINT_DIFF_DIFF_H
#define STINT_DIFF_DIFF_H

#include "base/arena.h"
#include "base/text.h"
#include "diff/metric.h"
#include "report/line.h"
#include "report/sheet.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

/* ----------------------------------------------------------------------------------------------------------- diff.c */

/* The rows of two sets of snapshots, side by side. */

enum { STINT_DIFF_A, STINT_DIFF_B, STINT_DIFF_SIDES };

/* What samples say about a function: the time in it, and with functions that it called. */
struct stint_diff_function {
    const char *name; /* several may have the same one */
    uint64_t self_ns;
    uint64_t total_ns;
};

/* Functions of a snapshot. Zeroed: it was not sampled. */
struct stint_diff_functions {
    const struct stint_diff_function *items;
    size_t count;
    uint64_t samples;
    uint64_t time_ns; /* that they stand for */
};

/* Snapshots of repetitions of one thing. */
struct stint_diff_side {
    const struct stint_snapshot *const *snapshots;
    size_t count;
    const struct stint_diff_functions *functions; /* of each snapshot; NULL: none was sampled */
};

#define STINT_DIFF_NO_ROW ((size_t)-1)

/* One row in all files, matched by kind, set and name, for a calling context also by all contexts around it. */
struct stint_diff_row {
    enum stint_diff_kind kind;
    const char *set; /* "" if the row is in no set; of a counter its name, whose kernel is the name of the row */
    const char *name;
    int global;                         /* the set is the global one */
    size_t parent;                      /* of a context: position of the one around it; STINT_DIFF_NO_ROW: none */
    const char *path;                   /* of a context: the names from the root on, with "/" between; else the name */
    size_t files[STINT_DIFF_SIDES];     /* that have it */
    struct stint_metric_values *values; /* by file, those of A first */
};

/* Zeroed: an empty one. */
struct stint_diff {
    struct stint_diff_side side[STINT_DIFF_SIDES];
    struct stint_table rows; /* struct stint_diff_row, in the order in which files have them */
    struct stint_arena arena;
};

/* Gathers the rows. The snapshots have to outlive it. Returns 0, or -1 without memory; to be freed in any case. */
int stint_diff_begin(struct stint_diff *diff, const struct stint_diff_side *a, const struct stint_diff_side *b);

void stint_diff_free(struct stint_diff *diff);

const struct stint_diff_row *stint_diff_row_at(const struct stint_diff *diff, size_t position);

/* Returns a metric of the row in file `file` of a side. */
const struct stint_metric_value *stint_diff_value(const struct stint_diff *diff, const struct stint_diff_row *row,
                                                  int side, size_t file, enum stint_metric metric);

/* Returns the metric that tables show of the row. */
enum stint_metric stint_diff_main_metric(const struct stint_diff_row *row);

/* How tables name the row. */
struct stint_label stint_diff_label(const struct stint_diff_row *row);

/* ---------------------------------------------------------------------------------------------------------- changes */

/* By how much a metric changed, and how much of that may be noise. */

/* What the noise is estimated from. */
enum stint_noise {
    STINT_NOISE_UNKNOWN,
    STINT_NOISE_WITHIN, /* the spread within the runs, which does not include how runs differ from each other */
    STINT_NOISE_BETWEEN /* the spread between the runs of each side */
};

/* Contains the true value with 95 % confidence. */
struct stint_interval {
    double low;
    double high;
};

enum stint_change_verdict {
    STINT_VERDICT_NONE,    /* a side lacks the metric, or its noise is unknown */
    STINT_VERDICT_SAME,    /* equal */
    STINT_VERDICT_NOISE,   /* a change of zero is in the interval */
    STINT_VERDICT_CHANGED, /* a change of zero is not in the interval */
};

struct stint_change {
    size_t files[STINT_DIFF_SIDES]; /* that have the metric; the following are 0 if one side has none */
    double value[STINT_DIFF_SIDES]; /* mean over these files */
    double difference;              /* B - A; INFINITY, as `part`, if it is not known, since a sum exceeded 64 bits */
    double part;                    /* difference as a part of A; 0 if both are 0, NAN if only A is */
    enum stint_noise noise;         /* if it is not unknown, the following are set */
    struct stint_interval difference_in;
    struct stint_interval part_in; /* not finite if A may be 0 */
    struct stint_interval b_in;
    enum stint_change_verdict verdict;
};

/* Intervals between runs are expanded bootstrap percentiles of the means; the same files always give the same interval.
 * Intervals within runs follow from standard errors. Both are widened by the resolution of histograms. */
struct stint_change stint_change_of(const struct stint_diff *diff, const struct stint_diff_row *row,
                                    enum stint_metric metric);

/* Returns whether both sides have the metric. */
int stint_change_is_known(const struct stint_diff *diff, const struct stint_diff_row *row, enum stint_metric metric);

/* Returns the mean of the metric over the files of a side that have it; 0 if none has. */
double stint_change_mean(const struct stint_diff *diff, const struct stint_diff_row *row, int side,
                         enum stint_metric metric);

/* Returns the best available source of the noise of this comparison. */
enum stint_noise stint_noise_of(const struct stint_diff *diff);

/* ------------------------------------------------------------------------------------------------- comparable sides */

/* Whether two sides can be compared, and notes on how they differ. */

enum { STINT_REFUSAL_SIZE = 512 };

/* Returns 0 if they can be compared, else -1, with the reason in `reason`. `other_gpu` allows sides of different
 * devices. `names` are those of the files, A's first. */
int stint_diff_refuse(const struct stint_diff *diff, const char *const *names, int other_gpu, char *reason);

/* Adds other differences as sentences to `notes`, an array of const char *. Returns 0, or -1 without memory. */
int stint_diff_note(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena);

/* Adds a sentence for each kernel whose verdict (docs/counters.md) is another one in B, unless one of both is only
 * perhaps true, to `notes`, an array of const char * in the arena. Returns 0, or -1 without memory. */
int stint_diff_note_verdicts(const struct stint_snapshot *a, const struct stint_snapshot *b, struct stint_array *notes,
                             struct stint_arena *arena);

/* -------------------------------------------------------------------------------------------------- check.c, gate.c */

/* Rules on what may change, "scope:forward:p50 < +5%", and checks of the rows that they match. */

/* --------------------------------------------------------------------------------------------------- rules (gate.c) */

/* What a limit limits. */
enum stint_limit {
    STINT_LIMIT_PERCENT, /* "+5%": the change, as a part of A */
    STINT_LIMIT_CHANGE,  /* "+2ms": B - A */
    STINT_LIMIT_VALUE    /* "3ms": B */
};

enum stint_gate_relation {
    STINT_GATE_LESS,
    STINT_GATE_AT_MOST,
    STINT_GATE_GREATER,
    STINT_GATE_AT_LEAST,
    STINT_GATE_EQUAL
};

struct stint_gate_rule {
    const char *text;    /* as it was written, without blanks around it */
    unsigned kinds;      /* 1 << enum stint_diff_kind, of each */
    const char *pattern; /* of support/annotation.h */
    enum stint_metric metric;
    const char *counter; /* of kernels (kernel_counter.h): `metric` says its unit; NULL: no counter */
    enum stint_gate_relation relation;
    enum stint_limit limit;
    double bound; /* parts of A, ns, bytes, or a number */
    int optional; /* may match nothing */
};

/* Returns the name of the metric or counter that the rule is about. */
const char *stint_gate_metric(const struct stint_gate_rule *rule);

struct stint_gate_error {
    size_t line;   /* from 1 on */
    size_t column; /* from 1 on, in bytes */
    char reason[160];
};

/* Reads rules, separated by ";" or line feeds; a line whose first character is "#" is a comment. Adds them to `rules`,
 * an array of struct stint_gate_rule in the arena. Returns 0, or -1: `error` says what is wrong, and where. */
int stint_gate_read(struct stint_array *rules, struct stint_arena *arena, const char *text,
                    struct stint_gate_error *error);

/* ----------------------------------------------------------------------------------------------------------- checks */

enum stint_outcome {
    STINT_OUTCOME_PASS,
    STINT_OUTCOME_UNSURE, /* noise exceeds the distance to the limit: neither passed nor failed */
    STINT_OUTCOME_SKIP,   /* nothing to compare: one side lacks the row, or the metric was not measured */
    STINT_OUTCOME_FAIL
};

struct stint_check {
    const struct stint_gate_rule *rule;
    const struct stint_diff_row *row; /* NULL: the rule matches no row that could be compared */
    enum stint_outcome outcome;
    struct stint_change change;
};

/* Checks every rule against every row that it matches; a rule without rows gets one check. Fills `checks`, an array of
 * struct stint_check in the arena, by rule. Returns 0, or -1 without memory. */
int stint_gate_check(const struct stint_diff *diff, const struct stint_array *rules, struct stint_array *checks,
                     struct stint_arena *arena);

size_t stint_checks_count(const struct stint_array *checks, enum stint_outcome outcome);

/* "pass" */
const char *stint_outcome_name(enum stint_outcome outcome);

/* Adds why: "A 3.100 ms, B 3.500 ms: +12.9%, interval from +10.1% to +15.2%". */
void stint_check_explain(struct stint_line *line, const struct stint_check *check);

/* --------------------------------------------------------------------------------------------------- diff_formats.c */

/* The writers of a comparison, one file per format. */

enum stint_diff_sort { STINT_DIFF_SORT_CHANGE, STINT_DIFF_SORT_NAME, STINT_DIFF_SORT_TOTAL };

struct stint_diff_report {
    const struct stint_diff *diff;
    const char *const *names;         /* of the files, those of A first */
    const struct stint_array *notes;  /* const char * */
    const struct stint_array *checks; /* struct stint_check; NULL: there were no rules */
    unsigned kinds;                   /* 1 << enum stint_diff_kind, of each that is shown */
    enum stint_diff_sort sort;        /* by the size of the change of the total, by name, by total */
    size_t top;                       /* rows of each kind in a table; 0: all */
};

/* For people; Markdown for the web pages where code is reviewed. `columns` is the screen's width, 0: unlimited. */
void stint_diff_write_table(struct stint_text *text, const struct stint_diff_report *report, unsigned columns);
void stint_diff_write_markdown(struct stint_text *text, const struct stint_diff_report *report);

/* For programs: all rows, all metrics. JUnit has the checks alone. */
void stint_diff_write_csv(struct stint_text *text, const struct stint_diff_report *report);
void stint_diff_write_json(struct stint_text *text, const struct stint_diff_report *report);
void stint_diff_write_junit(struct stint_text *text, const struct stint_diff_report *report);

/* Rows in order: positions, in the arena. */
struct stint_diff_rows {
    const size_t *position;
    size_t count;
};

/* Returns the rows whose kinds are among `kinds`, 1 << enum stint_diff_kind each, and are shown: one kind after the
 * other. */
struct stint_diff_rows stint_diff_rows_of(const struct stint_diff_report *report, unsigned kinds,
                                          struct stint_arena *arena);

/* What programs read of a metric of a row: in CSV all of these columns, in JSON an object of those from
 * STINT_DIFF_CHANGE on, which stint_diff_put_change fills. */
enum { STINT_DIFF_CHANGE = 6, STINT_DIFF_COLUMNS = 13 };
extern const struct stint_column stint_diff_columns[STINT_DIFF_COLUMNS];
void stint_diff_put_change(struct stint_sheet *sheet, const struct stint_change *change);

/* Writes what the noise is estimated from. */
void stint_diff_put_noise(struct stint_line *line, const struct stint_diff *diff);

/* "1 of 3 checks failed, 1 is inconclusive, 1 passed" */
void stint_diff_put_outcome(struct stint_line *line, const struct stint_array *checks);

#endif
