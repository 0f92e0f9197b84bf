/* A report of nsys stats: runs its SQL, and writes the rows and the text around them. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "model/model.h"
#include "nsys/nsys.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/summary.h"

static char s_reason[160];

const char *stint_nsys_reason(void)
{
    return s_reason;
}

/* ----------------------------------------------------------------------------------------------------------- order */

static int ends_in(const struct stint_nsys_title *title, const char *ending)
{
    size_t length = strlen(ending), all = (size_t)title->title_length;
    return length <= all && strncmp(title->title + all - length, ending, length) == 0;
}

/* Returns the name of the first column of one of the types whose title ends in one of the endings; NULL if there is
 * none. */
static const char *column_of(sqlite3_stmt *select, const char *const *types, const char *const *endings)
{
    for (; *types; types++)
        for (int i = 0; i < sqlite3_column_count(select); i++) {
            struct stint_nsys_title title = stint_nsys_title(sqlite3_column_name(select, i));
            for (const char *const *ending = endings; *ending; ending++)
                if (stint_nsys_is_type(&title, *types) && ends_in(&title, *ending))
                    return title.title;
        }
    return NULL;
}

static const char *const s_amounts[] = {"dur_ns", "mem_B", NULL};
static const char *const s_plain[] = {"", NULL};
static const char *const s_counts[] = {"Instances", "Count", "Calls", "Kern Inst", NULL};
static const char *const s_rests[] = {"rest", "dur_ns", "mem_B", NULL};

/* Returns the term that rows are sorted by; "" for the report's own order. */
static char *order_by(sqlite3_stmt *select, enum stint_sort sort)
{
    const char *column = NULL;
    switch (sort) {
    case STINT_SORT_COUNT:
        column = column_of(select, s_plain, s_counts);
        break;
    case STINT_SORT_AVERAGE:
        column = column_of(select, s_amounts, (const char *const[]){"Avg", NULL});
        break;
    case STINT_SORT_MIN:
        column = column_of(select, s_amounts, (const char *const[]){"Min", NULL});
        break;
    case STINT_SORT_MAX:
        column = column_of(select, s_amounts, (const char *const[]){"Max", NULL});
        break;
    case STINT_SORT_SELF:
        column = column_of(select, s_rests, s_plain);
        break;
    default:
        break;
    }
    if (column)
        return sqlite3_mprintf("CAST(coalesce(\"%w\", 0) AS INTEGER) DESC, ", column);
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (int i = 0; sort == STINT_SORT_NAME && i < sqlite3_column_count(select); i++) {
        struct stint_nsys_title title = stint_nsys_title(sqlite3_column_name(select, i));
        if (stint_nsys_is_type(&title, "name"))
            sqlite3_str_appendf(text, "\"%w\", ", title.title);
    }
    char *order = sqlite3_str_finish(text);
    return order ? order : sqlite3_mprintf("");
}

/* Selects the rows that are shown, `top` of them or all. Without a request for an order, those with the greatest totals
 * are shown; of lists, the first. */
static sqlite3_stmt *shown_rows(struct stint_nsys *nsys, sqlite3_stmt *select, int is_list, enum stint_sort sort,
                                unsigned top)
{
    const char *rest = column_of(select, s_rests, s_plain);
    char *order = order_by(select, is_list ? STINT_SORT_TOTAL : sort);
    char *sql =
        order && rest && top && !is_list && !sort
            ? sqlite3_mprintf("SELECT * FROM report_result WHERE rowid IN (SELECT rowid FROM report_result "
                              "ORDER BY coalesce(\"%w\", 0) DESC, rowid LIMIT %u) ORDER BY rowid",
                              rest, top)
        : order ? sqlite3_mprintf("SELECT * FROM report_result ORDER BY %s rowid LIMIT %d", order, top ? (int)top : -1)
                : NULL;
    sqlite3_free(order);
    return stint_nsys_select(nsys, sql);
}

/* ------------------------------------------------------------------------------------------------------------ notes */

static int has_losses(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < STINT_LOSSES; i++)
        if (stint_loss_at(&snapshot->dropped, i).count)
            return 1;
    return stint_gpu_has_failed(&snapshot->gpu) || stint_gpu_unmeasured(snapshot) > 0;
}

/* Whether people see the column that a note is about. */
static int is_shown(const struct stint_nsys_rows *rows, const struct stint_sheet *sheet,
                    const struct stint_nsys_title *note)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct stint_nsys_title title = stint_nsys_title(sqlite3_column_name(rows->statement, rows->from[i]));
        if (title.title_length == note->title_length &&
            strncmp(title.title, note->title, (size_t)note->title_length) == 0)
            return stint_sheet_shows(sheet, i);
    }
    return 0;
}

/* Writes each note once. Returns whether there was one. */
static int put_note(struct stint_nsys *nsys, const char *column, struct stint_text *text,
                    const struct stint_layout *layout)
{
    sqlite3_stmt *notes =
        stint_nsys_select(nsys, sqlite3_mprintf("SELECT \"%w\" FROM report_result WHERE \"%w\" IS NOT NULL GROUP BY 1 "
                                                "ORDER BY \"%w\" LIKE '%% - where %%', min(rowid)",
                                                column, column, column));
    int any = 0, code = SQLITE_DONE;
    while (notes && (code = sqlite3_step(notes)) == SQLITE_ROW) {
        struct stint_line line = {0};
        stint_line_string(&line, (const char *)sqlite3_column_text(notes, 0));
        stint_line_put(&line, text, layout, STINT_LINE_DIM);
        any = 1;
    }
    if (code != SQLITE_DONE)
        stint_nsys_fail(nsys);
    (void)sqlite3_finalize(notes);
    return any;
}

/* Writes notes about the columns that are shown, and losses, followed by a blank line, as a table is. */
static void put_notes(struct stint_nsys *nsys, const struct stint_nsys_rows *rows, const struct stint_sheet *sheet,
                      struct stint_text *text, const struct stint_layout *layout)
{
    int any = has_losses(nsys->snapshot);
    for (int i = 0; i < sqlite3_column_count(rows->statement); i++) {
        const char *column = sqlite3_column_name(rows->statement, i);
        struct stint_nsys_title title = stint_nsys_title(column);
        if (stint_nsys_is_type(&title, "note") && is_shown(rows, sheet, &title))
            any |= put_note(nsys, column, text, layout);
    }
    stint_frame_losses(text, nsys->snapshot, layout);
    stint_text_string(text, any ? "\n" : "");
}

/* A sum over all rows is known only if it is known for each row. */
static void put_rest(struct stint_nsys *nsys, sqlite3_stmt *rows, size_t count, size_t shown, struct stint_text *text,
                     const struct stint_layout *layout)
{
    const char *column = column_of(rows, s_rests, s_plain);
    struct stint_nsys_title title = stint_nsys_title(column ? column : "");
    struct stint_rest rest = {.rows = count - shown};
    if (!rest.rows)
        return;
    if (column) {
        double whole = stint_nsys_number(
            nsys, sqlite3_mprintf("SELECT CASE WHEN count(\"%w\") = count(*) THEN total(\"%w\") END FROM report_result",
                                  column, column));
        double part =
            stint_nsys_number(nsys, sqlite3_mprintf("SELECT total(\"%w\") FROM (%s)", column, sqlite3_sql(rows)));
        rest.whole = (uint64_t)whole;
        rest.part = (uint64_t)(whole > part ? whole - part : 0);
    }
    stint_rest_put(&rest, stint_nsys_is_type(&title, "mem_B") ? "the bytes" : "the time", text, layout);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

enum { COMMAND_MOST = 60 };

static void add_process(struct stint_line *line, const struct stint_process *process)
{
    stint_line_escaped(line, *process->command ? process->command : "(unknown)", COMMAND_MOST);
    if (process->pid)
        stint_line_say(line, " (pid %ju)", (uintmax_t)process->pid);
}

/* Writes the line in which nsys names its file and its script. */
static void put_processing(struct stint_text *text, const struct stint_snapshot *snapshot, const char *name,
                           const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "Processing [");
    add_process(&line, &snapshot->process);
    stint_line_say(&line, "] with [%s]...", name);
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

static void put_skipped(struct stint_nsys *nsys, const char *missing, int needs, struct stint_text *text,
                        const struct stint_layout *layout)
{
    struct stint_line line = {0}, reason = {0};
    const struct stint_snapshot *snapshot = nsys->snapshot;
    const char *why = stint_nsys_why_not(nsys, needs);
    stint_line_string(&line, "SKIPPED: ");
    add_process(&line, &snapshot->process);
    stint_line_say(&line, " does not contain %s.", missing);
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
    stint_line_string(&reason, why ? why : "");
    stint_line_put(&reason, text, layout, STINT_LINE_DIM);
    stint_frame_losses(text, snapshot, layout);
    stint_text_string(text, "\n");
}

/* What is written, and how. */
struct writing {
    struct stint_nsys *nsys;
    const char *name; /* of the report, as it was asked for */
    const char *title;
    int needs;
    struct stint_text *text;
    const struct stint_layout *layout;
};

static size_t count_names(const struct stint_nsys_rows *rows)
{
    size_t names = 0;
    for (size_t i = 0; i < rows->count; i++)
        names += rows->columns[i].unit == STINT_COLUMN_NAME;
    return names;
}

/* Makes a sheet of the statement's rows. */
static struct stint_sheet sheet_of(struct stint_nsys *nsys, struct stint_nsys_rows *rows, sqlite3_stmt *statement,
                                   int is_list)
{
    enum { ONE_NAME_LEAST = 24, OF_TWO_LEAST = 16 };
    if (!nsys->status && stint_nsys_rows_begin(rows, statement)) {
        nsys->status = STINT_ERROR_IO;
        (void)snprintf(nsys->reason, sizeof nsys->reason, "it has more than %d columns", STINT_SHEET_COLUMNS);
    }
    return (struct stint_sheet){.columns = rows->columns,
                                .count = rows->count,
                                .next = stint_nsys_next_row,
                                .context = rows,
                                .name_least = !is_list && count_names(rows) > 1 ? OF_TWO_LEAST : ONE_NAME_LEAST,
                                .ruled = 1};
}

static void put_table(const struct writing *writing, struct stint_nsys_rows *rows, size_t count, size_t shown,
                      const struct stint_layout *layout)
{
    struct stint_text *text = writing->text;
    struct stint_sheet sheet = sheet_of(writing->nsys, rows, rows->statement, writing->needs & STINT_NSYS_EVENTS);
    if (writing->nsys->status)
        return;
    stint_text_say(text, "\n ** %s (%s):\n\n", writing->title, writing->name);
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, text);
    put_rest(writing->nsys, rows->statement, count, shown, text, writing->layout);
    stint_text_string(text, "\n");
    put_notes(writing->nsys, rows, &sheet, text, writing->layout);
}

static void put_people(const struct writing *writing, sqlite3_stmt *select, struct stint_nsys_rows *rows,
                       const struct stint_layout *layout)
{
    struct stint_nsys *nsys = writing->nsys;
    int is_list = writing->needs & STINT_NSYS_EVENTS;
    stint_nsys_keep(nsys, select);
    size_t count = (size_t)stint_nsys_number(nsys, sqlite3_mprintf("SELECT count(*) FROM report_result"));
    const char *missing = count ? NULL : stint_nsys_missing(nsys->snapshot, writing->needs);
    unsigned top =
        stint_is_within(count, writing->layout->top) || count <= writing->layout->top ? 0 : writing->layout->top;
    rows->statement = nsys->status ? NULL : shown_rows(nsys, select, is_list, writing->layout->sort, top);
    if (nsys->status)
        return;
    char script[256];
    (void)snprintf(script, sizeof script, "%.*s", (int)strcspn(writing->name, ":"), writing->name);
    put_processing(writing->text, nsys->snapshot, script, writing->layout);
    if (missing)
        put_skipped(nsys, missing, writing->needs, writing->text, writing->layout);
    else
        put_table(writing, rows, count, top ? top : count, layout);
    (void)sqlite3_finalize(rows->statement);
}

/* All rows, as they come from the database unless they have to be sorted. */
static void put_csv(const struct writing *writing, sqlite3_stmt *select, struct stint_nsys_rows *rows,
                    const struct stint_layout *layout)
{
    struct stint_nsys *nsys = writing->nsys;
    sqlite3_stmt *sorted = NULL;
    if (layout->sort && !(writing->needs & STINT_NSYS_EVENTS)) {
        stint_nsys_keep(nsys, select);
        sorted = nsys->status ? NULL : shown_rows(nsys, select, 0, layout->sort, 0);
    }
    struct stint_sheet sheet = sheet_of(nsys, rows, sorted ? sorted : select, 0);
    if (!nsys->status)
        stint_sheet_put_csv(&sheet, writing->text, layout);
    if (!nsys->status && sqlite3_reset(rows->statement))
        stint_nsys_fail(nsys);
    (void)sqlite3_finalize(sorted);
}

static void put_report(const struct writing *writing, const char *sql, int csv)
{
    struct stint_layout layout = *writing->layout;
    layout.unit = stint_unit_wanted(layout.unit, STINT_UNIT_NS);
    struct stint_nsys_rows rows = {.csv = csv, .unit = layout.unit};
    sqlite3_stmt *select = stint_nsys_run_to_select(writing->nsys, sql);
    if (!writing->nsys->status)
        (csv ? put_csv : put_people)(writing, select, &rows, &layout);
    (void)sqlite3_finalize(select);
}

#define NOTHING(...)
#define TITLE(id, name, title) title,
static const char *const s_titles[] = {STINT_REPORT_LIST(NOTHING, NOTHING, NOTHING, TITLE)};

static const char *const s_arguments[] = {
    [STINT_KERNELS_PLAIN] = "", [STINT_KERNELS_BASE] = ":base", [STINT_KERNELS_MANGLED] = ":mangled"};

/* Returns the text of a file, in the arena; NULL after a failure. */
static const char *read_file(struct stint_nsys *nsys, const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "re");
    char *text = file ? stint_arena_alloc(&nsys->arena, MOST + 1) : NULL;
    size_t length = text ? fread(text, 1, MOST, file) : 0;
    if (!text || ferror(file) || length == MOST) {
        nsys->status = STINT_ERROR_IO;
        (void)snprintf(nsys->reason, sizeof nsys->reason, "%s",
                       length == MOST ? "the SQL is too long" : strerror(errno));
        text = NULL;
    } else {
        text[length] = '\0';
    }
    if (file)
        (void)fclose(file);
    return text;
}

/* The first line of the user's SQL, if it is a comment, says what the report is. */
static const char *title_of(struct stint_nsys *nsys, const char *sql, const char *name)
{
    static const char mark[] = "-- ";
    size_t length = strcspn(sql, "\n");
    const char *title = NULL;
    if (strncmp(sql, mark, sizeof mark - 1) == 0)
        title = stint_arena_copy(&nsys->arena, sql + sizeof mark - 1, length - (sizeof mark - 1));
    return title ? title : name;
}

/* A user's own SQL is on the events of a recording. */
static void check_events(struct stint_nsys *nsys)
{
    if (nsys->status || nsys->events || nsys->snapshot->gpu_event_count)
        return;
    nsys->status = STINT_ERROR_IO;
    (void)snprintf(nsys->reason, sizeof nsys->reason, "its SQL needs a recording, which stint run --store FILE makes");
}

enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout)
{
    struct stint_nsys nsys = {.snapshot = snapshot, .events = form->events, .kernels = form->kernels};
    const char *slash = form->script ? strrchr(form->script, '/') : NULL;
    const char *report = form->script ? (slash ? slash + 1 : form->script) : stint_report_name_at(form->report);
    const char *sql = form->script ? read_file(&nsys, form->script) : stint_nsys_script(report);
    char name[256];
    (void)snprintf(name, sizeof name, "%s%s", report, s_arguments[form->kernels]);
    if (form->script)
        check_events(&nsys);
    if (!nsys.status)
        stint_nsys_open(&nsys);
    if (!nsys.status)
        put_report(&(struct writing){.nsys = &nsys,
                                     .name = name,
                                     .title = form->script ? title_of(&nsys, sql, report)
                                                           : s_titles[form->report - STINT_REPORT_NSYS],
                                     .needs = stint_nsys_needs_of(sql),
                                     .text = text,
                                     .layout = layout},
                   sql, form->csv);
    stint_nsys_close(&nsys);
    (void)snprintf(s_reason, sizeof s_reason, "%s", nsys.reason);
    return nsys.status;
}
