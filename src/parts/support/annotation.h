/* Texts that carry data behind a name. XLA and TensorFlow make them, for NVTX as for their own profiler, PyTorch's
 * emit_nvtx does, and pyprof.init() made them:
 *
 *     XlaModule:#hlo_module=jit_step,program_id=4639#
 *     Thunk:#name=jit(step)/mul,hlo_op=loop_multiply_fusion,unique_hlo_op_id=4294967298#
 *     ConvolutionBackward0, seq = 54, op_id = 782, sizes = [[64, 16], [64]], input_op_ids = [(780,0), (781,0)]
 *     {'mod': 'torch', 'op': 'mm', 'args': [{'name': '', 'type': 'tensor', 'shape': (64, 16), 'dtype': 'float16'}]}
 *
 * A name is short and there are few; the data are different almost every time. So events are counted by name. A value
 * may contain commas within brackets or quotation marks, and further equals signs. Texts come from programs: any bytes
 * are allowed. */
#ifndef STINT_SUPPORT_ANNOTATION_H
#define STINT_SUPPORT_ANNOTATION_H

#include "base/text.h"

/* A text with data, of which none is copied. */
struct stint_annotation {
    struct stint_piece name;  /* without the colon that ends it; may be empty */
    struct stint_piece label; /* what tells ranges of this name apart, "jit_step", "mm"; empty if there is nothing */
    struct stint_piece data;  /* "hlo_module=jit_step,program_id=4639"; "seq = 54, op_id = 782" */
};

/* Returns whether the text carries data, and takes it apart if it does. */
int stint_annotation_read(struct stint_annotation *annotation, const char *text, size_t length);

/* Whether a text that carries no data looks as if it was to: like one of an operation that is cut. */
int stint_annotation_is_broken(const char *text, size_t length);

/* Writes the name by which events are counted, "XlaModule jit_step", NUL-terminated and cut to `size`. */
void stint_annotation_name(const struct stint_annotation *annotation, char *out, size_t size);

/* Takes the first pair from `data`. Pairs without a key or a value are passed over. Returns 0 if there are no more. */
int stint_annotation_pair(struct stint_piece *data, struct stint_piece *key, struct stint_piece *value);

#endif
