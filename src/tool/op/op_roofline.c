#include "op/op_roofline.h"

#include <string.h>

#include "op/kernel_points.h"
#include "op/op_sum.h"
#include "report/gpu_sum.h"

/* What is drawn, and of what. */
struct roofline {
    struct stint_roof_plot plot;
    struct stint_roof_device device;
    struct stint_op_sums sums;
    struct stint_arena arena;
};

/* FLOPs for each byte, and for each second; only of operations that have both, and a thousandth of the time. */
static int has_point(const struct roofline *line, const struct stint_op_sum *sum)
{
    return sum->both_flops > 0 && sum->both_bytes > 0 && sum->both_ns && sum->ns >= line->sums.ns / 1000;
}

static void find_roofs(struct roofline *line, const struct stint_op_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct stint_op_row *row = &rows->rows[i];
        struct stint_roof roof =
            stint_roof_of(&line->device, (enum stint_op_type)row->type, (enum stint_op_tensor_cores)row->tensor_cores);
        if (row->is_main && !row->cost.flops.state && row->cost.flops.value)
            stint_roof_add(&line->plot, &roof);
    }
}

static int add_point(struct roofline *line, const struct stint_op_sum *sum)
{
    struct stint_roof_point *point = stint_array_add(&line->plot.points, &line->arena, sizeof *point);
    if (!point)
        return -1;
    *point = (struct stint_roof_point){.intensity = sum->both_flops / sum->both_bytes,
                                       .rate = sum->both_flops / (double)sum->both_ns * 1e9,
                                       .share = (double)sum->ns / (double)line->sums.ns,
                                       .bound = stint_op_sum_bound(sum)};
    size_t length = sum->name.length < sizeof point->name ? sum->name.length : sizeof point->name - 1;
    memcpy(point->name, sum->name.text, length);
    return 0;
}

static int add_operations(struct roofline *line, const struct stint_op_rows *rows)
{
    line->plot.without = "of no operation FLOPs and bytes are both known: its types are needed";
    if (stint_op_sums_make(&line->sums, rows, STINT_OP_BY_OP))
        return -1;
    find_roofs(line, rows);
    for (size_t at = 0; (at = stint_op_sum_after(&line->sums, at)) != 0;)
        if (has_point(line, stint_op_sum_at(&line->sums, at)) && add_point(line, stint_op_sum_at(&line->sums, at)))
            return -1;
    return 0;
}

int stint_op_roofline_put(const struct stint_op_rows *rows, struct stint_text *text)
{
    struct roofline line = {.plot = {.roof_count = 0}};
    struct stint_gpu_device device =
        stint_gpu_device_of(rows->join->snapshot, rows->count ? rows->rows[0].kernel->device : 0);
    line.device = stint_roof_device(&device);
    stint_roof_memory(&line.plot, &line.device);
    int failed = stint_kernel_points_any(rows->join->snapshot)
                     ? stint_kernel_points_add(&line.plot, &line.arena, rows, &line.device)
                     : add_operations(&line, rows);
    if (!failed)
        stint_roof_plot_put(&line.plot, text);
    stint_op_sums_free(&line.sums);
    stint_arena_free(&line.arena);
    return failed;
}

int stint_op_roofline_has_kernels(const struct stint_op_rows *rows)
{
    return rows->join && stint_kernel_points_any(rows->join->snapshot);
}
