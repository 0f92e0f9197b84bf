/* Doubles as text that says which one it is. */
#ifndef STINT_BASE_EXACT_H
#define STINT_BASE_EXACT_H

#include <stddef.h>

#include "base/text.h"

/* Writes a finite number so that reading it gives the same double: with 15 significant digits where these suffice, as
 * for whatever people write, else with 17; without an exponent from 1e-5 on and below 1e21. As the functions of
 * base/text.h: into STINT_NUMBER_SIZE bytes, without locale, allocation or stdio. Returns the length. What is not
 * finite is "-". */
size_t stint_number_exact(char *out, double value);

#endif
