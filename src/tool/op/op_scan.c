/* Reads numbers, texts and types of elements from a piece of an operation's text. */
#include "op/op_scan.h"

#include <stdlib.h>
#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int stint_op_scan_whole(struct stint_op_scan *scan, int64_t *number)
{
    int is_negative = stint_op_scan_sign(scan, '-');
    int64_t value = 0;
    const char *from = scan->at;
    for (; scan->at < scan->end && is_digit(*scan->at); scan->at++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *scan->at - '0', &value))
            return -1;
    *number = is_negative ? -value : value;
    return scan->at == from ? -1 : 0;
}

int stint_op_scan_switch(struct stint_op_scan *scan, int64_t *number)
{
    stint_op_scan_blanks(scan);
    *number = stint_op_scan_word(scan, "True");
    return *number || stint_op_scan_word(scan, "False") ? 0 : stint_op_scan_whole(scan, number);
}

static int is_of_number(char c)
{
    return is_digit(c) || (c && strchr("+-.eEinfa", c)); /* also inf and nan */
}

int stint_op_scan_number(struct stint_op_scan *scan, double *number, struct stint_piece *text)
{
    char copy[STINT_OP_NUMBER_TEXT];
    char *end;
    stint_op_scan_blanks(scan);
    *text = (struct stint_piece){scan->at, 0};
    while (scan->at < scan->end && is_of_number(*scan->at))
        scan->at++;
    text->length = (size_t)(scan->at - text->text);
    if (!text->length || text->length >= sizeof copy)
        return -1;
    memcpy(copy, text->text, text->length);
    copy[text->length] = '\0';
    *number = strtod(copy, &end);
    return *end ? -1 : 0;
}

int stint_op_scan_text(struct stint_op_scan *scan, struct stint_piece *text)
{
    char mark = stint_op_scan_sign(scan, '\'') ? '\'' : stint_op_scan_sign(scan, '"') ? '"' : '\0';
    if (!mark)
        return -1;
    text->text = scan->at;
    while (scan->at < scan->end && *scan->at != mark)
        scan->at += *scan->at == '\\' && scan->at + 1 < scan->end ? 2 : 1;
    text->length = (size_t)(scan->at - text->text);
    return stint_op_scan_sign(scan, mark) ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------ types */

static const struct {
    const char *name;
    unsigned bytes;
    const char *aliases; /* each followed by a blank */
} s_types[] = {
    [STINT_OP_TYPE_UNKNOWN] = {"na", 0, ""},
    [STINT_OP_FP64] = {"fp64", 8, "float64 double Double "},
    [STINT_OP_FP32] = {"fp32", 4, "float32 float Float "},
    [STINT_OP_TF32] = {"tf32", 4, ""},
    [STINT_OP_FP16] = {"fp16", 2, "float16 half Half "},
    [STINT_OP_BF16] = {"bf16", 2, "bfloat16 BFloat16 "},
    [STINT_OP_FP8_E4M3] = {"fp8e4m3", 1, "float8_e4m3fn float8_e4m3fnuz Float8_e4m3fn Float8_e4m3fnuz fp8 "},
    [STINT_OP_FP8_E5M2] = {"fp8e5m2", 1, "float8_e5m2 float8_e5m2fnuz Float8_e5m2 Float8_e5m2fnuz "},
    [STINT_OP_INT64] = {"int64", 8, "long long_int Long "},
    [STINT_OP_INT32] = {"int32", 4, "int Int "},
    [STINT_OP_INT16] = {"int16", 2, "short short_int Short "},
    [STINT_OP_INT8] = {"int8", 1, "signed_char char Char "},
    [STINT_OP_UINT8] = {"uint8", 1, "unsigned_char byte Byte "},
    [STINT_OP_BOOL] = {"bool", 1, "Bool "},
    [STINT_OP_COMPLEX64] = {"complex64", 8, "ComplexFloat c10::complex<float> "},
    [STINT_OP_COMPLEX128] = {"complex128", 16, "ComplexDouble c10::complex<double> "},
};

enum { TYPES = sizeof s_types / sizeof s_types[0] };

/* The aliases separate their own words by underscores, since a blank ends them. */
static int is_same(const char *alias, struct stint_piece name)
{
    for (size_t i = 0; i < name.length; i++)
        if ((name.text[i] == ' ' ? '_' : name.text[i]) != alias[i])
            return 0;
    return 1;
}

static int is_alias(const char *aliases, struct stint_piece name)
{
    for (size_t length; *aliases; aliases += length + 1) {
        length = (size_t)(strchr(aliases, ' ') - aliases);
        if (length == name.length && is_same(aliases, name))
            return 1;
    }
    return 0;
}

static struct stint_piece without(struct stint_piece name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (name.length > length && memcmp(name.text, prefix, length) == 0)
        return (struct stint_piece){name.text + length, name.length - length};
    return name;
}

enum stint_op_type stint_op_type_of(struct stint_piece name)
{
    struct stint_piece bare = without(without(name, "torch."), "c10::");
    for (int i = STINT_OP_TYPE_UNKNOWN + 1; i < TYPES; i++) {
        const char *own = s_types[i].name;
        if ((bare.length == strlen(own) && memcmp(bare.text, own, bare.length) == 0) ||
            is_alias(s_types[i].aliases, bare) || is_alias(s_types[i].aliases, name))
            return (enum stint_op_type)i;
    }
    return STINT_OP_TYPE_UNKNOWN;
}

const char *stint_op_type_name(enum stint_op_type type)
{
    return s_types[type].name;
}

unsigned stint_op_type_bytes(enum stint_op_type type)
{
    return s_types[type].bytes;
}
