/* Operations and the kernels that they launched. */
#ifndef STINT_OP_OP_JOIN_H
#define STINT_OP_OP_JOIN_H

#include "model/event.h"
#include "op/op_cost.h"
#include "replay/open.h"
#include "support/keyed_table.h"

/* -------------------------------------------------------------------------------------------------------- op_text.c */

/* Texts of ranges, each kept once: those of operations without what is different at every push, the numbers of the
 * operation and of those that made its inputs. */

enum { STINT_OP_NO_TEXT = UINT32_MAX };

struct stint_op_text {
    union {
        struct stint_piece piece; /* reads as the same operation, but for numbers */
        struct {
            const char *text;
            size_t length;
        };
    };
    enum stint_op_kind kind;
    struct stint_piece name; /* as in struct stint_operation, and so is the next */
    struct stint_piece module;
    int pass; /* as in struct stint_operation, and so is the next */
    struct stint_piece layer;
    int64_t program;
    const struct stint_op_rule *rule; /* NULL: there is none, or it is no operation */
    int wants_output;                 /* what it costs depends on the shape of its result */
};

/* Text of any length that is put together from pieces. Zero it to begin. */
struct stint_op_buffer {
    char *text;
    size_t length, room;
};

/* Appends. Returns 0, or -1 without memory. */
int stint_op_buffer_put(struct stint_op_buffer *buffer, struct stint_arena *arena, const char *bytes, size_t length);

/* Zero it to begin. */
struct stint_op_texts {
    struct stint_arena arena;
    struct stint_table rows; /* struct stint_op_text */
    struct stint_op_buffer buffer;
    int failed; /* there was no memory for one */
};

/* Returns the position of the text, which the operation was read from; STINT_OP_NO_TEXT without memory. */
uint32_t stint_op_texts_add(struct stint_op_texts *texts, const struct stint_operation *operation, const char *text,
                            size_t length);

/* The same for a text that is only kept. */
uint32_t stint_op_texts_add_plain(struct stint_op_texts *texts, const char *text, size_t length);

/* Returns the position of a text that was added, or STINT_OP_NO_TEXT. */
uint32_t stint_op_texts_find(const struct stint_op_texts *texts, const char *text);

static inline const struct stint_op_text *stint_op_text_at(const struct stint_op_texts *texts, uint32_t at)
{
    return (const struct stint_op_text *)texts->rows.items + at;
}

void stint_op_texts_free(struct stint_op_texts *texts);

/* --------------------------------------------------------------------------------------- XLA's ranges (op_xla.c) */

/* Programs of JAX and others that XLA compiles say what they run:
 *
 *     XlaModule:#hlo_module=jit_step,program_id=3313#
 *     Thunk:#name=jit(step)/jvp(second)/dot_general,hlo_op=gemm_fusion_dot.2,unique_hlo_op_id=4294967300#
 *
 * and, within what they only try, XlaModule:#hlo_module=gemm_fusion_dot.2# and Thunk:#hlo_op=gemm_fusion_dot.2#. Zero
 * it to begin, and free its arena. */
struct stint_op_xla {
    struct stint_arena arena;
    struct stint_op_buffer text, layer;
    struct stint_table known;    /* struct stint_op_instruction (op_hlo.c) */
    struct stint_table compiled; /* struct stint_op_compiled (op_hlo.c) */
    struct stint_table ran;      /* struct stint_op_program (op_hlo.c) */
};

/* Replaces such a text by that of an operation, valid until the next call. Returns 0, or -1 without memory. */
int stint_op_xla_read(struct stint_op_xla *xla, struct stint_piece *text);

/* Makes xla->text that of the operation of such a path, with `cost` behind it. Returns 0, or -1 without memory. */
int stint_op_xla_put(struct stint_op_xla *xla, struct stint_piece path, struct stint_piece hlo_op,
                     struct stint_piece cost);

/* Returns what is behind the key, up to the next one, or the end: paths may have commas. Empty if there is none. */
struct stint_piece stint_op_xla_value(struct stint_piece data, const char *key, const char *next);

/* The text of what XLA only tries. */
#define STINT_OP_AUTOTUNING "layer:(autotuning)"

/* -------------------------------------------------------------------------------- op_join.c, op_frame.c, op_known.c */

/* Which operations launched which kernels: the ranges that were open on the thread of each launch, and what backward
 * operations and their forward ones know of each other. Memory is needed for kernels and for operations that launched
 * some, not for events. */

enum { STINT_OP_NO_FRAME = UINT32_MAX };

/* A range that says something about operations, on one thread, at one time. */
struct stint_op_frame {
    uint32_t parent;  /* the frame around it, which has a lower position; or STINT_OP_NO_FRAME */
    uint32_t text;    /* in the texts */
    uint32_t layer;   /* names of layers, joined by colons, in the texts; STINT_OP_NO_TEXT: none */
    uint32_t output;  /* shape of the first result, in the shapes, from 1 on; 0: unknown */
    uint32_t forward; /* of a backward one: the last forward one of its number; or STINT_OP_NO_FRAME */
    uint32_t program; /* the frame of the module around it that XLA runs, or its own; or STINT_OP_NO_FRAME */
    uint8_t direction;
    uint8_t has_seq;
    uint64_t seq;
    uint64_t op_id;
    int64_t pid;
    int64_t tid; /* 0: it stands for all times that a scope of its name ran, because none is known */
};

struct stint_op_kernel {
    uint64_t start_ns;
    uint64_t ns;
    int64_t tid;    /* of the thread that launched it; 0: unknown */
    uint32_t name;  /* as it was recorded, in the texts */
    uint32_t frame; /* the innermost one at its launch, or STINT_OP_NO_FRAME */
    uint32_t device, stream;
    uint32_t grid[3], block[3];
};

/* As a device: the operation ran on the host, and is a kernel itself. */
#define STINT_OP_HOST UINT32_MAX

/* Zero it to begin. */
struct stint_op_join {
    struct stint_op_texts texts;
    struct stint_array frames;             /* struct stint_op_frame */
    struct stint_array kernels;            /* struct stint_op_kernel, in the order of their starts */
    struct stint_table shapes;             /* struct stint_piece, whose bytes are the dimensions, int64_t */
    uint64_t unparsed;                     /* ranges that look like operations, but cannot be parsed to their end */
    uint64_t unlaunched;                   /* kernels whose launch is not in the recording */
    const struct stint_snapshot *snapshot; /* of the recording */

    /* Internal state. */
    struct stint_arena arena, frame_memory, kernel_memory, host_memory;
    struct stint_operation operation;
    struct stint_op_xla xla;
    struct stint_open_threads open;
    struct stint_launches launches;
    struct stint_array hosts;    /* struct stint_op_kernel: operations of stint/op.h, as long as there are no kernels */
    struct stint_array threads;  /* struct stint_op_thread */
    struct stint_array launched; /* struct stint_op_launch */
    struct stint_table captured; /* struct stint_op_captured */
    struct stint_table replayed; /* struct stint_op_replayed (op_frame.c) */
    struct stint_table facts;    /* struct stint_op_fact (op_known.h) */
    struct stint_array fact_texts; /* struct stint_op_fact_text */
    struct stint_table forwards;   /* struct stint_op_forward */
    struct stint_op_wish *wishes;
    struct stint_op_early *early;
    uint32_t *by_context; /* frames of contexts, for kernels whose launch is not there */
};

/* Reads all events of a recording. Returns 0; -1 with the cause in the source's `reason`, which is "" if there is no
 * memory. Free it in either case. */
int stint_op_join_read(struct stint_op_join *join, const struct stint_snapshot *snapshot,
                       struct stint_event_source *events);

void stint_op_join_free(struct stint_op_join *join);

static inline const struct stint_op_frame *stint_op_frame_at(const struct stint_op_join *join, uint32_t at)
{
    return (const struct stint_op_frame *)join->frames.items + at;
}

static inline const struct stint_op_kernel *stint_op_kernel_at(const struct stint_op_join *join, size_t at)
{
    return (const struct stint_op_kernel *)join->kernels.items + at;
}

/* ---------------------------------------------------------------------------------- what else is known (op_known.c) */

/* What is known of operations besides their own ranges: PyTorch's observer watches a few iterations of a program that
 * runs under `stint run --ops`, and what it wrote is in the recording, as ranges that stand for themselves
 * (src/python/stint_ops/facts.py):
 *
 *     stint.facts, op_id = 783, op_ids = [783, 901], text = aten::mm, op_id = 0, sizes = [[64, 16], [16, 10]], types =
 *     ["float", "float"], strides = [[16, 1], [10, 1]], inputs = ["", ""]
 *
 * They are joined by these numbers. Operations of other iterations have none of them: what was seen of one is true of
 * those with the same shapes in the same place, unless different things were seen. */

/* Whether the text is such a range's. */
int stint_op_is_known(const char *text, size_t length);

/* Keeps what it says. Returns 0, or -1 without memory. */
int stint_op_known_add(struct stint_op_join *join, int64_t pid, const char *text, size_t length);

/* Gives all frames the texts that say more. Returns 0, or -1 without memory. */
int stint_op_known_apply(struct stint_op_join *join);

/* What XLA's instructions cost, as `stint run --ops` has it from XLA (op_hlo.c, src/python/stint_ops/hlo.py):
 *
 *     stint.xla, op_id = 5, module = "jit_step", op = "gemm_fusion_dot.2", name = "jit(step)/jvp(second)/dot_general",
 *     flops = 536870912, bytes = 10485760, matrix = 1, sizes = [[512, 8, 256], [8, 256, 256]], types = ["float32",
 *     "float32"]
 *
 * They are joined by the program's number and the instruction. The number is that of XLA's ranges unless XLA is a
 * plugin of JAX: then it is that of what was compiled before on the same thread, of which XLA says
 *
 *     XlaPass:#name=dce,module=jit_step,program_id=3313#
 *
 * Takes either text, and returns 1; 0 if it is none; -1 without memory. */
int stint_op_hlo_add(struct stint_op_join *join, int64_t pid, int64_t tid, struct stint_piece text);

/* Joins that, and finds what was launched outside of XLA's ranges though it belongs to it. Returns 0, or -1 without
 * memory. */
int stint_op_hlo_apply(struct stint_op_join *join);

/* ---------------------------------------------------------------------------------------------- frames (op_frame.c) */

/* What a range says of which a frame may be made. */
struct stint_op_range {
    uint32_t text; /* in the texts */
    int has_seq;
    uint64_t seq;
    uint64_t op_id;
};

/* Keeps what the operation says that was read last, from that text. Returns 0, or -1 without memory. */
int stint_op_range_keep(struct stint_op_join *join, struct stint_op_range *range, const char *text, size_t length);

/* Adds a frame for the range on that thread. Returns its position; *failed is set if there is no memory. */
uint32_t stint_op_frame_add(struct stint_op_join *join, uint32_t parent, int64_t pid, int64_t tid,
                            const struct stint_op_range *range, int *failed);

/* Returns a frame like that one, and those around it, for one launch of the graph that was captured in it: the
 * operation has run again. */
uint32_t stint_op_frame_replay(struct stint_op_join *join, int64_t pid, uint64_t correlation, uint32_t frame,
                               int *failed);

/* Gives the frame a text that says more of the same, and with it the direction and layer that this one says. */
void stint_op_frame_retell(struct stint_op_join *join, uint32_t at, uint32_t text);

/* Whether it is autograd, which runs one operation of the backward pass and then may add gradients up. */
int stint_op_is_engine(const struct stint_op_join *join, const struct stint_op_range *range);

/* Appends to an array that becomes large, and has the arena for itself: what is outgrown is given back. */
void *stint_op_add_to_large(struct stint_array *array, struct stint_arena *arena, size_t size);

/* Returns whether an operation of that name belongs to a backward pass. */
int stint_op_is_backward(struct stint_piece name);

/* Remembers a forward frame by the number that its backward one will have, too. Returns 0, or -1 without memory. */
int stint_op_frame_remember(struct stint_op_join *join, int64_t pid, uint32_t frame);

/* Looks at the inputs of the operation that was read last: they are results of others on its thread. */
int stint_op_frame_see_inputs(struct stint_op_join *join, int64_t pid, int64_t tid);

/* Returns the layer that was found out later if it is within the one that is known, or none is; else that one. */
uint32_t stint_op_layer_refine(struct stint_op_join *join, uint32_t outer, struct stint_piece layer);

#endif
