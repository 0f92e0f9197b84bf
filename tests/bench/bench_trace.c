/* Measures what a scope costs while its activations are noted for a trace (STINT_TRACE), compared with two bare clock
 * reads and with a scope without a trace. Handing over full chunks is part of the cost; what another thread does with
 * them is not: they are given back between rounds.
 *
 *     bench_trace [--json] [--rounds N]
 */
#include "bench.h"
#include "notes/note.h"
#include "record/registry.h"
#include "stint/stint.h"

enum { LOOPS = 200000, CHUNKS = 1024 };

BENCH_CLOCK_PAIR(LOOPS)

static void run_scopes(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE("scope");
        FENCE();
    }
}

static void run_scopes_nohist(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        STINT_SCOPE("scope without histogram");
        FENCE();
    }
}

/* As if there were no trace. */
static void scope(void)
{
    struct stint_i_noted *const limit = stint_i_self->noted_limit;
    stint_i_self->noted_limit = NULL;
    run_scopes();
    stint_i_self->noted_limit = limit;
}

static uint64_t time_noted(void (*run)(void))
{
    const uint64_t begin = bench_now_ns();
    struct stint_chunk *chunk;
    run();
    uint64_t ns = bench_now_ns() - begin;
    while ((chunk = stint_chunks_take()))
        stint_chunks_give_back(chunk);
    return ns;
}

static uint64_t time_scope_noted(void)
{
    return time_noted(run_scopes);
}

static uint64_t time_scope_nohist_noted(void)
{
    return time_noted(run_scopes_nohist);
}

static struct bench_variant s_variants[] = {
    BENCH_VARIANT("clock_pair_ns", clock_pair, 0),
    BENCH_VARIANT("scope_ns", scope, 1.4),
    {"scope_noted_ns", NULL, time_scope_noted, 1.5, {0}},
    {"scope_nohist_noted_ns", NULL, time_scope_nohist_noted, 0, {0}},
};

enum { CLOCK_PAIR = 0 }; /* limits are multiples of its cost */

int main(int argc, char **argv)
{
    struct bench bench = {"bench_trace", s_variants, sizeof s_variants / sizeof s_variants[0], LOOPS, 0, 0};
    if (bench_options(&bench, argc, argv))
        return 2;
    setenv("STINT_REPORT", "off", 0);
    if (stint_chunks_start(CHUNKS)) {
        fprintf(stderr, "bench_trace: no memory\n");
        return 1;
    }
    stint_notes_start();
    stint_set_percentiles(0);
    run_scopes_nohist();
    stint_set_percentiles(1);
    bench_run(&bench);
    if (bench.json) {
        bench_json_begin(&bench);
        bench_json_end(&bench, CLOCK_PAIR);
    } else {
        bench_table(&bench, 22, CLOCK_PAIR, "x clock pair", "");
    }
    if (stint_dropped.events) {
        fprintf(stderr, "bench_trace: %llu activations found no free chunk, so the results are not valid\n",
                (unsigned long long)stint_dropped.events);
        return 1;
    }
    return 0;
}
