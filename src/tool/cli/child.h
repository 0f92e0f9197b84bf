/* Running a program as if it had been run directly: its terminal, its signals, its exit status. */
#ifndef STINT_CLI_CHILD_H
#define STINT_CLI_CHILD_H

struct stint_launch {
    char **arguments;                              /* of the program, its name first, up to NULL */
    void (*prepare)(void *context);                /* called in the new process: sets its environment */
    void (*started)(void *context, long long pid); /* called as soon as the program runs; may be NULL */
    void *context;
    long long pid; /* of the program */
    int status;    /* waitpid's */
    int error;     /* errno, if it could not be run; `status` then means nothing */
    int survivors; /* whether processes that it started still run */
};

/* Runs the program and waits for its end. Signals sent only to this process are forwarded; when the program
 * stops, this process stops, too, and they continue together. */
void stint_launch(struct stint_launch *launch);

/* Returns the exit code that corresponds to the program's end. If a signal killed it, kills this process with the same
 * signal, and returns only if that fails. */
int stint_launch_end(const struct stint_launch *launch);

#endif
