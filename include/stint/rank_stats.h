/* stint/rank_stats.h - how a row of a snapshot differs between ranks. Included by snapshot.h.
 *
 * Only snapshots in which the processes of a parallel job were added up by rank have this: by stint/mpi.h, or by `stint
 * merge`. Wherever several ranks have the same value, the lowest of them is named.
 */
#ifndef STINT_RANK_STATS_H
#define STINT_RANK_STATS_H

#include <stdint.h>

/** The set whose statistics are calls of MPI (mpi.h). They are scopes, and so no part of the self time of the scope
 *  that makes them: self time is work, not waiting for other ranks. */
#define STINT_MPI_SET "MPI"

/** One row over all ranks: the total and self time of each, and where a rank became slower than it had been. Average
 *  and sum follow from the row's own numbers, which are those of all ranks together. */
struct stint_spread {
    uint32_t ranks; /* that have the row */
    uint32_t min_rank;
    uint32_t max_rank;
    uint32_t busy_rank;
    uint64_t min_ns; /* the least total of a rank, and the greatest */
    uint64_t max_ns;
    uint64_t square_low; /* the sum of the squares of the ranks' totals, 128 bits */
    uint64_t square_high;
    uint64_t idle_ns; /* the least self time of a rank, and the greatest, which is that of busy_rank */
    uint64_t busy_ns;
    const char *busy_host;
    uint64_t lost_ns;      /* by which self times of all ranks exceed what they would be if none had become slower */
    uint64_t slow_lost_ns; /* the same of slow_rank, which lost most; 0: no rank became slower */
    uint64_t slow_since_unix_ns; /* when it did */
    uint64_t slow_before_ns;     /* the median of the self time of an activation until then, and from then on */
    uint64_t slow_after_ns;
    uint32_t slow_rank;
    const char *slow_host;
    uint64_t shortest_ns; /* of kernels of collective calls: what each took on the rank on which it was shortest, added
                             up. What a rank took beyond it, it waited. 0: not known, or another row */
};

#endif
