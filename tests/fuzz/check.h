/* Whether what was written is well-formed, told by code that is not stint's. Each ends the program if it is not. */
#ifndef STINT_TESTS_FUZZ_CHECK_H
#define STINT_TESTS_FUZZ_CHECK_H

#include "fuzz.h"

void check_json(const struct output *output);     /* by SQLite */
void check_xml(const struct output *output);      /* elements are closed as they were opened */
void check_csv(const struct output *output);      /* each record has as many fields as the first one */
void check_protobuf(const struct output *output); /* a sequence of fields that ends where the file ends */

/* How often the text is in it. */
size_t count_of(const struct output *output, const char *text);

#endif
