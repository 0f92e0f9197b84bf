/* Reads reports of format "stint-report" (docs/formats.md) back into the snapshot that they were written from. */
#ifndef STINT_IMPORT_READ_JSON_H
#define STINT_IMPORT_READ_JSON_H

#include <stddef.h>

#include "stint/snapshot.h"

/* The reason why a text cannot be read. */
struct stint_import_error {
    size_t line; /* counted from 1; 0: the text as a whole */
    char reason[160];
};

/* Reads a report: `length` bytes, followed by a NUL. Free the snapshot with stint_snapshot_free.
 *
 * Returns STINT_OK; STINT_ERROR_INVALID_ARGUMENT if the text is not such a report or contradicts itself: `error` says
 * why; or STINT_ERROR_NO_MEMORY. After an error, *snapshot is NULL. The locale's decimal point has to be that of the C
 * locale. */
enum stint_status stint_import_json(const char *text, size_t length, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

/* Like stint_import_json, for the file `path`. Also returns STINT_ERROR_IO: `error` says why. */
enum stint_status stint_import_file(const char *path, struct stint_snapshot **snapshot,
                                    struct stint_import_error *error);

#endif
