/* What the program under test runs, and what runs it.
 *
 *     subject SCOPE COUNT [OUTPUT]   runs COUNT scopes, prints OUTPUT, and returns 3
 *     subject end COMMAND...         runs the command and prints how it ended: "exit 3", "signal 15" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint/timer.h"

static int tell_end(char **command)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)execv(command[0], command);
        _exit(125);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else
        printf("exit %d\n", WEXITSTATUS(status));
    return 0;
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    if (strcmp(arguments[1], "end") == 0)
        return tell_end(arguments + 2);
    for (int i = 0; i < atoi(arguments[2]); i++) {
        STINT_SCOPE_DYNAMIC(arguments[1]);
    }
    if (count > 3)
        puts(arguments[3]);
    return 3;
}
