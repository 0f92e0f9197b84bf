/* stint/detail/noted.h - one activation that has ended, for a trace. Implementation detail. */
#ifndef STINT_DETAIL_NOTED_H
#define STINT_DETAIL_NOTED_H

#include <stdint.h>

struct stint_i_noted {
    uint64_t start; /* ticks */
    uint64_t span;  /* ticks */
    uint32_t form;  /* lowest bit: not a scope, but a timer's sample, a started NVTX range, or a mark; the others: the
                          length of the text in the rows that follow (src/parts/model/recorder.h) */
    uint32_t path;  /* that of the node (src/core/contexts/path.h), written last; 0: nothing is written yet */
};

#endif
