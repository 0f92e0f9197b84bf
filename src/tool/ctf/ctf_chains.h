/* The call chains of a recording's samples, in a snapshot. */
#ifndef STINT_CTF_CTF_CHAINS_H
#define STINT_CTF_CTF_CHAINS_H

#include "ctf/ctf_definitions.h"
#include "replay/replay.h"

/* Gives a replay without samples all of them, and has events refer to them. */
void stint_ctf_add_chains(struct stint_ctf_definitions *definitions, struct stint_replay *replay);

/* Has events refer to the snapshot's call chains. Samples that were taken after the report, or were then forgotten, may
 * have others: the snapshot is replaced by one that has them, too. Returns 0, or -1 without memory. */
int stint_ctf_find_chains(struct stint_ctf_definitions *definitions, struct stint_snapshot **snapshot);

#endif
