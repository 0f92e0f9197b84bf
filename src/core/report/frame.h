/* The text around the rows of the formats for people: a title above; notes and losses below. */
#ifndef STINT_REPORT_FRAME_H
#define STINT_REPORT_FRAME_H

#include "base/text.h"
#include "report/line.h"
#include "report/summary.h"
#include "stint/report.h"

/* Writes "stint: PROGRAM (pid N, rank R), 12 scopes, 2 threads, 1.234 s", or one line that says that there are no
 * scopes. */
void stint_frame_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_summary *summary, const struct stint_layout *layout);

/* For other titles: writes "stint: PROGRAM" and the description; adds " (pid N, rank R)"; adds "2 threads + exited". */
void stint_frame_program(struct stint_text *text, const struct stint_snapshot *snapshot,
                         const struct stint_line *description, const struct stint_layout *layout);
void stint_frame_process(struct stint_line *line, const struct stint_process *process);
void stint_frame_threads(struct stint_line *line, const struct stint_summary *summary);

/* Returns the command line without the program's folder. */
const char *stint_frame_command(const char *command);

/* Writes the notes that apply to the snapshot, one per line, folded to the screen's width. */
void stint_frame_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_summary *summary, const struct stint_layout *layout);

/* The same without the clock, which is for those who doubt a number. */
void stint_frame_short_footer(struct stint_text *text, const struct stint_snapshot *snapshot,
                              const struct stint_summary *summary, const struct stint_layout *layout);

/* Where among the others the notes are on what parts collected. */
enum stint_note_place {
    STINT_NOTE_FIRST,
    STINT_NOTE_OPEN, /* after what is still running */
    STINT_NOTE_LAST,
    STINT_NOTE_LOSSES /* before what was dropped */
};

/* Writes them (model/footnotes.c, which a program may be linked without). `line` is empty. */
void stint_frame_notes_of_parts(struct stint_text *text, struct stint_line *line, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout, enum stint_note_place place);

/* Writes the last of these notes: why GPU activity was not recorded, and what was dropped. */
void stint_frame_losses(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout);

#endif
