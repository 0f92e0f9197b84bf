/* Options that choose a part of a recording by what its events say: when, in which range, which process, device. */
#ifndef STINT_CLI_SUBSET_OPTIONS_H
#define STINT_CLI_SUBSET_OPTIONS_H

#include "cli/options.h"
#include "cli/profile.h"
#include "replay/replay.h"

stint_option_read stint_subset_time, stint_subset_range, stint_subset_process, stint_subset_device;

/* All of them in a table of options, or those about the host. They fill the struct stint_subset_options at that
 * offset. */
#define STINT_SUBSET_OPTIONS(at)                                                                                       \
    STINT_SUBSET_OPTIONS_HOST(at),                                                                                     \
    {                                                                                                                  \
        "filter-device", 0, "ID", "only the work of one GPU", NULL, stint_subset_device, at                            \
    }
#define STINT_SUBSET_OPTIONS_HOST(at)                                                                                  \
    {"filter-time", 0, "START/END", "only this part: 1.5s/2s, 200ms/, /1000000 (ns)", NULL, stint_subset_time, at},    \
        {"filter-nvtx",                                                                                                \
         0,                                                                                                            \
         "RANGE[/N]",                                                                                                  \
         "only during a range or scope, the first of that name or number N from 0 on; RANGE@DOMAIN",                   \
         NULL,                                                                                                         \
         stint_subset_range,                                                                                           \
         at},                                                                                                          \
    {                                                                                                                  \
        "filter-process", 0, "PID", "only one process", NULL, stint_subset_process, at                                 \
    }

/* Zeroed: nothing is chosen, everything stays. */
struct stint_subset_options {
    int is_asked_for;
    int has_time;
    struct stint_subset subset;
    const char *range; /* --filter-nvtx, as given */
};

/* Returns that part of the profile, with a trace of at most so many events, and what exactly was `taken`; NULL after
 * saying why there is none. `path` is for messages. */
struct stint_snapshot *stint_subset_of(const struct stint_subset_options *options, const struct stint_profile *profile,
                                       const char *path, size_t trace, struct stint_subset *taken);

/* Returns the profile's statistics unchanged, with such a trace of its events; NULL after saying why there is none. */
struct stint_snapshot *stint_subset_trace(const struct stint_profile *profile, const char *path, size_t trace);

#endif
