/* Packs what a program says of an operation into a few bytes while a scope runs, and unpacks them into text when
 * somebody reads it, which is later and on another thread. */
#include "support/annotation.h"

#include <string.h>

#include "base/text.h"
#include "stint/op.h"

/* ------------------------------------------------------------------------------------------------------------ bytes */

/* What the bytes begin with. Operands follow, each a struct operand and its dimensions, and then the layer. */
struct head {
    uint64_t sequence;
    uint8_t pass;
    uint8_t operands;
    uint16_t layer; /* bytes of its name */
};

struct operand {
    uint8_t element;
    uint8_t count;
};

static int put(unsigned char *bytes, uint32_t *used, const void *from, size_t size)
{
    if (size > STINT_I_OP_BYTES - *used)
        return -1;
    memcpy(bytes + *used, from, size);
    *used += (uint32_t)size;
    return 0;
}

static int put_operand(unsigned char *bytes, uint32_t *used, const struct stint_i_operand *operand)
{
    uint32_t before = *used, count = operand->count < STINT_I_DIMENSIONS ? operand->count : STINT_I_DIMENSIONS;
    struct operand head = {(uint8_t)operand->element, (uint8_t)count};
    if (!put(bytes, used, &head, sizeof head) && !put(bytes, used, operand->dimensions, count * sizeof(int64_t)))
        return 0;
    *used = before;
    return -1;
}

uint32_t stint_operation_write(unsigned char *bytes, const struct stint_operation_note *note, int *is_cut)
{
    struct head head = {.sequence = note->sequence, .pass = (uint8_t)note->pass};
    uint32_t used = sizeof head;
    size_t layer = note->layer ? strlen(note->layer) : 0, i = 0;
    while (i < note->count && note->operands[i].element != STINT_I_NO_MORE && head.operands < UINT8_MAX &&
           !put_operand(bytes, &used, &note->operands[i])) {
        head.operands++;
        i++;
    }
    head.layer = (uint16_t)(layer < STINT_I_OP_BYTES - used ? layer : STINT_I_OP_BYTES - used);
    *is_cut = head.layer < layer || (i < note->count && note->operands[i].element != STINT_I_NO_MORE);
    if (head.layer)
        (void)put(bytes, &used, note->layer, head.layer);
    memcpy(bytes, &head, sizeof head);
    return used;
}

/* ------------------------------------------------------------------------------------------------------------- text */

struct out {
    char *text;
    size_t size, used;
};

static int write_to(void *context, const char *bytes, size_t length)
{
    struct out *out = context;
    size_t room = out->size - 1 - out->used;
    if (length > room)
        length = room;
    memcpy(out->text + out->used, bytes, length);
    out->used += length;
    return 0;
}

static const char *element_name(int element)
{
    static const char names[][8] = {
        [STINT_I_NONE] = "",     [STINT_FP64] = "fp64",   [STINT_FP32] = "fp32",        [STINT_TF32] = "tf32",
        [STINT_FP16] = "fp16",   [STINT_BF16] = "bf16",   [STINT_FP8_E4M3] = "fp8e4m3", [STINT_FP8_E5M2] = "fp8e5m2",
        [STINT_INT64] = "int64", [STINT_INT32] = "int32", [STINT_INT16] = "int16",      [STINT_INT8] = "int8",
        [STINT_UINT8] = "uint8", [STINT_BOOL] = "bool",
    };
    return element >= 0 && (size_t)element < sizeof names / sizeof names[0] ? names[element] : "";
}

static int is_tensor(int element)
{
    return element != STINT_I_NONE && element != STINT_I_NUMBERS;
}

/* Takes the operand at the place. Returns the next place. */
static const unsigned char *take_operand(const unsigned char *at, struct operand *head, int64_t *dimensions)
{
    memcpy(head, at, sizeof *head);
    memcpy(dimensions, at + sizeof *head, head->count * sizeof *dimensions);
    return at + sizeof *head + head->count * sizeof *dimensions;
}

static void put_numbers(struct stint_text *text, const int64_t *numbers, unsigned count)
{
    stint_text_string(text, "[");
    for (unsigned i = 0; i < count; i++) {
        stint_text_string(text, i ? ", " : "");
        stint_text_i64(text, numbers[i]);
    }
    stint_text_string(text, "]");
}

static void put_size(struct stint_text *text, const struct operand *operand, const int64_t *dimensions)
{
    put_numbers(text, dimensions, is_tensor(operand->element) ? operand->count : 0);
}

static void put_type(struct stint_text *text, const struct operand *operand, const int64_t *dimensions)
{
    (void)dimensions;
    stint_text_string(text, "\"");
    stint_text_string(text, element_name(operand->element));
    stint_text_string(text, "\"");
}

static void put_input(struct stint_text *text, const struct operand *operand, const int64_t *dimensions)
{
    stint_text_string(text, "\"");
    if (operand->element == STINT_I_NUMBERS)
        put_numbers(text, dimensions, operand->count);
    else
        stint_text_string(text, operand->element == STINT_I_NONE ? "None" : "");
    stint_text_string(text, "\"");
}

/* Writes a list with a part of each operand, and returns the place behind the operands. */
static const unsigned char *put_list(struct stint_text *text, const char *before, const struct head *head,
                                     const unsigned char *at,
                                     void (*put_one)(struct stint_text *, const struct operand *, const int64_t *))
{
    int64_t dimensions[STINT_I_DIMENSIONS];
    struct operand operand;
    stint_text_string(text, before);
    for (unsigned i = 0; i < head->operands; i++) {
        at = take_operand(at, &operand, dimensions);
        stint_text_string(text, i ? ", " : "");
        put_one(text, &operand, dimensions);
    }
    stint_text_string(text, "]");
    return at;
}

/* What would end the text, or hide its end, becomes an underscore. */
static void put_layer(struct stint_text *text, const unsigned char *layer, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = (char)layer[i];
        stint_text_fill(text, c == '"' || c == '\\' || (c > 0 && c < ' ') ? '_' : c, 1);
    }
}

size_t stint_operation_text(char *out, size_t size, const char *name, const unsigned char *bytes)
{
    static const char passes[][6] = {"fprop", "bprop", "optim"};
    struct out to = {out, size, 0};
    struct stint_text text;
    struct head head;
    const unsigned char *first = bytes + sizeof head, *at = first;
    memcpy(&head, bytes, sizeof head);
    stint_text_begin(&text, write_to, &to);
    stint_text_string(&text, name);
    if (head.sequence) {
        stint_text_string(&text, ", seq = ");
        stint_text_u64(&text, head.sequence);
    }
    if (head.operands) {
        (void)put_list(&text, ", sizes = [", &head, first, put_size);
        (void)put_list(&text, ", types = [", &head, first, put_type);
        at = put_list(&text, ", inputs = [", &head, first, put_input);
    }
    stint_text_string(&text, ", direction = \"");
    stint_text_string(&text, head.pass < sizeof passes / sizeof passes[0] ? passes[head.pass] : "fprop");
    stint_text_string(&text, "\"");
    if (head.layer) {
        stint_text_string(&text, ", layer = \"");
        put_layer(&text, at, head.layer);
        stint_text_string(&text, "\"");
    }
    (void)stint_text_end(&text);
    out[to.used] = '\0';
    return to.used;
}
