/* stint/version.h - the version of the headers, and the one place it is written.
 *
 * CMake reads the three numbers below; stint_version() returns what the loaded library was built with. The two differ
 * when a program runs with another stint than it was compiled with: same major version means compatible. */
#ifndef STINT_VERSION_H
#define STINT_VERSION_H

#include "stint/detail/api.h"

#define STINT_VERSION_MAJOR 0
#define STINT_VERSION_MINOR 1
#define STINT_VERSION_PATCH 0

/** The header's version as one ordered number: major * 10000 + minor * 100 + patch. */
#define STINT_VERSION (STINT_VERSION_MAJOR * 10000 + STINT_VERSION_MINOR * 100 + STINT_VERSION_PATCH)

STINT_EXTERN_C_BEGIN

/** Returns the loaded library's version as major * 10000 + minor * 100 + patch. Cannot fail. Threads: any. */
STINT_API unsigned stint_version(void);

/** Returns the loaded library's version as text, "0.1.0"; static storage, never NULL. Threads: any. */
STINT_API const char *stint_version_string(void);

STINT_EXTERN_C_END

#endif
