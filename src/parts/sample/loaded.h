/* The code that is loaded: which file an address belongs to, and how its frames are found. The set changes with dlopen
 * and dlclose; signal handlers use the one of the moment while they are between stint_loaded_enter and
 * stint_loaded_leave. */
#ifndef STINT_SAMPLE_LOADED_H
#define STINT_SAMPLE_LOADED_H

#include "sample/cfi.h"

struct stint_loaded {
    uint64_t begin;
    uint64_t end;
    uint32_t module;            /* its number among all that were ever loaded */
    int is_own;                 /* 1: this library, whose frames are not the program's */
    struct stint_cfi cfi;       /* without a table: nothing is known of its frames */
    struct stint_arena *memory; /* of what cfi points to */
};

struct stint_loaded_set {
    size_t count;
    uint64_t salt;                /* another one for each set */
    struct stint_loaded *modules; /* by address */
};

/* What was loaded at some time: as struct stint_sample_module. The first one stands for code that is in no file. */
enum { STINT_LOADED_NOWHERE = 0, STINT_LOADED_MOST = 4096 };

struct stint_loaded_module {
    const char *path;
    const char *build_id;
    uint64_t begin;
    uint64_t end;
    uint64_t bias;
};

/* Makes the set that of now, if it has changed. Not for signal handlers; callers take turns. */
void stint_loaded_refresh(void);

const struct stint_loaded_module *stint_loaded_module(uint32_t module);
uint32_t stint_loaded_module_count(void);

/* Async-signal-safe. What the first returns is to be passed to the second. */
const struct stint_loaded_set *stint_loaded_enter(unsigned *turn);
void stint_loaded_leave(unsigned turn);

/* Waits until all handlers have left that have entered before. Returns 0, or -1 if one has not after a second, since
 * its thread is stopped, or hardly runs. Not for signal handlers; callers take turns. */
int stint_loaded_wait(void);

/* In a forked child, where no handler runs. */
void stint_loaded_after_fork(void);

/* Returns the module that contains an address, or NULL. */
const struct stint_loaded *stint_loaded_find(const struct stint_loaded_set *set, uint64_t address);

#endif
