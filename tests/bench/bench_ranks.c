/* Simulates the sum over all ranks of a job, with the code of libstint_mpi but without MPI: every rank's snapshot,
 * every message and every sum is made, on THREADS threads of one machine.
 *
 *     bench_ranks [RANKS] [SCOPES] [THREADS]
 *
 * The last line checks totals against what the ranks were given. Exits with 1 if they differ, or if more than 1 GiB was
 * needed.
 *
 *   elapsed    for the work of all ranks; and CPU time, which other work on the machine does not change much
 *   peak       memory of the process that does the work of all ranks, at most
 *   steps      how many sums rank 0 makes, one after the other
 *   message    bytes that a rank sends: mean, and most
 *   own, add   microseconds that a rank needs for its own part, and to add the message of another
 *   critical   what rank 0 waits for at least: one part, and in each step a message that is made, read and added
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "ranks/ranks.h"

enum { BINS = 24, CALLS = 1000, THREADS_MOST = 64, MEMORY_MOST_KIB = 1 << 20 };

static size_t s_scopes = 200;

/* What a thread does, and the snapshot that it changes for each rank. */
struct worker {
    size_t first, count; /* ranks */
    struct stint_snapshot *snapshot;
    struct stint_packed sum;
    struct stint_unpacked unpacked;
    struct stint_spare_memory spare;
    size_t messages, message_bytes, message_most;
    uint64_t own_ns, add_ns;
    pthread_t thread;
};

/* ------------------------------------------------------------------------------------------------------------ ranks */

static uint64_t total_of(size_t rank, size_t scope)
{
    uint64_t hash = stint_hash_mix(rank + 1, scope + 1);
    return 1000000 * (scope + 1) + hash % 100000;
}

static size_t add_scope(struct stint_builder *builder, size_t scope, size_t parent)
{
    char name[40];
    struct stint_bin bins[BINS];
    struct stint_numbers numbers = {.count = CALLS, .min_ns = 1000, .max_ns = 90000, .bins = bins, .bin_count = BINS};
    struct stint_stat like = {.set = "GlobalStatInfo", .name = name, .file = "solver/step.c", .function = "step"};
    (void)snprintf(name, sizeof name, "scope number %zu", scope);
    for (size_t i = 0; i < BINS; i++)
        bins[i] = (struct stint_bin){1000 + 1000 * i, CALLS / BINS};
    numbers.total_ns = numbers.self_ns = 1;
    size_t stat = stint_builder_stat(builder, &like), context = stint_builder_context(builder, parent, stat);
    stint_builder_add_stat(builder, stat, &numbers);
    stint_builder_add_context(builder, context, &numbers);
    return context;
}

static struct stint_snapshot *make_snapshot(void)
{
    const struct stint_process process = {
        .pid = 4711, .command = "./solver", .host = "node", .clock = "tsc", .start_unix_ns = 1790000000000000000};
    const struct stint_dropped dropped = {.nodes = 0};
    struct stint_builder builder;
    size_t parents[8] = {STINT_NO_PARENT};
    stint_builder_begin(&builder);
    for (size_t i = 0; i < s_scopes; i++)
        parents[i % 7 + 1] = add_scope(&builder, i, parents[i % 7]);
    return stint_builder_end(&builder, &process, &dropped);
}

/* The snapshot is this program's own. Names end in the number of the scope. */
static void become(struct stint_snapshot *snapshot, size_t rank)
{
    struct stint_stat *stats = (struct stint_stat *)(uintptr_t)snapshot->stats;
    struct stint_context *contexts = (struct stint_context *)(uintptr_t)snapshot->contexts;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        size_t scope = strtoul(stats[i].name + strlen("scope number "), NULL, 10);
        stats[i].numbers.total_ns = stats[i].numbers.self_ns = total_of(rank, scope);
    }
    for (size_t i = 0; i < snapshot->context_count; i++)
        contexts[i].numbers.total_ns = contexts[i].numbers.self_ns = stats[contexts[i].stat].numbers.total_ns;
    (void)snprintf(snapshot->process.rank, sizeof snapshot->process.rank, "%zu", rank);
}

/* ------------------------------------------------------------------------------------------------------------- sums */

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_ranks: %s\n", what);
    exit(1);
}

static struct stint_packed pack(const struct stint_snapshot *snapshot)
{
    struct stint_packed packed = {.size = 0};
    if (!snapshot || stint_pack(&packed, snapshot))
        fail("no memory");
    return packed;
}

static void add_message(struct stint_unpacked *unpacked, struct stint_reduction *sum, struct stint_packed *message)
{
    if (stint_unpack(unpacked, message->bytes, message->size))
        fail("a message cannot be read");
    stint_reduction_add_ranks(sum, &unpacked->snapshot);
    stint_packed_free(message);
}

static void begin_with_own(struct worker *worker, struct stint_reduction *sum, size_t rank)
{
    uint64_t begin = bench_now_ns();
    become(worker->snapshot, rank);
    stint_reduction_begin(sum, &worker->spare);
    stint_reduction_add_process(sum, worker->snapshot);
    stint_reduction_close_rank(sum, (uint32_t)rank, NULL);
    worker->own_ns += bench_now_ns() - begin;
}

/* What rank `rank` does if `count` ranks from it on are below it: it receives from those that are 1, 2, 4, … behind. */
static struct stint_packed reduce(struct worker *worker, size_t rank, size_t count)
{
    struct stint_reduction sum;
    begin_with_own(worker, &sum, rank);
    for (size_t step = 1; step < count; step *= 2) {
        struct stint_packed message = reduce(worker, rank + step, count - step < step ? count - step : step);
        worker->messages++;
        worker->message_bytes += message.size;
        worker->message_most = message.size > worker->message_most ? message.size : worker->message_most;
        uint64_t begin = bench_now_ns();
        add_message(&worker->unpacked, &sum, &message);
        worker->add_ns += bench_now_ns() - begin;
    }
    uint64_t begin = bench_now_ns();
    struct stint_snapshot *snapshot = stint_reduction_end(&sum);
    struct stint_packed packed = pack(snapshot);
    stint_snapshot_recycle(snapshot, &worker->spare);
    worker->add_ns += bench_now_ns() - begin;
    return packed;
}

static void *work(void *context)
{
    struct worker *worker = context;
    worker->snapshot = make_snapshot();
    if (!worker->snapshot)
        fail("no memory");
    worker->sum = reduce(worker, worker->first, worker->count);
    stint_snapshot_free(worker->snapshot);
    stint_spare_memory_free(&worker->spare);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------------ check */

static int differs(const struct stint_stat *stat, size_t ranks)
{
    size_t scope = strtoul(stat->name + strlen("scope number "), NULL, 10);
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < ranks; i++) {
        uint64_t ns = total_of(i, scope);
        sum += ns;
        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    const struct stint_spread *spread = stat->numbers.spread;
    return !spread || spread->ranks != ranks || stat->numbers.total_ns != sum || spread->min_ns != least ||
           spread->max_ns != most || stat->numbers.bins[0].count != ranks * (CALLS / BINS);
}

static size_t count_wrong(const struct stint_snapshot *sum, size_t ranks)
{
    size_t wrong = sum->stat_count != s_scopes;
    for (size_t i = 0; i < sum->stat_count; i++)
        wrong += (size_t)differs(&sum->stats[i], ranks);
    return wrong;
}

static double cpu_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static size_t number_at(int count, char **arguments, int at, size_t otherwise)
{
    return at < count ? strtoul(arguments[at], NULL, 10) : otherwise;
}

int main(int count, char **arguments)
{
    static struct worker s_workers[THREADS_MOST];
    size_t ranks = number_at(count, arguments, 1, 1024), threads = number_at(count, arguments, 3, 2), steps = 0;
    struct worker all = {.count = 0};
    struct stint_reduction reduction;
    struct rusage usage;
    s_scopes = number_at(count, arguments, 2, s_scopes);
    if (!ranks || !s_scopes || !threads || threads > THREADS_MOST)
        fail("expected: bench_ranks [RANKS] [SCOPES] [THREADS]");
    uint64_t begin = bench_now_ns();
    stint_reduction_begin(&reduction, NULL);
    for (size_t i = 0; i < threads; i++) {
        s_workers[i].first = ranks * i / threads;
        s_workers[i].count = ranks * (i + 1) / threads - s_workers[i].first;
        if (s_workers[i].count && pthread_create(&s_workers[i].thread, NULL, work, &s_workers[i]))
            fail("a thread cannot be started");
    }
    for (size_t i = 0; i < threads; i++) {
        struct worker *worker = &s_workers[i];
        if (!worker->count)
            continue;
        (void)pthread_join(worker->thread, NULL);
        add_message(&worker->unpacked, &reduction, &worker->sum);
        stint_unpacked_free(&worker->unpacked);
        all.messages += worker->messages;
        all.message_bytes += worker->message_bytes;
        all.message_most = worker->message_most > all.message_most ? worker->message_most : all.message_most;
        all.own_ns += worker->own_ns;
        all.add_ns += worker->add_ns;
    }
    struct stint_snapshot *sum = stint_reduction_end(&reduction);
    if (!sum)
        fail("no memory");
    double elapsed = (double)(bench_now_ns() - begin) / 1e9;
    for (size_t reach = 1; reach < ranks; reach *= 2)
        steps++;
    (void)getrusage(RUSAGE_SELF, &usage);
    double own = (double)all.own_ns / (double)ranks / 1e3;
    double add = all.messages ? (double)all.add_ns / (double)all.messages / 1e3 : 0;
    (void)printf("%zu ranks, %zu scopes, %zu threads: elapsed %.2f s, CPU %.2f s, peak %.1f MiB, %zu steps, message "
                 "%.1f kB (most "
                 "%.1f kB), own %.0f us, add %.0f us, critical %.1f ms\n",
                 ranks, s_scopes, threads, elapsed, cpu_seconds(&usage), (double)usage.ru_maxrss / 1024, steps,
                 all.messages ? (double)all.message_bytes / (double)all.messages / 1e3 : 0,
                 (double)all.message_most / 1e3, own, add, (own + (double)steps * add) / 1e3);
    size_t wrong = count_wrong(sum, ranks);
    stint_snapshot_free(sum);
    (void)printf("%zu wrong rows\n", wrong);
    return wrong || usage.ru_maxrss > MEMORY_MOST_KIB;
}
