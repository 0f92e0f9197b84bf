/* Takes any bytes as a module's .eh_frame, of which every entry may describe the function that was asked for. Whatever
 * they say, nothing beyond them is read. */
#include "sample/cfi.h"

#include <stdlib.h>

#include "fuzz.h"

enum { ADDRESS = 0x10000, MOST_ENTRIES = 256 };

static int read_word(void *context, uint64_t address, uint64_t *word)
{
    *word = address * 3;
    return address % 7 == 0 ? -1 : 0;
}

/* Works out what the row says, as sample/walk.c does. */
static void evaluate(const struct stint_cfi *cfi, const struct stint_cfi_row *row)
{
    uint64_t registers[STINT_CFI_REGISTERS] = {ADDRESS, 8, 16}, result;
    if (row->frame.kind == STINT_CFI_VALUE_FORMULA)
        (void)stint_cfi_evaluate(cfi, &row->frame, registers, 0, read_word, NULL, &result);
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        if (row->rules[i].kind == STINT_CFI_AT_FORMULA || row->rules[i].kind == STINT_CFI_VALUE_FORMULA)
            (void)stint_cfi_evaluate(cfi, &row->rules[i], registers, ADDRESS, read_word, NULL, &result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stint_cfi_room s_room;
    uint8_t *bytes = (uint8_t *)copy_text(data, size);
    int32_t entry[1][2];
    struct stint_cfi cfi = {
        .frames = {.bytes = bytes, .size = size, .address = ADDRESS},
        .table = (const int32_t(*)[2])entry,
        .count = 1,
        .base = ADDRESS,
    };
    for (size_t at = 0; at < size && at < MOST_ENTRIES * 4; at += 4) {
        entry[0][0] = -ADDRESS; /* the function begins before every place that is asked for */
        entry[0][1] = (int32_t)at;
        for (uint64_t pc = 1; pc < 64; pc += 9)
            if (stint_cfi_find(&cfi, pc, &s_room) == 0)
                evaluate(&cfi, &s_room.row);
        if (stint_cfi_find(&cfi, ADDRESS - 0x1000 + at, &s_room) == 0)
            evaluate(&cfi, &s_room.row);
    }
    free(bytes);
    return 0;
}
