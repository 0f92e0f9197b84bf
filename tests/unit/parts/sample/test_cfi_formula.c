/* Formulas of DWARF, on registers that are ten times their number, and a stack on which a word is twice its address. */
#include "sample/cfi.h"
#include "stint_test.h"

static int read_word(void *context, uint64_t address, uint64_t *word)
{
    *word = 2 * address;
    return address == *(uint64_t *)context ? -1 : 0;
}

static int evaluate(const uint8_t *bytes, size_t size, uint64_t *result)
{
    uint64_t registers[STINT_CFI_REGISTERS], unreadable = 13;
    struct stint_cfi cfi = {.frames = {.bytes = bytes, .size = size}};
    struct stint_cfi_rule rule = {.kind = STINT_CFI_VALUE_FORMULA, .length = (uint32_t)size};
    for (uint64_t i = 0; i < STINT_CFI_REGISTERS; i++)
        registers[i] = 10 * i;
    return stint_cfi_evaluate(&cfi, &rule, registers, 1000, read_word, &unreadable, result);
}

TEST(a_formula_is_worked_out_on_a_stack)
{
    static const struct {
        uint8_t bytes[12];
        size_t size;
        uint64_t result;
    } formulas[] = {
        {{0}, 0, 1000},                          /* what is there at first */
        {{0x35}, 1, 5},                          /* literal 5 */
        {{0x77, 0x08}, 2, 78},                   /* rsp + 8 */
        {{0x77, 0x78}, 2, 62},                   /* rsp - 8 */
        {{0x23, 0x81, 0x01}, 3, 1129},           /* plus 129 */
        {{0x06}, 1, 2000},                       /* the word there */
        {{0x08, 0xFF}, 2, 255},                  /* one byte, */
        {{0x09, 0xFF}, 2, UINT64_MAX},           /* with its sign */
        {{0x0A, 0x34, 0x12}, 3, 0x1234},         /* two bytes, */
        {{0x0B, 0xFE, 0xFF}, 3, UINT64_MAX - 1}, /* with their sign */
        {{0x10, 0x80, 0x01}, 3, 128},            /* of any length, */
        {{0x11, 0x7F}, 2, UINT64_MAX},           /* with their sign */
        {{0x39, 0x33, 0x1C}, 3, 6},              /* 9 - 3 */
        {{0x39, 0x33, 0x22}, 3, 12},             /* 9 + 3 */
        {{0x39, 0x33, 0x1A}, 3, 1},              /* 9 & 3 */
        {{0x39, 0x33, 0x21}, 3, 11},             /* 9 | 3 */
        {{0x39, 0x33, 0x24}, 3, 72},             /* 9 << 3 */
        {{0x39, 0x33, 0x25}, 3, 1},              /* 9 >> 3 */
        {{0x39, 0x33, 0x2A}, 3, 1},              /* 9 >= 3 */
        {{0x33, 0x39, 0x2A}, 3, 0},              /* 3 >= 9 */
        {{0x33, 0x08, 0x40, 0x24}, 4, 0},        /* 3 << 64 */
        {{0x77, 0x08, 0x80, 0x00, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22},
         11,
         78}, /* of a linker's table: rip & 15 >= 11 */
    };
    for (size_t i = 0; i < TEST_COUNT(formulas); i++) {
        uint64_t result = 0;
        if (evaluate(formulas[i].bytes, formulas[i].size, &result) || result != formulas[i].result)
            fail_msg("formula %zu is %llu", i, (unsigned long long)result);
    }
}

TEST(what_is_no_formula_fails)
{
    static const struct {
        uint8_t bytes[20];
        size_t size;
    } formulas[] = {
        {{0xFF}, 1},       /* no operation */
        {{0x12}, 1},       /* one that no compiler uses */
        {{0x22}, 1},       /* too little on the stack */
        {{0x08}, 1},       /* ends too soon */
        {{0x10, 0x80}, 2}, /* the same */
#ifdef __x86_64__
        {{0x8F, 0x00}, 2}, /* a register that is not known */
#endif
        {{0x3D, 0x06}, 2}, /* an address that cannot be read */
        {{0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30},
         16}, /* deep */
    };
    for (size_t i = 0; i < TEST_COUNT(formulas); i++) {
        uint64_t result;
        if (evaluate(formulas[i].bytes, formulas[i].size, &result) == 0)
            fail_msg("formula %zu is %llu", i, (unsigned long long)result);
    }
}
