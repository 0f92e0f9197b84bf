/* Recordings, and what reading one consists of: its packets, what the numbers in them stand for, and its events. */
#ifndef STINT_CTF_CTF_H
#define STINT_CTF_CTF_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ctf_writer/ctf_packet.h"
#include "model/event.h"
#include "replay/replay.h"
#include "stint/snapshot.h"

/* ------------------------------------------------------------------------------------------------ ctf.c, ctf_rows.c */

/* Reads a recording, whether it is complete, or was left behind by a program that was killed, or is damaged. */

struct stint_ctf;

/* What a user ought to know of a recording. */
struct stint_ctf_state {
    int has_ended;               /* 0: the program was killed, or still runs */
    int is_cut;                  /* 1: its writer could not write all of it, as when the disk is full */
    int lacks_report;            /* 1: the program ended, but the report of its end is missing, or cannot be read */
    uint64_t events;             /* that can be read */
    uint64_t overwritten_events; /* that a ring had no room for: the snapshot includes them, if a report was written */
    uint64_t later_events;       /* of a ring: that ended after the snapshot was taken, and are not in it */
    uint64_t later_ns;           /* when the last of them ended, since the process' start */
    uint64_t missing_events;     /* because files are damaged or incomplete; part of the snapshot's dropped events */
    uint64_t damaged_bytes;
    uint64_t empty_files; /* as a loss of power may leave them */
};

/* Whether the path is a folder with a recording. */
int stint_ctf_is(const char *path);

/* Opens a recording and reads it once. Returns NULL if it cannot be read: `reason`, of `size` bytes, says why. */
struct stint_ctf *stint_ctf_open(const char *path, char *reason, size_t size);

/* From now on, when the events of a recording are counted because it was not completed, they are read from the source
 * that `watch` returns, which passes them on. */
typedef struct stint_event_source *stint_ctf_watch_fn(struct stint_event_source *events, uint64_t count);
void stint_ctf_watch(stint_ctf_watch_fn *watch);

struct stint_ctf_state stint_ctf_state(const struct stint_ctf *ctf);

/* Returns what was recorded: the report at the end or, if there was no end, what the events say. Valid as long as the
 * recording is open. */
struct stint_snapshot *stint_ctf_snapshot(const struct stint_ctf *ctf);

/* Passes the snapshot on to the caller, who frees it with stint_snapshot_free. */
struct stint_snapshot *stint_ctf_take_snapshot(struct stint_ctf *ctf);

/* Returns all events; valid as long as the recording is open. */
struct stint_event_source *stint_ctf_events(struct stint_ctf *ctf);

/* NULL: does nothing. */
void stint_ctf_close(struct stint_ctf *ctf);

/* ------------------------------------------------------------------------------------------------------- ctf_scan.c */

/* Finds the packets of a recording, whatever has become of its files: each packet is checked as a whole, and where one
 * is damaged, the search goes on behind it. */

/* A file of the folder that a recording is. */
struct stint_ctf_input {
    const char *name; /* in the folder: "metadata", "thread-1" */
    const char *path;
};

/* Fills `inputs`, an array of struct stint_ctf_input in the arena, with the files of the folder. Returns 0, or -1:
 * errno says why. */
int stint_ctf_inputs_find(struct stint_array *inputs, struct stint_arena *arena, const char *folder);

/* Opens it. Returns a descriptor and how many bytes it has, 0 if it is no regular file; or -1: errno says why. */
int stint_ctf_input_open(const struct stint_ctf_input *input, uint64_t *size);

/* Reads `size` bytes at `at` from the file that was opened. Returns 0, or -1 if they are not all there. */
int stint_ctf_input_read(int file, uint64_t at, unsigned char *bytes, size_t size);

/* A sound packet of the file with that number. `bytes` are valid until it returns. Returns 0, or -1 to stop. */
typedef int stint_ctf_packet_fn(void *context, uint32_t file, uint64_t at, const struct stint_ctf_head *head,
                                struct stint_ctf_reader *reader);

struct stint_ctf_scan {
    stint_ctf_packet_fn *packet; /* set by the caller, as is `context` */
    void *context;
    struct stint_arena arena;
    struct stint_array files; /* struct stint_ctf_input, which the caller adds */
    unsigned char uuid[16];
    uint64_t damaged_bytes;  /* which belong to no sound packet */
    uint64_t missing_events; /* that sound packets say were between them */
    uint64_t empty_files;    /* of which nothing is left; none is made before something can be written to it */
    uint64_t events_before;  /* that the first sound packets of streams say were before them */
    struct stint_ctf_packet buffer;
    char reason[160];
};

/* Reads all files. Returns 0, or -1: `reason` says why. Free the arena in either case. */
int stint_ctf_scan(struct stint_ctf_scan *scan);

/* Reads the beginning of the file `metadata` into the text, which ends with a NUL. Returns its length, or -1 if it
 * cannot be read: errno says why. */
long stint_ctf_scan_metadata(const struct stint_ctf_input *metadata, char *text, size_t size);

/* ------------------------------------------------------------------------------------------------ ctf_definitions.c */

/* What the numbers in a recording's events stand for. */

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

/* ----------------------------------------------------------------------------------------------------- ctf_events.c */

/* The events of a recording, in the order of their starts. Memory is needed for each packet, but for events only of
 * packets that are being read, which is limited. */

struct stint_ctf_row {
    uint64_t start, end;
    uint32_t id; /* enum stint_ctf_id */
    uint32_t
        value; /* of a plain activation its path; of others the position in `annotated`, `values`, `samples` or `gpu` */
};

/* An activation with more than its times. */
struct stint_ctf_annotated {
    uint32_t path;
    enum stint_event_kind kind;
    const char *text; /* NULL: none */
    uint32_t color, category;
    int is_operation; /* its text has to be put together of these: */
    int64_t seq;
    uint64_t op_id;
    uint32_t data;
};

struct stint_ctf_rows {
    struct stint_ctf_row *all;
    size_t count;
    struct stint_ctf_gpu *gpu;    /* of calls and devices; else NULL */
    struct stint_array annotated; /* struct stint_ctf_annotated, in the arena */
    struct stint_array values;    /* struct stint_ctf_value, in the arena */
    struct stint_array samples;   /* struct stint_ctf_sample, in the arena */
    struct stint_arena arena;
    size_t bytes; /* of memory that they take */
    int64_t tid;  /* of activations */
};

/* Reads them: at most as many as the head says. Returns NULL without memory. */
struct stint_ctf_rows *stint_ctf_rows_read(const struct stint_ctf_head *head, struct stint_ctf_reader *reader);

/* NULL: does nothing. */
void stint_ctf_rows_free(struct stint_ctf_rows *rows);

/* A text that somebody has made up may be longer when it is put together; it is left out. */
enum { STINT_CTF_TEXT_MOST = 1 << 16 };

/* A packet, and how far it has been read. There is one for each 1364 events of a thread, so it has only what is needed
 * before the packet is read. */
struct stint_ctf_part {
    uint64_t at;
    uint64_t first_start, end_ns; /* as its head says */
    struct stint_ctf_rows *rows;  /* of a packet that is being read; else NULL */
    uint32_t size;
    uint32_t file;
    uint32_t done; /* rows that have been told */
};

/* A packet whose events have not all been told. */
struct stint_ctf_turn {
    uint64_t start; /* when its next event begins and ends */
    uint64_t end;   /* UINT64_MAX if it is not known */
    size_t part;
};

struct stint_ctf_events {
    struct stint_event_source source; /* has to be the first member */
    const struct stint_ctf_scan *scan;
    const struct stint_ctf_definitions *definitions;
    struct stint_arena arena;
    struct stint_array parts;     /* struct stint_ctf_part */
    struct stint_ctf_turn *turns; /* a heap, by the time of the next event */
    size_t left;                  /* parts in the heap */
    int has_told;                 /* the first part has told its event */
    uint64_t last_start;          /* of the event told last */
    size_t bytes;                 /* of all rows */
    struct stint_ctf_packet buffer;
    struct stint_gpu_event gpu;
    char text[STINT_CTF_TEXT_MOST]; /* of the operation told last */
};

/* Begins without packets. */
void stint_ctf_events_begin(struct stint_ctf_events *events, const struct stint_ctf_scan *scan,
                            const struct stint_ctf_definitions *definitions);

/* Adds a packet. Returns 0, or -1 without memory. */
int stint_ctf_events_add(struct stint_ctf_events *events, uint32_t file, uint64_t at,
                         const struct stint_ctf_head *head);

void stint_ctf_events_free(struct stint_ctf_events *events);

#endif
