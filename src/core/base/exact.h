/* Writes doubles as text that reads back as the same double. */
#ifndef STINT_BASE_EXACT_H
#define STINT_BASE_EXACT_H

#include <stddef.h>

#include "base/text.h"

/* Writes a finite number so that reading it gives the same double: with 15 significant digits if these suffice, as they
 * do for whatever people write, otherwise with 17; without an exponent from 1e-5 on and below 1e21. Like the functions
 * of base/text.h, it writes into STINT_NUMBER_SIZE bytes, without locale, allocation or stdio, and returns the length.
 * A value that is not finite becomes "-". */
size_t stint_number_exact(char *out, double value);

#endif
