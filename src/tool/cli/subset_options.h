/* Options that choose a part of a recording by what its events say: when, in which range, which process, device. */
#ifndef STINT_CLI_SUBSET_OPTIONS_H
#define STINT_CLI_SUBSET_OPTIONS_H

#include "cli/profile.h"
#include "replay/subset.h"

/* The options, as getopt_long has them: --filter-time, --filter-nvtx, --filter-process, --filter-device. */
enum { STINT_SUBSET_TIME = 768, STINT_SUBSET_NVTX, STINT_SUBSET_PROCESS, STINT_SUBSET_DEVICE };

/* All of them in a table of options, or those about the host. */
#define STINT_SUBSET_OPTIONS                                                                                           \
    STINT_SUBSET_OPTIONS_HOST,                                                                                         \
    {                                                                                                                  \
        "filter-device", STINT_SUBSET_DEVICE, "ID", "only the work of one GPU", NULL                                   \
    }
#define STINT_SUBSET_OPTIONS_HOST                                                                                      \
    {"filter-time", STINT_SUBSET_TIME, "START/END", "only this part: 1.5s/2s, 200ms/, /1000000 (ns)", NULL},           \
        {"filter-nvtx", STINT_SUBSET_NVTX, "RANGE[/N]",                                                                \
         "only during a range or scope, the first of that name or number N from 0 on; RANGE@DOMAIN", NULL},            \
    {                                                                                                                  \
        "filter-process", STINT_SUBSET_PROCESS, "PID", "only one process", NULL                                        \
    }

/* Zeroed: nothing is chosen, everything stays. */
struct stint_subset_options {
    int is_asked_for;
    int has_time;
    struct stint_subset subset;
    const char *range; /* --filter-nvtx, as given */
};

/* Reads one of these. Returns 0, or -1 after saying what is wrong; -1 without a message for other options. */
int stint_subset_read(struct stint_subset_options *options, int option, const char *text);

/* Returns that part of the profile, with a trace of at most so many events, and what exactly was `taken`; NULL after
 * saying why there is none. `path` is for messages. */
struct stint_snapshot *stint_subset_of(const struct stint_subset_options *options, const struct stint_profile *profile,
                                       const char *path, size_t trace, struct stint_subset *taken);

/* Returns the profile's statistics unchanged, with such a trace of its events; NULL after saying why there is none. */
struct stint_snapshot *stint_subset_trace(const struct stint_profile *profile, const char *path, size_t trace);

#endif
