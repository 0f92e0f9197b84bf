/* Kernels that do one thing as fast as a device can, as text in PTX, which the driver compiles for the device. */
#ifndef STINT_CEILING_CEILING_CODE_H
#define STINT_CEILING_CEILING_CODE_H

#include <stddef.h>

#include "ceiling/ceilings.h"

enum { STINT_CODE_SIZE = 65536, STINT_CODE_ITEMS = 4, STINT_CODE_ITEM_BYTES = 16 };

/* Its entry has four parameters: the addresses of what it reads and of what it writes, the number of items that it
 * moves, and how often it does all of it. */
#define STINT_CODE_ENTRY "work"

struct stint_code {
    enum stint_ceiling ceiling;
    unsigned least, most; /* compute capabilities that it runs on: 80, 90 */
    unsigned block;       /* threads */
    unsigned blocks;      /* on a multiprocessor */
    double amount;        /* bytes of an item, or FLOPs of a thread each time */
};

/* Returns the kernel at a position, or NULL behind the last. Several may have the same ceiling: the fastest counts. */
const struct stint_code *stint_code_at(size_t index);

/* Writes its text. */
void stint_code_write(const struct stint_code *code, char text[STINT_CODE_SIZE]);

#endif
