/* Converts CUPTI's records for the ledger. CUPTI's layouts change from version to version; what the ledger receives
 * does not. */
#ifndef STINT_GPU_DECODE_H
#define STINT_GPU_DECODE_H

#include <stdint.h>

#include "gpu/cupti.h"

/* Records before 11.0 have other layouts. */
enum { STINT_DECODE_OLDEST_VERSION = 13 };

/* Sets the version of CUPTI that the records come from (struct stint_cupti). */
void stint_decode_start(uint32_t version);

/* Whether records of unified memory are added from now on. At first they are not. */
void stint_decode_count_moves(int counted);

/* Whether there has been one. */
int stint_decode_has_moves(void);

/* Adds one record to the ledger, under the ledger's lock. Returns 0, or -1 for a record that is not understood, which
 * is counted. */
int stint_decode(const struct stint_cupti_record *record);

#endif
