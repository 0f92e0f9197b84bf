/* From CUPTI's records to the ledger. CUPTI's layouts change from version to version; what comes out here does not. */
#ifndef STINT_GPU_DECODE_H
#define STINT_GPU_DECODE_H

#include <stdint.h>

#include "gpu/cupti.h"

/* Records before 11.0 have other layouts. */
enum { STINT_DECODE_OLDEST_VERSION = 13 };

/* Says which version of CUPTI the records are of (struct stint_cupti). */
void stint_decode_start(uint32_t version);

/* Brings one record to the ledger, under its lock. Returns 0; -1, and the ledger counts it, if it is not understood. */
int stint_decode(const struct stint_cupti_record *record);

#endif
