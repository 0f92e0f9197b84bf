/* Takes numbers, words, signs and types of elements from the beginning of a text. */
#ifndef STINT_OP_OP_SCAN_H
#define STINT_OP_OP_SCAN_H

#include <stdint.h>
#include <string.h>

#include "support/annotation.h"

/* Most numbers are shorter than this as text; longer ones are not taken. */
enum { STINT_OP_NUMBER_TEXT = 64 };

struct stint_op_scan {
    const char *at;
    const char *end;
};

/* Whether the piece is that text. */
static inline int stint_op_is(struct stint_piece piece, const char *text)
{
    return piece.length == strlen(text) && memcmp(piece.text, text, piece.length) == 0;
}

/* Returns the text that is left. */
static inline struct stint_piece stint_op_scan_rest(const struct stint_op_scan *scan)
{
    return (struct stint_piece){scan->at, (size_t)(scan->end - scan->at)};
}

static inline void stint_op_scan_blanks(struct stint_op_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t'))
        scan->at++;
}

/* Takes blanks, and then the sign if it is next. Returns whether it was. */
static inline int stint_op_scan_sign(struct stint_op_scan *scan, char sign)
{
    stint_op_scan_blanks(scan);
    if (scan->at == scan->end || *scan->at != sign)
        return 0;
    scan->at++;
    return 1;
}

/* Takes the word, byte by byte. Returns whether it was next. */
static inline int stint_op_scan_word(struct stint_op_scan *scan, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
        return 0;
    scan->at += length;
    return 1;
}

/* Take a whole number, or any number as Python writes it, after blanks. Return 0, or -1 if none is next, or if it has
 * no room in 63 bits. */
int stint_op_scan_whole(struct stint_op_scan *scan, int64_t *number);
int stint_op_scan_number(struct stint_op_scan *scan, double *number, struct stint_piece *text);

/* Takes a whole number; True is 1, and False is 0. Returns 0, or -1 as above. */
int stint_op_scan_switch(struct stint_op_scan *scan, int64_t *number);

/* Takes a text in quotation marks of either kind. Backslashes hide the character behind them, and stay. Returns 0, or
 * -1 if none is next or if it does not end. */
int stint_op_scan_text(struct stint_op_scan *scan, struct stint_piece *text);

/* ------------------------------------------------------------------------------------------------------------ types */

/* Types of the elements of tensors, as PyTorch, PyProf and CUDA call them. */
enum stint_op_type {
    STINT_OP_TYPE_UNKNOWN,
    STINT_OP_FP64,
    STINT_OP_FP32,
    STINT_OP_TF32, /* fp32 in memory */
    STINT_OP_FP16,
    STINT_OP_BF16,
    STINT_OP_FP8_E4M3,
    STINT_OP_FP8_E5M2,
    STINT_OP_INT64,
    STINT_OP_INT32,
    STINT_OP_INT16,
    STINT_OP_INT8,
    STINT_OP_UINT8,
    STINT_OP_BOOL,
    STINT_OP_COMPLEX64,
    STINT_OP_COMPLEX128
};

/* Returns the type of that name: "fp16", "float16", "torch.float16", "c10::Half", "Half". */
enum stint_op_type stint_op_type_of(struct stint_piece name);

/* Returns the short name, "fp16"; "na" if it is unknown. */
const char *stint_op_type_name(enum stint_op_type type);

/* Returns the bytes of one element; 0 if that is unknown. */
unsigned stint_op_type_bytes(enum stint_op_type type);

/* ----------------------------------------------------------------------------------------------------- Tensor Cores */

/* Whether a kernel uses Tensor Cores, and which numbers it multiplies, as far as its name says so. */

enum stint_op_tensor_cores {
    STINT_OP_TC_UNKNOWN,
    STINT_OP_TC_USED,
    STINT_OP_TC_UNUSED, /* it multiplies matrices without them */
    STINT_OP_TC_NONE    /* it does not multiply matrices */
};

/* What an operation is known to spend its time for. */
enum stint_op_work { STINT_OP_WORK_UNKNOWN, STINT_OP_WORK_MATRIX, STINT_OP_WORK_OTHER };

/* Returns what the kernel's name says, mangled or not; where it says nothing, what the operation says that launched
 * it. */
enum stint_op_tensor_cores stint_op_tensor_cores(const char *kernel, enum stint_op_work work);

/* Returns the type of the matrices that the kernel multiplies, if its name says so. */
enum stint_op_type stint_op_kernel_type(const char *kernel);

/* Returns "1", "0", "-" or "na". */
const char *stint_op_tensor_cores_word(enum stint_op_tensor_cores use);

#endif
