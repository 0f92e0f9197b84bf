/* Wrong uses, one at a time, chosen by -DWRONG=n; 0 is none. refused.sh expects 0 to compile, and 1 to LAST to be
 * refused. */
#include <stint/stint.h>

#define LAST 25 /* refused.sh reads this */

void call_site(int x, struct stint_statset *set);

void call_site(int x, struct stint_statset *set)
{
    const char *const name = "name";
    const uint64_t start_us = 0;
    (void)x;
    (void)set;
    (void)start_us;
    REGISTER_TIMER(name);

#if WRONG == 1 /* without braces: a scope would end before the statement that it should time */
    if (x)
        REGISTER_TIMER("y");
#elif WRONG == 2
    if (x)
        REGISTER_TIMER("y", 1);
#elif WRONG == 3
    if (x)
        REGISTER_TIMER_INFO("y", "info");
#elif WRONG == 4
    if (x)
        REGISTER_TIMER_SET("y", start_us);
#elif WRONG == 5
    if (x)
        REGISTER_TIMER_DYNAMIC(name);
#elif WRONG == 6
    if (x)
        REGISTER_TIMER_DYNAMIC_SET(name, start_us);
#elif WRONG == 7
    while (x--)
        REGISTER_TIMER("y");

#elif WRONG == 8 /* the wrong type */
    REGISTER_TIMER(1);
#elif WRONG == 9
    REGISTER_TIMER("y", "threshold");
#elif WRONG == 10
    REGISTER_TIMER("y", 1, "set");
#elif WRONG == 11
    REGISTER_TIMER_INFO("y", 1);
#elif WRONG == 12
    REGISTER_TIMER_INFO(&x, "info");
#elif WRONG == 13
    REGISTER_TIMER_SET("y", "start");
#elif WRONG == 14
    REGISTER_TIMER_SET("y", start_us, set);
#elif WRONG == 15
    REGISTER_TIMER_DYNAMIC(x);
#elif WRONG == 16
    REGISTER_TIMER_DYNAMIC(name, 1, name);
#elif WRONG == 17
    REGISTER_TIMER_DYNAMIC_SET(name, name);

#elif WRONG == 18 /* the wrong number */
    REGISTER_TIMER("y", 1, set, 4);
#elif WRONG == 19
    REGISTER_TIMER_INFO("y");
#elif WRONG == 20
    REGISTER_TIMER_SET("y");
#elif WRONG == 21
    REGISTER_TIMER();

#elif WRONG == 22 /* no such thing */
    REGISTER_TIMER(undeclared);
#elif WRONG == 23
    REGISTER_TIMER("y", 1, undeclared);

#elif WRONG == 24 /* adoption, without braces, and of the wrong type */
    if (x)
        STINT_ADOPT(stint_token_take());
#elif WRONG == 25
    STINT_ADOPT(x);
#endif
}
