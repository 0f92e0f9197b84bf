/* Every report, one row each. Names, numbers, writers, the list in stint-run(1) and the words that bash completes are
 * made from this list; the test style.reports compares it with the enum of stint/report.h and with other pages.
 *
 *     CORE(REPORT, writer, "name", CSV, "what it is")     written by report/
 *     PROF(REPORT, writer, "name", events, "what it is")  as by nvprof, and others; written by formats/, loaded when
 *                                                         needed
 *     TEXT(REPORT, writer, "name", "what it is")          written by formats/, without a form in CSV
 *     NSYS(REPORT, "name", "title")                       as by nsys stats; written by formats/
 *
 * REPORT  STINT_REPORT_REPORT is the position in the list; all but NSYS have a public STINT_FORMAT_REPORT, and PROF
 *         STINT_FORMAT_REPORT_CSV, too.
 * writer  The function is stint_report_writer. All NSYS reports have the same writer, which also writes CSV.
 * CSV     The report that is the same as CSV, or NONE. Each PROF has a form in CSV, which the same function writes.
 * events  1: it lists events. NSYS reports are exact only if all events are known.
 *
 * CMake reads this file for stint-run(1), so each row has to be on one line. */
#ifndef STINT_REPORT_REPORT_LIST_H
#define STINT_REPORT_REPORT_LIST_H

/* clang-format off */
#define STINT_REPORT_LIST(CORE, PROF, TEXT, NSYS) \
    CORE(TABLE, table, "table", CSV, "one aligned row per statistic, and a footer") \
    CORE(TREE, tree, "tree", NONE, "one row per calling context, below its caller") \
    CORE(PADDLE, paddle, "paddle", NONE, "PaddlePaddle's lines, with prefixes as glog writes them") \
    CORE(CSV, csv, "csv", CSV, "one row per statistic, times in nanoseconds") \
    CORE(JSON, json, "json", NONE, "everything that was recorded, for programs") \
    PROF(NVPROF, nvprof, "nvprof", 0, "nvprof's summary: GPU activities and API calls") \
    PROF(GPU_TRACE, gpu_trace, "gpu-trace", 1, "nvprof --print-gpu-trace; needs a trace") \
    PROF(API_TRACE, api_trace, "api-trace", 1, "nvprof --print-api-trace; needs a trace") \
    TEXT(GPU, gpu, "gpu", "GPUs by device and stream: busy time, copies, memory") \
    PROF(NVPROF_GPU, nvprof_gpu, "nvprof-gpu", 0, "nvprof --print-gpu-summary") \
    PROF(NVPROF_API, nvprof_api, "nvprof-api", 0, "nvprof --print-api-summary") \
    PROF(NVPROF_PER_GPU, nvprof_per_gpu, "nvprof-per-gpu", 0, "nvprof --print-summary-per-gpu") \
    PROF(NVPROF_NVTX, nvprof_nvtx, "nvprof-nvtx", 0, "nvprof's NVTX result: GPU work and API calls by range") \
    PROF(GPU_API_TRACE, gpu_api_trace, "gpu-api-trace", 1, "nvprof's GPU and API traces in one; needs a trace") \
    TEXT(SUMMARY, summary, "summary", "where the time went, on one screen, as stint run prints") \
    PROF(PROCESSES, processes, "processes", 0, "one row per process: rank, times, kernels, losses") \
    PROF(THREADS, threads, "threads", 0, "one row per thread: state, CPU time, context switches") \
    TEXT(PROMETHEUS, prometheus, "prometheus", "metrics in files for Prometheus' node exporter") \
    TEXT(OPENMETRICS, openmetrics, "openmetrics", "metrics as stint metrics serves them to Prometheus") \
    PROF(SYSTEM, system, "system", 0, "power, clocks, temperatures; with --system-profiling") \
    PROF(RANKS, ranks, "ranks", 0, "one row per scope: how ranks differ, which are slow") \
    TEXT(RANKS_TREE, ranks_tree, "ranks-tree", "the same, one row per calling context") \
    PROF(COUNTERS, counters, "counters", 0, "hardware counters of kernels, and what bounds each") \
    NSYS(NVTX_SUM, "nvtx_sum", "NVTX Range Summary") \
    NSYS(NVTX_PUSHPOP_SUM, "nvtx_pushpop_sum", "NVTX Push/Pop Range Summary") \
    NSYS(NVTX_STARTEND_SUM, "nvtx_startend_sum", "NVTX Start/End Range Summary") \
    NSYS(NVTX_PUSHPOP_TRACE, "nvtx_pushpop_trace", "NVTX Push/Pop Range Trace") \
    NSYS(NVTX_STARTEND_TRACE, "nvtx_startend_trace", "NVTX Start/End Range Trace") \
    NSYS(NVTX_GPU_PROJ_SUM, "nvtx_gpu_proj_sum", "NVTX GPU Projection Summary") \
    NSYS(NVTX_GPU_PROJ_TRACE, "nvtx_gpu_proj_trace", "NVTX GPU Projection Trace") \
    NSYS(NVTX_KERN_SUM, "nvtx_kern_sum", "NVTX Range Kernel Summary") \
    NSYS(NVTX_VALUES, "nvtx_values", "NVTX Payload and Counter Summary") \
    NSYS(CUDA_GPU_KERN_SUM, "cuda_gpu_kern_sum", "CUDA GPU Kernel Summary") \
    NSYS(CUDA_GPU_KERN_GB_SUM, "cuda_gpu_kern_gb_sum", "CUDA GPU Kernel/Grid/Block Summary") \
    NSYS(CUDA_GPU_MEM_TIME_SUM, "cuda_gpu_mem_time_sum", "CUDA GPU MemOps Summary (by Time)") \
    NSYS(CUDA_GPU_MEM_SIZE_SUM, "cuda_gpu_mem_size_sum", "CUDA GPU MemOps Summary (by Size)") \
    NSYS(CUDA_GPU_SUM, "cuda_gpu_sum", "CUDA GPU Summary (Kernels/MemOps)") \
    NSYS(CUDA_API_SUM, "cuda_api_sum", "CUDA API Summary") \
    NSYS(CUDA_API_GPU_SUM, "cuda_api_gpu_sum", "CUDA Summary (API/Kernels/MemOps)") \
    NSYS(CUDA_KERN_EXEC_SUM, "cuda_kern_exec_sum", "CUDA Kernel Launch & Exec Time Summary") \
    NSYS(CUDA_KERN_EXEC_TRACE, "cuda_kern_exec_trace", "CUDA Kernel Launch & Exec Time Trace") \
    NSYS(CUDA_GPU_TRACE, "cuda_gpu_trace", "CUDA GPU Trace") \
    NSYS(CUDA_API_TRACE, "cuda_api_trace", "CUDA API Trace") \
    NSYS(UM_SUM, "um_sum", "Unified Memory Analysis Summary") \
    NSYS(UM_TOTAL_SUM, "um_total_sum", "Unified Memory Totals Summary") \
    NSYS(OSRT_SUM, "osrt_sum", "OS Runtime Summary")
/* clang-format on */

#endif
