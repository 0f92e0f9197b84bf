/* Splits text into log lines, because Paddle's format consists of them. */
#ifndef STINT_RUNTIME_LINES_H
#define STINT_RUNTIME_LINES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "stint/statset.h"

/* Puts glog's prefix in front of every line and passes everything on to a file descriptor. */
struct stint_prefixer {
    int fd;
    int inside; /* a line has begun */
};

/* A stint_write_fn; context points to a struct stint_prefixer. */
int stint_prefixer_write(void *context, const char *bytes, size_t length);

/* Collects whole lines and hands each to the log sink. */
struct stint_liner {
    struct stint_arena arena;
    char *line;
    size_t used;
    size_t size;
};

/* A stint_write_fn; context points to a zeroed struct stint_liner, whose arena is to be freed afterwards. */
int stint_liner_write(void *context, const char *bytes, size_t length);

/* Sends what `write` writes of a set, or of all if it is NULL, to the log, line by line. */
enum stint_status stint_report_log(void (*write)(struct stint_text *text, const struct stint_snapshot *snapshot,
                                                 const char *set, const char *name),
                                   const struct stint_snapshot *snapshot, const char *set, const char *name);

#endif
