/* Single ranges projected onto devices, and sums of them: from when to when what was launched in a range ran. */
#include "formats/nsys_span.h"

/* Reads the ranges and their work. Of the children of a range, only those with work count. Returns 0, or -1 if there
 * is nothing to read. */
static int read_spans(struct stint_nsys *nsys)
{
    struct stint_nsys_spans *spans = nsys->spans = stint_nsys_alloc(nsys, 1, sizeof *spans);
    if (!spans)
        return -1;
    spans->with_work = 1;
    if (stint_nsys_read_spans(nsys, spans))
        return -1;
    for (size_t i = 0; i < spans->spans.count; i++) {
        struct stint_nsys_span *span = stint_nsys_span_at(spans, i);
        span->children = 0;
        if (span->operations && span->parent != STINT_NO_PARENT)
            stint_nsys_span_at(spans, span->parent)->children++;
    }
    return 0;
}

static uint64_t projected_ns(const struct stint_nsys_span *span)
{
    return span->work_end_ns - span->work_start_ns;
}

/* ------------------------------------------------------------------------------------------------------------ trace */

#define COLUMN(name) .key = name, .title = name

enum column {
    NAME,
    PROJECTED_START,
    PROJECTED,
    ORIGINAL_START,
    ORIGINAL,
    STYLE,
    PID,
    TID,
    OPERATIONS,
    LEVEL,
    STACK = LEVEL + 4,
    COLUMNS
};

static const struct stint_column s_columns[COLUMNS] = {
    [NAME] = {COLUMN("Name"), .unit = STINT_COLUMN_NAME, .left = 1},
    [PROJECTED_START] = {COLUMN("Projected Start"), .unit = STINT_COLUMN_TIME},
    [PROJECTED] = {COLUMN("Projected Duration"), .unit = STINT_COLUMN_TIME},
    [ORIGINAL_START] = {COLUMN("Orig Start"), .unit = STINT_COLUMN_TIME, .hide = 9},
    [ORIGINAL] = {COLUMN("Orig Duration"), .unit = STINT_COLUMN_TIME, .hide = 11},
    [STYLE] = {COLUMN("Style"), .left = 1, .hide = 5},
    [PID] = {COLUMN("PID"), .hide = 4},
    [TID] = {COLUMN("TID"), .hide = 8},
    [OPERATIONS] = {COLUMN("NumGPUOps"), .hide = 10},
    [LEVEL] = {COLUMN("Lvl"), .hide = 7},
    [LEVEL + 1] = {COLUMN("NumChild"), .hide = 6},
    [LEVEL + 2] = {COLUMN("RangeId"), .hide = 3},
    [LEVEL + 3] = {COLUMN("ParentId"), .hide = 2},
    [STACK] = {COLUMN("RangeStack"), .left = 1, .hide = 1},
};

static void fill(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                 struct stint_sheet *sheet)
{
    const struct stint_nsys_span *span = stint_nsys_span_of(row);
    stint_sheet_string(sheet, NAME, span->name);
    stint_nsys_put_ns(stint_sheet_text(sheet, PROJECTED_START), span->work_start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, PROJECTED), projected_ns(span), csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, ORIGINAL_START), span->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, ORIGINAL), span->end_ns - span->start_ns, csv, unit);
    stint_sheet_string(sheet, STYLE, stint_nsys_style_name(span->style));
    stint_nsys_put_place(span, PID, sheet);
    stint_nsys_put_u64(stint_sheet_text(sheet, OPERATIONS), span->operations, csv);
    stint_nsys_put_tree(nsys->spans, span, LEVEL, csv, sheet);
}

static uint64_t time_of(const void *row)
{
    return projected_ns(stint_nsys_span_of(row));
}

const struct stint_nsys_list stint_nsys_proj_trace = {.columns = s_columns,
                                                      .count = COLUMNS,
                                                      .row_size = sizeof(struct stint_nsys_span *),
                                                      .fill = fill,
                                                      .time_of = time_of};

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_nsys_span *const *rows = array;
    const struct stint_nsys_span *x = rows[a], *y = rows[b];
    if (x->work_start_ns != y->work_start_ns)
        return x->work_start_ns < y->work_start_ns;
    return x->work_end_ns != y->work_end_ns ? x->work_end_ns > y->work_end_ns : a < b;
}

void stint_nsys_collect_proj_trace(struct stint_nsys *nsys)
{
    if (read_spans(nsys))
        return;
    stint_nsys_prepare_texts(nsys, nsys->spans);
    for (size_t i = 0; i < nsys->spans->spans.count && !nsys->failed; i++)
        if (stint_nsys_span_at(nsys->spans, i)->operations)
            stint_nsys_add_span_row(nsys, stint_nsys_span_at(nsys->spans, i));
    nsys->notes |= nsys->spans->is_cut ? STINT_NSYS_MORE_RANGES : 0;
    stint_nsys_reorder(nsys, &nsys->list, sizeof(struct stint_nsys_span *),
                       stint_nsys_order(nsys, &nsys->list, is_before));
}

/* -------------------------------------------------------------------------------------------------------------- sum */

static int is_like(const void *rows, size_t position, const void *key)
{
    const struct stint_nsys_row *row = (const struct stint_nsys_row *)rows + position;
    const struct stint_nsys_span *like = key;
    return row->range == like->name && row->style == stint_nsys_style_name(like->style);
}

static size_t row_of(struct stint_nsys *nsys, struct stint_index *index, const struct stint_nsys_span *span)
{
    uint64_t hash = stint_hash_mix((uintptr_t)span->name, (uint64_t)span->style);
    size_t at = stint_index_find(index, hash, is_like, nsys->rows.items, span);
    if (at != STINT_INDEX_NONE)
        return at;
    struct stint_nsys_row *row = stint_nsys_add_row(nsys);
    if (!row || stint_index_add(index, &nsys->arena, hash, nsys->rows.count - 1)) {
        nsys->failed = 1;
        return STINT_INDEX_NONE;
    }
    row->range = span->name;
    row->style = stint_nsys_style_name(span->style);
    return nsys->rows.count - 1;
}

static void add_to_row(struct stint_nsys_row *row, const struct stint_nsys_span *span)
{
    stint_nsys_add_sample(&row->spread, projected_ns(span));
    row->instances++;
    row->range_ns += span->end_ns - span->start_ns;
    row->operations += span->operations;
    row->level += span->level;
    row->children += (double)span->children;
}

static void average(struct stint_nsys_row *row)
{
    row->level /= (double)row->instances;
    row->children /= (double)row->instances;
    (void)stint_nsys_spread_simple(&row->spread);
}

int stint_nsys_sum_projections(struct stint_nsys *nsys)
{
    struct stint_index index = {0};
    struct stint_nsys_samples samples = {0};
    if (read_spans(nsys) || !stint_nsys_spans_are_whole(nsys, nsys->spans))
        return -1;
    for (size_t i = 0; i < nsys->spans->spans.count && !nsys->failed; i++) {
        const struct stint_nsys_span *span = stint_nsys_span_at(nsys->spans, i);
        size_t row = span->operations ? row_of(nsys, &index, span) : STINT_INDEX_NONE;
        if (row == STINT_INDEX_NONE)
            continue;
        add_to_row(stint_nsys_row_at(nsys, row), span);
        stint_nsys_sample(nsys, &samples, row, projected_ns(span));
    }
    if (!nsys->failed)
        stint_nsys_settle(nsys, &samples);
    for (size_t i = 0; i < nsys->rows.count && !nsys->failed; i++)
        average(stint_nsys_row_at(nsys, i));
    return 0;
}
