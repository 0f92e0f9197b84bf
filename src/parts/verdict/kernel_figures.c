/* Collects the counters of one kernel from a snapshot's values into a struct with a member for each, and computes what
 * follows from several. */
#include "verdict/verdict.h"

#include <math.h>
#include <string.h>

#define ACTIVE ".avg.pct_of_peak_sustained_active"
#define ELAPSED ".avg.pct_of_peak_sustained_elapsed"
#define PIPE(field)                                                                                                    \
    {                                                                                                                  \
        "sm__inst_executed_pipe_" #field ELAPSED, offsetof(struct stint_kernel_figures, field)                         \
    }
#define THREADS(field)                                                                                                 \
    {                                                                                                                  \
        "smsp__sass_thread_inst_executed_op_" #field "_pred_on.sum", offsetof(struct stint_kernel_figures, field)      \
    }
#define STALL(cause)                                                                                                   \
    {                                                                                                                  \
        "smsp__average_warps_issue_stalled_" #cause "_per_issue_active.ratio",                                         \
            offsetof(struct stint_kernel_figures, stall_##cause)                                                       \
    }
#define AT(metric, field)                                                                                              \
    {                                                                                                                  \
        metric, offsetof(struct stint_kernel_figures, field)                                                           \
    }

static const struct {
    const char *metric;
    size_t field;
} s_metrics[] = {
    AT("profiler__replayer_passes", passes),
    AT(STINT_COUNTER_RUNS, runs),
    AT("gpu__time_duration.sum", time_ns),
    AT("sm__throughput" ELAPSED, sm),
    AT("gpu__compute_memory_throughput" ELAPSED, memory),
    AT("l1tex__throughput" ELAPSED, l1),
    AT("lts__throughput" ELAPSED, l2),
    AT("gpu__dram_throughput" ELAPSED, dram),
    PIPE(alu),
    PIPE(fma),
    PIPE(fp64),
    PIPE(lsu),
    PIPE(xu),
    AT("sm__pipe_tensor_cycles_active" ELAPSED, tensor),
    AT("sm__warps_active" ACTIVE, occupancy),
    AT("sm__maximum_warps_per_active_cycle_pct", most_occupancy),
    AT("smsp__issue_active.avg.per_cycle_active", issued),
    AT("launch__waves_per_multiprocessor", waves),
    AT("launch__grid_size", blocks),
    AT("launch__block_size", threads),
    AT("launch__registers_per_thread", registers),
    AT("launch__shared_mem_per_block_static", static_shared),
    AT("launch__shared_mem_per_block_dynamic", dynamic_shared),
    AT("launch__occupancy_limit_registers", limit_registers),
    AT("launch__occupancy_limit_shared_mem", limit_shared),
    AT("launch__occupancy_limit_warps", limit_warps),
    AT("launch__occupancy_limit_blocks", limit_blocks),
    THREADS(dadd),
    THREADS(dmul),
    THREADS(dfma),
    THREADS(fadd),
    THREADS(fmul),
    THREADS(ffma),
    THREADS(hadd),
    THREADS(hmul),
    THREADS(hfma),
    AT("sm__inst_executed_pipe_tensor.sum", tensor_instructions),
    AT("sm__ops_path_tensor_src_fp16.sum", tensor_fp16),
    AT("sm__ops_path_tensor_src_bf16_dst_fp32.sum", tensor_bf16),
    AT("sm__ops_path_tensor_src_tf32_dst_fp32.sum", tensor_tf32),
    AT("sm__ops_path_tensor_src_fp64.sum", tensor_fp64),
    AT("sm__ops_path_tensor_src_fp8.sum", tensor_fp8),
    AT("sm__ops_path_tensor_src_int8.sum", tensor_int8),
    AT("dram__bytes_read.sum", dram_read),
    AT("dram__bytes_write.sum", dram_written),
    AT("lts__t_bytes.sum", l2_bytes),
    AT("l1tex__t_bytes.sum", l1_bytes),
    AT("l1tex__t_sector_hit_rate.pct", l1_hits),
    AT("lts__t_sector_hit_rate.pct", l2_hits),
    AT("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", load_sectors),
    AT("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", store_sectors),
    AT("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", load_bytes),
    AT("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", store_bytes),
    AT("smsp__sass_inst_executed_op_shared.sum", shared_instructions),
    AT("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", shared_wavefronts),
    AT("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", bank_conflicts),
    AT("smsp__sass_inst_executed_op_local.sum", local_instructions),
    STALL(long_scoreboard),
    STALL(short_scoreboard),
    STALL(barrier),
    STALL(math_pipe_throttle),
    STALL(mio_throttle),
    STALL(lg_throttle),
    STALL(tex_throttle),
    STALL(wait),
    STALL(not_selected),
    STALL(selected),
    STALL(no_instruction),
    STALL(drain),
    STALL(membar),
    STALL(dispatch_stall),
    STALL(imc_miss),
    STALL(branch_resolving),
    STALL(sleeping),
    STALL(misc),
};

enum { METRICS = sizeof s_metrics / sizeof s_metrics[0] };

static double *field_at(struct stint_kernel_figures *figures, size_t i)
{
    return (double *)(void *)((char *)figures + s_metrics[i].field);
}

static void begin_kernel(struct stint_kernel_figures *figures, const char *kernel)
{
    *figures = (struct stint_kernel_figures){.kernel = kernel};
    for (size_t i = 0; i < METRICS; i++)
        *field_at(figures, i) = (double)NAN;
}

static void take_value(struct stint_kernel_figures *figures, const struct stint_nvtx_value *value)
{
    static const char skipped[] = STINT_COUNTER_SKIPPED;
    if (strcmp(value->field, STINT_COUNTER_LAUNCHES) == 0) {
        figures->launches = (uint64_t)value->sum;
        return;
    }
    if (strncmp(value->field, skipped, sizeof skipped - 1) == 0) {
        figures->skipped += value->count;
        figures->why_skipped = figures->why_skipped ? figures->why_skipped : value->field + sizeof skipped - 1;
        return;
    }
    figures->counted = value->count > figures->counted ? value->count : figures->counted;
    for (size_t i = 0; i < METRICS; i++)
        if (strcmp(s_metrics[i].metric, value->field) == 0)
            *field_at(figures, i) = value->sum / (double)value->count;
}

static int next_of(const char *set, struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot,
                   size_t *next)
{
    const struct stint_nvtx_value *values = snapshot->nvtx_values;
    size_t i = *next;
    while (i < snapshot->nvtx_value_count && strcmp(values[i].set, set) != 0)
        i++;
    if (i == snapshot->nvtx_value_count)
        return 0;
    begin_kernel(figures, values[i].name);
    for (; i < snapshot->nvtx_value_count && strcmp(values[i].set, set) == 0 &&
           strcmp(values[i].name, figures->kernel) == 0;
         i++)
        take_value(figures, &values[i]);
    *next = i;
    return 1;
}

int stint_kernel_figures_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next)
{
    return next_of(STINT_COUNTER_SET, figures, snapshot, next);
}

int stint_scope_figures_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next)
{
    return next_of(STINT_COUNTER_SCOPE_SET, figures, snapshot, next);
}

double stint_fp64_instructions(const struct stint_kernel_figures *figures)
{
    return figures->dadd + figures->dmul + figures->dfma;
}

double stint_fp64_flops(const struct stint_kernel_figures *figures)
{
    return figures->dadd + figures->dmul + 2 * figures->dfma;
}

double stint_fp32_flops(const struct stint_kernel_figures *figures)
{
    return figures->fadd + figures->fmul + 2 * figures->ffma;
}

double stint_fp16_flops(const struct stint_kernel_figures *figures)
{
    return 2 * (figures->hadd + figures->hmul + 2 * figures->hfma);
}

double stint_tensor_flops(const struct stint_kernel_figures *figures)
{
    return figures->tensor_fp16 + figures->tensor_bf16 + figures->tensor_tf32 + figures->tensor_fp64 +
           figures->tensor_fp8;
}
