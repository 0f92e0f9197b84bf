/* stint/version.h - the version of the headers and of the loaded library.
 *
 * The four numbers below are the only place where they are written; CMake reads them. stint_version() returns the
 * version of the loaded library, which differs from STINT_VERSION if the program was compiled with another stint.
 *
 * A program that was compiled with one stint runs with the libraries of each later one whose STINT_ABI is the same. Of
 * the headers, this means:
 *
 *   - Functions, macros and enumerators are added, not removed, and keep their parameters and values. An enumeration
 *     may get further values: a program should expect ones that it does not know.
 *   - Structs of options, such as struct stint_layout, have their size first, and may get members at their end. Members
 *     that an older program's do not have count as 0; those that a library does not know, it ignores.
 *   - Structs that are called plain data are in the memory of programs, and do not change.
 *   - A snapshot is made by the library alone. struct stint_snapshot has its size first, and may get members at its
 *     end, such as further lists. The structs in it have spare members, which may be used; rows of lists do not change.
 *   - struct stint_statset is known to the library alone.
 *   - Headers in stint/detail, and what begins with stint_i_ or STINT_I_, are no interface to write programs with:
 *     other headers expand to them. But they are compiled into programs, so what they share with the library does not
 *     change. Threads' trees and their nodes, which the library makes, may get members that such code does not know.
 */
#ifndef STINT_VERSION_H
#define STINT_VERSION_H

#include "stint/detail/api.h"

#define STINT_VERSION_MAJOR 0
#define STINT_VERSION_MINOR 1
#define STINT_VERSION_PATCH 0

/** The number of the binary interface, which libraries have in their names: libstint.so.1. A program of another number
 *  is neither linked nor loaded. */
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
