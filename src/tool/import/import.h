/* A report that is being read into a snapshot. */
#ifndef STINT_IMPORT_IMPORT_H
#define STINT_IMPORT_IMPORT_H

#include "base/array.h"
#include "demangle/demangle.h"
#include "import/reader.h"
#include "stat/builder.h"
#include "stat/members.h"

struct stint_import {
    struct stint_reader *reader;
    struct stint_builder builder;
    struct stint_snapshot whole;                /* values that occur once and that the builder does not take */
    struct stint_array places[STINT_ROW_KINDS]; /* size_t: the builder's position of each row that others refer to */
    struct stint_kernel_names kernels;
    struct stint_array parts; /* struct stint_thread_stat: the parts of the statistic that was read last */
};

/* Returns the member that the next value of `list` belongs to; NULL if it is not one that is read. */
const struct stint_member *stint_import_member(const struct stint_reader_list *list, enum stint_row_kind kind);

/* Reads an object as a row of this kind. Members that the object lacks are left unchanged, except texts, which become
 * "", and positions of other rows, which become none. Texts and bins live as long as the reader. */
void stint_import_row(struct stint_import *import, enum stint_row_kind kind, void *row);

#endif
