/* The version as text. The program does not link the library that has stint_version_string. */
#ifndef STINT_CLI_VERSION_H
#define STINT_CLI_VERSION_H

#include "stint/version.h"

#define STINT_CLI_TEXT_(x) #x
#define STINT_CLI_TEXT(x) STINT_CLI_TEXT_(x)
#define STINT_CLI_SO_VERSION STINT_CLI_TEXT(STINT_VERSION_MAJOR) "." STINT_CLI_TEXT(STINT_VERSION_MINOR)
#define STINT_CLI_VERSION STINT_CLI_SO_VERSION "." STINT_CLI_TEXT(STINT_VERSION_PATCH)

#endif
