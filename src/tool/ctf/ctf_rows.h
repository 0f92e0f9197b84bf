/* The events of one packet, in the order of their starts. */
#ifndef STINT_CTF_CTF_ROWS_H
#define STINT_CTF_CTF_ROWS_H

#include "base/array.h"
#include "ctf_writer/ctf_packet.h"
#include "stat/event.h"

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

#endif
