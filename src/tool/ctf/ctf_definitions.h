/* What the numbers in a recording's events stand for. */
#ifndef STINT_CTF_CTF_DEFINITIONS_H
#define STINT_CTF_CTF_DEFINITIONS_H

#include "base/array.h"
#include "ctf_writer/ctf_packet.h"
#include "replay/replay.h"
#include "stint/snapshot.h"

/* A calling context; its path is its position + STINT_CTF_FIRST_PATH. Those that are missing have no name. */
struct stint_ctf_known {
    uint32_t parent; /* a path, or 0 */
    uint32_t line;
    const char *set, *name, *file;
    size_t context; /* in a snapshot, or STINT_GPU_UNATTRIBUTED: see stint_ctf_find_contexts */
};

/* A call chain, whose number is its position + 1. Those that are missing have no module. */
struct stint_ctf_chain {
    uint32_t parent; /* a number, or 0 */
    uint32_t module;
    uint64_t address;
    size_t stack; /* in a snapshot, or STINT_SAMPLE_NO_STACK: see below */
};

enum { STINT_CTF_FIRST_PATH = 2 };

/* Zero it to begin. */
struct stint_ctf_definitions {
    struct stint_arena arena;
    struct stint_array contexts; /* struct stint_ctf_known */
    struct stint_array names;    /* const char * */
    struct stint_array data;     /* const char *, of operations */
    struct stint_array counters; /* struct stint_ctf_counter; those that are missing have no name */
    struct stint_array threads;  /* struct stint_ctf_thread, of those that ended with a name */
    struct stint_array modules;  /* struct stint_sample_module; those that are missing have no path */
    struct stint_array chains;   /* struct stint_ctf_chain */
    struct stint_ctf_sampling sampling;
    struct stint_process process;
    int has_process;
    uint64_t ring_bytes; /* of each stream, the last of which are kept; 0: all */
    int has_end;
    uint64_t events;    /* if it has an end: how many there are */
    uint64_t discarded; /* as the last packet tells */
};

/* Adds what a packet defines. Returns 0, or -1 without memory. */
int stint_ctf_define(struct stint_ctf_definitions *definitions, const struct stint_ctf_head *head,
                     struct stint_ctf_reader *reader);

/* Returns the context of a path, or NULL if it is not known. */
static inline const struct stint_ctf_known *stint_ctf_known(const struct stint_ctf_definitions *definitions,
                                                            uint32_t path)
{
    size_t at = path - (size_t)STINT_CTF_FIRST_PATH;
    return at < definitions->contexts.count ? (const struct stint_ctf_known *)definitions->contexts.items + at : NULL;
}

/* Returns the call chain with that number, or NULL if it is not known. */
static inline const struct stint_ctf_chain *stint_ctf_chain(const struct stint_ctf_definitions *definitions,
                                                            uint32_t number)
{
    size_t at = number - (size_t)1;
    return at < definitions->chains.count ? (const struct stint_ctf_chain *)definitions->chains.items + at : NULL;
}

/* Returns "" if it is not known. */
const char *stint_ctf_text(const struct stint_ctf_definitions *definitions, uint32_t name);

/* Returns the data of operations with that number, 0 for none; NULL if it is not known. */
const char *stint_ctf_data(const struct stint_ctf_definitions *definitions, uint32_t number);

/* Returns the counter with that id, or NULL if it is not known. */
const struct stint_ctf_counter *stint_ctf_counter(const struct stint_ctf_definitions *definitions, uint32_t id);

/* Finds the snapshot's context of each. Returns 0, or -1 without memory. */
int stint_ctf_find_contexts(struct stint_ctf_definitions *definitions, const struct stint_snapshot *snapshot);

/* ------------------------------------------------------------------------------------------------------ call chains */

/* Gives a replay without samples all of them, and has events refer to them. */
void stint_ctf_add_chains(struct stint_ctf_definitions *definitions, struct stint_replay *replay);

/* Has events refer to the snapshot's call chains. Samples that were taken after the report, or were then forgotten, may
 * have others: the snapshot is replaced by one that has them, too. Returns 0, or -1 without memory. */
int stint_ctf_find_chains(struct stint_ctf_definitions *definitions, struct stint_snapshot **snapshot);

#endif
