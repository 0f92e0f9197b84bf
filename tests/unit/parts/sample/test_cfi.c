/* Call frame information that a compiler might have written, for a function of 64 bytes at 0x1000. */
#include "sample/cfi.h"

#include <string.h>

#include "stint_test.h"

enum { FRAMES_AT = 0x2000, FUNCTION_AT = 0x1000, FDE_AT = 24 };

/* Instructions that have a register's number in them. */
enum {
    OFFSET_OF_RETURN = 0x80 | STINT_CFI_RETURN,
    OFFSET_OF_FP = 0x80 | STINT_CFI_FP,
    RESTORE_FP = 0xC0 | STINT_CFI_FP
};

/* version 1, "zR", code factor 1, data factor -8, the register of the return address, pointers of 4 bytes relative to
 * themselves; the frame is at the stack pointer + 8, and the return address right below it. */
static const uint8_t s_shared[FDE_AT] = {20,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         1,
                                         'z',
                                         'R',
                                         0,
                                         1,
                                         0x78,
                                         STINT_CFI_RETURN,
                                         1,
                                         0x1B,
                                         0x0C,
                                         STINT_CFI_SP,
                                         8,
                                         OFFSET_OF_RETURN,
                                         1,
                                         0,
                                         0};

static uint8_t s_frames[128];
static int32_t s_table[1][2];

static struct stint_cfi make(const uint8_t *instructions, size_t count)
{
    uint8_t *fde = s_frames + FDE_AT;
    uint32_t length = (uint32_t)(4 + 8 + 1 + count), back = FDE_AT + 4;
    int32_t begin = FUNCTION_AT - (FRAMES_AT + FDE_AT + 8), size = 64;
    memset(s_frames, 0, sizeof s_frames);
    memcpy(s_frames, s_shared, sizeof s_shared);
    memcpy(fde, &length, 4);
    memcpy(fde + 4, &back, 4);
    memcpy(fde + 8, &begin, 4);
    memcpy(fde + 12, &size, 4);
    memcpy(fde + 17, instructions, count);
    s_table[0][0] = FUNCTION_AT;
    s_table[0][1] = FRAMES_AT + FDE_AT;
    return (struct stint_cfi){.frames = {.bytes = s_frames, .size = FDE_AT + 4 + length, .address = FRAMES_AT},
                              .table = (const int32_t(*)[2])s_table,
                              .count = 1,
                              .base = 0};
}

/* push %rbp; mov %rsp, %rbp; and, at 32, leave. */
static const uint8_t s_usual[] = {0x41,         0x0E, 16,   OFFSET_OF_FP, 2, 0x43,      0x0D,
                                  STINT_CFI_FP, 0x5C, 0x0C, STINT_CFI_SP, 8, RESTORE_FP};

TEST(a_row_is_that_of_its_place)
{
    static const struct {
        uint64_t pc;
        uint32_t reg;
        int64_t offset;
        enum stint_cfi_kind rbp;
    } rows[] = {
        {0x1000, STINT_CFI_SP, 8, STINT_CFI_SAME}, {0x1001, STINT_CFI_SP, 16, STINT_CFI_AT},
        {0x1004, STINT_CFI_FP, 16, STINT_CFI_AT},  {0x101F, STINT_CFI_FP, 16, STINT_CFI_AT},
        {0x1020, STINT_CFI_SP, 8, STINT_CFI_SAME}, {0x103F, STINT_CFI_SP, 8, STINT_CFI_SAME},
    };
    struct stint_cfi cfi = make(s_usual, sizeof s_usual);
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        struct stint_cfi_room room;
        assert_int_equal(stint_cfi_find(&cfi, rows[i].pc, &room), 0);
        assert_int_equal(room.row.reg, rows[i].reg);
        assert_int_equal(room.row.frame.offset, rows[i].offset);
        assert_int_equal(room.row.rules[STINT_CFI_FP].kind, rows[i].rbp);
        assert_int_equal(room.row.rules[STINT_CFI_RETURN].kind, STINT_CFI_AT);
        assert_int_equal(room.row.rules[STINT_CFI_RETURN].offset, -8);
        assert_false(room.row.is_signal);
    }
}

TEST(places_outside_of_functions_have_none)
{
    struct stint_cfi cfi = make(s_usual, sizeof s_usual);
    struct stint_cfi_room room;
    assert_int_equal(stint_cfi_find(&cfi, 0xFFF, &room), -1);
    assert_int_equal(stint_cfi_find(&cfi, 0x1040, &room), -1);
}

TEST(rows_are_remembered_and_recalled)
{
    static const uint8_t instructions[] = {0x41, 0x0E, 32, 0x0A, 0x48, 0x0E, 8, 0x41, 0x0B};
    struct stint_cfi cfi = make(instructions, sizeof instructions);
    struct stint_cfi_room room;
    assert_int_equal(stint_cfi_find(&cfi, 0x1009, &room), 0);
    assert_int_equal(room.row.frame.offset, 8);
    assert_int_equal(stint_cfi_find(&cfi, 0x100A, &room), 0);
    assert_int_equal(room.row.frame.offset, 32);
}

TEST(a_frame_may_be_a_formula)
{
    static const uint8_t instructions[] = {0x0F, 2, 0x77, 0x10, 0x16, STINT_CFI_FP, 1, 0x30};
    struct stint_cfi cfi = make(instructions, sizeof instructions);
    struct stint_cfi_room room;
    assert_int_equal(stint_cfi_find(&cfi, 0x1000, &room), 0);
    assert_int_equal(room.row.frame.kind, STINT_CFI_VALUE_FORMULA);
    assert_int_equal(room.row.frame.length, 2);
    assert_int_equal(s_frames[room.row.frame.offset], 0x77);
    assert_int_equal(room.row.rules[STINT_CFI_FP].kind, STINT_CFI_VALUE_FORMULA);
}

TEST(what_no_compiler_writes_is_refused)
{
    static const uint8_t unknown[] = {0x3F}, recalled[] = {0x0B}, cut[] = {0x0C, 0x07}, long_formula[] = {0x0F, 99};
    struct stint_cfi_room room;
    struct stint_cfi cfi = make(unknown, sizeof unknown);
    assert_int_equal(stint_cfi_find(&cfi, 0x1000, &room), -1);
    cfi = make(recalled, sizeof recalled);
    assert_int_equal(stint_cfi_find(&cfi, 0x1000, &room), -1);
    cfi = make(cut, sizeof cut);
    assert_int_equal(stint_cfi_find(&cfi, 0x1000, &room), -1);
    cfi = make(long_formula, sizeof long_formula);
    assert_int_equal(stint_cfi_find(&cfi, 0x1000, &room), -1);
}

/* Files may be damaged: whatever the bytes are, the search ends, and reads nothing beyond them. */
TEST(damaged_frames_do_no_harm)
{
    uint64_t random = 7;
    for (int i = 0; i < TEST_MANY(100000); i++) {
        struct stint_cfi cfi = make(s_usual, sizeof s_usual);
        struct stint_cfi_room room;
        for (int k = 0; k < 3; k++)
            s_frames[test_random(&random) % cfi.frames.size] = (uint8_t)test_random(&random);
        (void)stint_cfi_find(&cfi, FUNCTION_AT + test_random(&random) % 64, &room);
    }
}
