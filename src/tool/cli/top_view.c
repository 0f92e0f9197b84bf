/* What stint top shows: asks processes for snapshots, subtracts those of the look before, and writes what happened in
 * between as text, by scopes or by processes. */
#include "cli/live.h"

#include <string.h>
#include <time.h>

#include "model/model.h"
#include "report/line.h"
#include "report/sheet.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------------------ looks */

void stint_top_watch(void *context, long long pid, const char *folder)
{
    struct stint_top *top = context;
    for (size_t i = 0; i < top->processes.count; i++)
        if (stint_top_process(top, i)->pid == pid && strcmp(stint_top_process(top, i)->folder, folder) == 0)
            return;
    struct stint_top_process *process = stint_array_add(&top->processes, &top->arena, sizeof *process);
    char *copy = process ? stint_arena_copy(&top->arena, folder, strlen(folder)) : NULL;
    if (copy)
        *process = (struct stint_top_process){.pid = pid, .folder = copy};
    else if (process)
        top->processes.count--;
}

static uint64_t scopes_in(const struct stint_snapshot *snapshot)
{
    uint64_t count = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        stint_sum_up(&count, snapshot->stats[i].numbers.count);
    return count;
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now < before ? now : now - before;
}

/* After exec a process is another one, which has begun later. */
static void compare(struct stint_top_process *process, const struct stint_snapshot *snapshot)
{
    const struct stint_snapshot *last = process->last;
    struct stint_merged_process now = stint_process_sum(snapshot), before = {0};
    if (last && last->process.start_unix_ns == snapshot->process.start_unix_ns)
        before = stint_process_sum(last);
    else
        stint_live_rows_free(&process->rows);
    process->wall_ns = since(now.wall_ns, before.wall_ns);
    process->gpu_ns = since(now.gpu_ns, before.gpu_ns);
    process->kernels = since(now.kernels, before.kernels);
    process->scopes = since(scopes_in(snapshot), before.wall_ns ? scopes_in(last) : 0);
}

static void look_at(struct stint_top *top, struct stint_top_process *process)
{
    struct stint_live_rows now = {0};
    struct stint_snapshot *snapshot = stint_ask_snapshot(process->folder, process->pid, &process->is_silent);
    process->is_there = snapshot != NULL;
    process->wall_ns = process->gpu_ns = process->kernels = process->scopes = 0;
    top->silent += (size_t)process->is_silent;
    if (!snapshot)
        return;
    compare(process, snapshot);
    stint_live_rows_add(&now, snapshot, &top->symbols);
    stint_live_rows_since(&top->rows, &now, &process->rows);
    stint_live_rows_free(&process->rows);
    process->rows = now;
    stint_snapshot_free(process->last);
    process->last = snapshot;
    if (process->wall_ns > top->wall_ns)
        top->wall_ns = process->wall_ns;
}

/* What has ended is not watched any longer. */
static void forget_ended(struct stint_top *top)
{
    size_t kept = 0;
    for (size_t i = 0; i < top->processes.count; i++) {
        struct stint_top_process *process = stint_top_process(top, i);
        if (process->is_there || process->is_silent) {
            *stint_top_process(top, kept++) = *process;
            continue;
        }
        stint_live_rows_free(&process->rows);
        stint_snapshot_free(process->last);
    }
    top->processes.count = kept;
}

size_t stint_top_look(struct stint_top *top)
{
    stint_live_rows_free(&top->rows);
    top->wall_ns = 0;
    top->silent = 0;
    if (top->wants_all)
        stint_each_listener(stint_top_watch, top);
    for (size_t i = 0; i < top->processes.count; i++)
        look_at(top, stint_top_process(top, i));
    forget_ended(top);
    return top->processes.count;
}

void stint_top_free(struct stint_top *top)
{
    for (size_t i = 0; i < top->processes.count; i++)
        stint_top_process(top, i)->is_there = stint_top_process(top, i)->is_silent = 0;
    forget_ended(top);
    stint_live_rows_free(&top->rows);
    stint_symbols_end(top->symbols);
    stint_arena_free(&top->arena);
}

/* ------------------------------------------------------------------------------------------------------------- view */

enum { NAME_LEAST = 20 };

const char *stint_top_order_word(enum stint_live_order order)
{
    static const char *const words[] = {[STINT_LIVE_BY_TOTAL] = "total",
                                        [STINT_LIVE_BY_SELF] = "self",
                                        [STINT_LIVE_BY_COUNT] = "count",
                                        [STINT_LIVE_BY_NAME] = "name"};
    return words[order];
}

static double per_second(uint64_t count, uint64_t wall_ns)
{
    return wall_ns ? (double)count * 1e9 / (double)wall_ns : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* What is shown of a list: from `first` on, and not more than `rows` in all. */
struct part {
    const struct stint_top *top;
    size_t first, rows;
};

static int is_shown(const struct part *part, size_t next, size_t count)
{
    return part->first + next < count && (!part->rows || next < part->rows);
}

enum { SHARE, TIME, SELF, CALLS, AVERAGE, NAME };

/* Several threads may be in a scope at once: then its share is more than 100 %. */
static const struct stint_column s_columns[] = {
    [SHARE] = {.title = "Time", .unit = STINT_COLUMN_SHARE, .least = 7},
    [TIME] = {.title = "Time", .unit = STINT_COLUMN_SUM, .hide = 2},
    [SELF] = {.title = "Self", .unit = STINT_COLUMN_SUM, .hide = 1},
    [CALLS] = {.title = "Calls/s", .least = 9},
    [AVERAGE] = {.title = "Avg", .unit = STINT_COLUMN_TIME, .hide = 1},
    [NAME] = {.title = "Name", .unit = STINT_COLUMN_NAME},
};

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct part *part = context;
    if (!is_shown(part, *next, part->top->rows.all.count))
        return 0;
    const struct stint_live_row *row = stint_live_row_at(&part->top->rows, part->first + (*next)++);
    stint_sheet_number(sheet, SHARE, percent(row->total_ns, part->top->wall_ns));
    stint_sheet_value(sheet, TIME, row->total_ns);
    stint_sheet_value(sheet, SELF, row->self_ns);
    (void)stint_number_fixed(stint_sheet_text(sheet, CALLS), per_second(row->count, part->top->wall_ns), 1);
    if (row->count)
        stint_sheet_value(sheet, AVERAGE, row->total_ns / row->count);
    sheet->cell[NAME].label = (struct stint_label){.set = row->group, .name = row->name};
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- processes */

enum { PID, RANK, GPU, KERNELS, SCOPES, COMMAND };

static const struct stint_column s_process_columns[] = {
    [PID] = {.title = "Pid", .least = 7},
    [RANK] = {.title = "Rank", .hide = 2},
    [GPU] = {.title = "GPU", .unit = STINT_COLUMN_SHARE, .hide = 1},
    [KERNELS] = {.title = "Kernels/s", .hide = 1},
    [SCOPES] = {.title = "Scopes/s", .least = 9},
    [COMMAND] = {.title = "Process", .unit = STINT_COLUMN_NAME},
};

static int next_process(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct part *part = context;
    if (!is_shown(part, *next, part->top->processes.count))
        return 0;
    const struct stint_top_process *process = stint_top_process(part->top, part->first + (*next)++);
    (void)stint_number_i64(stint_sheet_text(sheet, PID), process->pid);
    if (process->is_silent) {
        stint_sheet_string(sheet, COMMAND, "(does not answer)");
        return 1;
    }
    if (*process->last->process.rank)
        stint_sheet_string(sheet, RANK, process->last->process.rank);
    stint_sheet_number(sheet, GPU, percent(process->gpu_ns, process->wall_ns));
    (void)stint_number_fixed(stint_sheet_text(sheet, KERNELS), per_second(process->kernels, process->wall_ns), 1);
    (void)stint_number_fixed(stint_sheet_text(sheet, SCOPES), per_second(process->scopes, process->wall_ns), 1);
    stint_sheet_string(sheet, COMMAND, process->last->process.command);
    return 1;
}

/* -------------------------------------------------------------------------------------------------------------- put */

static const char s_help[] = "\n"
                             "  t       by the time in a scope, with those that it encloses\n"
                             "  s       by the time in a scope alone\n"
                             "  c       by the number of calls\n"
                             "  n       by name\n"
                             "  p       processes instead of scopes, and back\n"
                             "  up, down, page up, page down, home   other rows\n"
                             "  + -     longer and shorter times between two looks\n"
                             "  z       pause\n"
                             "  space   look now\n"
                             "  h ?     this help, and back\n"
                             "  q       end\n"
                             "\n"
                             "Time(%) is of the time between two looks: two threads in a scope all the time\n"
                             "are 200 %. GPU/ stands in front of what GPUs did.\n";

static void put_head(struct stint_text *text, const struct stint_top *top, const struct stint_top_view *view)
{
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    struct stint_line line = {0};
    (void)strftime(stamp, sizeof stamp, "stint top %H:%M:%S  ", localtime_r(&now, &parts));
    stint_line_string(&line, stamp);
    stint_line_count(&line, top->processes.count, "process", "processes");
    stint_live_put_silent(&line, top->silent);
    stint_line_string(&line, top->is_first ? ", since they began: " : ", the last ");
    stint_line_time(&line, (double)top->wall_ns);
    if (!view->is_by_process) {
        stint_line_string(&line, ", by ");
        stint_line_string(&line, stint_top_order_word(view->order));
    }
    stint_line_string(&line, view->is_paused ? ", paused" : "");
    stint_line_put(&line, text, &view->layout, STINT_LINE_BOLD);
}

static void put_rows(struct stint_text *text, const struct stint_top *top, const struct stint_top_view *view)
{
    struct part part = {top, view->first, view->rows};
    struct stint_sheet rows = {STINT_COLUMNS(s_columns), .next = next_row, .context = &part, .name_floor = NAME_LEAST,
                               .name_least = NAME_LEAST};
    struct stint_sheet processes = {STINT_COLUMNS(s_process_columns), .next = next_process, .context = &part,
                                    .name_floor = NAME_LEAST, .name_least = NAME_LEAST};
    struct stint_sheet *sheet = view->is_by_process ? &processes : &rows;
    stint_sheet_fit(sheet, &view->layout);
    stint_sheet_put(sheet, text);
}

void stint_top_put(struct stint_text *text, struct stint_top *top, const struct stint_top_view *view)
{
    put_head(text, top, view);
    if (view->shows_help) {
        stint_text_string(text, s_help);
        return;
    }
    if (!view->is_by_process && !top->rows.all.count) {
        stint_text_string(text, "nothing was recorded in this time\n");
        return;
    }
    stint_live_rows_sort(&top->rows, view->order);
    put_rows(text, top, view);
}
