/* Puts operations of neural networks on the page as a tree of sums, of which those that cost most are kept, with the
 * advice and the roofline that stint ops would print. */
#include "html/data.h"

#include <string.h>

#include "html/page_json.h"
#include "op/op_roofline.h"
#include "op/op_table.h"
#include "stat/numbers.h"

/* The most expensive ones; layers are as expensive as all within them. */
enum { OPERATIONS_MOST = 10000 };

/* ------------------------------------------------------------------------------------------------------------- make */

/* Gives places to sums that take as long as that, and returns how many there are. */
static size_t place_from(struct stint_html_operations *operations, uint64_t least_ns)
{
    size_t count = 0;
    for (size_t i = 0; i < operations->sums.all.count; i++) {
        operations->shown[i].place = (int64_t)count;
        count += stint_op_sum_at(&operations->sums, i + 1)->ns >= least_ns;
    }
    return count;
}

static int choose_operations(struct stint_html_operations *operations)
{
    size_t count = operations->sums.all.count;
    operations->shown = stint_arena_alloc(&operations->arena, (count + 1) * sizeof *operations->shown);
    for (size_t i = 0; operations->shown && i < count; i++) {
        struct stint_piece name = stint_op_sum_at(&operations->sums, i + 1)->name;
        operations->shown[i].name = stint_arena_copy(&operations->arena, name.text, name.length);
        if (!operations->shown[i].name)
            return -1;
    }
    if (!operations->shown)
        return -1;
    operations->least_ns = 0;
    for (uint64_t least = 1; place_from(operations, operations->least_ns) > OPERATIONS_MOST; least *= 2)
        operations->least_ns = least;
    operations->beyond = count - place_from(operations, operations->least_ns);
    return 0;
}

struct kept {
    struct stint_arena *arena;
    struct stint_op_buffer buffer;
};

static int keep(void *context, const char *text, size_t length)
{
    struct kept *kept = context;
    return stint_op_buffer_put(&kept->buffer, kept->arena, text, length);
}

static int advise(const struct stint_op_rows *rows, struct stint_text *text)
{
    return stint_op_advices_put(rows, 0, text);
}

/* Returns what `put` writes, or NULL without memory. */
static const char *write_with(struct stint_html_operations *operations, const struct stint_op_rows *rows,
                              int (*put)(const struct stint_op_rows *rows, struct stint_text *text))
{
    struct kept kept = {.arena = &operations->arena};
    struct stint_text text;
    stint_text_begin(&text, keep, &kept);
    return put(rows, &text) || stint_text_end(&text) || keep(&kept, "", 1) ? NULL : kept.buffer.text;
}

static int has_point(const struct stint_op_sums *sums)
{
    for (size_t i = 1; i <= sums->all.count; i++)
        if (stint_op_sum_at(sums, i)->both_flops > 0)
            return 1;
    return 0;
}

int stint_html_operations_make(struct stint_html_operations *operations, const struct stint_op_rows *rows)
{
    operations->roofline = operations->advice = "";
    if (!rows)
        return 0;
    if (stint_op_roofline_has_kernels(rows))
        operations->roofline = write_with(operations, rows, stint_op_roofline_put);
    if (!stint_op_rows_have_operations(rows))
        return operations->roofline ? 0 : -1;
    if (stint_op_sums_make(&operations->sums, rows, STINT_OP_BY_ALL) || choose_operations(operations))
        return -1;
    if (operations->roofline && !*operations->roofline && has_point(&operations->sums))
        operations->roofline = write_with(operations, rows, stint_op_roofline_put);
    operations->advice = write_with(operations, rows, advise);
    return operations->roofline && operations->advice ? 0 : -1;
}

void stint_html_operations_free(struct stint_html_operations *operations)
{
    stint_op_sums_free(&operations->sums);
    stint_arena_free(&operations->arena);
}

/* -------------------------------------------------------------------------------------------------------------- put */

static double ppm(double share)
{
    return 1e6 * share;
}

void stint_html_operations_put(struct stint_html_operations *operations, struct stint_html_strings *strings,
                               struct stint_json *json)
{
    struct stint_html_table table = {
        .strings = strings,
        .keys = "parent level name total idle kernels times flops flops_ns bytes bytes_ns both_flops both_bytes "
                "flops_ppm bytes_ppm bound cores_ns matrix_ns bus bus_ns"};
    for (size_t i = 0; i < operations->sums.all.count; i++) {
        const struct stint_op_sum *sum = stint_op_sum_at(&operations->sums, i + 1);
        const char *bound = stint_op_sum_bound(sum);
        if (sum->ns < operations->least_ns)
            continue;
        stint_html_i64(&table, sum->parent ? operations->shown[sum->parent - 1].place : -1);
        stint_html_u64(&table, sum->level);
        stint_html_text(&table, operations->shown[i].name);
        stint_html_u64(&table, sum->ns);
        stint_html_u64(&table, sum->idle_ns);
        stint_html_u64(&table, sum->kernels);
        stint_html_u64(&table, sum->times);
        stint_html_real(&table, sum->flops);
        stint_html_u64(&table, sum->flops_ns);
        stint_html_real(&table, sum->bytes);
        stint_html_u64(&table, sum->bytes_ns);
        stint_html_real(&table, sum->both_flops);
        stint_html_real(&table, sum->both_bytes);
        stint_html_real(&table, ppm(stint_op_sum_flops_share(sum)));
        stint_html_real(&table, ppm(stint_op_sum_bytes_share(sum)));
        stint_html_text(&table, bound ? bound : "");
        stint_html_u64(&table, sum->used_ns);
        stint_html_u64(&table, stint_sum_of(sum->used_ns, sum->unused_ns));
        stint_html_real(&table, sum->bus_bytes);
        stint_html_u64(&table, sum->bus_ns);
    }
    stint_html_table_put(&table, json, "operations");
    stint_json_key_u64(json, "operations_beyond", operations->beyond);
    stint_json_key_string(json, "advice", operations->advice);
    stint_json_key_string(json, "roofline", operations->roofline);
}
