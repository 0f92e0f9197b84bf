/* A recording as a roofline: circles for operations, or for kernels by what counters say that they did, beside what the
 * operations that launched them had to do. */
#include "op/op_roofline.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "ceiling/ceilings.h"
#include "model/model.h"
#include "op/op_sum.h"
#include "verdict/verdict.h"

/* ----------------------------------------------------------------------------------------------------------- device */

/* The roofs of a device: what NVIDIA's tables say of its units, and what was measured. */

/* FLOPs of a multiprocessor for each cycle, without Tensor Cores, and with them. The former are twice the results in
 * the table of arithmetic throughput in the CUDA C++ Programming Guide, the latter those of NVIDIA's white papers on
 * V100, A100 and H100: 125 TFLOP/s = 80 * 1.53 GHz * 1024. */
static const struct {
    unsigned capability;
    enum stint_op_type type;
    unsigned without, with;
} s_rates[] = {
    {70, STINT_OP_FP64, 64, 0},     {70, STINT_OP_FP32, 128, 0},      {70, STINT_OP_FP16, 256, 1024},
    {80, STINT_OP_FP64, 64, 128},   {80, STINT_OP_FP32, 128, 1024},   {80, STINT_OP_TF32, 0, 1024},
    {80, STINT_OP_FP16, 512, 2048}, {80, STINT_OP_BF16, 256, 2048},   {90, STINT_OP_FP64, 128, 256},
    {90, STINT_OP_FP32, 256, 2048}, {90, STINT_OP_TF32, 0, 2048},     {90, STINT_OP_FP16, 512, 4096},
    {90, STINT_OP_BF16, 512, 4096}, {90, STINT_OP_FP8_E4M3, 0, 8192}, {90, STINT_OP_FP8_E5M2, 0, 8192},
};

double stint_op_peak(const struct stint_gpu_device *device, enum stint_op_type type, enum stint_op_tensor_cores use)
{
    unsigned capability = 10 * device->compute_major + device->compute_minor;
    if (use == STINT_OP_TC_UNKNOWN)
        return 0;
    for (size_t i = 0; i < sizeof s_rates / sizeof s_rates[0]; i++)
        if (s_rates[i].capability == capability && s_rates[i].type == type)
            return (double)(use == STINT_OP_TC_USED ? s_rates[i].with : s_rates[i].without) * device->multiprocessors *
                   device->core_clock_khz * 1e3;
    return 0;
}

struct stint_roof_device stint_roof_device(const struct stint_gpu_device *device)
{
    struct stint_roof_device known = {.device = *device};
    (void)stint_ceilings_read(&known.ceilings, device->name);
    return known;
}

/* Returns how fast such numbers were computed with; 0: not measured. */
static double measured(const struct stint_ceilings *ceilings, enum stint_op_type type, int is_tensor)
{
    switch (type) {
    case STINT_OP_FP64:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_FP64 : STINT_CEILING_FP64];
    case STINT_OP_FP32:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_TF32 : STINT_CEILING_FP32];
    case STINT_OP_TF32:
        return is_tensor ? ceilings->per_s[STINT_CEILING_TENSOR_TF32] : 0;
    case STINT_OP_FP16:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_FP16 : STINT_CEILING_FP16];
    case STINT_OP_BF16:
        return ceilings->per_s[is_tensor ? STINT_CEILING_TENSOR_BF16 : STINT_CEILING_BF16];
    default:
        return 0;
    }
}

struct stint_roof stint_roof_of(const struct stint_roof_device *device, enum stint_op_type type,
                                enum stint_op_tensor_cores use)
{
    int is_tensor = use == STINT_OP_TC_USED;
    struct stint_roof roof = {.type = stint_op_type_name(type), .is_tensor = is_tensor};
    roof.flops_per_s = use == STINT_OP_TC_UNKNOWN ? 0 : measured(&device->ceilings, type, is_tensor);
    roof.is_measured = roof.flops_per_s > 0;
    if (!roof.is_measured) /* without Tensor Cores: the same units, whether they could have been used or not */
        roof.flops_per_s = stint_op_peak(&device->device, type, use == STINT_OP_TC_NONE ? STINT_OP_TC_UNUSED : use);
    return roof;
}

void stint_roof_add(struct stint_roof_plot *plot, const struct stint_roof *roof)
{
    for (size_t i = 0; i < plot->roof_count; i++)
        if (strcmp(plot->roofs[i].type, roof->type) == 0 && plot->roofs[i].is_tensor == roof->is_tensor)
            return;
    if (roof->flops_per_s > 0 && plot->roof_count < STINT_ROOFS)
        plot->roofs[plot->roof_count++] = *roof;
}

void stint_roof_memory(struct stint_roof_plot *plot, const struct stint_roof_device *device)
{
    const double *per_s = device->ceilings.per_s;
    double best = fmax(per_s[STINT_CEILING_COPY], per_s[STINT_CEILING_READ]);
    plot->is_bandwidth_measured = best > 0;
    plot->bandwidth = best > 0 ? best : (double)device->device.memory_bytes_per_s;
}

/* -------------------------------------------------------------------------------------------------------- recording */

/* --------------------------------------------------------------------------------------------------------- counters */

struct part {
    enum stint_op_type type;
    enum stint_op_tensor_cores use;
    double flops;
};

enum { PARTS = 8 };

static double known(double value)
{
    return isnan(value) ? 0 : value;
}

static void split(struct part parts[PARTS], const struct stint_kernel_figures *figures)
{
    const struct part all[PARTS] = {
        {STINT_OP_FP64, STINT_OP_TC_UNUSED, stint_fp64_flops(figures)},
        {STINT_OP_FP32, STINT_OP_TC_UNUSED, stint_fp32_flops(figures)},
        {STINT_OP_FP16, STINT_OP_TC_UNUSED, stint_fp16_flops(figures)},
        {STINT_OP_FP64, STINT_OP_TC_USED, figures->tensor_fp64},
        {STINT_OP_TF32, STINT_OP_TC_USED, figures->tensor_tf32},
        {STINT_OP_FP16, STINT_OP_TC_USED, figures->tensor_fp16},
        {STINT_OP_BF16, STINT_OP_TC_USED, figures->tensor_bf16},
        {STINT_OP_FP8_E4M3, STINT_OP_TC_USED, figures->tensor_fp8},
    };
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = (struct part){all[i].type, all[i].use, known(all[i].flops)};
}

static double flops_of(const struct stint_kernel_figures *figures)
{
    struct part parts[PARTS];
    double sum = 0;
    split(parts, figures);
    for (size_t i = 0; i < PARTS; i++)
        sum += parts[i].flops;
    return sum;
}

static double bytes_of(const struct stint_kernel_figures *figures)
{
    return known(figures->dram_read + figures->dram_written);
}

static int is_shown(const struct stint_kernel_figures *figures)
{
    return figures->counted && known(figures->time_ns) > 0 && flops_of(figures) > 0 && bytes_of(figures) > 0;
}

static double time_of(const struct stint_kernel_figures *figures)
{
    return known(figures->time_ns) * (double)figures->launches;
}

int stint_kernel_points_any(const struct stint_snapshot *snapshot)
{
    struct stint_kernel_figures figures;
    for (size_t next = 0; stint_kernel_figures_next(&figures, snapshot, &next);)
        if (is_shown(&figures))
            return 1;
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- bounds */

static const char *kind_of(enum stint_bound bound)
{
    switch (bound) {
    case STINT_BOUND_DRAM:
    case STINT_BOUND_L2:
    case STINT_BOUND_L1:
    case STINT_BOUND_SHARED:
        return "memory";
    case STINT_BOUND_FP64:
    case STINT_BOUND_FMA:
    case STINT_BOUND_ALU:
    case STINT_BOUND_XU:
    case STINT_BOUND_TENSOR:
    case STINT_BOUND_ISSUE:
        return "compute";
    case STINT_BOUND_LAUNCH:
    case STINT_BOUND_GRID:
        return "launch";
    case STINT_BOUND_REGISTERS:
    case STINT_BOUND_SHARED_SIZE:
    case STINT_BOUND_BLOCK_SIZE:
    case STINT_BOUND_LATENCY:
        return "latency";
    default:
        return NULL;
    }
}

/* Adds roofs of what is a hundredth of a kernel's FLOPs at least: compilers set registers by fp16 instructions. */
static void add_roofs(struct stint_roof_plot *plot, const struct stint_kernel_figures *figures,
                      const struct stint_roof_device *device)
{
    struct part parts[PARTS];
    double sum = flops_of(figures);
    split(parts, figures);
    for (size_t i = 0; i < PARTS; i++) {
        struct stint_roof roof = stint_roof_of(device, parts[i].type, parts[i].use);
        if (parts[i].flops > 0.01 * sum)
            stint_roof_add(plot, &roof);
    }
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* What the kernels of a name had to do. */
struct least {
    uint64_t count;
    double flops, bytes;
    uint64_t first_flops, first_bytes;
    int differs;
    int is_unknown; /* the cost of one of them is not known, or something else shared it */
};

static void add_least(struct least *least, const struct stint_op_row *row)
{
    const struct stint_op_cost *cost = &row->cost;
    least->is_unknown |= !row->is_main || cost->flops.state || cost->bytes.state || row->all_ns != row->kernel->ns;
    if (!least->count++)
        least->first_flops = cost->flops.value, least->first_bytes = cost->bytes.value;
    least->differs |= cost->flops.value != least->first_flops || cost->bytes.value != least->first_bytes;
    least->flops += (double)cost->flops.value;
    least->bytes += (double)cost->bytes.value;
}

/* Returns one for each text, of which only names of kernels have any; NULL without memory. */
static struct least *find_least(const struct stint_op_rows *rows, struct stint_arena *arena)
{
    size_t texts = rows->join->texts.rows.count;
    struct least *all = stint_arena_alloc(arena, (texts + 1) * sizeof *all);
    if (!all)
        return NULL;
    memset(all, 0, (texts + 1) * sizeof *all);
    for (size_t i = 0; i < rows->count; i++)
        add_least(&all[rows->rows[i].kernel->name], &rows->rows[i]);
    return all;
}

/* Of launches that differ, all have to be counted to be compared. */
static void compare(struct stint_roof_point *point, const struct stint_kernel_figures *figures,
                    const struct stint_op_rows *rows, const struct least *all)
{
    uint32_t name = stint_op_texts_find(&rows->join->texts, figures->kernel);
    if (name == STINT_OP_NO_TEXT)
        return;
    struct least least = all[name];
    if (least.is_unknown || !(least.bytes > 0) || (least.differs && figures->counted != figures->launches))
        return;
    point->excess = bytes_of(figures) / (least.bytes / (double)least.count);
    if (!(least.flops > 0))
        return;
    point->least_intensity = least.flops / least.bytes;
    point->least_rate = least.flops / (double)least.count / figures->time_ns * 1e9;
}

/* ----------------------------------------------------------------------------------------------------------- points */

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_roof_point *points = array;
    return points[a].share != points[b].share ? points[a].share > points[b].share : a < b;
}

/* Puts them by falling share. */
static int arrange(struct stint_roof_plot *plot, struct stint_arena *arena)
{
    const struct stint_roof_point *points = plot->points.items;
    size_t count = plot->points.count, *order = stint_sorted(arena, count, is_before, points);
    struct stint_roof_point *sorted = stint_arena_alloc(arena, (count + 1) * sizeof *sorted);
    if (!order || !sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = points[order[i]];
    plot->points.items = sorted;
    return 0;
}

static int add_kernel(struct stint_roof_plot *plot, struct stint_arena *arena,
                      const struct stint_kernel_figures *figures, const struct stint_op_rows *rows,
                      const struct least *least)
{
    struct stint_roof_point *point = stint_array_add(&plot->points, arena, sizeof *point);
    const char *name = stint_op_kernel_name(arena, figures->kernel);
    struct stint_verdict verdict = stint_verdict(figures);
    if (!point || !name)
        return -1;
    *point = (struct stint_roof_point){.intensity = flops_of(figures) / bytes_of(figures),
                                       .rate = flops_of(figures) / figures->time_ns * 1e9,
                                       .share = time_of(figures),
                                       .bound = kind_of(verdict.bound)};
    if (verdict.bound != STINT_BOUND_UNKNOWN)
        point->why = stint_bound_name(verdict.bound);
    size_t length = strlen(name) < sizeof point->name ? strlen(name) : sizeof point->name - 1;
    memcpy(point->name, name, length);
    compare(point, figures, rows, least);
    return 0;
}

static int add_kernels(struct stint_roof_plot *plot, struct stint_arena *arena, const struct stint_op_rows *rows,
                       const struct stint_roof_device *device)
{
    const struct stint_snapshot *snapshot = rows->join->snapshot;
    struct stint_kernel_figures figures;
    const struct least *least = find_least(rows, arena);
    double all = 0;
    if (!least)
        return -1;
    for (size_t next = 0; stint_kernel_figures_next(&figures, snapshot, &next);)
        all += time_of(&figures);
    for (size_t next = 0; stint_kernel_figures_next(&figures, snapshot, &next);) {
        if (!is_shown(&figures) || time_of(&figures) < all / 1000)
            continue;
        if (add_kernel(plot, arena, &figures, rows, least))
            return -1;
        add_roofs(plot, &figures, device);
    }
    for (size_t i = 0; i < plot->points.count; i++)
        ((struct stint_roof_point *)plot->points.items)[i].share /= all;
    return arrange(plot, arena);
}

/* ------------------------------------------------------------------------------------------------------- operations */

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
    line->plot.without = "no operation has known FLOPs and bytes: types of operands are needed";
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
                     ? add_kernels(&line.plot, &line.arena, rows, &line.device)
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
