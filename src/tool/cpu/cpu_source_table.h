/* Functions line by line, for people. */
#ifndef STINT_CPU_CPU_SOURCE_TABLE_H
#define STINT_CPU_CPU_SOURCE_TABLE_H

#include "base/text.h"
#include "cpu/cpu_source.h"
#include "stint/report.h"

/* Reads and writes the first of them, as many as the layout says, and says how many more there are. Returns 0, or -1
 * without memory. */
int stint_cpu_sources_put(struct stint_cpu_profile *profile, const struct stint_array *sources, const char *folder,
                          const struct stint_layout *layout, struct stint_text *text);

#endif
