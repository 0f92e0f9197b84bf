/* A log sink that keeps the last line and counts all. */
#ifndef STINT_TESTS_CAPTURED_LOG_H
#define STINT_TESTS_CAPTURED_LOG_H

#include "base/log.h"

struct captured_log {
    int lines;
    enum stint_log_level level;
    char file[256];
    int line;
    char message[STINT_LOG_MESSAGE_SIZE];
};

extern struct captured_log captured_log;

/* Sends the log here, and forgets what came before. */
void captured_log_begin(void);

#endif
