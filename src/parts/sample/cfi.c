/* Runs DWARF's instructions for one place in the code, from the function's description in .eh_frame to the row that
 * says where its caller's registers are. Compilers wrote them, but files may be damaged: every read is checked, and
 * loops are bounded. */
#include "sample/cfi.h"

#include <string.h>

#include "sample/cfi_reader.h"

/* The parts of a CIE, which several functions share, and of an FDE, which describes one. */
struct description {
    uint64_t code_factor;
    int64_t data_factor;
    uint64_t begin;
    uint64_t end;
    uint8_t encoding; /* of begin and end */
    int is_signal;
    int has_data;                   /* of the augmentation */
    struct stint_cfi_reader shared; /* instructions of the CIE */
    struct stint_cfi_reader own;
};

/* ---------------------------------------------------------------------------------------------------------- finding */

/* Returns where the description of the function that contains `pc` may be, in the frames; SIZE_MAX: nowhere. */
static size_t search(const struct stint_cfi *cfi, uint64_t pc)
{
    size_t low = 0, high = cfi->count;
    int64_t distance = (int64_t)(pc - cfi->base);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cfi->table[middle][0] <= distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (size_t)(cfi->base + (uint64_t)(int64_t)cfi->table[low - 1][1] - cfi->frames.address) : SIZE_MAX;
}

/* A reader of the entry at `at`, behind its length. */
static struct stint_cfi_reader entry_at(const struct stint_cfi *cfi, size_t at)
{
    struct stint_cfi_reader reader = stint_cfi_reader(&cfi->frames, at, cfi->frames.size);
    uint64_t length = stint_cfi_fixed(&reader, 4);
    if (length == UINT32_MAX)
        length = stint_cfi_fixed(&reader, 8);
    if (reader.failed || length > reader.end - reader.at)
        reader.failed = 1;
    else
        reader.end = reader.at + length;
    return reader;
}

/* ----------------------------------------------------------------------------------------------------- descriptions */

static void read_augmentation(struct stint_cfi_reader *reader, struct description *description, const char *letters)
{
    for (; *letters; letters++)
        switch (*letters) {
        case 'z':
            description->has_data = 1;
            (void)stint_cfi_uleb(reader);
            break;
        case 'R':
            description->encoding = (uint8_t)stint_cfi_fixed(reader, 1);
            break;
        case 'P': {
            uint8_t encoding = (uint8_t)stint_cfi_fixed(reader, 1);

            (void)stint_cfi_pointer(reader, encoding);
            break;
        }
        case 'L':
            (void)stint_cfi_fixed(reader, 1);
            break;
        case 'S':
            description->is_signal = 1;
            break;
        default:
            reader->failed = *letters != 'B';
            return;
        }
}

static int read_shared(const struct stint_cfi *cfi, size_t at, struct description *description)
{
    struct stint_cfi_reader reader = entry_at(cfi, at);
    char letters[8] = "";
    if (stint_cfi_fixed(&reader, 4))
        return -1; /* not a CIE */
    uint64_t version = stint_cfi_fixed(&reader, 1);
    for (size_t i = 0; i < sizeof letters; i++)
        if (!(letters[i] = (char)stint_cfi_fixed(&reader, 1)))
            break;
    if (letters[sizeof letters - 1])
        return -1;
    description->code_factor = stint_cfi_uleb(&reader);
    description->data_factor = stint_cfi_sleb(&reader);
    uint64_t back = version == 1 ? stint_cfi_fixed(&reader, 1) : stint_cfi_uleb(&reader);
    size_t data_end = 0;
    if (letters[0] == 'z') {
        struct stint_cfi_reader length = reader;
        uint64_t size = stint_cfi_uleb(&length);
        if (length.failed || size > length.end - length.at)
            return -1;
        data_end = length.at + (size_t)size;
    }
    read_augmentation(&reader, description, letters);
    if (data_end)
        reader.at = data_end;
    description->shared = reader;
    return reader.failed || back != STINT_CFI_RETURN ? -1 : 0;
}

static int read_description(const struct stint_cfi *cfi, size_t at, struct description *description)
{
    struct stint_cfi_reader reader = entry_at(cfi, at);
    size_t here = reader.at;
    uint64_t back = stint_cfi_fixed(&reader, 4);
    *description = (struct description){0};
    if (reader.failed || !back || back > here || read_shared(cfi, here - (size_t)back, description))
        return -1;
    description->begin = stint_cfi_pointer(&reader, description->encoding);
    description->end = description->begin + stint_cfi_pointer(&reader, description->encoding & 0x0F);
    if (description->has_data) {
        uint64_t size = stint_cfi_uleb(&reader);
        if (reader.failed || size > reader.end - reader.at)
            return -1;
        reader.at += (size_t)size;
    }
    description->own = reader;
    return reader.failed ? -1 : 0;
}

/* ----------------------------------------------------------------------------------------------------- instructions */

struct run {
    const struct description *description;
    struct stint_cfi_room *room;
    uint64_t location;
    uint64_t pc;
    size_t remembered;
};

static void set(struct run *run, uint64_t reg, enum stint_cfi_kind kind, int64_t offset)
{
    if (reg < STINT_CFI_REGISTERS)
        run->room->row.rules[reg] = (struct stint_cfi_rule){.kind = kind, .offset = offset};
}

/* A block: its length, and then bytes. */
static struct stint_cfi_rule formula(struct stint_cfi_reader *reader, enum stint_cfi_kind kind)
{
    uint64_t length = stint_cfi_uleb(reader);
    struct stint_cfi_rule rule = {.kind = kind, .length = (uint32_t)length, .offset = (int64_t)reader->at};
    if (reader->failed || length > reader->end - reader->at)
        reader->failed = 1;
    else
        reader->at += (size_t)length;
    return rule;
}

static void set_formula(struct run *run, struct stint_cfi_reader *reader, enum stint_cfi_kind kind)
{
    uint64_t reg = stint_cfi_uleb(reader);
    struct stint_cfi_rule rule = formula(reader, kind);
    if (reg < STINT_CFI_REGISTERS)
        run->room->row.rules[reg] = rule;
}

static void restore(struct run *run, uint64_t reg)
{
    if (reg < STINT_CFI_REGISTERS)
        run->room->row.rules[reg] = run->room->initial.rules[reg];
}

static void set_frame(struct run *run, uint64_t reg, int64_t offset)
{
    run->room->row.frame = (struct stint_cfi_rule){.kind = STINT_CFI_VALUE, .offset = offset};
    run->room->row.reg = (uint32_t)reg;
}

static void remember(struct run *run, struct stint_cfi_reader *reader)
{
    if (run->remembered < sizeof run->room->remembered / sizeof run->room->remembered[0])
        run->room->remembered[run->remembered++] = run->room->row;
    else
        reader->failed = 1;
}

static void recall(struct run *run, struct stint_cfi_reader *reader)
{
    if (run->remembered)
        run->room->row = run->room->remembered[--run->remembered];
    else
        reader->failed = 1;
}

static void advance(struct run *run, uint64_t by)
{
    run->location += by * run->description->code_factor;
}

/* Instructions of DWARF that are a whole byte. */
enum {
    SET_LOCATION = 1,
    ADVANCE_1,
    ADVANCE_2,
    ADVANCE_4,
    OFFSET_EXTENDED,
    RESTORE_EXTENDED,
    UNDEFINED,
    SAME_VALUE,
    REGISTER,
    REMEMBER,
    RECALL,
    DEFINE_FRAME,
    DEFINE_FRAME_REGISTER,
    DEFINE_FRAME_OFFSET,
    DEFINE_FRAME_FORMULA,
    FORMULA,
    OFFSET_SIGNED,
    DEFINE_FRAME_SIGNED,
    DEFINE_FRAME_OFFSET_SIGNED,
    VALUE_OFFSET,
    VALUE_OFFSET_SIGNED,
    VALUE_FORMULA,
    NEGATE_RETURN_STATE = 0x2D, /* on aarch64: whether the return address is signed */
    ARGUMENTS_SIZE = 0x2E,
    OFFSET_NEGATIVE = 0x2F
};

/* A product that is too large wraps: the file is wrong, and the offset leads nowhere. */
static int64_t times(uint64_t number, int64_t factor)
{
    return (int64_t)(number * (uint64_t)factor);
}

static void define_frame(struct run *run, struct stint_cfi_reader *reader, unsigned instruction)
{
    int64_t factor = run->description->data_factor;
    uint64_t reg = run->room->row.reg;
    if (instruction == DEFINE_FRAME || instruction == DEFINE_FRAME_SIGNED || instruction == DEFINE_FRAME_REGISTER)
        reg = stint_cfi_uleb(reader);
    switch (instruction) {
    case DEFINE_FRAME:
    case DEFINE_FRAME_OFFSET:
        set_frame(run, reg, (int64_t)stint_cfi_uleb(reader));
        break;
    case DEFINE_FRAME_SIGNED:
    case DEFINE_FRAME_OFFSET_SIGNED:
        set_frame(run, reg, times((uint64_t)stint_cfi_sleb(reader), factor));
        break;
    case DEFINE_FRAME_REGISTER:
        run->room->row.reg = (uint32_t)reg;
        break;
    default:
        run->room->row.frame = formula(reader, STINT_CFI_VALUE_FORMULA);
    }
}

static void set_rule(struct run *run, struct stint_cfi_reader *reader, unsigned instruction)
{
    int64_t factor = run->description->data_factor;
    uint64_t reg = stint_cfi_uleb(reader);
    switch (instruction) {
    case OFFSET_EXTENDED:
        set(run, reg, STINT_CFI_AT, times(stint_cfi_uleb(reader), factor));
        break;
    case OFFSET_SIGNED:
        set(run, reg, STINT_CFI_AT, times((uint64_t)stint_cfi_sleb(reader), factor));
        break;
    case OFFSET_NEGATIVE:
        set(run, reg, STINT_CFI_AT, times(-stint_cfi_uleb(reader), factor));
        break;
    case VALUE_OFFSET:
        set(run, reg, STINT_CFI_VALUE, times(stint_cfi_uleb(reader), factor));
        break;
    case VALUE_OFFSET_SIGNED:
        set(run, reg, STINT_CFI_VALUE, times((uint64_t)stint_cfi_sleb(reader), factor));
        break;
    case REGISTER:
        set(run, reg, STINT_CFI_REGISTER, (int64_t)stint_cfi_uleb(reader));
        break;
    case RESTORE_EXTENDED:
        restore(run, reg);
        break;
    default:
        set(run, reg, instruction == UNDEFINED ? STINT_CFI_UNDEFINED : STINT_CFI_SAME, 0);
    }
}

static void run_byte(struct run *run, struct stint_cfi_reader *reader, unsigned instruction)
{
    switch (instruction) {
    case 0:
    case NEGATE_RETURN_STATE:
        break;
    case SET_LOCATION:
        run->location = stint_cfi_pointer(reader, run->description->encoding);
        break;
    case ADVANCE_1:
    case ADVANCE_2:
    case ADVANCE_4:
        advance(run, stint_cfi_fixed(reader, 1u << (instruction - ADVANCE_1)));
        break;
    case REMEMBER:
        remember(run, reader);
        break;
    case RECALL:
        recall(run, reader);
        break;
    case FORMULA:
        set_formula(run, reader, STINT_CFI_AT_FORMULA);
        break;
    case VALUE_FORMULA:
        set_formula(run, reader, STINT_CFI_VALUE_FORMULA);
        break;
    case DEFINE_FRAME:
    case DEFINE_FRAME_REGISTER:
    case DEFINE_FRAME_OFFSET:
    case DEFINE_FRAME_FORMULA:
    case DEFINE_FRAME_SIGNED:
    case DEFINE_FRAME_OFFSET_SIGNED:
        define_frame(run, reader, instruction);
        break;
    case ARGUMENTS_SIZE:
        (void)stint_cfi_uleb(reader);
        break;
    default:
        if (instruction > VALUE_FORMULA && instruction != OFFSET_NEGATIVE)
            reader->failed = 1;
        else
            set_rule(run, reader, instruction);
    }
}

/* Runs instructions up to those for a place behind `pc`. */
static int run_all(struct run *run, struct stint_cfi_reader reader)
{
    while (reader.at < reader.end && !reader.failed && run->location <= run->pc) {
        unsigned instruction = (unsigned)stint_cfi_fixed(&reader, 1), low = instruction & 0x3F;
        switch (instruction >> 6) {
        case 1:
            advance(run, low);
            break;
        case 2:
            set(run, low, STINT_CFI_AT, times(stint_cfi_uleb(&reader), run->description->data_factor));
            break;
        case 3:
            restore(run, low);
            break;
        default:
            run_byte(run, &reader, low);
        }
    }
    return reader.failed ? -1 : 0;
}

int stint_cfi_find(const struct stint_cfi *cfi, uint64_t pc, struct stint_cfi_room *room)
{
    struct description description;
    size_t at = search(cfi, pc);
    if (at >= cfi->frames.size || read_description(cfi, at, &description) || pc < description.begin ||
        pc >= description.end)
        return -1;
    struct run run = {.description = &description, .room = room, .location = description.begin, .pc = pc};
    memset(&room->row, 0, sizeof room->row);
    room->row.is_signal = description.is_signal;
    if (run_all(&run, description.shared))
        return -1;
    room->initial = room->row;
    return run_all(&run, description.own);
}
