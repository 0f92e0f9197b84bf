/* The sum over all ranks, along a tree. */
#include <stdlib.h>
#include <string.h>

#include "barrier/barrier.h"
#include "base/process.h"
#include "mpi/timed_call.h"
#include "ranks/ranks.h"
#include "stint/mpi.h"

enum { PARTICIPANTS_LEAST = 3, PARTICIPANTS_MOST = 65535 };

/* ----------------------------------------------------------------------------------------------------------- rounds */

/* The two barrier statistics that a rank makes of rounds of which it has got the times of all ranks. */
struct rounds {
    struct stint_barrier arrivals;
    struct stint_barrier durations;
    size_t done;
};

struct arrival {
    uint64_t ns;
    uint32_t rank;
};

static int compare(const void *a, const void *b)
{
    const struct arrival *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? -1 : 1;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

/* All ranks leave a round at about the same time, so who waited longest arrived first; no clocks are compared. */
static void add_round(struct rounds *rounds, const struct stint_mpi_round *all, struct arrival *arrivals, uint32_t size)
{
    uint64_t longest = 0;
    for (uint32_t i = 0; i < size; i++)
        longest = all[i].wait_ns > longest ? all[i].wait_ns : longest;
    for (uint32_t i = 0; i < size; i++) {
        arrivals[i] = (struct arrival){longest - all[i].wait_ns, i};
        (void)stint_barrier_add(&rounds->durations, i, all[i].work_ns);
    }
    qsort(arrivals, size, sizeof *arrivals, compare);
    for (uint32_t i = 0; i < size; i++)
        (void)stint_barrier_add(&rounds->arrivals, arrivals[i].rank, arrivals[i].ns);
    rounds->done++;
}

static void begin_rounds(struct stint_barrier *barrier, enum stint_barrier_kind kind, const char *name, uint32_t size,
                         struct stint_barrier_part *parts)
{
    stint_barrier_begin(barrier, kind, size, parts);
    barrier->stat.set = STINT_MPI_SET;
    barrier->stat.name = name;
}

/* The first round of a statistic shows when ranks were started, and is not in it. Only one rank has that one. */
static void skip_first(struct rounds *rounds, int has_first)
{
    rounds->arrivals.stat.rounds = rounds->durations.stat.rounds = !has_first;
}

static void add_rounds(struct stint_builder *builder, struct rounds *rounds, int has_first)
{
    struct stint_barrier *const both[] = {&rounds->arrivals, &rounds->durations};
    for (size_t i = 0; i < 2 && rounds->done; i++) {
        both[i]->stat.rounds -= !has_first;
        stint_builder_add(builder, STINT_ROWS_BARRIERS, &both[i]->stat);
    }
}

/* Each round is gathered on another rank, so that none needs memory for more than one round at a time. */
static int gather_rounds(const struct stint_mpi_group *group, struct stint_builder *builder)
{
    struct stint_mpi_round mine[STINT_MPI_ROUNDS];
    struct rounds rounds = {.done = 0};
    struct stint_arena arena = {0};
    uint32_t size = (uint32_t)group->size;
    int count = (int)stint_mpi_rounds(mine), has_first = group->rank == 0;
    int error = stint_mpi_least(group, &count);
    if (error || group->size < PARTICIPANTS_LEAST || group->size > PARTICIPANTS_MOST)
        return error;
    struct stint_mpi_round *all = stint_arena_alloc(&arena, size * sizeof *all);
    struct arrival *arrivals = stint_arena_alloc(&arena, size * sizeof *arrivals);
    struct stint_barrier_part *parts = stint_arena_alloc(&arena, 2 * size * sizeof *parts);
    if (!all || !arrivals || !parts) {
        stint_arena_free(&arena);
        return MPI_ERR_NO_MEM;
    }
    begin_rounds(&rounds.arrivals, STINT_BARRIER_END, "collective calls", size, parts);
    begin_rounds(&rounds.durations, STINT_BARRIER_DELTA, "between collective calls", size, parts + size);
    skip_first(&rounds, has_first);
    for (int i = 0; i < count && !error; i++) {
        int root = i % group->size;
        error = stint_mpi_gather(group, root, &mine[i], (int)sizeof mine[i], all);
        if (!error && root == group->rank)
            add_round(&rounds, all, arrivals, size);
    }
    add_rounds(builder, &rounds, has_first);
    stint_arena_free(&arena);
    return error;
}

/* ------------------------------------------------------------------------------------------------------------- tree */

/* Writes what this rank adds, if STINT_MPI_RANKS says where. For that the sum, which is of this rank alone, ends and
 * begins anew. */
static void save_part(struct stint_reduction *sum)
{
    const char *pattern = stint_env_text("STINT_MPI_RANKS");
    struct stint_snapshot *part = pattern ? stint_reduction_end(sum) : NULL;
    if (!pattern)
        return;
    stint_reduction_begin(sum, NULL);
    if (part) {
        (void)stint_mpi_save(part, "STINT_MPI_RANKS", pattern, "json");
        stint_reduction_add_ranks(sum, part);
    } else {
        sum->builder.failed = 1;
    }
    stint_snapshot_free(part);
}

static int begin_with_own(const struct stint_mpi_group *group, struct stint_reduction *sum)
{
    struct stint_snapshot *snapshot = NULL;
    stint_reduction_begin(sum, NULL);
    int error = gather_rounds(group, &sum->builder);
    if (stint_snapshot_take(&snapshot)) {
        sum->builder.failed = 1;
        return error;
    }
    stint_reduction_add_process(sum, snapshot);
    stint_mpi_call_add_bytes(&sum->builder);
    stint_reduction_close_rank(sum, (uint32_t)group->world_rank, stint_mpi_history_take(snapshot));
    stint_mpi_history_release();
    stint_snapshot_free(snapshot);
    save_part(sum);
    return error;
}

static int receive(const struct stint_mpi_group *group, int from, struct stint_reduction *sum)
{
    struct stint_packed packed = {.size = 0};
    struct stint_unpacked unpacked = {.arena = {0}};
    int error = stint_mpi_receive(group, from, &packed);
    if (!error && packed.size) {
        if (stint_unpack(&unpacked, packed.bytes, packed.size) == 0)
            stint_reduction_add_ranks(sum, &unpacked.snapshot);
        stint_unpacked_free(&unpacked);
    }
    stint_packed_free(&packed);
    return error;
}

static int send(const struct stint_mpi_group *group, int to, struct stint_reduction *sum)
{
    struct stint_packed packed = {.size = 0};
    struct stint_snapshot *snapshot = stint_reduction_end(sum);
    if (snapshot)
        (void)stint_pack(&packed, snapshot);
    stint_snapshot_free(snapshot);
    int error = stint_mpi_send(group, to, &packed);
    stint_packed_free(&packed);
    return error;
}

/* A rank receives from those that are 1, 2, 4, … behind it, and sends once. */
static int add_up(const struct stint_mpi_group *group, struct stint_snapshot **sum)
{
    struct stint_reduction reduction;
    int error = begin_with_own(group, &reduction);
    for (int step = 1; step < group->size && !error; step *= 2) {
        if (group->rank & step)
            return send(group, group->rank - step, &reduction);
        if (group->rank + step < group->size)
            error = receive(group, group->rank + step, &reduction);
    }
    *sum = stint_reduction_end(&reduction);
    return error;
}

static int is_usable(void)
{
    int is_begun = 0, is_ended = 0;
    STINT_MPI_REAL(MPI_Initialized)
    static __typeof__(&PMPI_Finalized) s_finalized;
    void *finalized = stint_mpi_find("PMPI_Finalized");
    memcpy(&s_finalized, &finalized, sizeof s_finalized);
    return stint_mpi_is_known() && real && s_finalized && real(&is_begun) == MPI_SUCCESS &&
           s_finalized(&is_ended) == MPI_SUCCESS && is_begun && !is_ended;
}

enum stint_status stint_mpi_reduce(MPI_Comm comm, struct stint_snapshot **sum)
{
    struct stint_mpi_group group;
    if (!sum)
        return STINT_ERROR_INVALID_ARGUMENT;
    *sum = NULL;
    if (!is_usable())
        return STINT_ERROR_BUSY;
    if (stint_mpi_group_begin(&group, comm))
        return STINT_ERROR_IO;
    int error = add_up(&group, sum);
    stint_mpi_group_end(&group);
    if (error) {
        stint_snapshot_free(*sum);
        *sum = NULL;
        return STINT_ERROR_IO;
    }
    return group.rank == 0 && !*sum ? STINT_ERROR_NO_MEMORY : STINT_OK;
}
