/* Call frame information: what .eh_frame says of how a function's caller is found. All of it is read from copies, so
 * that code may be unloaded meanwhile, and nothing in it is trusted. Async-signal-safe. */
#ifndef STINT_SAMPLE_CFI_H
#define STINT_SAMPLE_CFI_H

#include "sample/machine.h"

/* Bytes that were at `address` in the process. */
struct stint_cfi_bytes {
    const uint8_t *bytes;
    size_t size;
    uint64_t address;
};

/* A module's .eh_frame, and the table in .eh_frame_hdr: pairs of distances from `base`, of a function's begin and of
 * its description, by rising begin. */
struct stint_cfi {
    struct stint_cfi_bytes frames;
    const int32_t (*table)[2];
    size_t count;
    uint64_t base;
};

enum stint_cfi_kind {
    STINT_CFI_SAME,       /* the caller has the same value */
    STINT_CFI_UNDEFINED,  /* the caller's value is lost; of the return address: there is no caller */
    STINT_CFI_AT,         /* it is at `offset` from the frame's address */
    STINT_CFI_VALUE,      /* it is the frame's address and `offset` */
    STINT_CFI_REGISTER,   /* it is in the register number `offset` */
    STINT_CFI_AT_FORMULA, /* it is at the address that a formula says */
    STINT_CFI_VALUE_FORMULA
};

struct stint_cfi_rule {
    enum stint_cfi_kind kind;
    uint32_t length; /* of the formula, which begins at `offset` in the frames */
    int64_t offset;
};

/* How to find the caller of a place in the code. The frame's address is register `reg` and `offset`, or a formula. */
struct stint_cfi_row {
    struct stint_cfi_rule frame; /* STINT_CFI_VALUE or STINT_CFI_VALUE_FORMULA */
    uint32_t reg;
    int is_signal; /* the caller was interrupted by a signal: its registers are in a ucontext_t */
    struct stint_cfi_rule rules[STINT_CFI_REGISTERS];
};

/* Room to work in, which is too much for a signal handler's stack. */
struct stint_cfi_room {
    struct stint_cfi_row row;
    struct stint_cfi_row initial;
    struct stint_cfi_row remembered[6];
};

/* Finds the row of a place into room->row. Returns 0, or -1 if there is none. */
int stint_cfi_find(const struct stint_cfi *cfi, uint64_t pc, struct stint_cfi_room *room);

/* Reads a word of the thread's stack. Returns 0, or -1. */
typedef int stint_cfi_read_fn(void *context, uint64_t address, uint64_t *word);

/* Works out a formula, on top of `first`. Returns 0, or -1 if it is none that stint knows. */
int stint_cfi_evaluate(const struct stint_cfi *cfi, const struct stint_cfi_rule *rule, const uint64_t *registers,
                       uint64_t first, stint_cfi_read_fn *read, void *context, uint64_t *result);

#endif
