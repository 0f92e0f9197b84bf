/* Lets standard output and standard error lead to files in memory for a while. */
#include "captured_output.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint_test.h"

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

static int call(captured_command *command, const char *line)
{
    static char s_text[4096];
    char *arguments[64] = {NULL};
    int count = 0;
    (void)snprintf(s_text, sizeof s_text, "%s", line);
    for (char *word = strtok(s_text, " "); word && count < 63; word = strtok(NULL, " "))
        arguments[count++] = word;
    optind = 0; /* begins anew */
    return command(count, arguments);
}

int captured_call(captured_command *command, const char *line)
{
    captured_output_begin();
    int result = call(command, line);
    captured_output_end();
    return result;
}

int captured_run(captured_command *command, const char *line)
{
    int status = 0;
    captured_output_begin();
    pid_t child = fork();
    if (child == 0) {
        int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
        (void)dup2(empty, STDIN_FILENO);
        int code = call(command, line);
        (void)fflush(NULL);
        _exit(code);
    }
    (void)waitpid(child, &status, 0);
    captured_output_end();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_text(const char *line, const char *text, const char *expected)
{
    if (expected && (*expected ? !strstr(text, expected) : *text != '\0'))
        fail_msg("%s: expected '%s' in '%s'", line, expected, text);
}

/* Puts the folder's path into a line. */
static void expand(char *out, size_t size, const char *line)
{
    static const char word[] = "GOLDEN/";
    size_t used = 0;
    for (const char *at; (at = strstr(line, word)); line = at + sizeof word - 1)
        used += (size_t)snprintf(out + used, size - used, "%.*s" STINT_GOLDEN_DIR "/", (int)(at - line), line);
    (void)snprintf(out + used, size - used, "%s", line);
}

void captured_check(captured_command *command, const struct captured_case *cases, size_t count)
{
    char line[2048];
    for (size_t i = 0; i < count; i++) {
        expand(line, sizeof line, cases[i].line);
        int code = captured_run(command, line);
        if (code != cases[i].code)
            fail_msg("%s: %d instead of %d: %s", line, code, cases[i].code, captured_output.err);
        check_text(line, captured_output.out, cases[i].out);
        check_text(line, captured_output.err, cases[i].err);
    }
}
