/* Rows of call frame information that are simple, kept by place in the code in a table that threads share without a
 * lock. */
#include "sample/walk.h"

#include <string.h>

#include "base/arena.h"

enum { WORD = 8 };

/* A row goes to one of the first slots, or, if another row is there, to one of all: few rows take one page. */
enum { SLOTS = 1 << 12, FIRST_SLOTS = 1 << 7 };

#if defined(__x86_64__)
const uint8_t stint_short_registers[STINT_SHORT_REGISTERS] = {3, 12, 13, 14, 15, STINT_CFI_FP};
#else
const uint8_t stint_short_registers[STINT_SHORT_REGISTERS] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, STINT_CFI_FP};
#endif

/* What two threads write at the same time may be mixed. Then the words do not add up to the key. */
static struct slot {
    uint64_t check; /* the key, exclusive or both words of the row */
    uint64_t row[2];
} s_slots[SLOTS];

_Static_assert(sizeof(struct stint_short_row) <= sizeof s_slots[0].row, "a row does not fit into a slot");

static struct slot read_slot(const struct slot *slot)
{
    return (struct slot){
        __atomic_load_n(&slot->check, __ATOMIC_RELAXED),
        {__atomic_load_n(&slot->row[0], __ATOMIC_RELAXED), __atomic_load_n(&slot->row[1], __ATOMIC_RELAXED)}};
}

/* Returns the key of the row there, 0 if there is none. */
static uint64_t key_of(const struct slot *seen)
{
    return seen->check ^ seen->row[0] ^ seen->row[1];
}

int stint_row_cache_find(uint64_t salt, uint64_t pc, struct stint_short_row *row)
{
    uint64_t key = pc ^ salt, hash = stint_hash_mix(key, 0);
    struct slot seen = read_slot(&s_slots[hash % FIRST_SLOTS]);
    if (key_of(&seen) && key_of(&seen) != key)
        seen = read_slot(&s_slots[hash % SLOTS]);
    memcpy(row, seen.row, sizeof *row);
    return key_of(&seen) == key;
}

/* Returns whether the rule of a register that the row has no room for can be left out: the register is not saved. */
static int is_left_out(const struct stint_cfi_row *row, size_t reg)
{
    return row->rules[reg].kind == STINT_CFI_SAME || row->rules[reg].kind == STINT_CFI_UNDEFINED;
}

static int is_below(const struct stint_cfi_rule *rule, int64_t most)
{
    return rule->kind == STINT_CFI_AT && rule->offset < 0 && rule->offset >= -most * WORD && rule->offset % WORD == 0;
}

static int shorten(const struct stint_cfi_row *row, struct stint_short_row *brief)
{
    const struct stint_cfi_rule *back = &row->rules[STINT_CFI_RETURN];
    uint64_t done = UINT64_C(1) << STINT_CFI_RETURN;
    memset(brief, 0, sizeof *brief);
    if (row->frame.kind != STINT_CFI_VALUE || row->reg >= STINT_CFI_PC || row->frame.offset > INT32_MAX ||
        row->frame.offset < INT32_MIN)
        return 0;
    brief->offset = (int32_t)row->frame.offset;
    brief->reg = (uint8_t)row->reg;
    for (size_t i = 0; i < STINT_SHORT_REGISTERS; i++) {
        const struct stint_cfi_rule *rule = &row->rules[stint_short_registers[i]];
        done |= UINT64_C(1) << stint_short_registers[i];
        if (is_below(rule, UINT8_MAX))
            brief->saved[i] = (uint8_t)(-rule->offset / WORD);
        else if (rule->kind != STINT_CFI_SAME)
            return 0;
    }
    if (!is_below(back, UINT8_MAX) || -back->offset / WORD != stint_short_return(brief->saved))
        return 0;
    for (size_t i = 0; i < STINT_CFI_REGISTERS; i++)
        if (!(done >> i & 1) && !is_left_out(row, i))
            return 0;
    return 1;
}

int stint_row_cache_put(uint64_t salt, uint64_t pc, const struct stint_cfi_row *row, struct stint_short_row *brief)
{
    uint64_t key = pc ^ salt, hash = stint_hash_mix(key, 0);
    struct slot *slot = &s_slots[hash % FIRST_SLOTS], seen = read_slot(slot);
    uint64_t words[2] = {0, 0};
    if (!shorten(row, brief))
        return 0;
    if (key_of(&seen))
        slot = &s_slots[hash % SLOTS];
    memcpy(words, brief, sizeof *brief);
    __atomic_store_n(&slot->check, key ^ words[0] ^ words[1], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->row[0], words[0], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->row[1], words[1], __ATOMIC_RELAXED);
    return 1;
}
