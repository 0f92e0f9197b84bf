/* The events of a recording, in the order of their starts. Memory is needed for each packet, but for events only of
 * packets that are being read, which is limited. */
#ifndef STINT_CTF_CTF_EVENTS_H
#define STINT_CTF_CTF_EVENTS_H

#include "base/array.h"
#include "ctf/ctf_definitions.h"
#include "ctf/ctf_scan.h"
#include "ctf_writer/ctf_packet.h"
#include "model/event.h"

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
