/* Computes for pieces of time how busy a device was. */
#include "export/busy.h"

enum { PIECES = 1000, LEAST_PIECE_NS = 1000 };

struct stint_busy *stint_busy_of(struct stint_array *devices, struct stint_arena *arena, uint32_t device,
                                 uint64_t wall_ns)
{
    struct stint_busy *busy = devices->items;
    for (size_t i = 0; i < devices->count; i++)
        if (busy[i].device == device)
            return &busy[i];
    busy = stint_array_add(devices, arena, sizeof *busy);
    if (!busy)
        return NULL;
    busy->device = device;
    busy->piece_ns = wall_ns / PIECES < LEAST_PIECE_NS ? LEAST_PIECE_NS : wall_ns / PIECES;
    return busy;
}

static void show_percent(struct stint_busy *busy, uint64_t piece, double percent, stint_busy_fn *show, void *context)
{
    if (busy->begun && percent == busy->shown)
        return;
    busy->begun = 1;
    busy->shown = percent;
    show(context, busy->device, piece * busy->piece_ns, percent);
}

/* Shows the current piece, and 0 % for the idle time after it; then begins another piece. */
static void turn_to(struct stint_busy *busy, uint64_t piece, stint_busy_fn *show, void *context)
{
    if (busy->ns)
        show_percent(busy, busy->piece, 100 * (double)busy->ns / (double)busy->piece_ns, show, context);
    if (busy->begun && piece > busy->piece + (busy->ns ? 1 : 0))
        show_percent(busy, busy->piece + (busy->ns ? 1 : 0), 0, show, context);
    busy->piece = piece;
    busy->ns = 0;
}

/* Adds a time that lies within one piece, or spans several, of which all but the first and the last are fully busy. */
static void add_alone(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context)
{
    uint64_t first = start_ns / busy->piece_ns, last = (end_ns - 1) / busy->piece_ns;
    if (first != busy->piece)
        turn_to(busy, first, show, context);
    if (first == last) {
        busy->ns += end_ns - start_ns;
        return;
    }
    busy->ns += (first + 1) * busy->piece_ns - start_ns;
    turn_to(busy, first + 1, show, context);
    if (last > first + 1) {
        show_percent(busy, first + 1, 100, show, context);
        busy->piece = last;
    }
    busy->ns = end_ns - last * busy->piece_ns;
}

void stint_busy_add(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context)
{
    start_ns = start_ns < busy->until_ns ? busy->until_ns : start_ns;
    if (end_ns <= start_ns)
        return;
    add_alone(busy, start_ns, end_ns, show, context);
    busy->until_ns = end_ns;
}

void stint_busy_end(struct stint_busy *busy, stint_busy_fn *show, void *context)
{
    if (busy->ns || busy->begun)
        turn_to(busy, busy->piece + 2, show, context);
}
