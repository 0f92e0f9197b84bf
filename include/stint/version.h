/* stint/version.h - the version of the headers and of the loaded library.
 *
 * The four numbers below are the only place where they are written; CMake reads them. stint_version() returns the
 * version of the loaded library, which differs from STINT_VERSION if the program was compiled with another stint. */
#ifndef STINT_VERSION_H
#define STINT_VERSION_H

#include "stint/detail/api.h"

#define STINT_VERSION_MAJOR 0
#define STINT_VERSION_MINOR 1
#define STINT_VERSION_PATCH 0

/** The number of the binary interface, which libraries have in their names: libstint.so.1. A program that was compiled
 *  with one stint runs with the libraries of each later one whose number is the same. */
#define STINT_ABI 1

/** The version of the headers as one number that can be compared: major * 10000 + minor * 100 + patch. */
#define STINT_VERSION (STINT_VERSION_MAJOR * 10000 + STINT_VERSION_MINOR * 100 + STINT_VERSION_PATCH)

STINT_EXTERN_C_BEGIN

/** Returns the loaded library's version as major * 10000 + minor * 100 + patch. Cannot fail. Threads: any. */
STINT_API unsigned stint_version(void);

/** Returns the loaded library's version as text, such as "0.1.0". Static storage, never NULL. Threads: any. */
STINT_API const char *stint_version_string(void);

STINT_EXTERN_C_END

#endif
