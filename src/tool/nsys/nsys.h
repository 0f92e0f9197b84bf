/* The reports of nsys stats, each a file of SQL here, on a database with the tables of Nsight Systems.
 *
 * A file is one or more statements of SQLite; the rows of its last one, a SELECT, are the report's. Its first comment
 * says what the report shows, and "-- needs" what it lacks if it has no rows. A column's name is
 *
 *     title:type:order
 *
 * where all but the title may be left out. The type is Nsight Systems' own word for what the values are: ts_ns, dur_ns,
 * mem_B, thru_MB, ratio_%; or name, text, id (a number without separators), num_1 (with one decimal), value (of a unit
 * that only the program knows). On a narrow screen columns with order 1 are hidden first. Two types are not shown:
 * `note` has a line about the column of the same title, which is written below the table; `rest` has the number that
 * the line about further rows adds up, where it is not the first dur_ns or mem_B.
 *
 * Beside the tables of Nsight Systems, which may be empty, there are those of a snapshot's rows (nsys_tables.c), views
 * of both (views.sql), and functions (nsys_functions.h). */
#ifndef STINT_NSYS_NSYS_H
#define STINT_NSYS_NSYS_H

#include "base/arena.h"
#include "base/text.h"
#include "report/report.h"
#include "report/sheet.h"
#include "stint/report.h"
#include "stint/snapshot.h"
#include "store/sql.h"

/* What a report without rows lacks. */
enum stint_nsys_needs {
    STINT_NSYS_CALLS = 1,
    STINT_NSYS_KERNELS = 2,
    STINT_NSYS_OPERATIONS = 4,
    STINT_NSYS_RANGES = 8,
    STINT_NSYS_VALUES = 16,
    STINT_NSYS_EVENTS = 32,
    STINT_NSYS_UNIFIED = 64,
    STINT_NSYS_OS_CALLS = 128
};

struct stint_nsys_script {
    const char *name;
    const char *sql;
};

/* All files of SQL that are built in, sorted by name; after the last, names are NULL. */
extern const struct stint_nsys_script stint_nsys_scripts[];

/* Returns the text of a built-in file; NULL if there is none of that name. */
const char *stint_nsys_script(const char *name);

/* A database that reports are made from. */
struct stint_nsys {
    struct sqlite3 *database;
    struct stint_sql store; /* has it: one that stint wrote, or writes for the report */
    const struct stint_snapshot *snapshot;
    const struct stint_report_events *events; /* NULL: there are none beyond those of the snapshot */
    enum stint_kernel_names kernels;
    struct stint_arena arena;
    struct stint_array numbers; /* const struct stint_numbers *, which tables refer to by position */
    enum stint_status status;
    char reason[160];
};

/* Fails for the database's reason, unless it has failed already. */
void stint_nsys_fail(struct stint_nsys *nsys);

/* Runs statements that return no rows, unless it has failed. */
void stint_nsys_run(struct stint_nsys *nsys, const char *sql);

/* Opens the database, with all tables, views and functions. Close it also after a failure. */
void stint_nsys_open(struct stint_nsys *nsys);
void stint_nsys_close(struct stint_nsys *nsys);

/* Runs the statements of a report but for the last SELECT, which it returns; NULL after a failure. */
struct sqlite3_stmt *stint_nsys_run_to_select(struct stint_nsys *nsys, const char *sql);

/* Keeps its rows in a table report_result, as they are read more than once. */
void stint_nsys_keep(struct stint_nsys *nsys, struct sqlite3_stmt *select);

/* Prepare a query that sqlite3_mprintf has made, and free its text; the second returns the first number that the query
 * gives, 0: none. */
struct sqlite3_stmt *stint_nsys_select(struct stint_nsys *nsys, char *sql);
double stint_nsys_number(struct stint_nsys *nsys, char *sql);

/* Writes a number beyond those of SQLite as the text that stands for it, which SQL sorts behind all numbers, and among
 * its like by value: all have one length, with a blank before 19 digits. */
void stint_nsys_digits(char *text, uint64_t value);

/* A row that is inserted, value by value; a number beyond those of SQLite becomes a text. The text NULL is SQL's. */
struct stint_nsys_insert {
    struct stint_nsys *nsys;
    struct sqlite3_stmt *statement;
    int column; /* the next one, from 1 on */
};
void stint_nsys_put_i64(struct stint_nsys_insert *insert, int64_t value);
void stint_nsys_put_u64(struct stint_nsys_insert *insert, uint64_t value);
void stint_nsys_put_text(struct stint_nsys_insert *insert, const char *text);
void stint_nsys_put_end(struct stint_nsys_insert *insert);

/* Returns what the SQL says that it needs: a sum of enum stint_nsys_needs. */
int stint_nsys_needs_of(const char *sql);

/* Returns what data a report without rows lacks, in the words of nsys; NULL if nothing is missing and the report is
 * just empty. */
const char *stint_nsys_missing(const struct stint_snapshot *snapshot, int needs);

/* Returns how to get what is missing; NULL: there is nothing to say. */
const char *stint_nsys_why_not(struct stint_nsys *nsys, int needs);

/* Fills the tables. */
void stint_nsys_add_snapshot(struct stint_nsys *nsys);

/* Registers the functions of SQL. */
void stint_nsys_add_functions(struct stint_nsys *nsys);
void stint_nsys_add_range_functions(struct stint_nsys *nsys);

/* Returns the name that a kernel is shown under; its mangled name may be "". */
const char *stint_nsys_kernel_name(struct stint_nsys *nsys, const char *name, const char *mangled);

/* Returns the name of a range of that set, with its domain, in `out`; and its style, NULL: it is none. */
const char *stint_nsys_range_name(const struct stint_snapshot *snapshot, const char *set, const char *name, char *out,
                                  size_t size);
const char *stint_nsys_range_style(const char *set, const char *name);

/* Returns the domain if the set is of that kind (STINT_NVTX_SET and others of stint/nvtx_stats.h); NULL otherwise. */
const char *stint_nsys_domain_in(const char *set, const char *kind);

/* Returns the name of an operation: "[CUDA memcpy Host-to-Device]". */
const char *stint_nsys_operation(enum stint_gpu_kind kind, enum stint_gpu_direction direction, const char *name,
                                 char *out, size_t size);

/* ------------------------------------------------------------------------------------------------------------ rows */

/* The columns of a statement's rows, as a sheet shows them. */
struct stint_nsys_rows {
    struct sqlite3_stmt *statement;
    struct stint_column columns[STINT_SHEET_COLUMNS];
    char titles[STINT_SHEET_COLUMNS][48];
    int from[STINT_SHEET_COLUMNS]; /* the statement's column */
    size_t count;
    int csv;
    enum stint_time_unit unit;
};

/* Returns 0, or -1 if there are too many columns. */
int stint_nsys_rows_begin(struct stint_nsys_rows *rows, struct sqlite3_stmt *statement);

/* The title and the type of a column's name, of which the lengths are written. */
struct stint_nsys_title {
    const char *title, *type;
    int title_length, type_length;
    unsigned order;
};
struct stint_nsys_title stint_nsys_title(const char *name);
int stint_nsys_is_type(const struct stint_nsys_title *title, const char *type);

/* A row function for sheets, whose context are the rows. */
int stint_nsys_next_row(void *context, size_t *next, struct stint_sheet *sheet);

/* --------------------------------------------------------------------------------------------------------- reports */

/* Whether the report has names of kernels to choose from, as it has in nsys stats. */
int stint_nsys_has_kernels(enum stint_report report);

/* Writes the report of that name. Returns STINT_OK; otherwise stint_nsys_reason says why. stint_text_end returns errors
 * of writing. */
enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout);
const char *stint_nsys_reason(void);

#endif
