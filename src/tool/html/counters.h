/* Hardware counters on the page: of each kernel the verdict, the most important numbers, and the lines of the report
 * "counters"; sums of scopes. */
#ifndef STINT_HTML_COUNTERS_H
#define STINT_HTML_COUNTERS_H

#include "html/string_table.h"
#include "report/json.h"
#include "stint/snapshot.h"

/* Writes the objects "counters" and "counter_scopes", which have no rows if nothing was counted. */
void stint_html_counters_put(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                             struct stint_json *json);

#endif
