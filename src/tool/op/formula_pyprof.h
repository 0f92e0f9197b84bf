/* Short words for PyProf's rules, which are read better with them. Nothing else includes this. */
#ifndef STINT_OP_FORMULA_PYPROF_H
#define STINT_OP_FORMULA_PYPROF_H

#include <string.h>

#include "op/formula.h"
#include "op/op_pyprof.h"
#include "op/op_scan.h"

typedef const struct stint_op_pyprof_ask pyprof_ask;
typedef struct stint_op_pyprof pyprof;
typedef struct stint_text output;
typedef const struct stint_op_value value;

/* Functions that have the same formula. */
struct stint_op_pyprof_rule {
    const char *names; /* of functions, with a blank between */
    int (*apply)(pyprof_ask *ask, pyprof *found, output *text, const struct stint_op_pyprof_rule *rule);
    unsigned flops;         /* for each element */
    unsigned forward, back; /* how often bytes count */
};

/* Rules for functions that multiply matrices, and for cells of recurrent networks; each table ends with a rule without
 * names. */
extern const struct stint_op_pyprof_rule stint_op_pyprof_matrix[];
extern const struct stint_op_pyprof_rule stint_op_pyprof_cells_forward[];

/* ------------------------------------------------------------------------------------------------------------ names */

static inline int has_one_of(const char *name, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        if (memmem(name, strlen(name), words, length))
            return 1;
        words += length + (words[length] == ' ');
    }
    return 0;
}

static inline int is_one_of(struct stint_piece name, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        if (length == name.length && memcmp(words, name.text, length) == 0)
            return 1;
        words += length + (words[length] == ' ');
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static inline value *argument(pyprof_ask *ask, size_t at)
{
    return at < ask->operation->values.count ? stint_op_values(ask->operation) + at : NULL;
}

static inline value *argument_named(pyprof_ask *ask, const char *name)
{
    for (size_t i = 0; i < ask->operation->values.count; i++)
        if (stint_op_is(argument(ask, i)->name, name))
            return argument(ask, i);
    return NULL;
}

/* Types of later years are refused. */
static inline int is_known_type(enum stint_op_type type)
{
    switch (type) {
    case STINT_OP_FP64:
    case STINT_OP_FP32:
    case STINT_OP_FP16:
    case STINT_OP_INT64:
    case STINT_OP_INT32:
    case STINT_OP_INT16:
    case STINT_OP_INT8:
    case STINT_OP_UINT8:
    case STINT_OP_BOOL:
        return 1;
    default:
        return 0;
    }
}

static inline int read_tensor(pyprof_ask *ask, value *of_which, tensor *read)
{
    if (!of_which || of_which->kind != STINT_OP_TENSOR || !is_known_type(of_which->type))
        return -1;
    *read = (tensor){stint_op_numbers(ask->operation, of_which), of_which->count, of_which->type};
    return 0;
}

static inline int tensor_at(pyprof_ask *ask, size_t at, tensor *read)
{
    return read_tensor(ask, argument(ask, at), read);
}

/* A number is a tensor without dimensions. */
static inline int is_float_text(struct stint_piece text)
{
    for (size_t i = 0; i < text.length; i++)
        if (strchr(".einf", text.text[i]))
            return 1;
    return 0;
}

static inline int read_operand(pyprof_ask *ask, value *of_which, tensor *read)
{
    if (of_which->kind != STINT_OP_NUMBER)
        return read_tensor(ask, of_which, read);
    *read = (tensor){NULL, 0, is_float_text(of_which->text) ? STINT_OP_FP32 : STINT_OP_INT32};
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- params */

static inline void put_u64(output *text, const char *key, amount number)
{
    stint_text_string(text, key);
    stint_text_u64(text, number.value);
    stint_text_string(text, ",");
}

static inline void put_shape(output *text, const tensor *shaped, const char *brackets)
{
    stint_text_put(text, brackets, 1);
    for (size_t i = 0; i < shaped->dims; i++) {
        stint_text_string(text, i ? "," : "");
        stint_text_i64(text, shaped->shape[i]);
    }
    stint_text_string(text, shaped->dims == 1 && brackets[0] == '(' ? "," : ""); /* as Python writes it */
    stint_text_put(text, brackets + 1, 1);
}

static inline void put_key_shape(output *text, const char *key, const tensor *shaped)
{
    stint_text_string(text, key);
    put_shape(text, shaped, "()");
    stint_text_string(text, ",");
}

static inline void put_type(output *text, enum stint_op_type type)
{
    stint_text_string(text, stint_op_type_name(type));
    stint_text_string(text, ",");
}

static inline void put_tensor(output *text, const tensor *shaped)
{
    put_shape(text, shaped, "[]");
    stint_text_string(text, stint_op_type_name(shaped->type));
}

static inline void put_shape_and_type(output *text, const tensor *shaped)
{
    put_key_shape(text, "T=", shaped);
    put_type(text, shaped->type);
}

static inline void put_matrices(output *text, amount m, amount n, amount k, enum stint_op_type type)
{
    put_u64(text, "M=", m);
    put_u64(text, "N=", n);
    put_u64(text, "K=", k);
    put_type(text, type);
}

static inline void cost(pyprof *found, amount flops, amount bytes)
{
    found->flops = flops;
    found->bytes = bytes;
}

#endif
