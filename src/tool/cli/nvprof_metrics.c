/* nvprof's names of metrics and events: for each, which counters of today are added up to it; what its options make of
 * them; and the lists that its queries print, with what the device itself can count. */
#include "cli/command_line.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/probe.h"
#include "counters/counter_plan.h"

#define THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"

static const struct stint_nvprof_metric s_metrics[] = {
    {"achieved_occupancy",
     0,
     {{0.01, "sm__warps_active.avg.pct_of_peak_sustained_active"}},
     "ratio of active warps to those that a multiprocessor has room for"},
    {"atomic_transactions",
     0,
     {{1, "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum"},
      {1, "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum"}},
     "global atomics and reductions"},
    {"branch_efficiency",
     0,
     {{1, "smsp__sass_average_branch_targets_threads_uniform.pct"}},
     "branches that do not diverge"},
    {"double_precision_fu_utilization",
     0,
     {{1, "smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"}},
     "the fp64 pipe, in percent of its peak"},
    {"dram_read_bytes", 0, {{1, "dram__bytes_read.sum"}}, "bytes read from DRAM"},
    {"dram_read_throughput", 0, {{1, "dram__bytes_read.sum.per_second"}}, "bytes read from DRAM in a second"},
    {"dram_read_transactions", 0, {{1, "dram__sectors_read.sum"}}, "sectors of 32 bytes read from DRAM"},
    {"dram_utilization",
     0,
     {{1, "dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
     "DRAM, in percent of its peak"},
    {"dram_write_bytes", 0, {{1, "dram__bytes_write.sum"}}, "bytes written to DRAM"},
    {"dram_write_throughput", 0, {{1, "dram__bytes_write.sum.per_second"}}, "bytes written to DRAM in a second"},
    {"dram_write_transactions", 0, {{1, "dram__sectors_write.sum"}}, "sectors of 32 bytes written to DRAM"},
    {"eligible_warps_per_cycle",
     0,
     {{1, "smsp__warps_eligible.sum.per_cycle_active"}},
     "warps that could issue an instruction"},
    {"flop_count_dp", 0, {{1, THREADS("dadd")}, {1, THREADS("dmul")}, {2, THREADS("dfma")}}, "fp64 operations"},
    {"flop_count_dp_add", 0, {{1, THREADS("dadd")}}, "fp64 additions"},
    {"flop_count_dp_fma", 0, {{1, THREADS("dfma")}}, "fp64 multiplications with addition"},
    {"flop_count_dp_mul", 0, {{1, THREADS("dmul")}}, "fp64 multiplications"},
    {"flop_count_hp", 0, {{1, THREADS("hadd")}, {1, THREADS("hmul")}, {2, THREADS("hfma")}}, "fp16 operations"},
    {"flop_count_hp_add", 0, {{1, THREADS("hadd")}}, "fp16 additions"},
    {"flop_count_hp_fma", 0, {{1, THREADS("hfma")}}, "fp16 multiplications with addition"},
    {"flop_count_hp_mul", 0, {{1, THREADS("hmul")}}, "fp16 multiplications"},
    {"flop_count_sp", 0, {{1, THREADS("fadd")}, {1, THREADS("fmul")}, {2, THREADS("ffma")}}, "fp32 operations"},
    {"flop_count_sp_add", 0, {{1, THREADS("fadd")}}, "fp32 additions"},
    {"flop_count_sp_fma", 0, {{1, THREADS("ffma")}}, "fp32 multiplications with addition"},
    {"flop_count_sp_mul", 0, {{1, THREADS("fmul")}}, "fp32 multiplications"},
    {"flop_dp_efficiency",
     0,
     {{1, "smsp__sass_thread_inst_executed_ops_dadd_dmul_dfma_pred_on.avg.pct_of_peak_sustained_elapsed"}},
     "fp64 operations, in percent of the peak"},
    {"flop_sp_efficiency",
     0,
     {{1, "smsp__sass_thread_inst_executed_ops_fadd_fmul_ffma_pred_on.avg.pct_of_peak_sustained_elapsed"}},
     "fp32 operations, in percent of the peak"},
    {"flop_hp_efficiency",
     0,
     {{1, "smsp__sass_thread_inst_executed_ops_hadd_hmul_hfma_pred_on.avg.pct_of_peak_sustained_elapsed"}},
     "fp16 operations, in percent of the peak"},
    {"gld_efficiency",
     0,
     {{1, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"}},
     "bytes used of the sectors that global loads take"},
    {"gld_throughput",
     0,
     {{1, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"}},
     "bytes of global loads in a second"},
    {"gld_transactions", 0, {{1, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}}, "sectors of global loads"},
    {"gld_transactions_per_request",
     0,
     {{1, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}},
     "sectors of a warp's global load"},
    {"global_load_requests", 0, {{1, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}}, "global loads of warps"},
    {"global_store_requests", 0, {{1, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}}, "global stores of warps"},
    {"gst_efficiency",
     0,
     {{1, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"}},
     "bytes used of the sectors that global stores take"},
    {"gst_throughput",
     0,
     {{1, "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"}},
     "bytes of global stores in a second"},
    {"gst_transactions", 0, {{1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}}, "sectors of global stores"},
    {"gst_transactions_per_request",
     0,
     {{1, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"}},
     "sectors of a warp's global store"},
    {"inst_bit_convert", 0, {{1, THREADS("conversion")}}, "conversions between types"},
    {"inst_compute_ld_st", 0, {{1, THREADS("memory")}}, "loads and stores of threads"},
    {"inst_control", 0, {{1, THREADS("control")}}, "branches and jumps of threads"},
    {"inst_executed", 0, {{1, "smsp__inst_executed.sum"}}, "instructions of warps"},
    {"inst_fp_16", 0, {{1, THREADS("fp16")}}, "fp16 instructions of threads"},
    {"inst_fp_32", 0, {{1, THREADS("fp32")}}, "fp32 instructions of threads"},
    {"inst_fp_64", 0, {{1, THREADS("fp64")}}, "fp64 instructions of threads"},
    {"inst_integer", 0, {{1, THREADS("integer")}}, "integer instructions of threads"},
    {"inst_issued", 0, {{1, "smsp__inst_issued.sum"}}, "instructions issued"},
    {"inst_per_warp", 0, {{1, "smsp__average_inst_executed_per_warp.ratio"}}, "instructions of a warp"},
    {"ipc", 0, {{1, "sm__inst_executed.avg.per_cycle_active"}}, "instructions in a cycle"},
    {"issue_slot_utilization",
     0,
     {{1, "smsp__issue_active.avg.pct_of_peak_sustained_active"}},
     "issue slots that issue an instruction"},
    {"issued_ipc", 0, {{1, "sm__inst_issued.avg.per_cycle_active"}}, "instructions issued in a cycle"},
    {"l2_read_throughput", 0, {{32, "lts__t_sectors_op_read.sum.per_second"}}, "bytes read from L2 in a second"},
    {"l2_read_transactions", 0, {{1, "lts__t_sectors_op_read.sum"}}, "sectors read from L2"},
    {"l2_tex_hit_rate", 0, {{1, "lts__t_sector_hit_rate.pct"}}, "hits in L2"},
    {"l2_utilization", 0, {{1, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"}}, "L2, in percent of its peak"},
    {"l2_write_throughput", 0, {{32, "lts__t_sectors_op_write.sum.per_second"}}, "bytes written to L2 in a second"},
    {"l2_write_transactions", 0, {{1, "lts__t_sectors_op_write.sum"}}, "sectors written to L2"},
    {"local_load_transactions", 0, {{1, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"}}, "sectors of local loads"},
    {"local_store_transactions", 0, {{1, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}}, "sectors of local stores"},
    {"shared_efficiency",
     0,
     {{1, "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"}},
     "bytes used of shared memory's wavefronts"},
    {"shared_load_transactions",
     0,
     {{1, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}},
     "wavefronts of loads from shared memory"},
    {"shared_store_transactions",
     0,
     {{1, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}},
     "wavefronts of stores to shared memory"},
    {"shared_utilization",
     0,
     {{1, "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"}},
     "shared memory, in percent of its peak"},
    {"single_precision_fu_utilization",
     0,
     {{1, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"}},
     "the fp32 pipe, in percent of its peak"},
    {"sm_efficiency",
     0,
     {{1, "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
     "time in which a multiprocessor has a warp"},
    {"stall_constant_memory_dependency",
     0,
     {{1, "smsp__warp_issue_stalled_imc_miss_per_warp_active.pct"}},
     "waits for constants"},
    {"stall_exec_dependency",
     0,
     {{1, "smsp__warp_issue_stalled_short_scoreboard_per_warp_active.pct"},
      {1, "smsp__warp_issue_stalled_wait_per_warp_active.pct"}},
     "waits for results of instructions"},
    {"stall_inst_fetch",
     0,
     {{1, "smsp__warp_issue_stalled_no_instruction_per_warp_active.pct"}},
     "waits for instructions"},
    {"stall_memory_dependency",
     0,
     {{1, "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"}},
     "waits for memory"},
    {"stall_memory_throttle",
     0,
     {{1, "smsp__warp_issue_stalled_drain_per_warp_active.pct"},
      {1, "smsp__warp_issue_stalled_lg_throttle_per_warp_active.pct"}},
     "waits for the queue of memory"},
    {"stall_not_selected",
     0,
     {{1, "smsp__warp_issue_stalled_not_selected_per_warp_active.pct"}},
     "waits for another warp's turn"},
    {"stall_other",
     0,
     {{1, "smsp__warp_issue_stalled_dispatch_stall_per_warp_active.pct"},
      {1, "smsp__warp_issue_stalled_misc_per_warp_active.pct"}},
     "other waits"},
    {"stall_pipe_busy",
     0,
     {{1, "smsp__warp_issue_stalled_math_pipe_throttle_per_warp_active.pct"},
      {1, "smsp__warp_issue_stalled_mio_throttle_per_warp_active.pct"}},
     "waits for a pipe that is in use"},
    {"stall_sleeping",
     0,
     {{1, "smsp__warp_issue_stalled_sleeping_per_warp_active.pct"}},
     "waits for the end of nanosleep"},
    {"stall_sync", 0, {{1, "smsp__warp_issue_stalled_barrier_per_warp_active.pct"}}, "waits at barriers"},
    {"stall_texture",
     0,
     {{1, "smsp__warp_issue_stalled_tex_throttle_per_warp_active.pct"}},
     "waits for the queue of textures"},
    {"tensor_precision_fu_utilization",
     0,
     {{1, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"}},
     "tensor cores, in percent of their peak"},
    {"tex_cache_hit_rate", 0, {{1, "l1tex__t_sector_hit_rate.pct"}}, "hits in L1"},
    {"tex_cache_transactions", 0, {{1, "l1tex__t_sectors.sum"}}, "sectors asked of L1"},
    {"warp_execution_efficiency",
     0,
     {{1, "smsp__average_thread_inst_executed_per_inst_executed.pct"}},
     "active threads of a warp"},
    {"warp_nonpred_execution_efficiency",
     0,
     {{1, "smsp__average_thread_inst_executed_pred_on_per_inst_executed.pct"}},
     "active threads of a warp without those that a predicate switches off"},
    {"active_cycles", 1, {{1, "sm__cycles_active.sum"}}, "cycles in which a multiprocessor has a warp"},
    {"active_warps", 1, {{1, "sm__warps_active.sum"}}, "warps in each cycle, added up"},
    {"elapsed_cycles_sm", 1, {{1, "sm__cycles_elapsed.sum"}}, "cycles of all multiprocessors"},
    {"shared_ld_bank_conflict",
     1,
     {{1, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
     "bank conflicts of loads from shared memory"},
    {"shared_st_bank_conflict",
     1,
     {{1, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
     "bank conflicts of stores to shared memory"},
    {"thread_inst_executed", 1, {{1, "smsp__thread_inst_executed.sum"}}, "instructions of threads"},
    {"warps_launched", 1, {{1, "smsp__warps_launched.sum"}}, "warps"},
};

enum { METRICS = sizeof s_metrics / sizeof s_metrics[0] };

const struct stint_nvprof_metric *stint_nvprof_metric_at(size_t index)
{
    return index < METRICS ? &s_metrics[index] : NULL;
}

const struct stint_nvprof_metric *stint_nvprof_metric(const char *name, size_t length)
{
    for (size_t i = 0; i < METRICS; i++)
        if (strlen(s_metrics[i].name) == length && memcmp(s_metrics[i].name, name, length) == 0)
            return &s_metrics[i];
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------- command line */

static int has_word(const char *list, const char *word, size_t length)
{
    size_t at_length;
    for (const char *at = list; *at; at += at_length + (at[at_length] == ',')) {
        at_length = strcspn(at, ",");
        if (at_length == length && memcmp(at, word, length) == 0)
            return 1;
    }
    return 0;
}

/* Adds a word, unless the list has it. */
static int append(char *list, size_t size, const char *word, size_t length)
{
    size_t used = strlen(list);
    if (has_word(list, word, length))
        return 0;
    if (used + length + 2 > size) {
        stint_cli_say("there are too many metrics");
        return -1;
    }
    (void)snprintf(list + used, size - used, "%s%.*s", used ? "," : "", (int)length, word);
    return 0;
}

static int append_metric(struct stint_nvprof_counters *counters, const struct stint_nvprof_metric *metric)
{
    for (size_t i = 0; i < STINT_NVPROF_TERMS && metric->terms[i].metric; i++)
        if (append(counters->metrics, sizeof counters->metrics, metric->terms[i].metric,
                   strlen(metric->terms[i].metric)))
            return -1;
    return 0;
}

static int append_all(struct stint_nvprof_counters *counters)
{
    const struct stint_nvprof_metric *metric;
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++)
        if (append_metric(counters, metric))
            return -1;
    return append(counters->metrics, sizeof counters->metrics, "all", 3);
}

static int add_word(struct stint_nvprof_counters *counters, const char *option, const char *word, size_t length)
{
    const struct stint_nvprof_metric *metric = stint_nvprof_metric(word, length);
    if (append(counters->words, sizeof counters->words, word, length))
        return -1;
    if (metric)
        return append_metric(counters, metric);
    if (length == 3 && memcmp(word, "all", 3) == 0)
        return append_all(counters);
    if (memmem(word, length, "__", 2) || stint_counter_group(word, length))
        return append(counters->metrics, sizeof counters->metrics, word, length);
    stint_cli_say("--%s %.*s: there is no such metric today; --query-metrics lists those that there are", option,
                  (int)length, word);
    return -1;
}

int stint_nvprof_counters_add(struct stint_nvprof_counters *counters, const char *option, const char *words)
{
    size_t length, count = 0;
    for (const char *at = words; *(at += strspn(at, ", ")); at += length, count++) {
        length = strcspn(at, ", ");
        if (add_word(counters, option, at, length))
            return -1;
    }
    if (count)
        return 0;
    stint_cli_say("--%s: expected all, or names of metrics", option);
    return -1;
}

int stint_nvprof_counters_filter(struct stint_nvprof_counters *counters, const char *filter)
{
    const char *first = strchr(filter, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    const char *third = second ? strchr(second + 1, ':') : NULL;
    if (!third) {
        (void)snprintf(counters->kernels, sizeof counters->kernels, "%s", filter);
        return 0;
    }
    if (first > filter || second > first + 1) {
        stint_cli_say("--kernels %.60s: contexts and streams cannot be chosen; leave them empty: ::NAME:INVOCATION",
                      filter);
        return -1;
    }
    (void)snprintf(counters->kernels, sizeof counters->kernels, "%.*s", (int)(third - second - 1), second + 1);
    (void)snprintf(counters->launches, sizeof counters->launches, "%s", third + 1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- list */

void stint_nvprof_counters_list(void)
{
    const struct stint_nvprof_metric *metric;
    const char *group, *metrics;
    (void)printf("Available Metrics:\n                            Name   Description\n");
    for (size_t i = 0; (metric = stint_nvprof_metric_at(i)); i++)
        (void)printf("%32s:  %s%s\n", metric->name, metric->is_event ? "(event) " : "", metric->description);
    (void)printf("\nGroups, and what they consist of:\n");
    for (size_t i = 0; (group = stint_counter_group_at(i, &metrics)); i++)
        (void)printf("%32s:  %s\n", group, metrics);
}

/* ----------------------------------------------------------------------------------------------------------- device */

static const char *const s_titles[STINT_METRIC_KINDS] = {
    [STINT_METRIC_COUNTER] = "Counters: with .sum, .avg, .min or .max, and these with .per_second or "
                             ".pct_of_peak_sustained_elapsed",
    [STINT_METRIC_RATIO] = "Ratios: with .ratio, .pct or .max_rate",
    [STINT_METRIC_THROUGHPUT] = "Throughputs: with .avg.pct_of_peak_sustained_elapsed",
};

static int s_title = STINT_METRIC_KINDS; /* the last one that was printed */

static void put_metric(enum stint_metric_kind kind, const char *name, const char *description)
{
    if ((int)kind != s_title)
        (void)printf("\n%s\n", s_titles[kind]);
    s_title = (int)kind;
    (void)printf("    %s%s%s\n", name, *description ? ":  " : "", description);
}

static void put_reason(const char *why)
{
    (void)printf("\nMetrics of the device are not listed: %s\n", why);
}

static void list_metrics(void *result, const char *path)
{
    int *is_over = result;
    char why[512] = "its driver or CUPTI cannot be loaded; stint doctor says more";
    int (*init)(unsigned flags) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *cupti = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = driver ? dlsym(driver, "cuInit") : NULL;
    memcpy(&init, &found, sizeof init);
    if (!cupti || !init || init(0) || stint_metric_list(cupti, put_metric, why, sizeof why))
        put_reason(why);
    (void)fflush(stdout);
    *is_over = 1;
}

void stint_device_metrics_list(void)
{
    struct stint_located library = stint_locate("libstint.so." STINT_CLI_SO_VERSION);
    struct stint_probe probe;
    int is_over;
    if (stint_probe(&probe, library.path) || probe.library[0] || probe.status || !probe.cupti[0]) {
        put_reason(probe.library[0]  ? probe.library
                   : probe.reason[0] ? probe.reason
                                     : "asking the device failed; stint doctor says more");
        return;
    }
    (void)printf("\nMetrics of %s, each to be named with a suffix, or without for the first one:\n", probe.device);
    if (stint_trial(list_metrics, probe.cupti, &is_over, sizeof is_over))
        put_reason("asking the device failed; stint doctor says more");
}
