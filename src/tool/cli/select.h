/* Which part of the reports is shown, and how: units, order, number of rows, names. */
#ifndef STINT_CLI_SELECT_H
#define STINT_CLI_SELECT_H

#include "cli/options.h"
#include "stint/report.h"
#include "transform/name_filter.h"

struct stint_select {
    struct stint_layout layout; /* unit, sort, top and min_percent */
    struct stint_filter filter;
    int quiet; /* 1: print no message about what the filter leaves out */
};

extern const char *const stint_select_sorts[];
extern const char *const stint_select_units[];

stint_option_read stint_select_top, stint_select_pattern;

/* The options in a table, which fill the struct stint_select at that offset. */
#define STINT_SELECT_OPTIONS(at)                                                                                       \
    {"include", 0, "PAT", "names to show; --exclude PAT; trees: --min-percent P", NULL, stint_select_pattern, at},     \
        {"exclude", 0, "PAT", "", NULL, stint_select_pattern, at},                                                     \
        {"min-percent",                                                                                                \
         0,                                                                                                            \
         "P",                                                                                                          \
         "",                                                                                                           \
         NULL,                                                                                                         \
         stint_option_percent,                                                                                         \
         (at) + offsetof(struct stint_select, layout.min_percent)},                                                    \
        {"fold-recursion",                                                                                             \
         0,                                                                                                            \
         NULL,                                                                                                         \
         "",                                                                                                           \
         NULL,                                                                                                         \
         stint_option_flag,                                                                                            \
         (at) + offsetof(struct stint_select, filter.folds_recursion)},                                                \
        {"top", 0, "N", NULL, NULL, stint_select_top, at},                                                             \
        {"sort",                                                                                                       \
         0,                                                                                                            \
         "KEY",                                                                                                        \
         "N rows or 0; total calls avg min max self name cpu",                                                         \
         stint_select_sorts,                                                                                           \
         stint_option_choice,                                                                                          \
         (at) + offsetof(struct stint_select, layout.sort)},                                                           \
    {                                                                                                                  \
        "unit", 0, "U", "of times: auto, s, ms, us, ns; col: one per column", stint_select_units, stint_option_choice, \
            (at) + offsetof(struct stint_select, layout.unit)                                                          \
    }

/* Returns how a report is laid out on this screen. */
struct stint_layout stint_select_layout(const struct stint_select *select, const struct stint_layout *screen);

/* Returns what is kept of a snapshot, and says what is left out; returns `snapshot` itself without a filter or without
 * memory. Any other result is to be freed. */
const struct stint_snapshot *stint_select_apply(const struct stint_select *select,
                                                const struct stint_snapshot *snapshot);

#endif
