/* Reads numbers and texts from a piece of an operation's text. */
#include "op/op_scan.h"

#include <stdlib.h>

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
