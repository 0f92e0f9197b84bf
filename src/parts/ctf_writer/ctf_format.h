/* The recording: a folder in the Common Trace Format 1.8 (docs/formats.md describes it to users). Its file `metadata`
 * says, in CTF's own language, what the other files contain; it is made of the tables here, by which events are written
 * and read, too. All numbers are little-endian, and nothing is padded. */
#ifndef STINT_CTF_WRITER_CTF_FORMAT_H
#define STINT_CTF_WRITER_CTF_FORMAT_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/event.h"

/* Numbers in a recording: little-endian, at any address. Compilers make one instruction of each. */

static inline void stint_ctf_put_u32(unsigned char *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static inline void stint_ctf_put_u64(unsigned char *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static inline uint32_t stint_ctf_get_u32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static inline uint64_t stint_ctf_get_u64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

/* ----------------------------------------------------------------------------------------------------- ctf_format.c */

/* Has to be increased when an event is added or changed. Readers know every version from 1 on. */
#define STINT_CTF_VERSION 5

/* What a folder's name ends in. */
#define STINT_CTF_ENDING ".stint"

#define STINT_CTF_MAGIC UINT32_C(0xC1FC1FC1)
#define STINT_CTF_FIRST_LINE "/* CTF 1.8 */\n"

/* Kinds of streams. Each is a file; threads have several. */
enum stint_ctf_stream {
    STINT_CTF_THREADS,     /* "thread-N": activations, in the order of their ends. A packet is of one thread */
    STINT_CTF_DEFINITIONS, /* "definitions": what the numbers in the other streams stand for */
    STINT_CTF_DEVICES,     /* "devices": calls of CUDA's API, and what devices did */
    STINT_CTF_REPORTS,     /* "report": the report of one moment, which replaces the one before */
    STINT_CTF_SAMPLES,     /* "samples": of what threads did */
    STINT_CTF_STREAMS
};

/* The file that describes the others; its name is CTF's. */
#define STINT_CTF_METADATA "metadata"

/* What files of streams are called; those of threads have a number after it. */
extern const char *const stint_ctf_stream_names[STINT_CTF_STREAMS];

enum stint_ctf_id {
    STINT_CTF_SCOPE,    /* ends at the event's own time */
    STINT_CTF_SCOPE_AT, /* the same with any times */
    STINT_CTF_RANGE,
    STINT_CTF_MARK,
    STINT_CTF_ANNOTATED, /* any of these, with a text that carries data */
    STINT_CTF_PROCESS,
    STINT_CTF_CONTEXT,
    STINT_CTF_NAME,
    STINT_CTF_END, /* the program ended the recording */
    STINT_CTF_CALL,
    STINT_CTF_KERNEL,
    STINT_CTF_MEMORY, /* a copy or a set */
    STINT_CTF_OTHER,  /* of a device */
    STINT_CTF_REPORT,
    STINT_CTF_STYLED,     /* from here on since version 2: as ANNOTATED, with a color and a category */
    STINT_CTF_COUNTER,    /* what values are of */
    STINT_CTF_VALUE,      /* a number that the program reported */
    STINT_CTF_ALLOCATION, /* memory was allocated or freed */
    STINT_CTF_CLOCK,      /* what several clocks showed at one moment */
    STINT_CTF_RING,       /* of each stream only the last bytes are kept */
    STINT_CTF_UNIFIED,    /* unified memory moved, or its pages faulted: in version 1 these are MEMORY and OTHER */
    STINT_CTF_OPERATION,  /* as ANNOTATED, with a text that is taken apart (ctf_writer/ctf_writer.h), */
    STINT_CTF_DATA,       /* and what such texts have in common */
    STINT_CTF_CAPTURED,   /* since version 3: a kernel of a graph, with the call that made its node */
    STINT_CTF_THREAD,     /* since version 4: a thread that ended had a name */
    STINT_CTF_SAMPLING,   /* since version 5, as are the next: how threads are sampled */
    STINT_CTF_MODULE,     /* a file from which code was loaded */
    STINT_CTF_CHAIN,      /* a place in the code, and who called it */
    STINT_CTF_SAMPLE,
    STINT_CTF_IDS
};

enum { STINT_CTF_MOST_THREADS = 65536 }; /* that are named when they end */

enum stint_ctf_type {
    STINT_CTF_U8, /* int or an enum in memory */
    STINT_CTF_U32,
    STINT_CTF_U64,
    STINT_CTF_I64,
    STINT_CTF_F64,
    STINT_CTF_TEXT,
    STINT_CTF_BYTES /* 16 of them */
};

struct stint_ctf_field {
    const char *name;
    uint8_t type;
    uint8_t is_clock; /* readers set their clock by it */
    uint16_t at;      /* offset in the struct that has it */
};

struct stint_ctf_fields {
    const struct stint_ctf_field *all;
    size_t count;
};

/* Events: structs with the fields of an event. */

struct stint_ctf_activation { /* of SCOPE_AT, RANGE, MARK. SCOPE has path and duration only */
    uint32_t path;
    uint32_t duration;
    uint64_t start, end;
    int kind;         /* of ANNOTATED and STYLED, as is the next: enum stint_event_kind */
    const char *text; /* as in struct stint_event; "" if there is none */
    uint32_t color;   /* of STYLED, as is the next */
    uint32_t category;
};

struct stint_ctf_operation {
    uint32_t path;
    uint64_t start, end;
    int kind; /* enum stint_event_kind */
    int64_t seq;
    uint64_t op_id;
    uint32_t data; /* its id; 0: none */
};

struct stint_ctf_data {
    uint32_t id;
    const char *text;
};

struct stint_ctf_counter {
    uint32_t id;
    const char *set, *name, *field;
};

struct stint_ctf_value {
    uint32_t counter; /* its id */
    uint64_t start;
    double value;
};

struct stint_ctf_ring {
    uint64_t bytes;
};

struct stint_ctf_thread {
    int64_t tid;
    const char *name;
};

struct stint_ctf_sampling {
    int wall;
    uint32_t hz;
};

struct stint_ctf_module {
    uint32_t id;
    struct stint_sample_module module; /* without its process */
};

struct stint_ctf_sample {
    uint32_t path;  /* 0: no scope */
    uint32_t chain; /* its id; 0: unknown */
    uint64_t start;
    uint64_t time_ns; /* that it stands for */
    int64_t tid;
};

struct stint_ctf_clock {
    uint64_t time;         /* on the recording's axis */
    uint64_t monotonic_ns; /* CLOCK_MONOTONIC */
    uint64_t unix_ns;      /* CLOCK_REALTIME */
    uint64_t cupti_ns;     /* what CUPTI's clock is computed to show; 0: unknown */
};

struct stint_ctf_process {
    int64_t pid;
    uint64_t start_unix_ns;
    const char *command;
    const char *host;
};

struct stint_ctf_context {
    uint32_t path, parent, line;
    const char *set, *name, *file;
};

struct stint_ctf_name {
    uint32_t id;
    const char *text;
};

struct stint_ctf_end {
    uint64_t events; /* in all other streams but reports */
};

#define STINT_CTF_UNATTRIBUTED UINT32_MAX /* as a path */

struct stint_ctf_gpu {
    struct stint_gpu_event event; /* without its name and context */
    uint32_t name;
    uint32_t path;                    /* 0: no scope */
    struct stint_event_memory memory; /* of ALLOCATION, of which `event` has start_ns and tid only */
};

struct stint_ctf_report {
    const char *json;
};

struct stint_ctf_event {
    const char *name;
    enum stint_ctf_stream stream;
    struct stint_ctf_fields fields;
};

extern const struct stint_ctf_event stint_ctf_event_table[STINT_CTF_IDS];

/* What every packet begins with: `sum` is stint_ctf_sum of its content, with 0 in this place and content_bits in that
 * of packet_bits. Since version 2 a packet may be larger than its content. */
struct stint_ctf_head {
    uint32_t magic;
    unsigned char uuid[16]; /* of the recording */
    uint32_t stream;        /* enum stint_ctf_stream */
    uint64_t content_bits, packet_bits;
    uint64_t begin_ns, end_ns; /* times of the first and the last event */
    uint64_t discarded;        /* events that were lost until now, in all streams; only in DEFINITIONS */
    uint64_t number;           /* of the packet in its stream, from 0 on */
    uint64_t sum;
    int64_t tid;          /* of THREADS */
    uint64_t before;      /* events in the stream's earlier packets */
    uint64_t first_start; /* the earliest time at which something began that is in the packet */
    uint32_t events;
};

enum {
    STINT_CTF_UUID_AT = 4,
    STINT_CTF_PACKET_SIZE_AT = 32,
    STINT_CTF_NUMBER_AT = 64,
    STINT_CTF_SUM_AT = 72,
    STINT_CTF_BEFORE_AT = 88,
    STINT_CTF_HEAD_SIZE = 108,
    STINT_CTF_MOST_BYTES = 1 << 30, /* of a packet */
};

/* The first three members are CTF's packet header, the others its packet context. */
enum { STINT_CTF_HEADER_FIELDS = 3 };
extern const struct stint_ctf_fields stint_ctf_head;

/* An event begins with 4 bytes: its id in the lower 5 bits, and above the lower 27 bits of its time. If more than
 * 2^27 ns have passed since the event before, it begins with 13 bytes: 31, the id with 4 bytes, and the time with 8. */
enum { STINT_CTF_ID_BITS = 5, STINT_CTF_LONG_ID = 31, STINT_CTF_TIME_BITS = 27 };

/* Writes CTF's description of a recording: `start_unix_ns` is the clock's 0. Returns its length, or 0 if `size` is too
 * small. */
size_t stint_ctf_describe(char *text, size_t size, const unsigned char uuid[16], uint64_t start_unix_ns);

/* Reads what a reader needs of it. Returns 0, or -1 with the reason why it cannot be read. */
int stint_ctf_read_description(const char *text, unsigned char uuid[16], char *reason, size_t size);

/* A sum of the bytes' words, and a sum of all these sums. */
uint64_t stint_ctf_sum(const unsigned char *bytes, size_t size);

#endif
