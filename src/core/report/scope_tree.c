/* One row per calling context, indented below its caller, for people. */
#include "report/line.h"
#include "report/report.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "report/summary.h"

const struct stint_snapshot *stint_fold(const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                                        struct stint_arena *arena) __attribute__((weak));

/* A level of indentation is BRANCH columns wide. Levels for which there is no room on the screen, or no bit in `more`,
 * are not drawn but counted: "+3 name" is three levels deeper than it is drawn. */
enum { BRANCH = 3, MOST_LEVELS = 64, LABEL_LEAST = 12 };

struct tree {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    struct stint_tree_rows rows;
    struct stint_scope_whole whole;
    uint32_t levels; /* the number of levels drawn */
    uint64_t more;   /* bit k: the ancestor at depth k + 1 has further siblings below it */
    size_t position; /* of the current row */
};

/* A call of CUDA's API is well known by its name, so its set is left out. */
static struct stint_label label_of(const struct tree *tree, const struct stint_context *context)
{
    const struct stint_stat *stat = &tree->snapshot->stats[context->stat];
    if (stint_gpu_is_call(stat))
        return (struct stint_label){.set = "", .name = stat->name};
    return stint_label_of(tree->snapshot, stat);
}

enum { MISSING_SIZE = STINT_NUMBER_SIZE + 2 };

/* Writes "+3 " for a row that is three levels deeper than it is drawn. Returns the length, 0 for a row that is drawn
 * where it is. */
static size_t count_missing(char *out, uint32_t depth, uint32_t levels)
{
    if (depth <= levels)
        return 0;
    out[0] = '+';
    size_t length = 1 + stint_number_u64(out + 1, depth - levels);
    out[length] = ' ';
    return length + 1;
}

static int next_tree_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct tree *tree = context;
    if (*next == tree->rows.count)
        return 0;
    tree->position = (*next)++;
    size_t index = stint_tree_row_at(&tree->rows, tree->position);
    const struct stint_context *row = &tree->snapshot->contexts[index];
    struct stint_scope_whole whole = tree->whole;
    char missing[MISSING_SIZE];
    if (stint_summary_is_apart(tree->snapshot, index))
        whole.ns = 0;
    stint_scope_put_numbers(sheet, &whole, &row->numbers);
    stint_scope_put_gpu(sheet, &whole, &row->gpu, &row->numbers);
    sheet->cell[STINT_SCOPE_NAME].label = label_of(tree, row);
    sheet->indent = BRANCH * (row->depth < MOST_LEVELS ? row->depth : MOST_LEVELS);
    sheet->indent += count_missing(missing, row->depth, MOST_LEVELS);
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- layout */

static uint32_t levels_within(size_t columns)
{
    size_t levels = columns > LABEL_LEAST + BRANCH ? (columns - LABEL_LEAST) / BRANCH : 1;
    return (uint32_t)(levels < MOST_LEVELS ? levels : MOST_LEVELS);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static uint32_t depth_at(const struct tree *tree, size_t position)
{
    return tree->snapshot->contexts[stint_tree_row_at(&tree->rows, position)].depth;
}

/* Whether a sibling of the row at `position` follows after its subtree. */
static int has_next_sibling(const struct tree *tree, size_t position)
{
    uint32_t depth = depth_at(tree, position);
    size_t i = position + 1;
    while (i < tree->rows.count && depth_at(tree, i) > depth)
        i++;
    return i < tree->rows.count && depth_at(tree, i) == depth;
}

static void note_siblings(struct tree *tree, size_t position)
{
    uint32_t depth = depth_at(tree, position);
    if (depth == 0 || depth > tree->levels)
        return;
    uint64_t bit = UINT64_C(1) << (depth - 1);
    tree->more = has_next_sibling(tree, position) ? tree->more | bit : tree->more & ~bit;
}

/* Draws the branches before a name, and returns their width in columns. */
static size_t put_branches(const struct tree *tree, uint32_t depth)
{
    uint32_t drawn = depth < tree->levels ? depth : tree->levels;
    for (uint32_t level = 0; level < drawn; level++) {
        int more = (tree->more >> level & 1) != 0;
        int is_own = level + 1 == depth;
        if (is_own)
            stint_text_string(tree->text, more ? "├─ " : "└─ ");
        else
            stint_text_string(tree->text, more ? "│  " : "   ");
    }
    char missing[MISSING_SIZE];
    size_t length = count_missing(missing, depth, tree->levels);
    stint_text_put(tree->text, missing, length);
    return (size_t)BRANCH * drawn + length;
}

static void put_name(void *context, struct stint_text *text, size_t room)
{
    struct tree *tree = context;
    const struct stint_context *row = &tree->snapshot->contexts[stint_tree_row_at(&tree->rows, tree->position)];
    note_siblings(tree, tree->position);
    size_t taken = put_branches(tree, row->depth);
    stint_label_put(text, label_of(tree, row), room > taken ? room - taken : 1);
}

void stint_tree_put(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                    const struct stint_scope_whole *whole, const struct stint_column *columns, int is_ordered)
{
    struct stint_arena arena = {0};
    const struct stint_snapshot *shown = stint_fold ? stint_fold(snapshot, layout, &arena) : snapshot;
    struct tree tree = {.text = text, .snapshot = shown, .whole = *whole};
    struct stint_sheet sheet = {.columns = columns,
                                .count = STINT_SCOPE_COLUMNS,
                                .next = next_tree_row,
                                .context = &tree,
                                .put_name = put_name,
                                .name_floor = STINT_SCOPE_NAME_FLOOR,
                                .name_least = layout->columns / 2,
                                .hidden = stint_scope_without_gpu(whole->gpu) | STINT_SCOPE_SPREAD};
    stint_tree_rows_begin(&tree.rows, shown, layout, whole->ns, is_ordered && shown == snapshot);
    stint_sheet_fit(&sheet, layout);
    tree.levels = layout->columns ? levels_within(stint_sheet_name_room(&sheet)) : MOST_LEVELS;
    if (snapshot->context_count)
        stint_sheet_put(&sheet, text);
    stint_rest_put(&tree.rows.rest, "the time", text, layout);
    stint_tree_rows_end(&tree.rows);
    stint_arena_free(&arena);
}

void stint_report_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    summary.recursive = 0; /* nested activations have rows of their own here, so no note is needed */
    struct stint_gpu_sum gpu = stint_gpu_sum_of(snapshot);
    struct stint_scope_whole whole = {.ns = summary.measured_ns, .gpu = &gpu};
    stint_frame_title(text, snapshot, &summary, layout);
    stint_tree_put(text, snapshot, layout, &whole, stint_scope_columns, 1);
    stint_frame_footer(text, snapshot, &summary, layout);
}
