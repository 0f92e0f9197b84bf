/* override default|0|1 - checks whether the scope below was compiled in as the argument, this target's
 * STINT_WITH_TIMER, says. */
#include <stint/stint.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct stint_snapshot *snapshot = NULL;
    int expected, found;
    if (argc != 2)
        return 2;
    expected = strcmp(argv[1], "default") == 0 ? stint_with_timer() : strcmp(argv[1], "1") == 0;
    {
        REGISTER_TIMER("scope");
    }
    if (stint_snapshot_take(&snapshot) != STINT_OK)
        return 2;
    found = stint_snapshot_find(snapshot, NULL, "scope") != NULL;
    stint_snapshot_free(snapshot);
    if (found != expected)
        printf("scope recorded: %d, expected: %d\n", found, expected);
    return found != expected;
}
