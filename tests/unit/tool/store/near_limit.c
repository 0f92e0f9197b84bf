/* Has queries reach the limit of their work soon: each step counts as if it were twenty. */
#include <sqlite3.h>

enum { FASTER = 20 };

void __real_sqlite3_progress_handler(sqlite3 *database, int interval, int (*handler)(void *), void *context);
void __wrap_sqlite3_progress_handler(sqlite3 *database, int interval, int (*handler)(void *), void *context)
{
    __real_sqlite3_progress_handler(database, interval / FASTER, handler, context);
}
