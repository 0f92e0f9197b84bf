/* The text around the rows of the formats for people: a title above; notes and losses below. */
#ifndef STINT_REPORT_FRAME_H
#define STINT_REPORT_FRAME_H

#include "base/text.h"
#include "report/summary.h"
#include "stint/report.h"

/* Writes "stint: PROGRAM (pid N), 12 scopes, 2 threads, 1.234 s", or one line that says that there are no scopes. */
void stint_frame_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary, const struct stint_layout *layout);

/* Writes the notes that apply to the snapshot, one per line, folded to the screen's width. */
void stint_frame_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary, const struct stint_layout *layout);

/* Writes the last of these notes: why GPU activity was not recorded, and what was dropped. */
void stint_frame_losses(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);

#endif
