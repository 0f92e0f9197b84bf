/* Hardware counters, if STINT_COUNTERS or the program asks for them: libstint_module.so reads them
 * (model/counting.h). */
#ifndef STINT_GPU_COUNTED_LAUNCH_H
#define STINT_GPU_COUNTED_LAUNCH_H

#include "gpu/cupti.h"
#include "model/counting.h"
#include "stat/builder.h"

/* Loads the module if counters are asked for, so no lock of the dynamic linker may be held. Returns whether they are
 * counted. */
int stint_counting_start(const struct stint_cupti *cupti);

/* What the program has asked for is done by the module, once collecting has been started. Returns NULL if it cannot be
 * loaded; the reason then says why. */
const struct stint_counting *stint_counting_load(void);
const char *stint_counting_reason(void);

/* The module, if it has been loaded. */
const struct stint_counting *stint_counting(void);

/* A call of the driver that launches a kernel or a graph; `path` is that of its scope. */
void stint_counting_call(const struct stint_cupti_call *call, uint32_t path, int is_captured);

void stint_counting_collect(struct stint_builder *builder);
void stint_counting_reset(void);

/* The child counts nothing. */
void stint_counting_after_fork(void);

#endif
