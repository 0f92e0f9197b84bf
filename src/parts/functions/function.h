/* The functions seen so far: a hash table by address that is read without a lock and written under one. */
#ifndef STINT_FUNCTIONS_FUNCTION_H
#define STINT_FUNCTIONS_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/record.h"

struct stint_object;

/* What becomes of the calls of a function. */
enum stint_function_kind {
    STINT_FUNCTION_RECORDED,
    STINT_FUNCTION_OWN,      /* left out: it is stint's */
    STINT_FUNCTION_EXCLUDED, /* left out by STINT_FUNCTIONS */
    STINT_FUNCTION_TINY,     /* left out since it takes less time than recording it */
    STINT_FUNCTION_KINDS
};

/* One function. Its address is stored last when it becomes known, and set to 0 when its object is unloaded; another
 * function may then use the entry. */
struct stint_function {
    uintptr_t address;
    struct stint_i_site site; /* the function's site for recording */
    const char *name;         /* as reports show it */
    enum stint_function_kind kind;
    uint64_t seen;     /* calls that were told to tiny.c (functions/activation.h), */
    uint64_t judge_at; /* and how many these are when it is to be judged again */
    const struct stint_object *object;
};

struct stint_function_table {
    unsigned shift; /* of the hash */
    size_t mask;
    struct stint_function *slots[]; /* NULL: free */
};

/* Whether functions are to be left out that are tiny. */
extern int stint_function_judging;

/* NULL before the first function. */
extern struct stint_function_table *stint_function_table;

static inline size_t stint_function_slot(const struct stint_function_table *table, uintptr_t address)
{
    return (size_t)((uint64_t)address * UINT64_C(0x9E3779B97F4A7C15) >> table->shift);
}

/* Returns the function at an address, or NULL if it is not known yet. */
static inline struct stint_function *stint_function_find(uintptr_t address)
{
    const struct stint_function_table *table = __atomic_load_n(&stint_function_table, __ATOMIC_ACQUIRE);
    struct stint_function *function;
    if (STINT_I_UNLIKELY(!table))
        return NULL;
    for (size_t at = stint_function_slot(table, address);
         (function = __atomic_load_n(&table->slots[at], __ATOMIC_ACQUIRE)); at = (at + 1) & table->mask)
        if (STINT_I_LIKELY(__atomic_load_n(&function->address, __ATOMIC_ACQUIRE) == address))
            return function;
    return NULL;
}

/* The functions that are left out, by address, so that hooks find that out by one comparison. What finds neither of its
 * two slots free is not among them. */
struct stint_left_out {
    uintptr_t address; /* 0: free; stored last */
    enum stint_function_kind kind;
};

enum { STINT_LEFT_OUT_SLOTS = 1 << 12 };

extern struct stint_left_out stint_left_out[STINT_LEFT_OUT_SLOTS];

/* The first of an address's two slots; the other is `^ 1`. */
static inline size_t stint_left_out_slot(uintptr_t address)
{
    return address / sizeof *stint_left_out % STINT_LEFT_OUT_SLOTS;
}

/* Returns the entry of a function that is left out, or NULL. */
static inline struct stint_left_out *stint_left_out_find(uintptr_t address)
{
    size_t slot = stint_left_out_slot(address);
    if (STINT_I_LIKELY(__atomic_load_n(&stint_left_out[slot].address, __ATOMIC_ACQUIRE) == address))
        return &stint_left_out[slot];
    return __atomic_load_n(&stint_left_out[slot ^ 1].address, __ATOMIC_ACQUIRE) == address ? &stint_left_out[slot ^ 1]
                                                                                           : NULL;
}

/* Returns the function at an address, which is added if it is not known yet; NULL without memory. Opens files, takes
 * locks, and may call malloc for C++ names. The caller blocks signals and cancellation. */
struct stint_function *stint_function_learn(uintptr_t address);

/* Leaves a function out from now on, since it is tiny. Returns whether it was not left out yet. The caller blocks
 * signals. */
int stint_function_leave_out(struct stint_function *function);

/* Makes the function at an address one that is called to measure what hooks cost: no call is recorded in a statistic,
 * and none counted. Its kind is RECORDED or OWN. Returns 0, or -1 without memory, or before the first function. The
 * caller blocks signals. */
int stint_function_to_measure(uintptr_t address, enum stint_function_kind kind);

/* Forgets the functions of objects that were unloaded since the last call. The caller blocks signals. */
void stint_function_forget_unloaded(void);

/* Around fork: no other thread may hold the lock while the child is created. The forking thread may learn functions
 * meanwhile, in other fork handlers. The caller blocks signals. */
void stint_function_before_fork(void);
void stint_function_after_fork(void);

/* ------------------------------------------------------------------------------------------------ function_filter.c */

/* Selects the functions that are recorded: the patterns of STINT_FUNCTIONS.
 *
 *     net::*,!net::detail::*          functions of namespace net, except those of net::detail
 *     !*_inline,!@libm*               all functions except these names and those of these objects
 *     @libnet.so*:forward*            functions of one library named forward...
 *     all                             functions that take less time than recording them, too; no pattern
 *
 * The text is a list of patterns, separated by commas; blanks around patterns and empty patterns are ignored. A pattern
 * has to match the whole name that reports show, or that name without the return type and parameters of C++: `f` also
 * matches f(int). As in fnmatch(3), `*` stands for any text, `?` for any one byte, `[a-z]` and `[!a-z]` for one byte
 * that is or is not in a set, and `\` takes the next character literally. A pattern that begins with `@` matches the
 * file name of the object, without its folder; a `:` and a pattern for the name may follow. `!` before either kind
 * excludes functions.
 *
 * The last pattern that matches decides. A function that no pattern matches is recorded if there are no patterns or the
 * first one excludes; it is not recorded if the first one includes. */

/* Returns whether the patterns contain `all`, which is none: tiny functions are recorded, too. */
int stint_filter_has_all(const char *patterns);

/* Returns whether a function is to be recorded; `patterns` may be NULL, like "". */
int stint_filter_accepts(const char *patterns, const char *object, const char *name);

#endif
