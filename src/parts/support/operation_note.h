/* What stint/op.h says about a scope: bytes that wait in the scope until it ends, and then in a note; and the text that
 * is made of them when they are written, or for a tool that listens:
 *
 *     conv2d, seq = 7, sizes = [[64, 6, 14, 14], [16, 6, 5, 5], []], types = ["fp32", "fp32", ""], inputs = ["", "",
 *     "None"], direction = "fprop", layer = "conv1" */
#ifndef STINT_SUPPORT_OPERATION_NOTE_H
#define STINT_SUPPORT_OPERATION_NOTE_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/op.h"

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

#endif
