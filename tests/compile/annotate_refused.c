/* Wrong uses of annotate.h, one at a time: see refused.c. */
#include <stint/annotate.h>

#define LAST 27 /* refused.sh reads this */

void call_site(int x, struct stint_domain *domain, void *pointer);

void call_site(int x, struct stint_domain *domain, void *pointer)
{
    (void)x;
    (void)domain;
    (void)pointer;
    STINT_RANGE("name");

#if WRONG == 1 /* without braces: a range would end before the statement that it should enclose */
    if (x)
        STINT_RANGE("y");
#elif WRONG == 2
    if (x)
        STINT_RANGE_IN(domain, "y", 1, 2, 3);
#elif WRONG == 3
    if (x)
        STINT_RANGE_DYNAMIC("y");
#elif WRONG == 4
    if (x)
        STINT_RANGE_DYNAMIC_IN(domain, "y");
#elif WRONG == 5
    if (x)
        STINT_FUNCTION_RANGE();
#elif WRONG == 6
    while (x--)
        STINT_RANGE("y");

#elif WRONG == 7 /* the wrong type */
    STINT_RANGE(1);
#elif WRONG == 8
    STINT_RANGE("y", "red");
#elif WRONG == 9
    STINT_RANGE("y", 1, "category");
#elif WRONG == 10
    STINT_RANGE("y", 1, 1, "payload");
#elif WRONG == 11
    STINT_RANGE("y", 1, 1, pointer);
#elif WRONG == 12
    STINT_RANGE_IN("domain", "y");
#elif WRONG == 13
    STINT_RANGE_DYNAMIC(x);
#elif WRONG == 14
    STINT_FUNCTION_RANGE("red");
#elif WRONG == 15
    STINT_MARK(&x);
#elif WRONG == 16
    STINT_MARK_IN(&x, "y");
#elif WRONG == 17
    STINT_RANGE_END("id");
#elif WRONG == 18
    STINT_RANGE_POP_IN(&x);
#elif WRONG == 19
    STINT_NAME_THREAD(x);
#elif WRONG == 20
    STINT_CATEGORY_NAME("name", 1);

#elif WRONG == 21 /* the wrong number */
    STINT_RANGE();
#elif WRONG == 22
    STINT_RANGE("y", 1, 1, 1, 1);
#elif WRONG == 23
    STINT_RANGE_IN(domain);
#elif WRONG == 24
    STINT_FUNCTION_RANGE(1, 1, 1, 1);
#elif WRONG == 25
    STINT_RANGE_POP(1);

#elif WRONG == 26 /* no such thing */
    STINT_RANGE(undeclared);
#elif WRONG == 27
    STINT_RANGE_IN(&undeclared, "y");
#endif
}
