/* Rows of call frame information that are simple, as nearly all are, by place in the code: finding them anew takes a
 * hundred times longer. Threads use the table at the same time, without a lock. Async-signal-safe. */
#ifndef STINT_SAMPLE_ROW_CACHE_H
#define STINT_SAMPLE_ROW_CACHE_H

#include "sample/cfi.h"

/* The registers that functions save for their callers. */
enum { STINT_SHORT_REGISTERS = 6 };
extern const uint8_t stint_short_registers[STINT_SHORT_REGISTERS];

/* The frame's address is a register and an offset, and the return address is just below it. */
struct stint_short_row {
    int32_t offset;
    uint8_t reg;
    uint8_t saved[STINT_SHORT_REGISTERS]; /* so many words below the frame's address; 0: the register is unchanged */
};

/* Returns whether the row of a place is known. `salt` is another one for each set of loaded modules. */
int stint_row_cache_find(uint64_t salt, uint64_t pc, struct stint_short_row *row);

/* Notes a row if it is simple, and returns whether it is; then it is in `brief`. */
int stint_row_cache_put(uint64_t salt, uint64_t pc, const struct stint_cfi_row *row, struct stint_short_row *brief);

#endif
