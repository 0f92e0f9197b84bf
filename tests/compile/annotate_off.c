/* Compiled twice by annotate_off.sh with annotations off: as it is, and without the lines that hold a macro. */
#include <stint/annotate.h>

extern int work(int x);
extern const char *name_of(int x);
extern struct stint_domain *domain_of(int x);
int call_site(int x);

STINT_DOMAIN_DEFINE(s_domain, "domain");

int call_site(int x)
{

    STINT_FUNCTION_RANGE();
    STINT_RANGE("range");
    STINT_RANGE("range", STINT_COLOR_RED, 1, work(x));
    STINT_RANGE(name_of(x++), STINT_COLOR_RED);
    STINT_RANGE_IN(&s_domain, "range");
    STINT_RANGE_IN(domain_of(x), "range", STINT_COLOR_RED);
    STINT_RANGE_IN(STINT_DOMAIN("by name"), "range");
    STINT_RANGE_DYNAMIC(name_of(x), STINT_COLOR_RED, 1, 1.5);
    STINT_RANGE_DYNAMIC_IN(&s_domain, name_of(x));
    STINT_RANGE_PUSH("pushed");
    STINT_RANGE_PUSH_IN(&s_domain, name_of(x));
    STINT_RANGE_PUSH_DYNAMIC(name_of(x));
    STINT_RANGE_PUSH_DYNAMIC_IN(domain_of(x), name_of(x));
    STINT_RANGE_POP_IN(domain_of(x));
    STINT_RANGE_POP();
    uint64_t id = STINT_RANGE_START(name_of(x));
    STINT_RANGE_END(id);
    id = STINT_RANGE_START_IN(domain_of(x), "started");
    STINT_RANGE_END_IN(domain_of(x), id);
    id = STINT_RANGE_START_DYNAMIC(name_of(x));
    id = STINT_RANGE_START_DYNAMIC_IN(&s_domain, name_of(x));
    STINT_MARK("mark");
    STINT_MARK_IN(&s_domain, "mark", STINT_COLOR_RED, 1, work(x));
    STINT_MARK_DYNAMIC(name_of(x));
    STINT_MARK_DYNAMIC_IN(domain_of(x), name_of(x));
    STINT_CATEGORY_NAME(1, name_of(x));
    STINT_CATEGORY_NAME_IN(&s_domain, 1, name_of(x));
    STINT_NAME_THREAD(name_of(x));
    STINT_NAME_CUDA_DEVICE(work(x), name_of(x));
    STINT_NAME_CUDA_STREAM(domain_of(x), "stream");
    STINT_NAME_CUDA_EVENT(domain_of(x), "event");
    for (int i = 0; i < x; ++i) {
        STINT_RANGE("loop");
        x += work(i);
        if (x < 0)
            return i;
    }
    return work(x);
}
