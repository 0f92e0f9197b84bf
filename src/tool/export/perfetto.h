/* What the files that write Perfetto's traces share. Field numbers are those of its public .proto files. */
#ifndef STINT_EXPORT_PERFETTO_H
#define STINT_EXPORT_PERFETTO_H

#include "export/encoder.h"
#include "export/out.h"

/* What readers know of a statistic. */
struct stint_perfetto_stat {
    uint32_t name; /* its number; 0: none yet */
    int has_place; /* its place in the source */
};

struct stint_perfetto {
    struct stint_walk walk;            /* has to be the first member */
    struct stint_tracks queues;        /* streams; their slices are not put on lanes here, because readers do that */
    struct stint_array contexts;       /* struct stint_perfetto_context */
    struct stint_table names;          /* struct stint_perfetto_name */
    struct stint_table curves;         /* struct stint_perfetto_curve */
    struct stint_perfetto_stat *stats; /* of each statistic */
    char *known_modules, *known_frames, *known_chains; /* of the snapshot: whether readers know them */
    uint32_t known_functions;                          /* how many of these they know */
    uint64_t sampled_ns;                               /* time that samples stood for so far */
    uint64_t events;                                   /* number of device events without a correlation so far */
    struct stint_proto packet;                         /* the packet that is being built */
    struct stint_proto interned;                       /* interned data that the packet brings along */
};

/* Begin a packet; the second function gives it a time. */
void stint_perfetto_begin(struct stint_perfetto *perfetto);
void stint_perfetto_begin_at(struct stint_perfetto *perfetto, uint64_t ns);
void stint_perfetto_end(struct stint_perfetto *perfetto);

/* ----- perfetto_intern.c: names and other texts that packets refer to by number. 0: no room for more, or no memory. */

/* Fixed names, by numbers from 1 on: categories of slices, stages of GPUs' work, and arguments that Perfetto's own
 * panels know. */
/* clang-format off */
#define STINT_PERFETTO_CATEGORIES(X) \
    X(SCOPE, "scope") X(RANGE, "range") X(MARK, "mark") X(API, "cuda") X(SPAN, "gpu_scope") X(WAIT, "wait") \
    X(OVERHEAD, "overhead") X(FAULT, "fault")
#define STINT_PERFETTO_STAGES(X) \
    X(KERNEL, "Kernel") X(COPY, "Memcpy") X(SET, "Memset") X(UNIFIED, "Unified Memory")
#define STINT_PERFETTO_ARGUMENTS(X) \
    X(DEVICE, "device") X(STREAM, "stream") X(CORRELATION, "correlation") X(SCOPE_NAME, "scope") X(BYTES, "bytes") \
    X(REGISTERS, "registers_per_thread") X(STATIC_SHARED, "shared_mem_static") \
    X(DYNAMIC_SHARED, "shared_mem_dynamic") X(THREADS, "thread_count") X(WAVES, "waves_per_multiprocessor") \
    X(OCCUPANCY, "sm__maximum_warps_per_active_cycle_pct") X(GRAPH, "graph_id") X(GRAPH_NODE, "graph_node_id")
/* clang-format on */

#define STINT_PERFETTO_NUMBER_(id, name) STINT_PERFETTO_##id,
enum stint_perfetto_category { STINT_PERFETTO_NO_CATEGORY, STINT_PERFETTO_CATEGORIES(STINT_PERFETTO_NUMBER_) };
enum stint_perfetto_stage { STINT_PERFETTO_NO_STAGE, STINT_PERFETTO_STAGES(STINT_PERFETTO_NUMBER_) };
enum stint_perfetto_argument { STINT_PERFETTO_NO_ARGUMENT, STINT_PERFETTO_ARGUMENTS(STINT_PERFETTO_NUMBER_) };

/* Tells readers a text and its number, in a field of the packet's interned data. */
void stint_perfetto_entry(struct stint_perfetto *perfetto, uint32_t field, uint64_t id, const char *text);

/* Writes the names above, in the packet that clears what readers knew. */
void stint_perfetto_intern_fixed(struct stint_perfetto *perfetto);

uint64_t stint_perfetto_name(struct stint_perfetto *perfetto, const char *name);

/* The same for the name of a scope, which is most often that of its statistic. */
uint64_t stint_perfetto_scope_name(struct stint_perfetto *perfetto, size_t stat, const char *name);
uint64_t stint_perfetto_kernel(struct stint_perfetto *perfetto, uint64_t name, const struct stint_event *event);
uint64_t stint_perfetto_queue(struct stint_perfetto *perfetto, const struct stint_event *event);
uint64_t stint_perfetto_context(struct stint_perfetto *perfetto, const struct stint_event *event);
uint64_t stint_perfetto_place(struct stint_perfetto *perfetto, size_t stat);

/* ----- perfetto_tracks.c */

/* Writes the clocks and the devices. */
void stint_perfetto_head(struct stint_perfetto *perfetto);

/* Parts of the encoder. */
int stint_perfetto_lane(struct stint_walk *walk, struct stint_lane *lane, size_t position);
void stint_perfetto_process(struct stint_walk *walk, int64_t pid, size_t number);
void stint_perfetto_device(struct stint_walk *walk, uint32_t id);
int stint_perfetto_point(struct stint_walk *walk, const struct stint_event *event,
                         const struct stint_words_point *point);
stint_lane_closed_fn stint_perfetto_closed;
stint_busy_fn stint_perfetto_busy;

/* ----- Samples */

/* Writes a sample, a part of the encoder. */
int stint_perfetto_sample(struct stint_walk *walk, const struct stint_event *event, struct stint_lane *lane);

/* Writes what all samples have in common, into the defaults of the packet that clears what readers knew. */
void stint_perfetto_sampling(struct stint_perfetto *perfetto);

#endif
