/* Numbers the names and counters that events refer to, in the order of their first use. Zero it to begin. Texts are
 * told by their addresses, at which they stay. */
#ifndef STINT_CTF_CTF_NAMES_H
#define STINT_CTF_CTF_NAMES_H

#include "base/array.h"
#include "base/index.h"
#include "ctf/ctf_format.h"

struct stint_ctf_names {
    struct stint_array names; /* const char *, whose numbers are their positions */
    struct stint_index name_index;
    struct stint_array counters; /* struct stint_ctf_counter, the same */
    struct stint_index counter_index;
};

/* Each fills in the number. Returns 1 if it is new, 0 if not, and -1 if there is no memory. */
int stint_ctf_names_add(struct stint_ctf_names *names, struct stint_arena *arena, struct stint_ctf_name *name);
int stint_ctf_names_add_counter(struct stint_ctf_names *names, struct stint_arena *arena,
                                struct stint_ctf_counter *counter);

#endif
