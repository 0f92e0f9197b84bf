/* Compares the ends of collective operations on two hosts, which should be the same moment. The median difference is
 * the clocks', and its spread says how far to trust it. */
#include "stat/numbers.h"
#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Where clocks differ by more than they wander while a program runs, some hundred ends are as good as all. */
enum { ENDS_MOST = 4096, ENDS_LEAST = 3 };
enum { MPI_CALLS, NCCL_KERNELS, KINDS };

static const char *const s_kinds[KINDS] = {"collective calls of MPI", "kernels of NCCL"};

/* The ends of what all ranks do together, in order of the starts. */
struct ends {
    size_t count;
    uint64_t name[ENDS_MOST]; /* a hash */
    uint64_t unix_ns[ENDS_MOST];
};

struct clocks {
    struct ends first[KINDS]; /* of the first recording */
    struct ends other[KINDS];
    int64_t later_ns[ENDS_MOST]; /* of two ends: by how much the other's is later */
};

/* ------------------------------------------------------------------------------------------------------------- ends */

/* Returns which kind of end an event has, or -1. */
static int kind_of(const struct stint_event *event)
{
    static const char *const calls[] = {"MPI_Barrier",    "MPI_Allreduce", "MPI_Allgather",
                                        "MPI_Allgatherv", "MPI_Alltoall",  "MPI_Alltoallv"};
    static const char *const kernels[] = {"ncclDevKernel_AllReduce", "ncclDevKernel_AllGather",
                                          "ncclDevKernel_ReduceScatter", "ncclKernel_AllReduce"};
    if (event->kind == STINT_EVENT_SCOPE && strcmp(event->set, STINT_MPI_SET) == 0)
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            if (strcmp(event->name, calls[i]) == 0)
                return MPI_CALLS;
    if (event->kind == STINT_EVENT_DEVICE && event->gpu && event->gpu->kind == STINT_GPU_KERNEL)
        for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
            if (strncmp(event->name, kernels[i], strlen(kernels[i])) == 0)
                return NCCL_KERNELS;
    return -1;
}

static void read_ends(const struct stint_recorded *part, struct ends *ends)
{
    struct stint_event_source *source = part->events;
    struct stint_event event;
    for (int i = 0; i < KINDS; i++)
        ends[i].count = 0;
    if (source->begin(source))
        return;
    while (source->next(source, &event) > 0) {
        int kind = kind_of(&event);
        struct ends *of = kind < 0 ? NULL : &ends[kind];
        if (!of || of->count == ENDS_MOST)
            continue;
        of->name[of->count] = stint_hash(event.name, strlen(event.name), 0);
        of->unix_ns[of->count++] = stint_sum_of(part->snapshot->process.start_unix_ns, event.end_ns);
    }
}

/* ------------------------------------------------------------------------------------------------------- difference */

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* INT64_MAX, if it is more. */
static int64_t distance(int64_t a, int64_t b)
{
    uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    return apart < INT64_MAX ? (int64_t)apart : INT64_MAX;
}

/* Returns whether both have the same ends. How much later the other clock is, is the median; nine of ten differences
 * are within so much of it. */
static int compare_ends(struct clocks *clocks, int kind, struct stint_alignment *alignment)
{
    const struct ends *first = &clocks->first[kind], *other = &clocks->other[kind];
    int64_t *later = clocks->later_ns;
    size_t count = first->count;
    if (count < ENDS_LEAST || count != other->count ||
        memcmp(first->name, other->name, count * sizeof *first->name) != 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        later[i] = (int64_t)(other->unix_ns[i] - first->unix_ns[i]);
    qsort(later, count, sizeof *later, compare);
    *alignment = (struct stint_alignment){.by = s_kinds[kind], .later_ns = later[count / 2], .ends = count};
    for (size_t i = 0; i < count; i++)
        later[i] = distance(later[i], alignment->later_ns);
    qsort(later, count, sizeof *later, compare);
    alignment->within_ns = (uint64_t)later[count * 9 / 10];
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ hosts */

static const char *host_of(const struct stint_recorded *part)
{
    return part->snapshot->process.host;
}

/* Moves the recordings of a host whose clock is later: all others instead if there is no time so early, as where it is
 * not known when any began. */
static void move(const struct stint_recorded *parts, size_t count, const char *host, int64_t later_ns)
{
    uint64_t ns = later_ns < 0 ? -(uint64_t)later_ns : (uint64_t)later_ns;
    int moves_others = 0;
    for (size_t i = 0; i < count; i++)
        moves_others |=
            later_ns > 0 && strcmp(host_of(&parts[i]), host) == 0 && parts[i].snapshot->process.start_unix_ns < ns;
    for (size_t i = 0; i < count; i++) {
        uint64_t *start_ns = &parts[i].snapshot->process.start_unix_ns;
        if ((strcmp(host_of(&parts[i]), host) != 0) != moves_others)
            continue;
        if (later_ns > 0 && !moves_others)
            *start_ns -= ns;
        else
            stint_sum_up(start_ns, ns);
    }
}

static int is_first_of_host(const struct stint_recorded *parts, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(host_of(&parts[i]), host_of(&parts[at])) == 0)
            return 0;
    return 1;
}

static void align_host(struct clocks *clocks, const struct stint_recorded *parts, size_t count, size_t at,
                       stint_alignment_fn *tell)
{
    struct stint_alignment alignment = {.host = host_of(&parts[at]), .first = host_of(&parts[0])}, found;
    read_ends(&parts[at], clocks->other);
    for (int kind = 0; kind < KINDS; kind++)
        if (compare_ends(clocks, kind, &found) && (!alignment.by || found.within_ns < alignment.within_ns)) {
            found.host = alignment.host;
            found.first = alignment.first;
            alignment = found;
        }
    tell(&alignment);
    move(parts, count, alignment.host, alignment.later_ns);
}

/* A sum of several hosts has no host, and one whose host is not known has none to name. */
static int has_clock(const struct stint_recorded *part)
{
    return part->events && *host_of(part);
}

void stint_align(const struct stint_recorded *parts, size_t count, stint_alignment_fn *tell)
{
    struct clocks *clocks = NULL;
    for (size_t i = 1; i < count && has_clock(&parts[0]); i++) {
        if (!has_clock(&parts[i]) || !is_first_of_host(parts, i))
            continue;
        if (!clocks) {
            clocks = malloc(sizeof *clocks);
            if (!clocks) {
                stint_memory_lacked = 1;
                return;
            }
            read_ends(&parts[0], clocks->first);
        }
        align_host(clocks, parts, count, i, tell);
    }
    free(clocks);
}
