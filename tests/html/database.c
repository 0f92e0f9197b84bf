/* Writes a made-up recording, of 630 000 events, into a database: database FILE */
#include <stdio.h>

#include "html/large.h"
#include "store/store.h"

int main(int count, char **arguments)
{
    char reason[256];
    if (count != 2)
        return 2;
    struct large *large = large_make(1500);
    int failed =
        stint_store_write(arguments[1], large_snapshot(large), large_events(large), NULL, reason, sizeof reason);
    if (failed)
        fprintf(stderr, "%s: %s\n", arguments[1], reason);
    large_free(large);
    return failed != 0;
}
