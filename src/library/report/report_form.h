/* Reports by their names: "tree", "nvtx_sum:csv". */
#ifndef STINT_REPORT_REPORT_FORM_H
#define STINT_REPORT_REPORT_FORM_H

#include "report/report_list.h"
#include "stint/report.h"

#define STINT_REPORT_ONE_(id, ...) STINT_REPORT_##id,
#define STINT_REPORT_PAIR_(id, ...) STINT_REPORT_##id, STINT_REPORT_##id##_CSV,
enum stint_report {
    STINT_REPORT_LIST(STINT_REPORT_ONE_, STINT_REPORT_PAIR_, STINT_REPORT_ONE_) STINT_REPORT_COUNT,
    STINT_REPORT_NONE = STINT_REPORT_COUNT,
    STINT_REPORT_NSYS = STINT_REPORT_NVTX_SUM /* the first of nsys */
};
#undef STINT_REPORT_ONE_
#undef STINT_REPORT_PAIR_

struct stint_report_form {
    enum stint_report report;
    int csv; /* in CSV */
};

/* Reads one of `length` bytes, in upper or lower case. Returns 0, or -1 if there is no such report. */
int stint_report_form_read(struct stint_report_form *form, const char *text, size_t length);

/* Returns that of a public format; of a number that is none STINT_REPORT_NONE, which cannot be written. */
struct stint_report_form stint_report_form_of(enum stint_format format);

/* As stint_report_write. */
enum stint_status stint_report_form_write(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                          const struct stint_layout *layout, stint_write_fn *write, void *context);

/* Whether report/ writes it; others are stint_report_write_other's. */
int stint_report_form_is_core(const struct stint_report_form *form);

/* Whether it ends with a blank line; others need one in front of what follows. */
int stint_report_form_ends_blank(const struct stint_report_form *form);

/* Whether programs read it, so that no blank line may come between. */
int stint_report_form_is_for_programs(const struct stint_report_form *form);

/* Whether it lists events, or is exact only where all events are known. */
int stint_report_form_wants_events(const struct stint_report_form *form);

/* Writes a report that is none of report/'s. The stage that has it defines it: formats, or, where that is to be loaded,
 * runtime. Where neither is linked in, such reports are unavailable. */
enum stint_status stint_report_write_other(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                           const struct stint_layout *layout, stint_write_fn *write, void *context)
    __attribute__((weak));

#endif
