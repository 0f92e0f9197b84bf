/* Reports of format "stint-report" (docs/formats.md), read back into the snapshot that they were written from. */
#ifndef STINT_IMPORT_READ_JSON_H
#define STINT_IMPORT_READ_JSON_H

#include <stddef.h>

#include "stint/snapshot.h"

/* Why a text cannot be read. */
struct stint_import_error {
    size_t line; /* from 1; 0: the text as a whole */
    char reason[160];
};

/* Reads a report: `length` bytes, with a NUL behind them. Free the snapshot with stint_snapshot_free.
 *
 * Returns STINT_OK; STINT_ERROR_INVALID_ARGUMENT: this is no such report, or what it says cannot be, `error` says why;
 * STINT_ERROR_NO_MEMORY. Then *snapshot is NULL. The locale's decimal point has to be C's. */
enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

/* Likewise for the file `path`. Besides returns STINT_ERROR_IO, `error` says why too. */
enum stint_status stint_import_file(const char *path, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

#endif
