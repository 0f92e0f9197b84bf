/* Dictionaries of Python that pyprof.init() pushes as ranges, as data: nothing in them is evaluated. */
#ifndef STINT_OP_MARKER_H
#define STINT_OP_MARKER_H

#include "op/operation.h"

/* Lists and dictionaries nested deeper than this are not read. */
enum { STINT_OP_MARKER_DEPTH = 16 };

/* Reads a dictionary into an operation that says nothing yet. Returns its kind: plain if it is none of PyProf's, or not
 * well formed, or if there is no memory. */
enum stint_op_kind stint_marker_read(struct stint_operation *operation, const char *text, size_t length);

#endif
