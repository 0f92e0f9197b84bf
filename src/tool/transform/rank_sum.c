/* Reads recordings one at a time, in the order of ranks if that is needed, and adds them up to one sum over ranks, so
 * that thousands of files take the memory of a few. */
#include "transform/transform.h"

#include <stdlib.h>

#include "ranks/ranks.h"

enum { NO_RANK = -1, SUM = -2 };

struct file {
    size_t place; /* among those that were given */
    int64_t rank; /* of its process; NO_RANK; SUM: it is a sum of ranks */
};

struct files {
    struct stint_rank_files *given;
    struct file *all;
    int are_known; /* all ranks are known, and files of one rank follow one another */
    int are_ranks; /* files without a rank are ranks */
    struct stint_collective_waits waits;
    struct stint_event_history history; /* of the rank that is being added */
    struct stint_spare_memory spare;
};

/* ----------------------------------------------------------------------------------------------------------- adding */

static int64_t rank_of(const struct stint_snapshot *snapshot)
{
    return snapshot->process.ranks ? SUM : stint_rank_number(&snapshot->process);
}

/* Ends the rank that is being added up, and adds it to the sum. */
static void end_rank(struct files *files, struct stint_reduction *sum, struct stint_reduction *rank,
                     const struct file *file)
{
    const struct stint_history *history = stint_event_history_end(&files->history, rank->process.start_unix_ns);
    struct stint_dropped *dropped = &rank->builder.whole.dropped;
    if (dropped->nvtx_depth < files->history.open.too_deep) /* a snapshot made of events has counted them */
        dropped->nvtx_depth = files->history.open.too_deep;
    stint_reduction_close_rank(rank, (uint32_t)(file->rank >= 0 ? (size_t)file->rank : file->place), history);
    stint_event_history_free(&files->history);
    struct stint_snapshot *snapshot = stint_reduction_end(rank);
    if (snapshot)
        stint_reduction_add_ranks(sum, snapshot);
    else
        sum->builder.failed = 1;
    stint_snapshot_recycle(snapshot, &files->spare);
}

/* Events that cannot be read tell nothing, and are no cause to fail: a recording's numbers do not depend on them. */
static void add_events(struct files *files, const struct stint_snapshot *snapshot, struct stint_event_source *events)
{
    struct stint_event event;
    int got = events->begin(events) ? -1 : 1;
    stint_event_history_begin(&files->history, snapshot);
    while (got > 0 && (got = events->next(events, &event)) > 0) {
        stint_collective_waits_add(&files->waits, &event);
        stint_event_history_add(&files->history, &event);
    }
    stint_collective_waits_end_rank(&files->waits, got == 0);
}

/* Returns 0, or -1 if the file cannot be read. */
static int add_file(struct files *files, struct file *file, struct stint_reduction *sum, struct stint_reduction *rank)
{
    struct stint_recorded recorded;
    files->given->is_unread = files->given->open(files->given->context, file->place, &recorded) != 0;
    if (files->given->is_unread)
        return -1;
    file->rank = rank_of(recorded.snapshot);
    if (file->rank == SUM)
        stint_reduction_add_ranks(sum, recorded.snapshot);
    else
        stint_reduction_add_process(rank, recorded.snapshot);
    if (file->rank != SUM && recorded.events)
        add_events(files, recorded.snapshot, recorded.events);
    files->given->close(files->given->context, file->place);
    return 0;
}

/* Adds files from `first` on, as many as are of one rank. Returns how many, or 0 if one cannot be read. */
static size_t add_rank(struct files *files, size_t first, struct stint_reduction *sum)
{
    struct stint_reduction rank;
    size_t i = first;
    stint_reduction_begin(&rank, &files->spare);
    do {
        if (add_file(files, &files->all[i], sum, &rank)) {
            stint_snapshot_free(stint_reduction_end(&rank));
            return 0;
        }
        i++;
    } while (files->are_known && i < files->given->count && files->all[i].rank >= 0 &&
             files->all[i].rank == files->all[first].rank);
    if (files->all[first].rank != SUM)
        end_rank(files, sum, &rank, &files->all[first]);
    else
        stint_snapshot_free(stint_reduction_end(&rank));
    return i - first;
}

static struct stint_snapshot *add_all(struct files *files)
{
    struct stint_reduction sum;
    stint_reduction_begin(&sum, &files->spare);
    for (size_t i = 0, added; i < files->given->count; i += added) {
        int is_left_out = files->are_known && files->all[i].rank == NO_RANK && !files->are_ranks;
        added = is_left_out ? 1 : add_rank(files, i, &sum);
        if (!added) {
            stint_snapshot_free(stint_reduction_end(&sum));
            return NULL;
        }
    }
    struct stint_snapshot *snapshot = stint_reduction_end(&sum);
    if (snapshot)
        stint_collective_waits_tell(&files->waits, snapshot);
    return snapshot;
}

/* ------------------------------------------------------------------------------------------------------------ order */

static int compare(const void *a, const void *b)
{
    const struct file *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

/* Sorts the files, and returns whether they were added up wrongly: as if each were of another rank. */
static int are_to_be_added_again(struct files *files)
{
    size_t without = 0, repeated = 0;
    qsort(files->all, files->given->count, sizeof *files->all, compare);
    for (size_t i = 0; i < files->given->count; i++) {
        int64_t rank = files->all[i].rank;
        without += rank == NO_RANK;
        repeated += i && rank >= 0 && rank == files->all[i - 1].rank;
    }
    files->are_ranks = without == files->given->count;
    files->given->left_out = files->are_ranks ? 0 : without;
    return repeated || files->given->left_out;
}

/* Most often each file is of another rank; so all are read in turn, and again only if that was wrong. */
struct stint_snapshot *stint_rank_sum(struct stint_rank_files *given)
{
    struct files files = {.given = given, .all = calloc(given->count, sizeof *files.all)};
    struct stint_snapshot *sum = NULL;
    given->left_out = 0;
    given->is_unread = 0;
    for (size_t i = 0; files.all && i < given->count; i++)
        files.all[i] = (struct file){.place = i, .rank = NO_RANK};
    if (files.all)
        sum = add_all(&files);
    if (sum && are_to_be_added_again(&files)) {
        stint_snapshot_free(sum);
        stint_collective_waits_free(&files.waits);
        files.are_known = 1;
        sum = add_all(&files);
    }
    stint_collective_waits_free(&files.waits);
    stint_event_history_free(&files.history);
    stint_spare_memory_free(&files.spare);
    free(files.all);
    return sum;
}
