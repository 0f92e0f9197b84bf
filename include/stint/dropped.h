/* stint/dropped.h - what a bound or a mishap kept out of a snapshot's numbers (snapshot.h, which includes this). */
#ifndef STINT_DROPPED_H
#define STINT_DROPPED_H

#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

/** Every count, declared once: COUNT(name, shown, one, many, advice). `one` and `many` say in a report's footer what
 *  was dropped, and `advice` what to do about it; a report in JSON calls the count by its name.
 *
 *  `shown` is NOWHERE where nothing else in the snapshot tells that it happened: such a count alone makes a program's
 *  report worth printing. It is ELSEWHERE where the same occurrence is in another number, too, for example a scope
 *  whose name was cut. */
#define STINT_I_DROPPED(COUNT)                                                                                         \
    /* scopes entered in a calling context beyond STINT_MAX_NODES */                                                   \
    COUNT(nodes, NOWHERE, "scope beyond the calling-context limit", "scopes beyond the calling-context limit",         \
          "raise STINT_MAX_NODES")                                                                                     \
    /* scopes whose name was beyond STINT_MAX_NAMES */                                                                 \
    COUNT(names, NOWHERE, "scope beyond the name limit", "scopes beyond the name limit", "raise STINT_MAX_NAMES")      \
    /* stint_statset_get beyond 256 sets, which gave the global set */                                                 \
    COUNT(sets, NOWHERE, "set beyond the limit of 256", "sets beyond the limit of 256",                                \
          "their statistics are in the global set")                                                                    \
    /* scopes of threads beyond STINT_MAX_THREADS */                                                                   \
    COUNT(threads, NOWHERE, "scope of a thread beyond the thread limit", "scopes of threads beyond the thread limit",  \
          "raise STINT_MAX_THREADS")                                                                                   \
    /* scopes for which the system gave no memory */                                                                   \
    COUNT(memory, NOWHERE, "scope for want of memory", "scopes for want of memory", "give the process more")           \
    /* scopes of signal handlers that interrupted stint */                                                             \
    COUNT(reentrant, NOWHERE, "scope in a signal handler that interrupted stint",                                      \
          "scopes in signal handlers that interrupted stint", "keep them out")                                         \
    /* names cut to 4095 bytes */                                                                                      \
    COUNT(truncated, ELSEWHERE, "name cut short", "names cut short", "after 4095 bytes")                               \
    /* names that were NULL or empty */                                                                                \
    COUNT(unnamed, ELSEWHERE, "name that was NULL or empty", "names that were NULL or empty", "name every scope")      \
    /* executions of static call sites under another name than their first */                                          \
    COUNT(changed, ELSEWHERE, "static scope whose name changed", "static scopes whose name changed",                   \
          "use REGISTER_TIMER_DYNAMIC")                                                                                \
    /* ends without a beginning */                                                                                     \
    COUNT(mismatched, NOWHERE, "end without a beginning", "ends without a beginning",                                  \
          "start each timer before its stop")                                                                          \
    /* scopes popped by the end of an outer one (longjmp) or of their thread */                                        \
    COUNT(abandoned, NOWHERE, "scope left by longjmp or thread exit", "scopes left by longjmp or thread exit",         \
          "leave them through their end")                                                                              \
    /* spans below zero, counted as 0 */                                                                               \
    COUNT(negative, ELSEWHERE, "time below zero, counted as 0", "times below zero, counted as 0",                      \
          "the clock went backwards")                                                                                  \
    /* barrier calls refused: wrong participant, other participants than before, no room */                            \
    COUNT(barriers, NOWHERE, "barrier call with a wrong participant or beyond a limit",                                \
          "barrier calls with wrong participants or beyond a limit", "the log says which")                             \
    /* GPU records that CUPTI dropped because no buffer was free */                                                    \
    COUNT(gpu_records, NOWHERE, "GPU record for want of a free buffer", "GPU records for want of a free buffer",       \
          "collect less: STINT_GPU=kernels")                                                                           \
    /* GPU records without times, or with an end before their start; in no other number */                             \
    COUNT(gpu_invalid, NOWHERE, "GPU record without valid times", "GPU records without valid times", "in no number")   \
    /* GPU records of a kind or version that stint does not know */                                                    \
    COUNT(gpu_unknown, NOWHERE, "GPU record of an unknown kind or version",                                            \
          "GPU records of an unknown kind or version", "use a stint that knows this CUPTI")                            \
    /* GPU records of activities or charges beyond STINT_MAX_GPU */                                                    \
    COUNT(gpu_activities, NOWHERE, "GPU record beyond the activity limit", "GPU records beyond the activity limit",    \
          "raise STINT_MAX_GPU")                                                                                       \
    /* events beyond the trace's size */                                                                               \
    COUNT(gpu_events, ELSEWHERE, "event beyond the trace's size", "events beyond the trace's size",                    \
          "raise STINT_GPU_TRACE")                                                                                     \
    /* STINT_GPU_SCOPEs not measured: no CUDA event was free, or CUDA reported an error */                             \
    COUNT(gpu_spans, ELSEWHERE, "STINT_GPU_SCOPE without CUDA events", "STINT_GPU_SCOPEs without CUDA events",         \
          "none was free, or CUDA failed")                                                                             \
    /* NVTX events with times of their own, which are counted only */                                                  \
    COUNT(nvtx_events, NOWHERE, "NVTX event with times of its own", "NVTX events with times of their own",             \
          "they are counted only")                                                                                     \
    /* NVTX payloads and samples of a schema, type or counter that was not registered */                               \
    COUNT(nvtx_unknown, NOWHERE, "NVTX payload or sample of something unregistered",                                   \
          "NVTX payloads or samples of something unregistered", "register schemas and counters before their use")      \
    /* NVTX domains beyond 256, whose events are in the default one */                                                 \
    COUNT(nvtx_domains, NOWHERE, "NVTX domain beyond the limit of 256", "NVTX domains beyond the limit of 256",        \
          "their events are in the default domain")                                                                    \
    /* NVTX's registered strings, and names that are kept, beyond a limit */                                           \
    COUNT(nvtx_strings, NOWHERE, "NVTX string or name beyond the limit", "NVTX strings or names beyond the limit",     \
          "use fewer different ones")                                                                                  \
    /* NVTX schemas beyond 1024 */                                                                                     \
    COUNT(nvtx_schemas, NOWHERE, "NVTX schema beyond the limit of 1024", "NVTX schemas beyond the limit of 1024",      \
          "use fewer")                                                                                                 \
    /* NVTX counters beyond 1024 */                                                                                    \
    COUNT(nvtx_counters, NOWHERE, "NVTX counter beyond the limit of 1024", "NVTX counters beyond the limit of 1024",   \
          "use fewer")                                                                                                 \
    /* numbers in NVTX payloads, and samples, beyond 16384 ranges, counters and their fields */                        \
    COUNT(nvtx_values, NOWHERE, "number of an NVTX payload beyond the limit",                                          \
          "numbers of NVTX payloads beyond the limit", "use fewer ranges with payloads")                               \
    /* names given through NVTX beyond 16384 */                                                                        \
    COUNT(nvtx_names, NOWHERE, "name given through NVTX beyond the limit",                                             \
          "names given through NVTX beyond the limit", "name fewer things")                                            \
    /* NVTX ranges pushed inside 65536 others */                                                                       \
    COUNT(nvtx_depth, NOWHERE, "NVTX range pushed inside 65536 others", "NVTX ranges pushed inside 65536 others",      \
          "pop each one")                                                                                              \
    /* NVTX ranges started while 65536 were open */                                                                    \
    COUNT(nvtx_ranges, NOWHERE, "NVTX range started while 65536 were open",                                            \
          "NVTX ranges started while 65536 were open", "end each one")                                                 \
    /* events that STINT_TRACE could not keep: what writes them was too slow, or failed */                             \
    COUNT(events, ELSEWHERE, "event missing in the file of STINT_TRACE", "events missing in the file of STINT_TRACE",  \
          "time less often")

#define STINT_I_DROPPED_MEMBER(name, shown, one, many, advice) uint64_t name;

/** What a bound or a mishap kept out of the numbers: one member for each name in the list above. Each is counted, and
 *  every report's footer says so. */
struct stint_dropped {
    STINT_I_DROPPED(STINT_I_DROPPED_MEMBER)
};

#undef STINT_I_DROPPED_MEMBER

STINT_EXTERN_C_END

#endif
