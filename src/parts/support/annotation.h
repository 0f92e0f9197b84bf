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

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "stint/detail/op.h"

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

/* ------------------------------------------------------------------------------------------------- operation_note.c */

/* What stint/op.h says about a scope: bytes that wait in the scope until it ends, and then in a note; and the text that
 * is made of them when they are written, or for a tool that listens:
 *
 *     conv2d, seq = 7, sizes = [[64, 6, 14, 14], [16, 6, 5, 5], []], types = ["fp32", "fp32", ""], inputs = ["", "",
 *     "None"], direction = "fprop", layer = "conv1" */

/* What one of them says. */
struct stint_operation_note {
    uint64_t sequence; /* 0: none */
    int pass;          /* enum stint_pass */
    const char *layer; /* NULL: none */
    const struct stint_i_operand *operands;
    size_t count;
};

/* The longest text without its name. */
enum { STINT_OPERATION_TEXT = 8192 };

/* Writes the bytes. Returns how many there are, at most STINT_I_OP_BYTES. What has no room is left out; *is_cut says
 * whether there was such. */
uint32_t stint_operation_write(unsigned char *bytes, const struct stint_operation_note *note, int *is_cut);

/* Writes the text of the bytes behind the name, NUL-terminated and cut to `size`. Returns its length. */
size_t stint_operation_text(char *out, size_t size, const char *name, const unsigned char *bytes);

/* -------------------------------------------------------------------------------------------------------- pattern.c */

/* Patterns as in fnmatch(3): `*` stands for any text, `?` for any one byte, `[a-z]` for a byte in that range and
 * `[!a-z]` for one outside it, and `\` makes the next character literal. */

/* Returns whether the pattern, of `length` bytes, matches the whole text. */
int stint_pattern_matches(const char *pattern, size_t length, const char *text);

/* Returns whether the pattern matches the whole name, or the name without what C++ adds around it: the return type,
 * which templates have, and the parameters. */
int stint_pattern_matches_name(const char *pattern, size_t length, const char *name);

/* Returns where the name without what C++ adds around it begins, and its length. */
const char *stint_bare_name(const char *name, size_t *length);

#endif
