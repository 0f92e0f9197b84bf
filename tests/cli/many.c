/* A program for the tests of what is shown: one scope around as many as are asked for, each in the one before or, with
 * a third argument, all side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "stint/stint.h"

static void enter(int number, int last)
{
    char name[32];
    (void)snprintf(name, sizeof name, "scope %d", number);
    REGISTER_TIMER_DYNAMIC(name);
    if (number < last)
        enter(number + 1, last);
}

int main(int count, char **arguments)
{
    int last = count > 1 ? atoi(arguments[1]) : 0;
    REGISTER_TIMER("main");
    if (count < 3)
        enter(1, last);
    for (int i = 1; count > 2 && i <= last; i++)
        enter(i, i);
    return 0;
}
