/* The counters of a kernel, from a snapshot: what the verdict needs by name, and all of them. */
#ifndef STINT_VERDICT_KERNEL_FIGURES_H
#define STINT_VERDICT_KERNEL_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "stint/snapshot.h"

/* Means over the launches that were counted; NAN: not counted. */
struct stint_kernel_figures {
    const char *kernel;
    uint64_t launches; /* all */
    uint64_t counted;
    uint64_t skipped;
    const char *why_skipped; /* of the first; NULL: none */
    double passes;
    double runs; /* of the program, if kernels were not replayed */
    double time_ns;
    /* In percent of what the device can do. */
    double sm, memory, l1, l2, dram;
    double alu, fma, fp64, lsu, xu, tensor;
    double occupancy;      /* warps on a multiprocessor, of those that it has room for */
    double most_occupancy; /* that this kernel can have */
    double issued;         /* instructions in a cycle, of one scheduler, which could be 1 */
    double waves;          /* how often all multiprocessors are filled with blocks */
    double blocks, threads, registers, static_shared, dynamic_shared;
    /* How many blocks a multiprocessor has room for, by what limits them. */
    double limit_registers, limit_shared, limit_warps, limit_blocks;
    /* Sums over the threads of one launch. */
    double dadd, dmul, dfma, fadd, fmul, ffma, hadd, hmul, hfma;
    double tensor_instructions;
    double tensor_fp16, tensor_bf16, tensor_tf32, tensor_fp64, tensor_fp8, tensor_int8;
    double dram_read, dram_written, l2_bytes, l1_bytes;
    double l1_hits, l2_hits;            /* in percent */
    double load_sectors, store_sectors; /* of a warp's access to global memory */
    double load_bytes, store_bytes;     /* that are used of a sector's 32 */
    double shared_instructions, shared_wavefronts, bank_conflicts, local_instructions;
    /* Warps that wait for a reason, for each instruction that is issued. */
    double stall_long_scoreboard, stall_short_scoreboard, stall_barrier, stall_math_pipe_throttle;
    double stall_mio_throttle, stall_lg_throttle, stall_tex_throttle, stall_wait, stall_not_selected, stall_selected;
    double stall_no_instruction, stall_drain, stall_membar, stall_dispatch_stall, stall_imc_miss;
    double stall_branch_resolving, stall_sleeping, stall_misc;
};

/* Fills in the kernel whose values begin at *next, and advances *next to those of the next kernel. Returns 0 behind the
 * last. */
int stint_kernel_figures_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot,
                              size_t *next);

/* The same for the kernels launched in a scope, whose path, "outer/inner", is then `kernel`. */
int stint_scope_figures_next(struct stint_kernel_figures *figures, const struct stint_snapshot *snapshot, size_t *next);

/* Thread instructions that compute in that precision: additions, multiplications, and both in one. */
double stint_fp64_instructions(const struct stint_kernel_figures *figures);

/* FLOPs of a precision outside of Tensor Cores; instructions of fp16 compute with pairs of numbers. */
double stint_fp64_flops(const struct stint_kernel_figures *figures);
double stint_fp32_flops(const struct stint_kernel_figures *figures);
double stint_fp16_flops(const struct stint_kernel_figures *figures);

/* FLOPs of Tensor Cores, of all types. */
double stint_tensor_flops(const struct stint_kernel_figures *figures);

#endif
