/* Reads a trace of Perfetto back, by what of its public .proto files stint writes: as text, and event by event. */
#ifndef STINT_TESTS_EXPORT_PERFETTO_TEXT_H
#define STINT_TESTS_EXPORT_PERFETTO_TEXT_H

#include "report/golden.h"

/* Returns the trace as text, a field a line. Fails the test if it is not well-formed, or has a field that is not
 * known. */
struct capture perfetto_text(const struct capture *trace);

#endif
