#include "captured_log.h"

#include <stdio.h>

struct captured_log captured_log;

static void keep(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    struct captured_log *log = context;
    ++log->lines;
    log->level = level;
    log->line = line;
    (void)snprintf(log->file, sizeof log->file, "%s", file);
    (void)snprintf(log->message, sizeof log->message, "%s", message);
}

void captured_log_begin(void)
{
    captured_log = (struct captured_log){0};
    stint_log_set_sink(keep, &captured_log);
}
