/* Handles and numbers if two tools are called: each tool has its own, and the program gets one. It gets the other
 * tool's, because payloads may contain handles that only that tool can interpret; but for ranges across threads it gets
 * stint's number. */
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

/* Returns the handle for the program: the other tool's, or stint's if the other tool returned none. */
const void *stint_handle_join(const void *ours, const void *theirs);

/* Returns both tools' handles for a handle of the program; a handle that was not joined is passed to both as it is. */
struct stint_handle stint_handle_split(const void *handle);

/* Event attributes for one tool: copies if they contain a registered string. */
struct stint_handle_attributes {
    const struct stint_nvtx_attributes *ours, *theirs;
    struct stint_nvtx_attributes copies[2];
};

void stint_handle_split_attributes(struct stint_handle_attributes *split,
                                   const struct stint_nvtx_attributes *attributes);

/* The numbers of a started range. stint_handle_split_range ends it. */
struct stint_handle_range {
    uint64_t ours, theirs; /* 0: none */
};

uint64_t stint_handle_join_range(uint64_t ours, uint64_t theirs);
struct stint_handle_range stint_handle_split_range(uint64_t range);

#endif
