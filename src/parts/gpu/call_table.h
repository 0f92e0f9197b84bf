/* The functions of CUDA's API by domain and id: what a call of each leaves, and which of them CUPTI is asked to report.
 *
 * By default these are the calls that matter (model/model.h): a program may make ten queries for each launch, and
 * each would cost as much. Launches of kernels and graphs are the most frequent of them. From CUPTI 13.0 on, the driver
 * call is enough to identify a launch, with either runtime (seen on an H200); enabling the runtime call, too, would
 * cost about 170 ns more per launch. With older versions, and if every call is wanted, both calls are enabled. The same
 * applies to allocations.
 *
 * If every call is wanted, half of what CUPTI reports may be queries that the runtime makes of the driver within its
 * own calls, and that are recorded as part of these. With STINT_CALLBACK_FEWER, such a function of the driver is not
 * reported any more once only the runtime calls it, and often; every two seconds it is looked at again, for a tenth of
 * a second, and stays reported if others call it, too. That is done on a thread of stint's: a function that a callback
 * had enabled again was not reported, and yet cost as much (CUPTI 13.0 on an H100, without records). */
#ifndef STINT_GPU_CALL_TABLE_H
#define STINT_GPU_CALL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/cupti.h"
#include "stint/detail/api.h"

/* Which data of calls is wanted, as a sum. */
enum {
    STINT_CALLBACK_API = 1,
    STINT_CALLBACK_TRACE = 2,
    STINT_CALLBACK_MEMORY = 4,
    STINT_CALLBACK_EVERY_CALL = 8,
    STINT_CALLBACK_WAITS = 16,
    STINT_CALLBACK_FEWER = 32 /* with the bit above: without queries within calls of the runtime, as far as known */
};

/* What a call of it does that few calls do. */
enum stint_called_rare {
    STINT_CALLED_NOTHING,
    STINT_CALLED_STARTS_PROFILER,
    STINT_CALLED_STOPS_PROFILER,
    STINT_CALLED_BEGINS_CAPTURE,
    STINT_CALLED_ENDS_CAPTURE,
    STINT_CALLED_COUNTED
};

/* What a call leaves, as a sum. */
enum {
    STINT_CALLED_LEAVES_ID = 1,       /* its correlation id is that of work or of a wait, which belong to a scope */
    STINT_CALLED_LEAVES_RECORD = 0x80 /* of a kernel, unless that is captured; becomes STINT_CORRELATE_LAUNCH */
};

enum { STINT_CALLED_WAITS = UINT8_MAX }; /* gpu/callback.h */

/* 16 bytes, so that a callback finds one fast. */
struct stint_called {
    uint32_t id;           /* of the statistic; 0: not known yet */
    uint8_t leaves;        /* a sum as above */
    uint8_t rare;          /* enum stint_called_rare */
    uint8_t noted;         /* its number, if it allocates or frees (gpu/callback.h); STINT_CALLED_WAITS; 0 */
    uint8_t kind;          /* enum stint_call_kind */
    uint8_t driver_tells;  /* 1: the driver's call within the runtime's is enough */
    uint8_t plain;         /* 1: leaves, rare and noted are 0, and always will be: only its time is of interest */
    uint8_t may_be_silent; /* 1: not reported while only the runtime calls it */
    uint8_t alone;         /* 1: the program itself has called it since the last look, */
    uint32_t within;       /* and how often the runtime has */
};

/* Functions by domain and id. The newest CUPTI has ids up to about 800. */
enum { STINT_CALLED_DOMAINS = 2, STINT_CALLED_IDS = 2048 };

extern struct stint_called stint_called[STINT_CALLED_DOMAINS][STINT_CALLED_IDS];

/* Returns NULL for other domains, and beyond the table. */
static inline struct stint_called *stint_called_at(uint32_t domain, uint32_t id)
{
    uint32_t at = domain - STINT_CUPTI_DOMAIN_DRIVER;
    return STINT_I_LIKELY(at < STINT_CALLED_DOMAINS && id < STINT_CALLED_IDS) ? &stint_called[at][id] : NULL;
}

/* Asks CUPTI for the calls that are wanted. Returns 0, or the result of the first function of CUPTI that fails;
 * `failed` receives its name. */
__attribute__((cold)) int stint_call_table_start(const struct stint_cupti *cupti,
                                                 struct stint_cupti_subscriber *subscriber, unsigned wanted,
                                                 const char **failed);

/* Asks for no calls any more. */
void stint_call_table_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber);

/* Of a launch the driver's call is counted, which every launch makes: from now on, or no longer. */
void stint_call_table_count(int counted);

/* What launches leave from now on. */
void stint_call_table_set_launches(int leaves);

/* The id of a launch of the driver's; 0: none is known. */
uint32_t stint_call_table_launch(void);

/* ----------------------------------------------------------------------------------- queries that the runtime makes */

enum { STINT_CALLED_OFTEN = 256 }; /* calls between two looks */

/* To be called every tenth of a second: decides which functions are reported from now on. */
void stint_call_table_look(void);

/* Whether functions may become silent. */
int stint_call_table_may_be_silent(void);

/* Whether a function has ever been silent. */
int stint_call_table_was_silent(void);

/* A call was made within one of the runtime's. Threads may lose each other's counts. */
static inline void stint_called_within(struct stint_called *function)
{
    if (STINT_I_LOAD(&function->may_be_silent))
        STINT_I_STORE(&function->within, STINT_I_LOAD(&function->within) + 1);
}

/* A call was made by the program itself. */
static inline void stint_called_alone(struct stint_called *function)
{
    if (STINT_I_LOAD(&function->may_be_silent))
        STINT_I_STORE(&function->alone, (uint8_t)1);
}

/* How the names of CUDA's functions are shown to users. */

/* The name as users write it: "cuMemAlloc" for "cuMemAlloc_v2", without the suffixes _ptsz, _ptds and _v<number>.
 * Returns `name` itself if it has no suffix, else `out`, which receives the name, cut to `size`. */
const char *stint_cupti_shown_name(const char *name, char *out, size_t size);

#endif
