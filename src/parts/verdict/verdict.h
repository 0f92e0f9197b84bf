/* What a kernel's counters say it is bound by. docs/counters.md has the rules as a table. */
#ifndef STINT_VERDICT_VERDICT_H
#define STINT_VERDICT_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "stint/snapshot.h"

/* ---------------------------------------------------------------------------------------------------------- figures */

/* The counters of a kernel, from a snapshot: what the verdict needs by name, and all of them. */

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

/* ---------------------------------------------------------------------------------------------------------- verdict */

enum stint_bound {
    STINT_BOUND_UNKNOWN, /* the counters for it are missing */
    STINT_BOUND_LAUNCH,  /* it is over before a launch takes effect */
    STINT_BOUND_GRID,    /* it has too few blocks for the device */
    STINT_BOUND_DRAM,
    STINT_BOUND_L2,
    STINT_BOUND_L1,
    STINT_BOUND_SHARED, /* as L1, and most of what L1 does is shared memory */
    STINT_BOUND_FP64,
    STINT_BOUND_FMA,
    STINT_BOUND_ALU,
    STINT_BOUND_XU,
    STINT_BOUND_TENSOR,
    STINT_BOUND_ISSUE, /* no pipe, but the issue of instructions */
    STINT_BOUND_REGISTERS,
    STINT_BOUND_SHARED_SIZE,
    STINT_BOUND_BLOCK_SIZE,
    STINT_BOUND_LATENCY,
    STINT_BOUNDS
};

enum stint_certainty { STINT_UNSURE, STINT_LIKELY, STINT_SURE };

struct stint_verdict {
    enum stint_bound bound;
    enum stint_certainty certainty;
    double share;          /* what it has of the device's best, or of the occupancy, in percent; NAN: none */
    enum stint_bound next; /* the second most used; UNKNOWN: none is close */
    double next_share;
    const char *stall;  /* of LATENCY: what warps wait for most; NULL if that was not counted */
    double stall_share; /* of all stalls, in percent */
};

struct stint_verdict stint_verdict(const struct stint_kernel_figures *figures);

/* "the fp64 pipe", "probably", and what to try. */
const char *stint_bound_name(enum stint_bound bound);
const char *stint_certainty_word(enum stint_certainty certainty);
const char *stint_verdict_advice(const struct stint_verdict *verdict, const struct stint_kernel_figures *figures);

enum stint_precision {
    STINT_PRECISION_FINE,   /* no fp64 instructions, or they were not counted */
    STINT_PRECISION_FP64,   /* there are some */
    STINT_PRECISION_SUSPECT /* and the kernel's arguments are of another type */
};

/* Whether a kernel computes in a precision that its arguments do not have. */
enum stint_precision stint_precision(const struct stint_kernel_figures *figures);

/* ------------------------------------------------------------------------------------------------------ occupancy.c */

/* Computes how many warps of a kernel fit on a multiprocessor at a time: what its launch allows, not what it
 * achieved. */

/* What prevents more blocks on a multiprocessor. */
enum stint_occupancy_limit {
    STINT_OCCUPANCY_UNKNOWN, /* the device's compute capability, or the launch, is not known */
    STINT_OCCUPANCY_WARPS,
    STINT_OCCUPANCY_BLOCKS,
    STINT_OCCUPANCY_REGISTERS,
    STINT_OCCUPANCY_SHARED,
    STINT_OCCUPANCY_GRID /* there are too few blocks to fill the device; only if `multiprocessors` is known */
};

struct stint_kernel_launch {
    uint32_t compute_major;
    uint32_t compute_minor;
    uint32_t multiprocessors; /* 0: unknown */
    uint64_t blocks;          /* in the grid */
    uint64_t threads;         /* per block */
    uint32_t registers;       /* per thread */
    uint64_t shared_bytes;    /* per block, static and dynamic */
};

struct stint_occupancy {
    enum stint_occupancy_limit limit;
    uint32_t blocks; /* per multiprocessor */
    uint32_t warps;  /* per multiprocessor */
    uint32_t most;   /* warps that a multiprocessor has room for; 0: unknown */
};

/* With limit STINT_OCCUPANCY_UNKNOWN the rest is 0. A launch that does not fit at all has 0 blocks. */
struct stint_occupancy stint_occupancy_of(const struct stint_kernel_launch *launch);

/* Returns a word for what is the limit; "" if it is not known. */
const char *stint_occupancy_word(enum stint_occupancy_limit limit);

/* Fills in how the event's kernel was launched. Returns 0, or -1 if there are more blocks or threads than any device
 * takes. */
int stint_kernel_launch_of(struct stint_kernel_launch *launch, const struct stint_snapshot *snapshot,
                           const struct stint_gpu_event *kernel);

#endif
