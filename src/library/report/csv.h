/* Fields of RFC 4180, for the formats that quote where they must. */
#ifndef STINT_REPORT_CSV_H
#define STINT_REPORT_CSV_H

#include "base/text.h"

/* Writes a field, in quotation marks if it needs them. */
void stint_csv_field(struct stint_text *text, const char *field);

#endif
