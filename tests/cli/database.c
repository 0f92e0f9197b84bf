/* database FILE - makes a database of the SQL on standard input. */
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    static char statements[1 << 20];
    sqlite3 *database;
    char *error = NULL;
    size_t length = fread(statements, 1, sizeof statements - 1, stdin);
    if (count != 2 || !length || sqlite3_open(arguments[1], &database) != SQLITE_OK)
        return 2;
    sqlite3_exec(database, "PRAGMA synchronous=OFF; BEGIN", NULL, NULL, NULL);
    int failed = sqlite3_exec(database, statements, NULL, NULL, &error) != SQLITE_OK;
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    if (failed)
        fprintf(stderr, "database: %s\n", error);
    sqlite3_free(error);
    return sqlite3_close(database) != SQLITE_OK || failed;
}
