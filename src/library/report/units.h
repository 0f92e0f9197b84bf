/* Times for people: one unit per column, or one that suits a single value. */
#ifndef STINT_REPORT_UNITS_H
#define STINT_REPORT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/report.h"

/* In all but stint_unit_wanted a unit is one of time: neither of STINT_UNIT_AUTO and STINT_UNIT_COLUMN. */

/* Returns "ns", "us", "ms" or "s". */
const char *stint_unit_name(enum stint_time_unit unit);

/* Returns the nanoseconds of one. */
uint64_t stint_unit_ns(enum stint_time_unit unit);

/* Returns `wanted`, if it is a unit of time, else `chosen`. */
enum stint_time_unit stint_unit_wanted(enum stint_time_unit wanted, enum stint_time_unit chosen);

/* Chooses the unit for columns of times whose least (other than 0) and greatest are given: the greatest is to read
 * well, and the least is to have three digits unless that would make the greatest too long. */
enum stint_time_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns);

/* The two below write into `out` (STINT_NUMBER_SIZE bytes), NUL-terminated, and return the length. */

/* A table's cell: three decimals; below 0.010 three more, and again, so that a short time among long ones keeps its
 * digits down to the nanosecond. None in ns. */
size_t stint_unit_format(char *out, enum stint_time_unit unit, uint64_t ns);

/* A single time with its unit: "1.234 s", "24.1 us", "8.3 ns". */
size_t stint_time_format(char *out, double ns);

#endif
