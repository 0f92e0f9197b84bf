/* The groups of metrics that STINT_COUNTERS takes by name, each a list for a question that one asks about a kernel. */
#include "counters/counter_groups.h"

#include <string.h>

#define ELAPSED ".avg.pct_of_peak_sustained_elapsed "
#define ACTIVE ".avg.pct_of_peak_sustained_active "
#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum "
#define PIPE(pipe) "sm__inst_executed_pipe_" pipe ELAPSED
#define STALL(cause) "smsp__average_warps_issue_stalled_" cause "_per_issue_active.ratio "

/* Shares of the whole time: of a kernel that runs on a few multiprocessors only, these may be busy all the time they
 * are active, while the device is not. The time itself is in each group, because it is what the others are compared
 * with. */
#define TIME "gpu__time_duration.sum "

static const struct {
    const char *name, *metrics;
} s_groups[] = {
    {"speed-of-light",
     TIME "sm__throughput" ELAPSED "gpu__compute_memory_throughput" ELAPSED "l1tex__throughput" ELAPSED
          "lts__throughput" ELAPSED "gpu__dram_throughput" ELAPSED PIPE("alu") PIPE("fma") PIPE("fp64") PIPE("lsu")
              PIPE("xu") "sm__pipe_tensor_cycles_active" ELAPSED},
    {"flops", TIME THREADS("hadd") THREADS("hmul") THREADS("hfma") THREADS("fadd") THREADS("fmul") THREADS("ffma")
                  THREADS("dadd") THREADS("dmul")
                      THREADS("dfma") "sm__inst_executed_pipe_tensor.sum "
                                      "sm__ops_path_tensor_src_fp16.sum sm__ops_path_tensor_src_bf16_dst_fp32.sum "
                                      "sm__ops_path_tensor_src_tf32_dst_fp32.sum sm__ops_path_tensor_src_fp64.sum "
                                      "sm__ops_path_tensor_src_fp8.sum sm__ops_path_tensor_src_int8.sum "},
    {"memory",
     TIME "dram__bytes_read.sum dram__bytes_write.sum lts__t_bytes.sum l1tex__t_bytes.sum "
          "smsp__sass_inst_executed_op_shared.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum "
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum lts__t_sector_hit_rate.pct "
          "l1tex__t_sector_hit_rate.pct "
          "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio "
          "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio "
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio "
          "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio smsp__sass_inst_executed_op_local.sum "},
    {"occupancy", TIME "sm__warps_active" ACTIVE "sm__warps_active.avg.per_cycle_active "
                       "smsp__warps_eligible.avg.per_cycle_active smsp__issue_active.avg.per_cycle_active "
                       "sm__cycles_active.avg sm__cycles_elapsed.max "},
    {"stalls", TIME STALL("long_scoreboard") STALL("short_scoreboard") STALL("barrier") STALL("math_pipe_throttle")
                   STALL("mio_throttle") STALL("lg_throttle") STALL("tex_throttle") STALL("wait") STALL("not_selected")
                       STALL("selected") STALL("no_instruction") STALL("drain") STALL("membar") STALL("dispatch_stall")
                           STALL("imc_miss") STALL("branch_resolving") STALL("sleeping") STALL("misc")},
};

enum { GROUPS = sizeof s_groups / sizeof s_groups[0] };

const char *stint_counter_group_at(size_t index, const char **metrics)
{
    *metrics = index < GROUPS ? s_groups[index].metrics : NULL;
    return index < GROUPS ? s_groups[index].name : NULL;
}

const char *stint_counter_group(const char *name, size_t length)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (strlen(s_groups[i].name) == length && memcmp(s_groups[i].name, name, length) == 0)
            return s_groups[i].metrics;
    return NULL;
}
