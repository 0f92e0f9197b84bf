/* The formulas of DWARF, as far as compilers and linkers use them to find frames. */
#include "sample/cfi_reader.h"

enum { DEPTH = 16 };

struct formula {
    struct stint_cfi_reader reader;
    const uint64_t *registers;
    stint_cfi_read_fn *read;
    void *context;
    uint64_t stack[DEPTH];
    size_t count;
};

static void push(struct formula *formula, uint64_t value)
{
    if (formula->count == DEPTH)
        formula->reader.failed = 1;
    else
        formula->stack[formula->count++] = value;
}

static uint64_t pop(struct formula *formula)
{
    if (formula->count)
        return formula->stack[--formula->count];
    formula->reader.failed = 1;
    return 0;
}

static void push_register(struct formula *formula, unsigned reg)
{
    uint64_t offset = (uint64_t)stint_cfi_sleb(&formula->reader);
    if (reg < STINT_CFI_REGISTERS)
        push(formula, formula->registers[reg] + offset);
    else
        formula->reader.failed = 1;
}

static void dereference(struct formula *formula)
{
    uint64_t word = 0;
    if (formula->read(formula->context, pop(formula), &word))
        formula->reader.failed = 1;
    push(formula, word);
}

static void push_constant(struct formula *formula, unsigned operation)
{
    struct stint_cfi_reader *reader = &formula->reader;
    switch (operation) {
    case 0x08:
        push(formula, stint_cfi_fixed(reader, 1));
        break;
    case 0x09:
        push(formula, (uint64_t)(int64_t)(int8_t)stint_cfi_fixed(reader, 1));
        break;
    case 0x0A:
        push(formula, stint_cfi_fixed(reader, 2));
        break;
    case 0x0B:
        push(formula, (uint64_t)(int64_t)(int16_t)stint_cfi_fixed(reader, 2));
        break;
    case 0x10:
        push(formula, stint_cfi_uleb(reader));
        break;
    case 0x11:
        push(formula, (uint64_t)stint_cfi_sleb(reader));
        break;
    default:
        reader->failed = 1;
    }
}

static void combine(struct formula *formula, unsigned operation)
{
    uint64_t b = pop(formula), a = pop(formula);
    switch (operation) {
    case 0x1A:
        push(formula, a & b);
        break;
    case 0x1C:
        push(formula, a - b);
        break;
    case 0x21:
        push(formula, a | b);
        break;
    case 0x22:
        push(formula, a + b);
        break;
    case 0x24:
        push(formula, b < 64 ? a << b : 0);
        break;
    case 0x25:
        push(formula, b < 64 ? a >> b : 0);
        break;
    case 0x2A:
        push(formula, (int64_t)a >= (int64_t)b);
        break;
    default:
        formula->reader.failed = 1;
    }
}

static void operate(struct formula *formula, unsigned operation)
{
    enum { DEREFERENCE = 0x06, PLUS_CONSTANT = 0x23, LITERAL = 0x30, REGISTER = 0x70, REGISTERS_END = 0x90 };

    if (operation >= LITERAL && operation < LITERAL + 32)
        push(formula, operation - LITERAL);
    else if (operation >= REGISTER && operation < REGISTERS_END)
        push_register(formula, operation - REGISTER);
    else if (operation == DEREFERENCE)
        dereference(formula);
    else if (operation == PLUS_CONSTANT)
        push(formula, pop(formula) + stint_cfi_uleb(&formula->reader));
    else if (operation < 0x12)
        push_constant(formula, operation);
    else
        combine(formula, operation);
}

int stint_cfi_evaluate(const struct stint_cfi *cfi, const struct stint_cfi_rule *rule, const uint64_t *registers,
                       uint64_t first, stint_cfi_read_fn *read, void *context, uint64_t *result)
{
    struct formula formula = {
        .reader = stint_cfi_reader(&cfi->frames, (size_t)rule->offset, (size_t)rule->offset + rule->length),
        .registers = registers,
        .read = read,
        .context = context,
        .stack = {first},
        .count = 1,
    };
    while (!formula.reader.failed && formula.reader.at < formula.reader.end)
        operate(&formula, (unsigned)stint_cfi_fixed(&formula.reader, 1));
    *result = pop(&formula);
    return formula.reader.failed ? -1 : 0;
}
