/* Notices scopes that take longer than STINT_DUMP_SLOW says. */
#ifndef STINT_CTF_WRITER_CTF_SLOW_H
#define STINT_CTF_WRITER_CTF_SLOW_H

#include "base/array.h"
#include "ctf_writer/ctf_limits.h"
#include "model/event_writer.h"

/* Zero it to begin. */
struct stint_ctf_watch {
    struct stint_array slow; /* uint64_t, by path: in how many ns a scope of that context is slow */
    uint64_t next_ns;        /* when the next is of interest */
    uint64_t noticed;
    uint64_t pause_ns; /* between two that are noticed: mostly what is slow is so again and again */
};

/* Returns 0, or -1 without memory. */
int stint_ctf_watch_context(struct stint_ctf_watch *watch, const struct stint_ctf_limits *limits,
                            const struct stint_event_context *context, struct stint_arena *arena);

/* Returns 1 if the scope is slow, and of interest. */
static inline int stint_ctf_watch_scope(struct stint_ctf_watch *watch, uint32_t path, uint64_t start_ns,
                                        uint64_t end_ns)
{
    enum { MOST = 16 }; /* since each makes a dump */
    if (path >= watch->slow.count || end_ns - start_ns < ((const uint64_t *)watch->slow.items)[path] ||
        end_ns < watch->next_ns || watch->noticed == MOST)
        return 0;
    watch->noticed++;
    watch->next_ns = end_ns + watch->pause_ns;
    return 1;
}

#endif
