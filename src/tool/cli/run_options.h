/* The command line of stint run. */
#ifndef STINT_CLI_RUN_OPTIONS_H
#define STINT_CLI_RUN_OPTIONS_H

#include "cli/print_reports.h"
#include "cli/recording.h"

struct stint_run_options {
    struct stint_recording recording;
    struct stint_stores stores;
    int is_store_kept; /* 0: none was asked for */
    struct stint_print print;
    const char *report, *format, *log_file; /* as given; NULL: not */
    const char *api;
};

/* Reads the options in front of the program, which optind then is the position of. Returns -1 if they were understood;
 * else the exit code, after --help or saying what is wrong. The struct may not be copied afterwards. */
int stint_run_options_read(struct stint_run_options *run, int count, char **arguments);

#endif
