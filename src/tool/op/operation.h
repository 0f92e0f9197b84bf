/* What the text of a range says about an operation. There are five kinds of such texts:
 *
 *     aten::mm, op_id = 783, sizes = [[64, 16], [16, 10]], input_op_ids = [(780,0), (781,0)]
 *     ConvolutionBackward0, seq = 54, op_id = 782
 *     aten::mm, op_id = 783, sizes = [[64, 16], [16, 10]], types = ["float", "float"], strides = …, inputs = ["", ""]
 *     {'mod': 'torch', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 16), 'dtype': 'float16'}, …]}
 *     layer:net.layer1.0.conv2
 *     conv2d, seq = 7, sizes = [[64, 6, 14, 14], [16, 6, 5, 5]], types = …, inputs = …, direction = "fprop", layer = …
 *
 * Those that stint run --ops adds to (op_known.c) also have `schema`, `kernel_file`, `nodes` and `aten` before what
 * they say of sizes, and may have `layer` at the end; those made of XLA's ranges (op_xla.c) have `hlo_op`, or
 * `program`.
 * The first two are by PyTorch's emit_nvtx, of any version; the third is what the stage kineto makes of traces of
 * torch.profiler; the fourth, a dictionary of Python, is by pyprof.init(), which has two more: with the call stack, and
 * with how a module prints itself. Texts come from programs: any bytes are allowed, and dictionaries are read as data.
 */
#ifndef STINT_OP_OPERATION_H
#define STINT_OP_OPERATION_H

#include <stdint.h>

#include "base/arena.h"
#include "op/op_scan.h"
#include "support/annotation.h"

enum stint_op_direction {
    STINT_OP_FORWARD,
    STINT_OP_BACKWARD,
    STINT_OP_UPDATE /* within an optimizer's step */
};

enum stint_op_kind {
    STINT_OP_PLAIN,  /* says nothing about an operation, or cannot be parsed */
    STINT_OP_CALL,   /* by emit_nvtx, or torch.profiler */
    STINT_OP_MARKER, /* by pyprof.init(): the arguments */
    STINT_OP_TRACE,  /* the call stack */
    STINT_OP_MODULE, /* what a module says about itself */
    STINT_OP_LAYER
};

enum stint_op_value_kind {
    STINT_OP_UNKNOWN, /* not a tensor, or one without dimensions: emit_nvtx writes [] for both */
    STINT_OP_TENSOR,
    STINT_OP_NUMBERS, /* a list of whole numbers */
    STINT_OP_NUMBER,
    STINT_OP_SWITCH, /* a bool */
    STINT_OP_TEXT,
    STINT_OP_NONE
};

struct stint_op_value {
    enum stint_op_value_kind kind;
    enum stint_op_type type;  /* of a tensor's elements */
    struct stint_piece name;  /* of the argument; empty if only its position is known */
    struct stint_piece text;  /* of a text, and of a number as the program wrote it */
    size_t first, count;      /* of a tensor: its shape; of a list: its numbers; in the operation's `numbers` */
    size_t argument;          /* its place among the arguments; of all tensors in a list the same, if that is known */
    double number;            /* of a number; of a switch 0 or 1 */
    uint64_t producer;        /* op_id of the operation on the same thread that made the tensor; 0: unknown */
    unsigned producer_output; /* which of its outputs that was */
};

/* Most values of an operation, numbers in all of them, and lines of a call stack: texts with more are plain. */
enum { STINT_OP_MOST = 1 << 16 };

/* Zero it to begin. Pieces are parts of the text that was read. */
struct stint_operation {
    enum stint_op_kind kind;
    struct stint_piece name;   /* "aten::mm"; "mm"; of a layer its name; of a module how it prints itself */
    struct stint_piece module; /* of a marker: where the function is, "torch.nn.functional"; of a module its class */
    int has_seq;
    int is_cut;                /* the text ends too early: values are missing, and there are none */
    uint64_t seq;              /* number of the forward operation on its thread, which the backward one has, too */
    uint64_t op_id;            /* 0: unknown */
    uint64_t forward_thread;   /* of a backward operation: the number of the forward one's thread; 0: unknown */
    struct stint_piece schema; /* how PyTorch declares it, "aten::mm(Tensor self, Tensor mat2) -> Tensor"; or empty */
    struct stint_piece kernel_file; /* of Triton's kernel, if it is one */
    struct stint_piece nodes, aten; /* what TorchInductor has fused to it: nodes of its graph, PyTorch's operations */
    struct stint_piece hlo_op;      /* what XLA calls it, "gemm_fusion_dot.2"; or empty */
    int64_t program;                /* of a module that XLA runs, its number; -1: it is none */
    int is_counted, is_matrix;      /* the text says what it costs; whether it multiplies matrices */
    uint64_t flops, bytes;          /* UINT64_MAX: unknown */
    int pass;                       /* enum stint_op_direction, if stint/op.h says it; -1: it does not */
    struct stint_piece layer;       /* if the text says it; else empty */
    struct stint_piece collective;  /* what a collective does, "allreduce"; empty if it is none */
    uint64_t group_size, in_elements, out_elements; /* of a collective */
    enum stint_op_type type;                        /* of its elements */
    struct stint_array values;                      /* struct stint_op_value: the arguments */
    struct stint_array numbers;                     /* int64_t */
    struct stint_array trace;                       /* struct stint_piece: outermost call first */
    int failed;                                     /* there was no memory for this text, or one before */
    struct stint_arena arena;
};

/* Reads a text; what the operation had before is forgotten. Returns its kind; it is plain also if there is no
 * memory. */
enum stint_op_kind stint_operation_read(struct stint_operation *operation, const char *text, size_t length);

void stint_operation_free(struct stint_operation *operation);

static inline const struct stint_op_value *stint_op_values(const struct stint_operation *operation)
{
    return operation->values.items;
}

/* Takes what the text says of a kernel besides arguments, and returns what that is called, "kernel_file"; NULL beyond
 * the last. It is empty if the text does not say it. */
const char *stint_operation_fact(const struct stint_operation *operation, size_t index, struct stint_piece *fact);

/* Returns the numbers of a tensor's shape, or of a list; NULL may stand for none. */
static inline const int64_t *stint_op_numbers(const struct stint_operation *operation,
                                              const struct stint_op_value *value)
{
    return value->count ? (const int64_t *)operation->numbers.items + value->first : NULL;
}

/* Adds to the operation. Return NULL, or -1, if there is no memory, or too much in it already. */
struct stint_op_value *stint_operation_add_value(struct stint_operation *operation);
int stint_operation_add_line(struct stint_operation *operation, struct stint_piece line);

/* Takes "(64, 16)" or "[True, False]" as the numbers of the value. Returns 0, or -1 if it is not such a list: then the
 * value has none. */
struct stint_op_scan;
int stint_operation_add_list(struct stint_operation *operation, struct stint_op_value *value,
                             struct stint_op_scan *scan);

/* marker.c: dictionaries of Python that pyprof.init() pushes as ranges, as data: nothing in them is evaluated. Those
 * nested deeper than this are not read, nor are such lists. */
enum { STINT_OP_MARKER_DEPTH = 16 };

/* Reads a dictionary into an operation that says nothing yet. Returns its kind: plain if it is none of PyProf's, or not
 * well formed, or if there is no memory. */
enum stint_op_kind stint_marker_read(struct stint_operation *operation, const char *text, size_t length);

/* ----------------------------------------------------------------------------------------------- facts (op_facts.c) */

/* What texts of traces by torch.profiler say about operations, and those of emit_nvtx do not (kineto/kineto.h):
 *
 *     aten::conv2d, seq = 0, op_id = 12, sizes = [[8, 3, 14, 14], [16, 3, 3, 3], [], []], types = ["float", "float",
 *     "", "ScalarList"], strides = [[588, 1, 42, 3], [27, 1, 9, 3], [], []], inputs = ["", "", "", "[1, 1]"] */

/* Take the lists behind `types = ` and `inputs = `, one text for each argument: the types of tensors, and the values of
 * all other arguments, which become those of the operation. Return 0, or -1 if that is no such list. */
int stint_op_facts_types(struct stint_operation *operation, struct stint_op_scan *scan);
int stint_op_facts_inputs(struct stint_operation *operation, struct stint_op_scan *scan);

/* Returns what PyTorch's declaration calls the argument, which is counted from 0: "dim0" of
 * "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"; empty if there is none. */
struct stint_piece stint_op_facts_name(struct stint_piece schema, size_t argument);

/* Passes over a list of numbers and lists. */
int stint_op_facts_skip(struct stint_op_scan *scan);

#endif
