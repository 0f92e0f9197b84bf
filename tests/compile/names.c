/* With STINT_NO_SHORT_NAMES, a program may define the short names itself. names.sh checks that stint's headers define
 * no others. */
#define STINT_NO_SHORT_NAMES
#include <stint/stint.h>

#if defined REGISTER_TIMER || defined REGISTER_TIMER_INFO || defined REGISTER_TIMER_SET ||                             \
    defined REGISTER_TIMER_DYNAMIC || defined REGISTER_TIMER_DYNAMIC_SET || defined FOR_TIMING
#error "STINT_NO_SHORT_NAMES hides every short macro"
#endif

struct own {
    int value;
};

struct own printStatus(struct own first, struct own second);
struct own printSegTimerStatus(struct own only);
struct own printAllStatus(struct own only);
struct own setThreadInfo(struct own only);

struct own printStatus(struct own first, struct own second)
{
    STINT_SCOPE("the long names remain");
    first.value += second.value;
    return first;
}
