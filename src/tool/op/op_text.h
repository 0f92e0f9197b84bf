/* Texts of ranges, each kept once: those of operations without what is different at every push, the numbers of the
 * operation and of those that made its inputs. */
#ifndef STINT_OP_OP_TEXT_H
#define STINT_OP_OP_TEXT_H

#include "op/op_cost.h"
#include "support/keyed_table.h"

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

#endif
