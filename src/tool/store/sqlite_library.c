#include "store/sqlite_library.h"

#include <dlfcn.h>
#include <string.h>

enum { LEAST_VERSION = 3031000 };

struct stint_sqlite stint_sqlite;

/* Returns whether the library has the function. */
static int find(void *library, const char *name, void *pointer)
{
    void *address = dlsym(library, name);
    memcpy(pointer, &address, sizeof address);
    return address != NULL;
}

const char *stint_sqlite_open(void)
{
    if (stint_sqlite.step)
        return NULL;
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "SQLite's library, libsqlite3.so.0, is not installed";
    int has_all = 1;
#define FIND(name) has_all &= find(library, "sqlite3_" #name, &stint_sqlite.name);
    STINT_SQLITE_FUNCTIONS(FIND)
#undef FIND
    if (has_all && stint_sqlite.libversion_number() >= LEAST_VERSION)
        return NULL;
    stint_sqlite = (struct stint_sqlite){0};
    return "SQLite's library, libsqlite3.so.0, is older than version 3.31";
}
