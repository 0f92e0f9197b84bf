/* How rows differ between ranks: adding up, and what follows. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "stat/member_macros.h"
#include "stat/numbers.h"

/* Whether `b` takes the place of `a`: its value is greater, or it is equal and that of a lower rank. So the order in
 * which spreads are added makes no difference. */
static int exceeds(uint64_t b, uint32_t b_rank, uint64_t a, uint32_t a_rank)
{
    return b != a ? b > a : b_rank < a_rank;
}

static const char *host_of(struct stint_builder *builder, const char *before, const char *host)
{
    return before && strcmp(before, host) == 0 ? before : stint_builder_text(builder, host);
}

static void take_busiest(struct stint_builder *builder, struct stint_spread *into, const struct stint_spread *from)
{
    into->busy_rank = from->busy_rank;
    into->busy_ns = from->busy_ns;
    into->busy_host = host_of(builder, into->busy_host, from->busy_host);
}

static void take_slowest(struct stint_builder *builder, struct stint_spread *into, const struct stint_spread *from)
{
    into->slow_rank = from->slow_rank;
    into->slow_lost_ns = from->slow_lost_ns;
    into->slow_since_unix_ns = from->slow_since_unix_ns;
    into->slow_before_ns = from->slow_before_ns;
    into->slow_after_ns = from->slow_after_ns;
    into->slow_host = host_of(builder, into->slow_host, from->slow_host);
}

static void add_squares(struct stint_spread *into, const struct stint_spread *from)
{
    uint64_t low = into->square_low + from->square_low;
    into->square_high += from->square_high + (low < into->square_low);
    into->square_low = low;
}

static void add_spread(struct stint_builder *builder, struct stint_spread *into, const struct stint_spread *from)
{
    int is_first = !into->ranks;
    if (is_first || exceeds(into->min_ns, from->min_rank, from->min_ns, into->min_rank)) {
        into->min_ns = from->min_ns;
        into->min_rank = from->min_rank;
    }
    if (is_first || exceeds(from->max_ns, from->max_rank, into->max_ns, into->max_rank)) {
        into->max_ns = from->max_ns;
        into->max_rank = from->max_rank;
    }
    if (is_first || from->idle_ns < into->idle_ns)
        into->idle_ns = from->idle_ns;
    if (is_first || exceeds(from->busy_ns, from->busy_rank, into->busy_ns, into->busy_rank))
        take_busiest(builder, into, from);
    if (is_first || exceeds(from->slow_lost_ns, from->slow_rank, into->slow_lost_ns, into->slow_rank))
        take_slowest(builder, into, from);
    add_squares(into, from);
    into->shortest_ns = is_first ? from->shortest_ns : 0; /* which of both has the shorter ones is not known */
    stint_sum_up(&into->lost_ns, from->lost_ns);
    into->ranks += from->ranks;
}

void stint_spread_add(struct stint_builder *builder, const struct stint_spread **place, const struct stint_spread *from)
{
    if (builder->failed || !from || !from->ranks)
        return;
    struct stint_spread *into = (struct stint_spread *)(uintptr_t)*place; /* the builder's own */
    if (!into)
        into = stint_arena_alloc(stint_builder_arena(builder), sizeof *into);
    if (into)
        add_spread(builder, into, from);
    else
        builder->failed = 1;
    *place = into;
}

struct stint_spread stint_spread_of_rank(const struct stint_numbers *numbers, uint32_t rank, const char *host)
{
    stint_u128 square = (stint_u128)numbers->total_ns * numbers->total_ns;
    return (struct stint_spread){
        .ranks = 1,
        .min_rank = rank,
        .max_rank = rank,
        .busy_rank = rank,
        .slow_rank = rank,
        .min_ns = numbers->total_ns,
        .max_ns = numbers->total_ns,
        .square_low = (uint64_t)square,
        .square_high = (uint64_t)(square >> 64),
        .idle_ns = numbers->self_ns,
        .busy_ns = numbers->self_ns,
        .busy_host = host,
        .slow_host = "",
    };
}

double stint_spread_mean_ns(const struct stint_numbers *numbers)
{
    return numbers->spread ? (double)numbers->total_ns / (double)numbers->spread->ranks : (double)numbers->total_ns;
}

/* n times the sum of squares and the square of the sum are whole numbers, of which the difference is exact. */
double stint_spread_stddev_ns(const struct stint_numbers *numbers)
{
    const struct stint_spread *spread = numbers->spread;
    if (!spread || spread->ranks < 2)
        return 0;
    stint_u128 squares = (stint_u128)spread->square_high << 64 | spread->square_low;
    double n = (double)spread->ranks, mean = (double)numbers->total_ns / n;
    double variance = (double)squares / n - mean * mean;
    if (squares <= ~(stint_u128)0 / spread->ranks)
        variance = (double)(squares * spread->ranks - (stint_u128)numbers->total_ns * numbers->total_ns) / (n * n);
    return variance > 0 ? sqrt(variance) : 0;
}

/* ---------------------------------------------------------------------------------------------------------- table */

#define ROW struct stint_spread
static const struct stint_member s_spread[] = {
    NEEDED(U32, ranks),           OPTIONAL(U32, min_rank),
    OPTIONAL(U32, max_rank),      OPTIONAL(U32, busy_rank),
    OPTIONAL(U64, min_ns),        OPTIONAL(U64, max_ns),
    OPTIONAL(U64, square_low),    IF(SET, U64, square_high),
    OPTIONAL(U64, idle_ns),       OPTIONAL(U64, busy_ns),
    OPTIONAL(TEXT, busy_host),    IF(SET, U64, lost_ns),
    IF(SET, U64, slow_lost_ns),   IF(SET, U64, slow_since_unix_ns),
    IF(SET, U64, slow_before_ns), IF(SET, U64, slow_after_ns),
    IF(SET, U32, slow_rank),      OPTIONAL(TEXT, slow_host),
    IF(SET, U64, shortest_ns),
};
#undef ROW

const struct stint_row_table stint_rows_spread = {TABLE(struct stint_spread, s_spread)};
