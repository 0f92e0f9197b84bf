/* What CUPTI itself takes, of which programs know nothing. */
#ifndef STINT_CLI_CUPTI_COST_H
#define STINT_CLI_CUPTI_COST_H

#include "stint/snapshot.h"

/* Fills in what stint doctor --measure found, if the snapshot is of this host and does not have it yet. */
void stint_cupti_cost_fill(struct stint_snapshot *snapshot);

#endif
