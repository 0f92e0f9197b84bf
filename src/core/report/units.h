/* Times for people: one unit per column, or a suitable unit for a single value. */
#ifndef STINT_REPORT_UNITS_H
#define STINT_REPORT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "stint/report.h"

/* Except in stint_unit_wanted, a unit must be a unit of time, that is, neither STINT_UNIT_AUTO nor
 * STINT_UNIT_COLUMN. */

/* Returns "ns", "us", "ms" or "s". */
const char *stint_unit_name(enum stint_time_unit unit);

/* Returns the unit's length in nanoseconds. */
uint64_t stint_unit_ns(enum stint_time_unit unit);

/* Returns `wanted`, if it is a unit of time, else `chosen`. */
enum stint_time_unit stint_unit_wanted(enum stint_time_unit wanted, enum stint_time_unit chosen);

/* Chooses the unit of columns of times from their least (other than 0) and greatest time: the greatest should be easy
 * to read, and the least should have three digits unless that makes the greatest too long. */
enum stint_time_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns);

/* The next two functions write to `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and return the length. */

/* A table's cell. It has three decimals; below 0.010 it has three more, and so on, so that a short time among long ones
 * keeps its digits down to the nanosecond. No decimals in ns. */
size_t stint_unit_format(char *out, enum stint_time_unit unit, uint64_t ns);

/* A single time with its unit: "1.234 s", "24.1 us", "8.3 ns". */
size_t stint_time_format(char *out, double ns);

/* The same as a text that lives as long as the expression that it is in. */
struct stint_time_text {
    char text[STINT_NUMBER_SIZE];
};
struct stint_time_text stint_time_text(double ns);

#endif
