/* What processes do at the moment: adds it up by name, and puts it in order. For stint run --live, a thread asks for it
 * every few seconds, and prints the scopes that took most time. */
#include "cli/live.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/results.h"
#include "cpu/cpu_profile.h"
#include "report/line.h"
#include "report/sheet.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------------------- rows */

static const struct stint_table_key s_row = STINT_TABLE_KEY_COPYING(struct stint_live_row, group, name);

static void add_row(struct stint_live_rows *rows, const struct stint_live_row *more)
{
    struct stint_live_row like = {.group = more->group, .name = more->name};
    struct stint_live_row *row = stint_table_take(&rows->all, &s_row, &rows->arena, &like);
    if (!row)
        return;
    stint_sum_up(&row->total_ns, more->total_ns);
    stint_sum_up(&row->self_ns, more->self_ns);
    stint_sum_up(&row->count, more->count);
}

static void add_numbers(struct stint_live_rows *rows, const char *group, const char *name,
                        const struct stint_numbers *numbers)
{
    struct stint_live_row row = {group, name, stint_sum_of(numbers->total_ns, numbers->running_ns), numbers->self_ns,
                                 numbers->count};
    if (row.count || row.total_ns)
        add_row(rows, &row);
}

/* The functions that used the CPU, with what is in no function that they called. Looking them up takes longer than all
 * else. */
static void add_functions(struct stint_live_rows *rows, const struct stint_snapshot *snapshot,
                          struct stint_symbols **symbols)
{
    if (!*symbols)
        *symbols = stint_symbols_begin(STINT_SYMBOLS_INLINED_IF_CHEAP);
    struct stint_cpu_profile profile;
    struct stint_cpu_options all = {.is_brief = 1, .symbols = *symbols};
    int failed = stint_cpu_profile_make(&profile, snapshot, &all);
    for (size_t i = 0; !failed && i < profile.functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(&profile, i);
        char name[256];
        if (function->symbol.kind != STINT_SYMBOL_NAMED)
            (void)snprintf(name, sizeof name, "%s (no symbols)", function->symbol.module);
        else
            stint_cpu_short_name(function->symbol.function, name, sizeof name);
        if (function->self_samples)
            add_row(rows, &(struct stint_live_row){"CPU", name, function->self_ns, function->self_ns,
                                                   function->self_samples});
    }
    stint_cpu_profile_free(&profile);
    if (*symbols)
        stint_symbols_renew(*symbols);
}

void stint_live_rows_add(struct stint_live_rows *rows, const struct stint_snapshot *snapshot,
                         struct stint_symbols **symbols)
{
    if (!snapshot->gpu_activity_count && !snapshot->stat_count && snapshot->sampling.samples)
        add_functions(rows, snapshot, symbols);
    const char *global = snapshot->set_count ? snapshot->sets[0] : "";
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind != STINT_GPU_OVERHEAD)
            add_numbers(rows, "GPU", activity->name, &activity->numbers);
    }
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        add_numbers(rows, strcmp(stat->set, global) == 0 ? "" : stat->set, stat->name, &stat->numbers);
    }
}

void stint_live_rows_since(struct stint_live_rows *rows, const struct stint_live_rows *now,
                           const struct stint_live_rows *before)
{
    for (size_t i = 0; i < now->all.count; i++) {
        struct stint_live_row row = *stint_live_row_at(now, i);
        const struct stint_live_row *old = stint_table_find(&before->all, &s_row, &row);
        if (old && old->count <= row.count && old->total_ns <= row.total_ns) {
            row.count -= old->count;
            row.total_ns -= old->total_ns;
            row.self_ns -= old->self_ns < row.self_ns ? old->self_ns : row.self_ns;
        }
        if (row.count || row.total_ns)
            add_row(rows, &row);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sort */

static int compare_names(const struct stint_live_row *a, const struct stint_live_row *b)
{
    int order = strcmp(a->group, b->group);
    return order ? order : strcmp(a->name, b->name);
}

static int compare_values(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

#define COMPARE(name, value)                                                                                           \
    static int name(const void *left, const void *right)                                                               \
    {                                                                                                                  \
        const struct stint_live_row *a = left, *b = right;                                                             \
        int order = compare_values(a->value, b->value);                                                                \
        return order ? order : compare_names(a, b);                                                                    \
    }

COMPARE(by_total, total_ns)
COMPARE(by_self, self_ns)
COMPARE(by_count, count)

static int by_name(const void *left, const void *right)
{
    return compare_names(left, right);
}

void stint_live_rows_sort(struct stint_live_rows *rows, enum stint_live_order order)
{
    static int (*const s_compare[])(const void *, const void *) = {[STINT_LIVE_BY_TOTAL] = by_total,
                                                                   [STINT_LIVE_BY_SELF] = by_self,
                                                                   [STINT_LIVE_BY_COUNT] = by_count,
                                                                   [STINT_LIVE_BY_NAME] = by_name};
    if (rows->all.count > 1)
        qsort(rows->all.items, rows->all.count, sizeof(struct stint_live_row), s_compare[order]);
}

void stint_live_rows_free(struct stint_live_rows *rows)
{
    stint_arena_free(&rows->arena);
    *rows = (struct stint_live_rows){0};
}

/* ------------------------------------------------------------------------------------------------------------ block */

enum { MOST_ROWS = 8, NAME_LEAST = 20, COLUMNS_ELSEWHERE = 80 }; /* where there is no terminal */

enum { TOTAL, CALLS, NAME };

static const struct stint_column s_columns[] = {
    [TOTAL] = {.title = "total", .least = 12},
    [CALLS] = {.title = "calls", .unit = STINT_COLUMN_COUNT, .least = 9},
    [NAME] = {.title = "name", .unit = STINT_COLUMN_NAME},
};

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_live_rows *rows = context;
    if (*next == rows->all.count || *next == MOST_ROWS)
        return 0;
    const struct stint_live_row *row = stint_live_row_at(rows, (*next)++);
    (void)stint_time_format(stint_sheet_text(sheet, TOTAL), (double)row->total_ns);
    stint_sheet_value(sheet, CALLS, row->count);
    sheet->cell[NAME].label = (struct stint_label){.set = row->group, .name = row->name};
    return 1;
}

static void put_rows(struct stint_text *text, struct stint_live_rows *rows, const struct stint_layout *layout)
{
    struct stint_sheet sheet = {STINT_COLUMNS(s_columns), .next = next_row, .context = rows, .name_floor = NAME_LEAST};
    struct stint_line line = {0};
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, text);
    if (rows->all.count <= MOST_ROWS)
        return;
    stint_line_string(&line, "                         and ");
    stint_line_u64(&line, rows->all.count - MOST_ROWS);
    stint_line_string(&line, " more");
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

void stint_live_put_silent(struct stint_line *line, size_t silent)
{
    if (silent)
        stint_line_say(line, ", %zu of them do%s not answer", silent, silent == 1 ? "es" : "");
}

static void put_head(struct stint_text *text, const struct stint_results *results, const struct stint_live *live,
                     const struct stint_layout *layout)
{
    char stamp[16];
    time_t now = time(NULL);
    struct tm parts;
    struct stint_line line = {0};
    uint64_t longest_ns = 0;
    for (size_t i = 0; i < results->all.count; i++)
        if (stint_results_at(results, i)->process.wall_ns > longest_ns)
            longest_ns = stint_results_at(results, i)->process.wall_ns;
    (void)strftime(stamp, sizeof stamp, "== %H:%M:%S  ", localtime_r(&now, &parts));
    stint_line_string(&line, stamp);
    stint_line_escaped(&line, live->arguments[0], 40);
    stint_line_string(&line, ", ");
    stint_line_count(&line, results->all.count + live->silent, "process", "processes");
    stint_live_put_silent(&line, live->silent);
    stint_line_string(&line, ", after ");
    stint_line_time(&line, (double)longest_ns);
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

static void print(struct stint_live *live, const struct stint_results *results)
{
    struct stint_live_rows rows = {0};
    struct stint_text text;
    int to = STDERR_FILENO;
    unsigned columns = stint_print_screen(to).columns;
    struct stint_layout layout = {.columns = columns ? columns : COLUMNS_ELSEWHERE};
    for (size_t i = 0; i < results->all.count; i++)
        stint_live_rows_add(&rows, stint_results_at(results, i), &live->symbols);
    stint_live_rows_sort(&rows, STINT_LIVE_BY_TOTAL);
    stint_text_begin(&text, stint_write_fd, &to);
    put_head(&text, results, live, &layout);
    if (rows.all.count)
        put_rows(&text, &rows, &layout);
    else
        stint_text_string(&text, "   nothing recorded so far\n");
    (void)stint_text_end(&text);
    stint_live_rows_free(&rows);
}

/* -------------------------------------------------------------------------------------------------------- processes */

struct known {
    const char *name; /* of the socket */
    int is_silent;
};

static const struct stint_table_key s_known = STINT_TABLE_KEY_COPYING(struct known, name);

/* A process that cannot be asked may have ended meanwhile. */
static void ask(struct stint_live *live, struct stint_results *results, const char *name)
{
    struct known *known = stint_table_take(&live->known, &s_known, &live->arena, &(struct known){.name = name});
    struct stint_snapshot *snapshot = known ? stint_ask_snapshot_at(live->folder->path, name, &known->is_silent) : NULL;
    if (snapshot)
        stint_results_add(results, snapshot, NULL);
    else if (known)
        live->silent += (size_t)known->is_silent;
}

static void ask_all(struct stint_live *live, struct stint_results *results)
{
    DIR *all = opendir(live->folder->path);
    live->silent = 0;
    if (!all)
        return;
    for (struct dirent *entry; (entry = readdir(all));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending && strcmp(ending, ".sock") == 0)
            ask(live, results, entry->d_name);
    }
    (void)closedir(all);
}

static void print_all(struct stint_live *live)
{
    struct stint_results results = {0};
    ask_all(live, &results);
    if (results.all.count || live->silent)
        print(live, &results);
    stint_results_free(&results);
}

/* ----------------------------------------------------------------------------------------------------------- thread */

static struct timespec after(double seconds)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += (time_t)seconds;
    time.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Returns whether the program has ended before that. */
static int wait_for_end(struct stint_live *live, const struct timespec *until)
{
    (void)pthread_mutex_lock(&live->lock);
    while (!live->over && pthread_cond_timedwait(&live->changed, &live->lock, until) == 0)
        ;
    int over = live->over;
    (void)pthread_mutex_unlock(&live->lock);
    return over;
}

static void *go(void *context)
{
    struct stint_live *live = context;
    for (;;) {
        struct timespec next = after(live->seconds);
        if (wait_for_end(live, &next))
            return NULL;
        print_all(live);
    }
}

void stint_live_begin(struct stint_live *live)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    live->begun = live->over = 0;
    if (live->seconds <= 0)
        return;
    (void)pthread_mutex_init(&live->lock, NULL);
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&live->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the thread that waits for the program */
    live->begun = pthread_create(&live->thread, NULL, go, live) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!live->begun)
        stint_cli_say("cannot create a thread: the program runs without --live");
}

void stint_live_end(struct stint_live *live)
{
    if (!live->begun)
        return;
    (void)pthread_mutex_lock(&live->lock);
    live->over = 1;
    (void)pthread_cond_signal(&live->changed);
    (void)pthread_mutex_unlock(&live->lock);
    (void)pthread_join(live->thread, NULL);
    stint_arena_free(&live->arena);
    stint_symbols_end(live->symbols);
}
