/* Times for people: one unit per column, or one that suits a single value. */
#ifndef STINT_REPORT_UNITS_H
#define STINT_REPORT_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum stint_unit { STINT_UNIT_NS, STINT_UNIT_US, STINT_UNIT_MS, STINT_UNIT_S };

/* Returns "ns", "us", "ms" or "s". */
const char *stint_unit_name(enum stint_unit unit);

/* Chooses the unit for columns of times whose least (other than 0) and greatest are given: the greatest is to read
 * well, and the least is to have three digits unless that would make the greatest too long. */
enum stint_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns);

/* The two below write into `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and return the length. */

/* A table's cell: three decimals; below 0.010 three more, and again, so that a short time among long ones keeps its
 * digits down to the nanosecond. None in ns. */
size_t stint_unit_format(char *out, enum stint_unit unit, uint64_t ns);

/* A single time with its unit: "1.234 s", "24.1 us", "8.3 ns". */
size_t stint_time_format(char *out, double ns);

#endif
