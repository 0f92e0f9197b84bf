/* Lets standard output and standard error lead to files in memory for a while. */
#include "captured_output.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STREAMS = 2 };

struct captured_output captured_output;

static const int s_streams[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};
static int s_before[STREAMS];

void captured_output_begin(void)
{
    (void)fflush(NULL);
    for (int i = 0; i < STREAMS; i++) {
        int file = memfd_create("captured output", MFD_CLOEXEC);
        s_before[i] = dup(s_streams[i]);
        if (file < 0 || s_before[i] < 0 || dup2(file, s_streams[i]) < 0)
            abort();
        (void)close(file);
    }
}

void captured_output_end(void)
{
    char *texts[STREAMS] = {captured_output.out, captured_output.err};
    size_t sizes[STREAMS] = {sizeof captured_output.out, sizeof captured_output.err};
    (void)fflush(NULL);
    for (int i = 0; i < STREAMS; i++) {
        ssize_t length = pread(s_streams[i], texts[i], sizes[i] - 1, 0);
        texts[i][length > 0 ? length : 0] = '\0';
        (void)dup2(s_before[i], s_streams[i]);
        (void)close(s_before[i]);
    }
}

int captured_call(int (*command)(int count, char **arguments), const char *line)
{
    static char s_text[4096];
    char *arguments[64] = {NULL};
    int count = 0;
    (void)snprintf(s_text, sizeof s_text, "%s", line);
    for (char *word = strtok(s_text, " "); word && count < 63; word = strtok(NULL, " "))
        arguments[count++] = word;
    optind = 0; /* begins anew */
    captured_output_begin();
    int result = command(count, arguments);
    captured_output_end();
    return result;
}
