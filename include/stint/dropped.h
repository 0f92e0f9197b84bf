/* stint/dropped.h - counts of what a limit or an error kept out of a snapshot's numbers. snapshot.h includes it. */
#ifndef STINT_DROPPED_H
#define STINT_DROPPED_H

#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

/** The list of all counts, each as COUNT(name, shown, noun, rest, advice). In the footer of a report, `noun`, with an s
 *  but for one, and `rest` say what was dropped, and `advice` what to do about it or what became of it; in JSON the
 *  count is called `name`.
 *
 *  `shown` is NOWHERE if nothing else in the snapshot shows that it happened: then a report is printed even if there is
 *  nothing but this count. It is ELSEWHERE if another number contains the same occurrence too, such as a scope whose
 *  name was cut. */
#define STINT_I_DROPPED(COUNT)                                                                                         \
    /* scopes entered in a calling context beyond the limit of STINT_MAX_NODES */                                      \
    COUNT(nodes, NOWHERE, "scope", " beyond the calling-context limit", "raise STINT_MAX_NODES")                       \
    /* scopes whose name was beyond the limit of STINT_MAX_NAMES */                                                    \
    COUNT(names, NOWHERE, "scope", " beyond the name limit", "raise STINT_MAX_NAMES")                                  \
    /* calls of stint_statset_get beyond 256 sets, which returned the global set */                                    \
    COUNT(sets, NOWHERE, "set", " beyond 256 or memory", "their statistics are in the global set")                     \
    /* scopes of threads beyond the limit of STINT_MAX_THREADS */                                                      \
    COUNT(threads, NOWHERE, "scope", " beyond the thread limit", "raise STINT_MAX_THREADS")                            \
    /* scopes for which there was no memory */                                                                         \
    COUNT(memory, NOWHERE, "scope", " for want of memory", "give the process more memory")                             \
    /* scopes and other calls of signal handlers that interrupted stint */                                             \
    COUNT(reentrant, NOWHERE, "call", " of stint in a signal handler that interrupted it", "use no scopes there")      \
    /* activations that are counted, but whose time percentiles lack: no memory for it, or a signal handler's */       \
    COUNT(percentiles, ELSEWHERE, "time", " missing in percentiles", "count has them")                                 \
    /* names cut to 4095 bytes */                                                                                      \
    COUNT(truncated, ELSEWHERE, "name", " cut at 4095 bytes", "the rest is not kept")                                  \
    /* names that were NULL or empty */                                                                                \
    COUNT(unnamed, ELSEWHERE, "NULL or empty name", "", "name every scope")                                            \
    /* executions of static call sites with another name than the first one */                                         \
    COUNT(changed, ELSEWHERE, "static scope", " whose name changed", "use REGISTER_TIMER_DYNAMIC")                     \
    /* ends without a beginning */                                                                                     \
    COUNT(mismatched, NOWHERE, "end", " without a beginning", "start each timer before stopping it")                   \
    /* scopes popped by the end of an outer one (longjmp) or of their thread; what never ended in a file */            \
    COUNT(abandoned, NOWHERE, "scope", " without an end",                                                              \
          "left by longjmp, by thread exit, or unfinished in the file")                                                \
    /* negative times, counted as 0 */                                                                                 \
    COUNT(negative, ELSEWHERE, "negative time", ", counted as 0", "the clock went backwards")                          \
    /* values that a file of another tool has where they cannot be: texts, negative ones, what exceeds 32 bits */      \
    COUNT(impossible, ELSEWHERE, "impossible value", " in the file", "unknown, shown as 0")                            \
    /* sums of times, bytes and the like that exceed 64 bits, and stand at the largest number */                       \
    COUNT(saturated, ELSEWHERE, "value", " beyond 64 bits", "greater than shown")                                      \
    /* refused barrier calls: wrong participant, another number of participants than before, or a limit */             \
    COUNT(barriers, NOWHERE, "barrier call", " refused", "the log says why")                                           \
    /* GPU records that CUPTI dropped because no buffer was free */                                                    \
    COUNT(gpu_records, NOWHERE, "GPU record", " for want of a free buffer", "collect less: STINT_GPU=kernels")         \
    /* records of waits and the like, or rows of a file, without valid times; launches are STINT_GPU_UNMEASURED */     \
    COUNT(gpu_invalid, NOWHERE, "record", " without valid times", "they are left out")                                 \
    /* GPU records of a kind or version that stint does not know */                                                    \
    COUNT(gpu_unknown, NOWHERE, "GPU record", " of an unknown kind or version",                                        \
          "use a stint version that supports this CUPTI")                                                              \
    /* GPU records of activities or charges beyond STINT_MAX_GPU */                                                    \
    COUNT(gpu_activities, NOWHERE, "GPU record", " beyond the activity limit", "raise STINT_MAX_GPU")                  \
    /* events beyond the trace's size */                                                                               \
    COUNT(gpu_events, ELSEWHERE, "event", " beyond the trace's size", "raise STINT_GPU_TRACE")                         \
    /* STINT_GPU_SCOPEs not measured: no CUDA event was free, or CUDA reported an error */                             \
    COUNT(gpu_spans, ELSEWHERE, "STINT_GPU_SCOPE", " without CUDA events", "no event was free, or CUDA failed")        \
    /* NVTX events that state their own times; only their number is recorded */                                        \
    COUNT(nvtx_events, NOWHERE, "NVTX event", " with own times", "only their number is recorded")                      \
    /* NVTX payloads and samples of a schema, type or counter that was not registered */                               \
    COUNT(nvtx_unknown, NOWHERE, "NVTX value", " of unregistered schemas or counters", "their numbers are left out")   \
    /* NVTX domains beyond 256, or 4096 in a file; their events are in the default domain */                           \
    COUNT(nvtx_domains, NOWHERE, "NVTX domain", " beyond the limit", "their events are in the default domain")         \
    /* registered strings of NVTX, and names that are kept, beyond a limit */                                          \
    COUNT(nvtx_strings, NOWHERE, "NVTX text", " beyond the limit", "use fewer different strings")                      \
    /* NVTX schemas beyond 1024 */                                                                                     \
    COUNT(nvtx_schemas, NOWHERE, "NVTX schema", " beyond the limit of 1024", "use fewer schemas")                      \
    /* NVTX counters beyond 1024 */                                                                                    \
    COUNT(nvtx_counters, NOWHERE, "NVTX counter", " beyond the limit of 1024", "use fewer counters")                   \
    /* numbers in NVTX payloads and samples, beyond 16384 ranges, counters and their fields */                         \
    COUNT(nvtx_values, NOWHERE, "number", " of NVTX payloads beyond the limit", "use fewer ranges with payloads")      \
    /* names given through NVTX beyond 16384 */                                                                        \
    COUNT(nvtx_names, NOWHERE, "name", " given through NVTX beyond the limit", "name fewer things")                    \
    /* NVTX ranges pushed inside 65536 others; scopes and calls of a file inside 16384 others */                       \
    COUNT(nvtx_depth, NOWHERE, "scope", " inside too many others", "pop every NVTX range")                             \
    /* NVTX ranges started while 65536 were open */                                                                    \
    COUNT(nvtx_ranges, NOWHERE, "NVTX range", " started while 65536 were open", "end every range")                     \
    /* texts of NVTX events that begin like those of operations, but cannot be parsed */                               \
    COUNT(nvtx_unparsed, ELSEWHERE, "text", " of operations that cannot be parsed",                                    \
          "they are names of ranges like others")                                                                      \
    /* events that STINT_TRACE could not keep, because writing them was too slow or failed */                          \
    COUNT(events, ELSEWHERE, "event", " missing in the file of STINT_TRACE",                                           \
          "not written in time, or damaged; --store-wait (STINT_TRACE_WAIT=1) waits")

#define STINT_I_DROPPED_MEMBER(name, shown, noun, rest, advice) uint64_t name;
#define STINT_I_DROPPED_TAKEN(name, shown, noun, rest, advice) -1

/** The number of occurrences that a limit or an error kept out of the other numbers: one member for each name in the
 *  list above. The footer of every report shows those that are not 0. */
struct stint_dropped {
    STINT_I_DROPPED(STINT_I_DROPPED_MEMBER)
    uint64_t spare[64 STINT_I_DROPPED(STINT_I_DROPPED_TAKEN)]; /* 0; for later releases */
};

#undef STINT_I_DROPPED_MEMBER
#undef STINT_I_DROPPED_TAKEN

STINT_EXTERN_C_END

#endif
