/* Checks counters before a run, as far as words can be checked, and after it: a run that counted nothing has to say
 * why. */
#include "cli/counted.h"

#include <string.h>

#include "cli/command.h"
#include "counters/counter_plan.h"
#include "counters/kernel_choice.h"
#include "verdict/kernel_figures.h"

int stint_counted_check(const struct stint_results *results)
{
    struct stint_kernel_figures figures;
    const char *why = NULL;
    size_t kernels = 0;
    for (size_t i = 0; i < results->all.count; i++)
        for (size_t next = 0; stint_kernel_figures_next(&figures, stint_results_at(results, i), &next); kernels++) {
            if (figures.counted && strcmp(figures.kernel, STINT_COUNTER_ABSENT) != 0)
                return 0;
            why = why ? why : figures.why_skipped;
        }
    if (why)
        stint_cli_say("no counters were read: %s", why);
    else
        stint_cli_say("no counters were read: %s", kernels ? "no kernel that was launched was to be counted"
                                                           : "no kernel was launched, or GPU work was not recorded; "
                                                             "stint doctor says more");
    return -1;
}

/* All metrics have two underscores behind the name of their unit. */
static int is_known(const char *word, size_t length)
{
    return (length == 3 && memcmp(word, "all", 3) == 0) || stint_counter_group(word, length) ||
           memmem(word, length, "__", 2);
}

int stint_counted_read(const char *metrics)
{
    const char *at = metrics, *group;
    size_t words = 0;
    for (size_t length; *(at += strspn(at, ", ")); at += length) {
        length = strcspn(at, ", ");
        words++;
        if (is_known(at, length))
            continue;
        stint_cli_say("--counters %.*s: expected all, names of metrics, or groups:", (int)length, at);
        for (size_t i = 0; (group = stint_counter_group_at(i, &metrics)); i++)
            stint_cli_say("    %s", group);
        return -1;
    }
    if (words)
        return 0;
    stint_cli_say("--counters: expected all, groups or names of metrics");
    return -1;
}

int stint_counted_read_launches(const char *text)
{
    struct stint_kernel_choice choice;
    if (stint_kernel_launches(&choice, text) == 0)
        return 0;
    stint_cli_say("--launches %.60s: expected a number, such as 3, a range, such as 2-5, or all", text);
    return -1;
}
