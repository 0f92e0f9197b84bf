/* Decides what limits a kernel: the part of the device that is busiest, if one is busy; else that the kernel is too
 * short or too small to fill the device; else what its warps wait for. Each comes with its certainty, and advice. */
#include "verdict/verdict.h"

#include <math.h>
#include <string.h>

/* In percent, unless noted. */
enum {
    BUSY = 60,  /* what is used more than this bounds the kernel */
    FULL = 80,  /* surely */
    CLOSE = 10, /* less than this behind the most used one is as likely */
    SHORT_NS = 5000,
    VERY_SHORT_NS = 2500,
    LOW_OCCUPANCY = 50,
    VERY_LOW_OCCUPANCY = 25,
    CLEAR_STALL = 50,
    WORTHLESS_STALL = 30
};

/* ----------------------------------------------------------------------------------------------------------- shares */

struct candidate {
    enum stint_bound bound;
    double share;
};

/* A value that is missing is not greater than anything. */
static double greater(double a, double b)
{
    return b > a || isnan(a) ? b : a;
}

/* Bytes that go through L1 do so by 128. */
static enum stint_bound l1_or_shared(const struct stint_kernel_figures *figures)
{
    return figures->shared_wavefronts > figures->l1_bytes / 128 ? STINT_BOUND_SHARED : STINT_BOUND_L1;
}

/* Issue slots are counted while a multiprocessor has warps. If the grid leaves others empty, or ends unevenly, the
 * device is no busier than SM %, which counts all the time of all of them. */
static double issue_share(const struct stint_kernel_figures *figures)
{
    return figures->sm < 100 * figures->issued ? figures->sm : 100 * figures->issued;
}

enum { CANDIDATES = 9 };

static void list(struct candidate *candidates, const struct stint_kernel_figures *figures)
{
    const struct candidate all[CANDIDATES] = {
        {STINT_BOUND_DRAM, figures->dram},
        {STINT_BOUND_L2, figures->l2},
        {l1_or_shared(figures), greater(figures->l1, figures->lsu)},
        {STINT_BOUND_FP64, figures->fp64},
        {STINT_BOUND_FMA, figures->fma},
        {STINT_BOUND_ALU, figures->alu},
        {STINT_BOUND_XU, figures->xu},
        {STINT_BOUND_TENSOR, figures->tensor},
        {STINT_BOUND_ISSUE, issue_share(figures)},
    };
    memcpy(candidates, all, sizeof all);
}

static struct candidate greatest(const struct candidate *candidates, enum stint_bound but)
{
    struct candidate best = {STINT_BOUND_UNKNOWN, -1};
    for (size_t i = 0; i < CANDIDATES; i++)
        if (candidates[i].share > best.share && candidates[i].bound != but)
            best = candidates[i];
    return best;
}

/* Issuing instructions is what every pipe needs, so it is named only where no pipe is as busy. */
static struct candidate most_used(const struct candidate *candidates)
{
    struct candidate best = greatest(candidates, STINT_BOUND_UNKNOWN);
    struct candidate other = greatest(candidates, STINT_BOUND_ISSUE);
    return best.bound == STINT_BOUND_ISSUE && other.share >= BUSY ? other : best;
}

static struct stint_verdict by_share(const struct candidate *candidates, struct candidate best)
{
    struct stint_verdict verdict = {.bound = best.bound, .share = best.share};
    struct candidate second = greatest(candidates, best.bound);
    int is_close = second.share > best.share - CLOSE && second.bound != STINT_BOUND_ISSUE;
    if (is_close) {
        verdict.next = second.bound;
        verdict.next_share = second.share;
    }
    verdict.certainty = best.share >= FULL ? STINT_SURE : STINT_LIKELY;
    if (is_close)
        verdict.certainty--;
    return verdict;
}

/* ------------------------------------------------------------------------------------------------ nothing is busy */

static enum stint_bound limit_of(const struct stint_kernel_figures *figures)
{
    double least = figures->limit_warps;
    enum stint_bound bound = STINT_BOUND_BLOCK_SIZE;
    if (figures->limit_registers < least) {
        least = figures->limit_registers;
        bound = STINT_BOUND_REGISTERS;
    }
    if (figures->limit_shared < least) {
        least = figures->limit_shared;
        bound = STINT_BOUND_SHARED_SIZE;
    }
    return figures->limit_blocks < least ? STINT_BOUND_BLOCK_SIZE : bound;
}

struct stall {
    const char *name;
    double value;
};

/* Without those of warps that are about to go on. */
static struct stint_verdict by_stall(const struct stint_kernel_figures *figures, double share)
{
    const struct stall stalls[] = {
        {"memory (long scoreboard)", figures->stall_long_scoreboard},
        {"shared memory (short scoreboard)", figures->stall_short_scoreboard},
        {"other warps at a barrier", figures->stall_barrier},
        {"a pipe that is in use (math pipe throttle)", figures->stall_math_pipe_throttle},
        {"the queue of shared memory (MIO throttle)", figures->stall_mio_throttle},
        {"the queue of global memory (LG throttle)", figures->stall_lg_throttle},
        {"the queue of textures (TEX throttle)", figures->stall_tex_throttle},
        {"the result of the instruction before (wait)", figures->stall_wait},
        {"instructions (no instruction)", figures->stall_no_instruction},
        {"stores at the end (drain)", figures->stall_drain},
        {"a memory barrier", figures->stall_membar},
        {"the dispatcher", figures->stall_dispatch_stall},
        {"constants (IMC miss)", figures->stall_imc_miss},
        {"a branch's target", figures->stall_branch_resolving},
        {"the end of nanosleep", figures->stall_sleeping},
    };
    struct stint_verdict verdict = {.bound = STINT_BOUND_LATENCY, .share = share, .stall_share = (double)NAN};
    double sum = 0, most = 0;
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        sum += stalls[i].value > 0 ? stalls[i].value : 0;
        if (stalls[i].value > most) {
            most = stalls[i].value;
            verdict.stall = stalls[i].name;
        }
    }
    if (verdict.stall)
        verdict.stall_share = 100 * most / sum;
    verdict.certainty = verdict.stall_share >= CLEAR_STALL       ? STINT_SURE
                        : verdict.stall_share >= WORTHLESS_STALL ? STINT_LIKELY
                                                                 : STINT_UNSURE;
    return verdict;
}

static struct stint_verdict by_occupancy(const struct stint_kernel_figures *figures)
{
    return (struct stint_verdict){.bound = limit_of(figures),
                                  .share = figures->most_occupancy,
                                  .certainty =
                                      figures->most_occupancy < VERY_LOW_OCCUPANCY ? STINT_SURE : STINT_LIKELY};
}

struct stint_verdict stint_verdict(const struct stint_kernel_figures *figures)
{
    struct candidate candidates[CANDIDATES];
    list(candidates, figures);
    struct candidate best = most_used(candidates);
    if (best.bound == STINT_BOUND_UNKNOWN || isnan(figures->time_ns) || isnan(figures->dram))
        return (struct stint_verdict){.share = (double)NAN};
    if (best.share >= BUSY)
        return by_share(candidates, best);
    if (figures->time_ns < SHORT_NS)
        return (struct stint_verdict){.bound = STINT_BOUND_LAUNCH,
                                      .share = (double)NAN,
                                      .certainty = figures->time_ns < VERY_SHORT_NS ? STINT_SURE : STINT_LIKELY};
    if (figures->waves < 1)
        return (struct stint_verdict){.bound = STINT_BOUND_GRID,
                                      .share = 100 * figures->waves,
                                      .certainty = figures->waves < 0.5 ? STINT_SURE : STINT_LIKELY};
    if (figures->most_occupancy < LOW_OCCUPANCY)
        return by_occupancy(figures);
    return by_stall(figures, best.share);
}

/* ------------------------------------------------------------------------------------------------------------ words */

const char *stint_certainty_word(enum stint_certainty certainty)
{
    static const char *const words[] = {
        [STINT_UNSURE] = "perhaps", [STINT_LIKELY] = "probably", [STINT_SURE] = "surely"};
    return words[certainty];
}

const char *stint_bound_name(enum stint_bound bound)
{
    static const char *const names[STINT_BOUNDS] = {
        [STINT_BOUND_UNKNOWN] = "unknown",
        [STINT_BOUND_LAUNCH] = "its launch",
        [STINT_BOUND_GRID] = "its small grid",
        [STINT_BOUND_DRAM] = "DRAM",
        [STINT_BOUND_L2] = "the L2 cache",
        [STINT_BOUND_L1] = "the L1 cache",
        [STINT_BOUND_SHARED] = "shared memory",
        [STINT_BOUND_FP64] = "the fp64 pipe",
        [STINT_BOUND_FMA] = "the fp32 pipe (FMA)",
        [STINT_BOUND_ALU] = "the integer pipe (ALU)",
        [STINT_BOUND_XU] = "the pipe for conversions and functions (XU)",
        [STINT_BOUND_TENSOR] = "the tensor cores",
        [STINT_BOUND_ISSUE] = "the issue of instructions",
        [STINT_BOUND_REGISTERS] = "occupancy, which registers limit",
        [STINT_BOUND_SHARED_SIZE] = "occupancy, which shared memory limits",
        [STINT_BOUND_BLOCK_SIZE] = "occupancy, which the block size limits",
        [STINT_BOUND_LATENCY] = "latency",
    };
    return names[bound];
}

/* Half of what is read, or more, is not used. */
static int is_scattered(const struct stint_kernel_figures *figures)
{
    return figures->load_bytes < 16 || figures->store_bytes < 16;
}

static const char *advice_on_l1(const struct stint_kernel_figures *figures)
{
    return is_scattered(figures) ? "let neighboring threads read neighboring addresses: a request of a warp takes many "
                                   "sectors now"
                                 : "read less often: keep values that are read again in registers or shared memory";
}

static const char *advice_on_shared(const struct stint_kernel_figures *figures)
{
    return figures->bank_conflicts > figures->shared_wavefronts / 10
               ? "avoid bank conflicts: pad rows of shared arrays by one element"
               : "let each thread compute several results, so that what it reads stays in registers; read 16 bytes at "
                 "a time";
}

const char *stint_verdict_advice(const struct stint_verdict *verdict, const struct stint_kernel_figures *figures)
{
    static const char *const advice[STINT_BOUNDS] = {
        [STINT_BOUND_UNKNOWN] = "count speed-of-light, occupancy and stalls",
        [STINT_BOUND_LAUNCH] = "do more in one kernel, or launch several as a CUDA graph",
        [STINT_BOUND_GRID] = "use more blocks: smaller ones, or more work in one launch",
        [STINT_BOUND_DRAM] = "move fewer bytes: fuse kernels, use smaller types, keep what is read again in shared "
                             "memory or registers",
        [STINT_BOUND_L2] = "keep what is read again in shared memory or registers, so that L2 is asked less often",
        [STINT_BOUND_FP64] = "use float instead of double where its precision is enough; look for constants such as "
                             "0.0 and 1.5, which are doubles",
        [STINT_BOUND_FMA] = "this is as fast as its arithmetic allows: compute less, or use tensor cores",
        [STINT_BOUND_ALU] = "compute fewer addresses and conditions: unroll loops, move what does not change out of "
                            "them",
        [STINT_BOUND_XU] = "convert less between types; use __expf, __sinf and the like",
        [STINT_BOUND_TENSOR] = "this is as fast as its arithmetic allows: use a smaller type, or compute less",
        [STINT_BOUND_ISSUE] = "execute fewer instructions: unroll loops, use wider loads, compute fewer addresses",
        [STINT_BOUND_REGISTERS] = "use fewer registers (__launch_bounds__), or give each thread more independent work",
        [STINT_BOUND_SHARED_SIZE] = "use less shared memory in a block, or smaller blocks",
        [STINT_BOUND_BLOCK_SIZE] = "use a block size of 128 to 512 threads, a multiple of 32",
        [STINT_BOUND_LATENCY] = "give each thread several independent loads or results, or run more warps",
    };
    if (verdict->bound == STINT_BOUND_L1)
        return advice_on_l1(figures);
    if (verdict->bound == STINT_BOUND_SHARED)
        return advice_on_shared(figures);
    return advice[verdict->bound];
}

/* -------------------------------------------------------------------------------------------------------- precision */

/* "double" is the only word for the type; templates have it among their arguments. */
enum stint_precision stint_precision(const struct stint_kernel_figures *figures)
{
    static const char *const others[] = {"float", "__half", "__nv_bfloat16", "half2"};
    if (!(stint_fp64_instructions(figures) > 0))
        return STINT_PRECISION_FINE;
    if (strstr(figures->kernel, "double*") || strstr(figures->kernel, "double ") ||
        strstr(figures->kernel, "double,") || strstr(figures->kernel, "double)") || strstr(figures->kernel, "<double"))
        return STINT_PRECISION_FP64;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strstr(figures->kernel, others[i]))
            return STINT_PRECISION_SUSPECT;
    return STINT_PRECISION_FP64;
}
