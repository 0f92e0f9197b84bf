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
#define STALLED(reason)                                                                                                \
    {                                                                                                                  \
        1, "smsp__warp_issue_stalled_" reason "_per_warp_active.pct"                                                   \
    }
#define METRIC(name, description, ...)                                                                                 \
    {                                                                                                                  \
        name, 0, {__VA_ARGS__}, description                                                                            \
    }
#define EVENT(name, description, ...)                                                                                  \
    {                                                                                                                  \
        name, 1, {__VA_ARGS__}, description                                                                            \
    }

static const struct stint_nvprof_metric s_metrics[] = {
    METRIC("achieved_occupancy", "ratio of active warps to those that a multiprocessor has room for",
           {0.01, "sm__warps_active.avg.pct_of_peak_sustained_active"}),
    METRIC("atomic_transactions", "global atomics and reductions",
           {1, "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum"},
           {1, "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum"}),
    METRIC("branch_efficiency", "branches that do not diverge",
           {1, "smsp__sass_average_branch_targets_threads_uniform.pct"}),
    METRIC("double_precision_fu_utilization", "the fp64 pipe, in percent of its peak",
           {1, "smsp__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"}),
    METRIC("dram_read_bytes", "bytes read from DRAM", {1, "dram__bytes_read.sum"}),
    METRIC("dram_read_throughput", "bytes read from DRAM in a second", {1, "dram__bytes_read.sum.per_second"}),
    METRIC("dram_read_transactions", "sectors of 32 bytes read from DRAM", {1, "dram__sectors_read.sum"}),
    METRIC("dram_utilization", "DRAM, in percent of its peak",
           {1, "dram__throughput.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("dram_write_bytes", "bytes written to DRAM", {1, "dram__bytes_write.sum"}),
    METRIC("dram_write_throughput", "bytes written to DRAM in a second", {1, "dram__bytes_write.sum.per_second"}),
    METRIC("dram_write_transactions", "sectors of 32 bytes written to DRAM", {1, "dram__sectors_write.sum"}),
    METRIC("eligible_warps_per_cycle", "warps that could issue an instruction",
           {1, "smsp__warps_eligible.sum.per_cycle_active"}),
    METRIC("flop_count_dp", "fp64 operations", {1, THREADS("dadd")}, {1, THREADS("dmul")}, {2, THREADS("dfma")}),
    METRIC("flop_count_dp_add", "fp64 additions", {1, THREADS("dadd")}),
    METRIC("flop_count_dp_fma", "fp64 multiplications with addition", {1, THREADS("dfma")}),
    METRIC("flop_count_dp_mul", "fp64 multiplications", {1, THREADS("dmul")}),
    METRIC("flop_count_hp", "fp16 operations", {1, THREADS("hadd")}, {1, THREADS("hmul")}, {2, THREADS("hfma")}),
    METRIC("flop_count_hp_add", "fp16 additions", {1, THREADS("hadd")}),
    METRIC("flop_count_hp_fma", "fp16 multiplications with addition", {1, THREADS("hfma")}),
    METRIC("flop_count_hp_mul", "fp16 multiplications", {1, THREADS("hmul")}),
    METRIC("flop_count_sp", "fp32 operations", {1, THREADS("fadd")}, {1, THREADS("fmul")}, {2, THREADS("ffma")}),
    METRIC("flop_count_sp_add", "fp32 additions", {1, THREADS("fadd")}),
    METRIC("flop_count_sp_fma", "fp32 multiplications with addition", {1, THREADS("ffma")}),
    METRIC("flop_count_sp_mul", "fp32 multiplications", {1, THREADS("fmul")}),
    METRIC("flop_dp_efficiency", "fp64 operations, in percent of the peak",
           {1, "smsp__sass_thread_inst_executed_ops_dadd_dmul_dfma_pred_on.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("flop_sp_efficiency", "fp32 operations, in percent of the peak",
           {1, "smsp__sass_thread_inst_executed_ops_fadd_fmul_ffma_pred_on.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("flop_hp_efficiency", "fp16 operations, in percent of the peak",
           {1, "smsp__sass_thread_inst_executed_ops_hadd_hmul_hfma_pred_on.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("gld_efficiency", "bytes used of the sectors that global loads take",
           {1, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"}),
    METRIC("gld_throughput", "bytes of global loads in a second",
           {1, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"}),
    METRIC("gld_transactions", "sectors of global loads", {1, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}),
    METRIC("gld_transactions_per_request", "sectors of a warp's global load",
           {1, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}),
    METRIC("global_load_requests", "global loads of warps", {1, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}),
    METRIC("global_store_requests", "global stores of warps", {1, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}),
    METRIC("gst_efficiency", "bytes used of the sectors that global stores take",
           {1, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"}),
    METRIC("gst_throughput", "bytes of global stores in a second",
           {1, "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"}),
    METRIC("gst_transactions", "sectors of global stores", {1, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}),
    METRIC("gst_transactions_per_request", "sectors of a warp's global store",
           {1, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"}),
    METRIC("inst_bit_convert", "conversions between types", {1, THREADS("conversion")}),
    METRIC("inst_compute_ld_st", "loads and stores of threads", {1, THREADS("memory")}),
    METRIC("inst_control", "branches and jumps of threads", {1, THREADS("control")}),
    METRIC("inst_executed", "instructions of warps", {1, "smsp__inst_executed.sum"}),
    METRIC("inst_fp_16", "fp16 instructions of threads", {1, THREADS("fp16")}),
    METRIC("inst_fp_32", "fp32 instructions of threads", {1, THREADS("fp32")}),
    METRIC("inst_fp_64", "fp64 instructions of threads", {1, THREADS("fp64")}),
    METRIC("inst_integer", "integer instructions of threads", {1, THREADS("integer")}),
    METRIC("inst_issued", "instructions issued", {1, "smsp__inst_issued.sum"}),
    METRIC("inst_per_warp", "instructions of a warp", {1, "smsp__average_inst_executed_per_warp.ratio"}),
    METRIC("ipc", "instructions in a cycle", {1, "sm__inst_executed.avg.per_cycle_active"}),
    METRIC("issue_slot_utilization", "issue slots that issue an instruction",
           {1, "smsp__issue_active.avg.pct_of_peak_sustained_active"}),
    METRIC("issued_ipc", "instructions issued in a cycle", {1, "sm__inst_issued.avg.per_cycle_active"}),
    METRIC("l2_read_throughput", "bytes read from L2 in a second", {32, "lts__t_sectors_op_read.sum.per_second"}),
    METRIC("l2_read_transactions", "sectors read from L2", {1, "lts__t_sectors_op_read.sum"}),
    METRIC("l2_tex_hit_rate", "hits in L2", {1, "lts__t_sector_hit_rate.pct"}),
    METRIC("l2_utilization", "L2, in percent of its peak", {1, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("l2_write_throughput", "bytes written to L2 in a second", {32, "lts__t_sectors_op_write.sum.per_second"}),
    METRIC("l2_write_transactions", "sectors written to L2", {1, "lts__t_sectors_op_write.sum"}),
    METRIC("local_load_transactions", "sectors of local loads", {1, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"}),
    METRIC("local_store_transactions", "sectors of local stores", {1, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}),
    METRIC("shared_efficiency", "bytes used of shared memory's wavefronts",
           {1, "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"}),
    METRIC("shared_load_transactions", "wavefronts of loads from shared memory",
           {1, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}),
    METRIC("shared_store_transactions", "wavefronts of stores to shared memory",
           {1, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"}),
    METRIC("shared_utilization", "shared memory, in percent of its peak",
           {1, "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("single_precision_fu_utilization", "the fp32 pipe, in percent of its peak",
           {1, "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"}),
    METRIC("sm_efficiency", "time in which a multiprocessor has a warp",
           {1, "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"}),
    METRIC("stall_constant_memory_dependency", "waits for constants", STALLED("imc_miss")),
    METRIC("stall_exec_dependency", "waits for results of instructions", STALLED("short_scoreboard"), STALLED("wait")),
    METRIC("stall_inst_fetch", "waits for instructions", STALLED("no_instruction")),
    METRIC("stall_memory_dependency", "waits for memory", STALLED("long_scoreboard")),
    METRIC("stall_memory_throttle", "waits for the queue of memory", STALLED("drain"), STALLED("lg_throttle")),
    METRIC("stall_not_selected", "waits for another warp's turn", STALLED("not_selected")),
    METRIC("stall_other", "other waits", STALLED("dispatch_stall"), STALLED("misc")),
    METRIC("stall_pipe_busy", "waits for a pipe that is in use", STALLED("math_pipe_throttle"),
           STALLED("mio_throttle")),
    METRIC("stall_sleeping", "waits for the end of nanosleep", STALLED("sleeping")),
    METRIC("stall_sync", "waits at barriers", STALLED("barrier")),
    METRIC("stall_texture", "waits for the queue of textures", STALLED("tex_throttle")),
    METRIC("tensor_precision_fu_utilization", "tensor cores, in percent of their peak",
           {1, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"}),
    METRIC("tex_cache_hit_rate", "hits in L1", {1, "l1tex__t_sector_hit_rate.pct"}),
    METRIC("tex_cache_transactions", "sectors asked of L1", {1, "l1tex__t_sectors.sum"}),
    METRIC("warp_execution_efficiency", "active threads of a warp",
           {1, "smsp__average_thread_inst_executed_per_inst_executed.pct"}),
    METRIC("warp_nonpred_execution_efficiency", "active threads of a warp without those that a predicate switches off",
           {1, "smsp__average_thread_inst_executed_pred_on_per_inst_executed.pct"}),
    EVENT("active_cycles", "cycles in which a multiprocessor has a warp", {1, "sm__cycles_active.sum"}),
    EVENT("active_warps", "warps in each cycle, added up", {1, "sm__warps_active.sum"}),
    EVENT("elapsed_cycles_sm", "cycles of all multiprocessors", {1, "sm__cycles_elapsed.sum"}),
    EVENT("shared_ld_bank_conflict", "bank conflicts of loads from shared memory",
          {1, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}),
    EVENT("shared_st_bank_conflict", "bank conflicts of stores to shared memory",
          {1, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}),
    EVENT("thread_inst_executed", "instructions of threads", {1, "smsp__thread_inst_executed.sum"}),
    EVENT("warps_launched", "warps", {1, "smsp__warps_launched.sum"}),
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
    stint_cli_say("--%s %.*s: there is no such metric; --query-metrics lists them", option, (int)length, word);
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
    const char *name = third ? second + 1 : filter, *launches = third ? third + 1 : "";
    if (third && (first > filter || second > first + 1)) {
        stint_cli_say("--kernels %.60s: contexts and streams cannot be chosen; leave them empty: ::NAME:INVOCATION",
                      filter);
        return -1;
    }
    size_t length = third ? (size_t)(third - name) : strlen(name);
    if (length >= sizeof counters->kernels || strlen(launches) >= sizeof counters->launches) {
        stint_cli_say("--kernels %.60s: this is too long", filter);
        return -1;
    }
    (void)snprintf(counters->kernels, sizeof counters->kernels, "%.*s", (int)length, name);
    (void)snprintf(counters->launches, sizeof counters->launches, "%s", launches);
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
    (void)printf("\nGroups, and their metrics:\n");
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
                                     : "the device could not be queried; run stint doctor");
        return;
    }
    (void)printf("\nMetrics of %s, to be named with a suffix, or without for the first one:\n", probe.device);
    if (stint_trial(list_metrics, probe.cupti, &is_over, sizeof is_over))
        put_reason("the device could not be queried; run stint doctor");
}
