/* Reads what processes under the tool told it: run("mode", TOOL, tool_log(), NULL), then told_by(&result). */
#ifndef STINT_TESTS_NVTX_TOOL_TOLD_H
#define STINT_TESTS_NVTX_TOOL_TOLD_H

#include <stdio.h>
#include <string.h>

#include "process/harness.h"

/* NVTX_TOOL_PATH is set by the build. Not a literal, because the environment's entries are not const. */
static char s_tool[] = "NVTX_INJECTION64_PATH=" NVTX_TOOL_PATH;
#define TOOL s_tool

/* Returns the environment's entry that makes the tool write into the test's scratch folder. */
static inline char *tool_log(void)
{
    static char entry[256];
    snprintf(entry, sizeof entry, "NVTX_TOOL_LOG=%s", scratch("calls"));
    return entry;
}

/* Returns what the tool wrote; fails unless the process returned 0 and made no wrong call. */
static inline const char *told_by(const struct result *result)
{
    const char *told = read_file(scratch("calls"));
    assert_exit(result, 0);
    assert_non_null(told);
    if (strstr(told, "WRONG"))
        fail_msg("%.2000s", strstr(told, "WRONG"));
    return told;
}

#endif
