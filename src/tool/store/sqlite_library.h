/* SQLite's library, which is opened with the first database: a program that only writes a recording neither needs it
 * nor has it in its address space. */
#ifndef STINT_STORE_SQLITE_LIBRARY_H
#define STINT_STORE_SQLITE_LIBRARY_H

#include <sqlite3.h>
#include <stddef.h>

#define STINT_SQLITE_FUNCTIONS(FUNCTION)                                                                               \
    FUNCTION(bind_blob64)                                                                                              \
    FUNCTION(bind_double)                                                                                              \
    FUNCTION(bind_int64)                                                                                               \
    FUNCTION(bind_null)                                                                                                \
    FUNCTION(bind_text64)                                                                                              \
    FUNCTION(close)                                                                                                    \
    FUNCTION(column_bytes)                                                                                             \
    FUNCTION(column_double)                                                                                            \
    FUNCTION(column_int64)                                                                                             \
    FUNCTION(column_text)                                                                                              \
    FUNCTION(column_type)                                                                                              \
    FUNCTION(db_config)                                                                                                \
    FUNCTION(drop_modules)                                                                                             \
    FUNCTION(errmsg)                                                                                                   \
    FUNCTION(errstr)                                                                                                   \
    FUNCTION(exec)                                                                                                     \
    FUNCTION(finalize)                                                                                                 \
    FUNCTION(libversion_number)                                                                                        \
    FUNCTION(limit)                                                                                                    \
    FUNCTION(open_v2)                                                                                                  \
    FUNCTION(prepare_v2)                                                                                               \
    FUNCTION(progress_handler)                                                                                         \
    FUNCTION(reset)                                                                                                    \
    FUNCTION(set_authorizer)                                                                                           \
    FUNCTION(step)

/* sqlite3_step is stint_sqlite.step, and so on. */
struct stint_sqlite {
#define POINTER(name) __typeof__(sqlite3_##name) *name;
    STINT_SQLITE_FUNCTIONS(POINTER)
#undef POINTER
};

extern struct stint_sqlite stint_sqlite;

/* Opens the library; does nothing if it is open. Returns NULL, or why it cannot be used. */
const char *stint_sqlite_open(void);

#endif
