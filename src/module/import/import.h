/* A report on its way to a snapshot. */
#ifndef STINT_IMPORT_IMPORT_H
#define STINT_IMPORT_IMPORT_H

#include "base/array.h"
#include "import/reader.h"
#include "stat/builder.h"
#include "stat/members.h"

struct stint_import {
    struct stint_reader *reader;
    struct stint_builder builder;
    struct stint_snapshot whole;                /* what is said once, as far as the builder does not take it */
    struct stint_array places[STINT_ROW_KINDS]; /* size_t: where the builder has each row that others refer to */
    struct stint_array parts; /* struct stint_thread_stat: those of the statistic that was read last */
};

/* Returns the member that the next value of `list` is, or NULL: none that is read. */
const struct stint_member *stint_import_member(const struct stint_reader_list *list, enum stint_row_kind kind);

/* Reads an object as a row of this kind. What the object does not have stays as it is, but for texts, which are ""
 * then, and places of others, which are none. Texts and bins live as long as the reader. */
void stint_import_row(struct stint_import *import, enum stint_row_kind kind, void *row);

#endif
