/* Handles and numbers, where two tools are called: each has its own, and the program has one. It has the other tool's,
 * because payloads may hold handles that only that tool can look into; but for ranges across threads, which have
 * ours. */
#ifndef STINT_INJECT_HANDLE_H
#define STINT_INJECT_HANDLE_H

#include <stdint.h>

#include "nvtx/abi.h"

struct stint_handle {
    const void *ours;
    const void *theirs;
};

/* Returns 0, or -1 if there is no memory. */
int stint_handle_start(void);

/* Returns what the program is to have: theirs, ours if they gave none. */
const void *stint_handle_join(const void *ours, const void *theirs);

/* Returns whose handle of a program is what; one that nobody joined is handed on as it is. */
struct stint_handle stint_handle_split(const void *handle);

/* Event attributes as each is to see them: copies where they hold a registered string. */
struct stint_handle_attributes {
    const struct stint_nvtx_attributes *ours, *theirs;
    struct stint_nvtx_attributes copies[2];
};

void stint_handle_split_attributes(struct stint_handle_attributes *split,
                                   const struct stint_nvtx_attributes *attributes);

/* The numbers of a started range. Splitting ends it. */
struct stint_handle_range {
    uint64_t ours, theirs; /* 0: none */
};

uint64_t stint_handle_join_range(uint64_t ours, uint64_t theirs);
struct stint_handle_range stint_handle_split_range(uint64_t range);

#endif
