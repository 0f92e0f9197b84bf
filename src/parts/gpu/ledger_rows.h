/* Converts the ledger's tables to the rows of a snapshot. */
#ifndef STINT_GPU_LEDGER_ROWS_H
#define STINT_GPU_LEDGER_ROWS_H

#include "stat/builder.h"

/* Adds all rows. Under the ledger's lock, except in an emergency. */
void stint_ledger_add_rows(struct stint_builder *builder);

#endif
