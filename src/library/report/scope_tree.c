/* One row per calling context, indented below its caller, for people. */
#include "report/columns.h"
#include "report/frame.h"
#include "report/label.h"
#include "report/report.h"
#include "report/scope_tree_rows.h"

/* A level of indentation is BRANCH columns wide. Levels beyond the last that has room, or a bit in `more`, are not
 * drawn but counted: "+3 name" is three levels deeper than it looks. */
enum { BRANCH = 3, MOST_LEVELS = 64, LABEL_LEAST = 12 };

struct tree {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    struct stint_tree_rows rows;
    struct stint_columns columns;
    uint32_t levels; /* how many are drawn */
    uint64_t more;   /* bit k: the node at depth k + 1 on the way to this one has siblings below it */
};

/* A call of CUDA's API is known by its name, so its set is left out. */
static struct stint_label label_of(const struct tree *tree, const struct stint_context *context)
{
    const struct stint_stat *stat = &tree->snapshot->stats[context->stat];
    if (stint_gpu_is_call(stat))
        return (struct stint_label){.set = "", .name = stat->name};
    return stint_label_of(tree->snapshot, stat);
}

static struct stint_row row_of(const struct tree *tree, size_t index)
{
    const struct stint_context *context = &tree->snapshot->contexts[index];
    return (struct stint_row){
        .numbers = &context->numbers, .gpu = &context->gpu, .apart = stint_summary_is_apart(tree->snapshot, index)};
}

/* ----------------------------------------------------------------------------------------------------------- layout */

static uint32_t levels_within(size_t columns)
{
    size_t levels = columns > LABEL_LEAST + BRANCH ? (columns - LABEL_LEAST) / BRANCH : 1;
    return (uint32_t)(levels < MOST_LEVELS ? levels : MOST_LEVELS);
}

static void measure(struct tree *tree)
{
    for (size_t i = 0; i < tree->rows.count; i++) {
        size_t index = stint_tree_row_at(&tree->rows, i);
        const struct stint_context *context = &tree->snapshot->contexts[index];
        size_t levels = context->depth < MOST_LEVELS ? context->depth : MOST_LEVELS;
        size_t label = stint_label_columns(label_of(tree, context));
        struct stint_row row = row_of(tree, index);
        stint_columns_measure(&tree->columns, &row, BRANCH * levels + label);
    }
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static uint32_t depth_at(const struct tree *tree, size_t position)
{
    return tree->snapshot->contexts[stint_tree_row_at(&tree->rows, position)].depth;
}

/* Whether a sibling follows the row at `position` somewhere below its subtree. */
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

/* Draws the branches in front of a name and returns the columns they take. */
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
    if (depth <= tree->levels)
        return (size_t)BRANCH * drawn;
    char number[STINT_NUMBER_SIZE];
    size_t length = stint_number_u64(number, depth - tree->levels);
    stint_text_string(tree->text, "+");
    stint_text_put(tree->text, number, length);
    stint_text_string(tree->text, " ");
    return (size_t)BRANCH * drawn + length + 2;
}

static void put_row(struct tree *tree, size_t position)
{
    size_t index = stint_tree_row_at(&tree->rows, position);
    const struct stint_context *context = &tree->snapshot->contexts[index];
    note_siblings(tree, position);
    struct stint_row row = row_of(tree, index);
    stint_columns_row(&tree->columns, tree->text, &row);
    size_t taken = put_branches(tree, context->depth);
    size_t room = tree->columns.name_columns;
    stint_label_put(tree->text, label_of(tree, context), room > taken ? room - taken : 1);
    stint_text_string(tree->text, "\n");
}

void stint_report_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    summary.recursive = 0; /* here nested activations have rows of their own: nothing to explain */
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    struct tree tree = {.text = text, .snapshot = snapshot};
    stint_columns_begin(&tree.columns, STINT_COLUMN_AVG, layout);
    stint_columns_add_gpu(&tree.columns, &gpu);
    stint_tree_rows_begin(&tree.rows, snapshot, layout);
    tree.columns.whole_ns = summary.measured_ns;
    measure(&tree);
    stint_columns_fit(&tree.columns, layout->columns / 2);
    tree.levels = layout->columns ? levels_within(tree.columns.name_columns) : MOST_LEVELS;
    stint_frame_title(text, snapshot, &summary, layout);
    if (snapshot->context_count)
        stint_columns_header(&tree.columns, text);
    for (size_t i = 0; i < tree.rows.count; i++)
        put_row(&tree, i);
    stint_rest_put(&tree.rows.rest, "the time", text, layout);
    stint_frame_footer(text, snapshot, &summary, layout);
    stint_tree_rows_end(&tree.rows);
}
