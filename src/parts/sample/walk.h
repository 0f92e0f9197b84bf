/* Finds the callers of the function that a signal interrupted. Async-signal-safe: it reads nothing but the stack, of
 * which it asks the system whether it is there, and its own copies of what it needs. */
#ifndef STINT_SAMPLE_WALK_H
#define STINT_SAMPLE_WALK_H

#include "model/sampler.h"
#include "sample/cfi.h"
#include "support/own_thread.h"

enum { STINT_WALK_FRAMES = STINT_SAMPLER_FRAMES, STINT_WALK_PAGE = 4096 };

#define STINT_WALK_NO_PAGE UINT64_MAX

enum stint_walk_end {
    STINT_WALK_WHOLE, /* the outermost function was found */
    STINT_WALK_CUT,   /* it was not */
    STINT_WALK_DEEP   /* there are more frames than are kept */
};

struct stint_walk_frame {
    uint64_t address; /* in the process; of a caller, of the call's last byte */
    uint64_t sp;      /* where its part of the stack begins; 0: not known */
    uint32_t module;
};

/* Room to work in, of which each thread has its own. */
struct stint_walk {
    const struct stint_loaded_set *set;
    const struct stint_loaded *latest; /* the module that was found last, which is there */
    struct stint_stack stack;          /* not known of other threads: looked at page by page */
    uint64_t low;                      /* from here to `high`, memory is the thread's own and can be read */
    uint64_t high;
    uint64_t page; /* the address of what is in `copy`; STINT_WALK_NO_PAGE: nothing */
    uint64_t copy[STINT_WALK_PAGE / sizeof(uint64_t)];
    uint64_t registers[STINT_CFI_REGISTERS];
    struct stint_cfi_room room;
    size_t count;
    struct stint_walk_frame frames[STINT_WALK_FRAMES]; /* the innermost first */
};

/* Reads a word of the process' memory. Returns 0, or -1 if it is not there. */
int stint_walk_read(struct stint_walk *walk, uint64_t address, uint64_t *word);

/* `interrupted` is the third argument of the signal's handler. */
enum stint_walk_end stint_walk(struct stint_walk *walk, const struct stint_loaded_set *set, const void *interrupted);

/* A place of which only so much is known: a function of another library is called at an address. */
struct stint_walk_place {
    uint64_t function;
    uint64_t back; /* the address to which it returns, */
    uint64_t sp;   /* and the registers there */
    uint64_t fp;
};

enum stint_walk_end stint_walk_from(struct stint_walk *walk, const struct stint_loaded_set *set,
                                    const struct stint_walk_place *place);

/* Rows of call frame information that are simple, as nearly all are, by place in the code: finding them anew takes a
 * hundred times longer. Threads use the table at the same time, without a lock. Async-signal-safe. */

/* The registers that functions save for their callers, the frame pointer last. */
#if defined(__x86_64__)
enum { STINT_SHORT_REGISTERS = 6 };
#else
enum { STINT_SHORT_REGISTERS = 11 };
#endif
extern const uint8_t stint_short_registers[STINT_SHORT_REGISTERS];

/* The frame's address is a register and an offset, and the return address is where the processor's functions put it. */
struct stint_short_row {
    int32_t offset;
    uint8_t reg;
    uint8_t saved[STINT_SHORT_REGISTERS]; /* so many words below the frame's address; 0: the register is unchanged */
};

/* So many words below the frame's address is the return address: on x86-64, where the call itself put it; on aarch64,
 * above the frame pointer, with which it is saved. */
static inline unsigned stint_short_return(const uint8_t *saved)
{
    return STINT_CFI_RETURN == STINT_CFI_PC ? 1 : saved[STINT_SHORT_REGISTERS - 1] - 1u;
}

/* Returns whether the row of a place is known. `salt` is another one for each set of loaded modules. */
int stint_row_cache_find(uint64_t salt, uint64_t pc, struct stint_short_row *row);

/* Notes a row if it is simple, and returns whether it is; then it is in `brief`. */
int stint_row_cache_put(uint64_t salt, uint64_t pc, const struct stint_cfi_row *row, struct stint_short_row *brief);

/* --------------------------------------------------------------------------------------------------------- loaded.c */

/* The code that is loaded: which file an address belongs to, and how its frames are found. The set changes with dlopen
 * and dlclose; signal handlers use the one of the moment while they are between stint_loaded_enter and
 * stint_loaded_leave. */

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
    const char *path; /* absolute */
    const char *name; /* as the dynamic linker has it */
    const char *build_id;
    uint64_t begin;
    uint64_t end;
    uint64_t bias;
};

/* Makes the set that of now, if it has changed. Not for signal handlers; callers take turns. */
void stint_loaded_refresh(void);

const struct stint_loaded_module *stint_loaded_module(uint32_t module);

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

/* Whether the module is still what is there, at an address in it where a thread is: another one may have taken its
 * place since the set was made. Async-signal-safe. */
int stint_loaded_is_there(const struct stint_loaded *module, uint64_t address);

#endif
