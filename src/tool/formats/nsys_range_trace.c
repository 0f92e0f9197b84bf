/* Single ranges of NVTX: a row for each, by start. */
#include <string.h>

#include "base/exact.h"
#include "formats/nsys_span.h"

#define COLUMN(name) .key = name, .title = name

static uint64_t duration_ns(const void *row)
{
    return stint_nsys_span_of(row)->end_ns - stint_nsys_span_of(row)->start_ns;
}

/* ----------------------------------------------------------------------------------------------------------- texts */

enum { ID_SIZE = 21 }; /* ":18446744073709551615" */

/* Spans are numbered from 1 on. */
static size_t id_of(const struct stint_nsys_spans *spans, const struct stint_nsys_span *span)
{
    return (size_t)(span - (const struct stint_nsys_span *)spans->spans.items) + 1;
}

/* ":1:4:5", the ranges from the outermost to this one. Written from the end on. */
static const char *stack_of(const struct stint_nsys_spans *spans, const struct stint_nsys_span *span)
{
    char *at = spans->stack + ((size_t)span->level + 1) * ID_SIZE;
    *at = '\0';
    for (size_t id = id_of(spans, span); id; id = stint_nsys_span_at(spans, id - 1)->parent + 1) {
        char number[STINT_NUMBER_SIZE];
        size_t length = stint_number_u64(number, id);
        memcpy(at -= length, number, length);
        *--at = ':';
    }
    return at;
}

/* "----name": two dashes for each level. */
static const char *tree_of(const struct stint_nsys_spans *spans, const struct stint_nsys_span *span)
{
    memset(spans->tree, '-', 2 * (size_t)span->level);
    memcpy(spans->tree + 2 * (size_t)span->level, span->name, strlen(span->name) + 1);
    return spans->tree;
}

void stint_nsys_prepare_texts(struct stint_nsys *nsys, struct stint_nsys_spans *spans)
{
    size_t levels = 0, longest = 0;
    for (size_t i = 0; i < spans->spans.count; i++) {
        const struct stint_nsys_span *span = stint_nsys_span_at(spans, i);
        size_t length = strlen(span->name);
        levels = span->level > levels ? span->level : levels;
        longest = length > longest ? length : longest;
    }
    spans->stack = stint_nsys_alloc(nsys, levels + 1, ID_SIZE + 1);
    spans->tree = stint_nsys_alloc(nsys, 2 * levels + longest + 1, 1);
}

void stint_nsys_put_place(const struct stint_nsys_span *span, size_t column, struct stint_sheet *sheet)
{
    if (span->pid)
        stint_number_i64(stint_sheet_text(sheet, column), span->pid);
    if (span->tid)
        stint_number_i64(stint_sheet_text(sheet, column + 1), span->tid);
}

void stint_nsys_put_tree(const struct stint_nsys_spans *spans, const struct stint_nsys_span *span, size_t column,
                         int csv, struct stint_sheet *sheet)
{
    stint_number_u64(stint_sheet_text(sheet, column), span->level);
    stint_nsys_put_u64(stint_sheet_text(sheet, column + 1), span->children, csv);
    stint_number_u64(stint_sheet_text(sheet, column + 2), id_of(spans, span));
    if (span->parent != STINT_NO_PARENT)
        stint_number_u64(stint_sheet_text(sheet, column + 3), span->parent + 1);
    stint_sheet_string(sheet, column + 4, stack_of(spans, span));
}

void stint_nsys_add_span_row(struct stint_nsys *nsys, const struct stint_nsys_span *span)
{
    const struct stint_nsys_span **row = stint_array_add(&nsys->list, &nsys->arena, sizeof *row);
    nsys->failed |= !row;
    if (row)
        *row = span;
}

/* ------------------------------------------------------------------------------------------ pushed and popped ones */

enum push_pop {
    PUSH_START,
    PUSH_END,
    PUSH_DURATION,
    PUSH_CHILDREN,
    PUSH_SELF,
    PUSH_NAME,
    PUSH_PID,
    PUSH_TID,
    PUSH_LEVEL,
    PUSH_STACK = PUSH_LEVEL + 4,
    PUSH_TREE,
    PUSH_COLUMNS
};

static const struct stint_column s_push_pop[PUSH_COLUMNS] = {
    [PUSH_START] = {COLUMN("Start"), .unit = STINT_COLUMN_TIME},
    [PUSH_END] = {COLUMN("End"), .unit = STINT_COLUMN_TIME, .hide = 4},
    [PUSH_DURATION] = {COLUMN("Duration"), .unit = STINT_COLUMN_TIME},
    [PUSH_CHILDREN] = {COLUMN("DurChild"), .unit = STINT_COLUMN_TIME, .hide = 7},
    [PUSH_SELF] = {COLUMN("DurNonChild"), .unit = STINT_COLUMN_TIME, .hide = 10},
    [PUSH_NAME] = {COLUMN("Name"), .unit = STINT_COLUMN_NAME, .left = 1},
    [PUSH_PID] = {COLUMN("PID"), .hide = 6},
    [PUSH_TID] = {COLUMN("TID"), .hide = 9},
    [PUSH_LEVEL] = {COLUMN("Lvl"), .hide = 11},
    [PUSH_LEVEL + 1] = {COLUMN("NumChild"), .hide = 8},
    [PUSH_LEVEL + 2] = {COLUMN("RangeId"), .hide = 5},
    [PUSH_LEVEL + 3] = {COLUMN("ParentId"), .hide = 3},
    [PUSH_STACK] = {COLUMN("RangeStack"), .left = 1, .hide = 1},
    [PUSH_TREE] = {COLUMN("NameTree"), .unit = STINT_COLUMN_NAME, .left = 1, .hide = 2},
};

static void fill_push_pop(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                          struct stint_sheet *sheet)
{
    const struct stint_nsys_span *span = stint_nsys_span_of(row);
    uint64_t ns = duration_ns(row);
    stint_nsys_put_ns(stint_sheet_text(sheet, PUSH_START), span->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, PUSH_END), span->end_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, PUSH_DURATION), ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, PUSH_CHILDREN), span->children_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, PUSH_SELF), ns - span->children_ns, csv, unit);
    stint_sheet_string(sheet, PUSH_NAME, span->name);
    stint_nsys_put_place(span, PUSH_PID, sheet);
    stint_nsys_put_tree(nsys->spans, span, PUSH_LEVEL, csv, sheet);
    stint_sheet_string(sheet, PUSH_TREE, tree_of(nsys->spans, span));
}

const struct stint_nsys_list stint_nsys_push_pop_trace = {.columns = s_push_pop,
                                                          .count = PUSH_COLUMNS,
                                                          .row_size = sizeof(struct stint_nsys_span *),
                                                          .fill = fill_push_pop,
                                                          .time_of = duration_ns};

static void collect(struct stint_nsys *nsys, enum stint_nsys_style style)
{
    struct stint_nsys_spans *spans = nsys->spans = stint_nsys_alloc(nsys, 1, sizeof *spans);
    if (!spans)
        return;
    spans->push_pop_only = 1;
    if (stint_nsys_read_spans(nsys, spans))
        return;
    stint_nsys_prepare_texts(nsys, spans);
    for (size_t i = 0; i < spans->spans.count && !nsys->failed; i++)
        if (stint_nsys_span_at(spans, i)->style == style)
            stint_nsys_add_span_row(nsys, stint_nsys_span_at(spans, i));
    nsys->notes |= spans->is_cut ? STINT_NSYS_MORE_RANGES : 0;
}

void stint_nsys_collect_push_pop_trace(struct stint_nsys *nsys)
{
    collect(nsys, STINT_NSYS_PUSH_POP);
}

/* ------------------------------------------------------------------------------------------ started and ended ones */

enum start_end { BEGIN, END, DURATION, NAME, PID, TID, ID, START_END_COLUMNS };

/* nsys stats has no such report. */
static const struct stint_column s_start_end[START_END_COLUMNS] = {
    [BEGIN] = {COLUMN("Start"), .unit = STINT_COLUMN_TIME},
    [END] = {COLUMN("End"), .unit = STINT_COLUMN_TIME, .hide = 2},
    [DURATION] = {COLUMN("Duration"), .unit = STINT_COLUMN_TIME},
    [NAME] = {COLUMN("Name"), .unit = STINT_COLUMN_NAME, .left = 1},
    [PID] = {COLUMN("PID"), .hide = 3},
    [TID] = {COLUMN("TID"), .hide = 4},
    [ID] = {COLUMN("RangeId"), .hide = 1},
};

static void fill_start_end(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                           struct stint_sheet *sheet)
{
    const struct stint_nsys_span *span = stint_nsys_span_of(row);
    stint_nsys_put_ns(stint_sheet_text(sheet, BEGIN), span->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, END), span->end_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, DURATION), duration_ns(row), csv, unit);
    stint_sheet_string(sheet, NAME, span->name);
    stint_nsys_put_place(span, PID, sheet);
    stint_number_u64(stint_sheet_text(sheet, ID), id_of(nsys->spans, span));
}

const struct stint_nsys_list stint_nsys_start_end_trace = {.columns = s_start_end,
                                                           .count = START_END_COLUMNS,
                                                           .row_size = sizeof(struct stint_nsys_span *),
                                                           .fill = fill_start_end,
                                                           .time_of = duration_ns};

void stint_nsys_collect_start_end_trace(struct stint_nsys *nsys)
{
    collect(nsys, STINT_NSYS_START_END);
}
