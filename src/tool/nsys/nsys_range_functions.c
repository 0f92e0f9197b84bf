/* Window functions of SQL on ranges that were open at the same time, for statements like
 *
 *     range_parent(id, start, "end", opens) OVER (PARTITION BY thread ORDER BY id ROWS UNBOUNDED PRECEDING)
 *
 * The parent of a range is the shortest range, on the same thread, that contains it; range_level is the number of those
 * around it, range_stack is ":1:4:5", the ranges from the outermost to itself, and range_list "[1,4]", all ranges that
 * contain a row that does not open, such as a call. */
#include <sqlite3.h>
#include <string.h>

#include "nsys/nsys.h"

/* Of more ranges than these that are open on a thread at one time, the later ones contain nothing. */
enum { OPEN_MOST = 1 << 14 };

struct range {
    int64_t id, start, end;
    size_t parent; /* position in the open ones */
    int64_t level;
};

struct window {
    struct range *open;
    size_t count;
    size_t room;
    size_t *moved;    /* where each was before, while ranges that have ended are removed */
    struct range row; /* the current one */
    int opens;
};

#define NONE ((size_t)-1)

/* A range that another one is in has not ended before it, so a parent of an open range is open. */
static void close_ended(struct window *window, int64_t start)
{
    size_t kept = 0;
    for (size_t i = 0; i < window->count; i++) {
        window->moved[i] = NONE;
        if (window->open[i].end < start)
            continue;
        window->moved[i] = kept;
        window->open[kept] = window->open[i];
        if (window->open[kept].parent != NONE)
            window->open[kept].parent = window->moved[window->open[kept].parent];
        kept++;
    }
    window->count = kept;
}

static uint64_t length_of(const struct range *range)
{
    return (uint64_t)range->end - (uint64_t)range->start;
}

/* Returns the shortest open range that contains the row; of equal ones, the latest. */
static size_t parent_of(const struct window *window)
{
    size_t parent = NONE;
    for (size_t i = 0; i < window->count; i++)
        if (window->open[i].end >= window->row.end &&
            (parent == NONE || length_of(&window->open[i]) <= length_of(&window->open[parent])))
            parent = i;
    return parent;
}

/* Returns 0, or -1 without memory. */
static int open_row(struct window *window)
{
    enum { FIRST_ROOM = 16 };
    if (window->count == OPEN_MOST)
        return 0;
    if (window->count == window->room) {
        size_t room = window->room ? 2 * window->room : FIRST_ROOM;
        struct range *open = sqlite3_realloc64(window->open, room * sizeof *open);
        window->open = open ? open : window->open;
        size_t *moved = sqlite3_realloc64(window->moved, room * sizeof *moved);
        window->moved = moved ? moved : window->moved;
        if (!open || !moved)
            return -1;
        window->room = room;
    }
    window->open[window->count++] = window->row;
    return 0;
}

static void add_row(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct window *window = sqlite3_aggregate_context(context, sizeof *window);
    (void)count;
    if (!window) {
        sqlite3_result_error_nomem(context);
        return;
    }
    window->row = (struct range){.id = sqlite3_value_int64(arguments[0]),
                                 .start = sqlite3_value_int64(arguments[1]),
                                 .end = sqlite3_value_int64(arguments[2])};
    close_ended(window, window->row.start);
    window->row.parent = parent_of(window);
    if (window->row.parent != NONE)
        window->row.level = window->open[window->row.parent].level + 1;
    window->opens = sqlite3_value_int(arguments[3]);
    if (window->opens && open_row(window))
        sqlite3_result_error_nomem(context);
}

static void remove_row(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    (void)arguments;
    sqlite3_result_error(context, "these functions need a window ROWS UNBOUNDED PRECEDING", -1);
}

static void end_window(sqlite3_context *context)
{
    struct window *window = sqlite3_aggregate_context(context, 0);
    if (!window)
        return;
    sqlite3_free(window->open);
    sqlite3_free(window->moved);
}

/* ---------------------------------------------------------------------------------------------------------- values */

static void put_parent(sqlite3_context *context)
{
    const struct window *window = sqlite3_aggregate_context(context, 0);
    if (window && window->row.parent != NONE)
        sqlite3_result_int64(context, window->open[window->row.parent].id);
}

static void put_level(sqlite3_context *context)
{
    const struct window *window = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, window ? window->row.level : 0);
}

static void put_stack(sqlite3_context *context)
{
    const struct window *window = sqlite3_aggregate_context(context, 0);
    sqlite3_str *text = window ? sqlite3_str_new(NULL) : NULL;
    size_t depth = 0, path[OPEN_MOST];
    if (!window)
        return;
    for (size_t at = window->row.parent; at != NONE && depth < OPEN_MOST; at = window->open[at].parent)
        path[depth++] = at;
    while (depth--)
        sqlite3_str_appendf(text, ":%lld", (long long)window->open[path[depth]].id);
    sqlite3_str_appendf(text, ":%lld", (long long)window->row.id);
    sqlite3_result_text(context, sqlite3_str_finish(text), -1, sqlite3_free);
}

static void put_list(sqlite3_context *context)
{
    const struct window *window = sqlite3_aggregate_context(context, 0);
    sqlite3_str *text = window && !window->opens ? sqlite3_str_new(NULL) : NULL;
    const char *before = "[";
    if (!text)
        return;
    for (size_t i = 0; i < window->count; i++) {
        if (window->open[i].end < window->row.end)
            continue;
        sqlite3_str_appendf(text, "%s%lld", before, (long long)window->open[i].id);
        before = ",";
    }
    sqlite3_str_appendall(text, *before == '[' ? "[]" : "]");
    sqlite3_result_text(context, sqlite3_str_finish(text), -1, sqlite3_free);
}

void stint_nsys_add_range_functions(struct stint_nsys *nsys)
{
    static const struct {
        const char *name;
        void (*put)(sqlite3_context *context);
    } functions[] = {
        {"range_parent", put_parent}, {"range_level", put_level}, {"range_stack", put_stack}, {"range_list", put_list}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (sqlite3_create_window_function(nsys->database, functions[i].name, 4, SQLITE_UTF8 | SQLITE_INNOCUOUS, nsys,
                                           add_row, end_window, functions[i].put, remove_row, NULL))
            stint_nsys_fail(nsys);
}
