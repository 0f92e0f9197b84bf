/* The list of parts, and the walks over it. */
#include "record/part.h"

#include <stddef.h>
#include <string.h>

/* The linker defines these where something is in the section. The NULL is there even if no part is. */
extern const struct stint_part *__start_stint_parts[] __attribute__((visibility("hidden"))); // NOLINT
extern const struct stint_part *__stop_stint_parts[] __attribute__((visibility("hidden")));  // NOLINT

static const struct stint_part *s_no_part STINT_PART_KEPT = NULL;

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters and arguments have their parentheses. */
#define WALK(function, member, parameters, arguments)                                                                  \
    void function parameters                                                                                           \
    {                                                                                                                  \
        for (const struct stint_part **at = __start_stint_parts; at < __stop_stint_parts; at++)                        \
            if (*at && (*at)->member)                                                                                  \
                (*at)->member arguments;                                                                               \
    }

WALK(stint_parts_at, at[moment], (enum stint_moment moment), ())
WALK(stint_parts_run, run, (int in_child), (in_child))
WALK(stint_parts_thread_begins, thread_begins, (struct stint_thread_record * record), (record))
WALK(stint_parts_thread_ends, thread_ends, (struct stint_thread_record * record), (record))
WALK(stint_parts_collect, collect, (struct stint_builder * builder, int emergency), (builder, emergency))
WALK(stint_parts_reset, reset, (const struct stint_statset *set, enum stint_reset how), (set, how))
WALK(stint_parts_finish, finish, (int emergency), (emergency))
WALK(stint_parts_report, report, (const struct stint_snapshot *snapshot, int is_news, int emergency, int is_exec),
     (snapshot, is_news, emergency, is_exec))
/* NOLINTEND(bugprone-macro-parentheses) */

int stint_parts_want_report, stint_parts_have_rows;

const struct stint_part *stint_part_find(const char *name)
{
    for (const struct stint_part **at = __start_stint_parts; at < __stop_stint_parts; at++)
        if (*at && strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}
