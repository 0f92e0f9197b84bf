/* Fields as in RFC 4180, for formats that quote only the fields that need it. */
#ifndef STINT_REPORT_CSV_H
#define STINT_REPORT_CSV_H

#include "base/text.h"

/* Writes a field, in quotation marks if it needs them. */
void stint_csv_field(struct stint_text *text, const char *field);

#endif
