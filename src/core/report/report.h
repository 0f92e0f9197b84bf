/* The report writers, one file per format: they convert a snapshot to text. They read nothing else, do not call malloc,
 * and may run in a signal handler. */
#ifndef STINT_REPORT_REPORT_H
#define STINT_REPORT_REPORT_H

#include "base/text.h"
#include "stint/report.h"

/* Each writes the whole report; errors are reported by stint_text_end. */
void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);
void stint_report_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout);
void stint_report_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_layout *layout);
void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout);

/* Paddle's lines without a log prefix, each ended by '\n'. */
void stint_report_paddle(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_layout *layout);

/* The timers of one set, its barriers, if any, and the trailer. */
void stint_report_paddle_one(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

/* For one set: the rows of one statistic or, with `name` NULL, the header and the rows of all. */
void stint_report_paddle_set(struct stint_text *text, const struct stint_snapshot *snapshot, const char *set,
                             const char *name);

#endif
