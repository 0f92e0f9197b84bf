/* stint - the program: its first argument is the command. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/options.h"

static const struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *summary;
} s_commands[] = {
    {"run", stint_cli_run, "run a program and print where its time went"},
    {"nvprof", stint_cli_nvprof, "the same, with nvprof's options and output"},
    {"attach", stint_cli_attach, "start or stop recording in a running program, or print its report"},
    {"top", stint_cli_top, "show where the time goes in running programs, as top does"},
    {"metrics", stint_cli_metrics, "serve metrics of running programs to Prometheus"},
    {"stats", stint_cli_stats, "print reports of a recording: stint's, nsys' or nvprof's"},
    {"samples", stint_cli_samples, "print which functions used the CPU time, and who called them"},
    {"ops", stint_cli_ops, "print which PyTorch operation launched each kernel, and its cost"},
    {"export", stint_cli_export, "convert a recording for Perfetto, flame graphs, pprof, ..."},
    {"diff", stint_cli_diff, "compare recordings; exit with 1 if something became slower"},
    {"merge", stint_cli_merge, "add up recordings of several processes, ranks or runs"},
    {"report", stint_cli_report, "write a recording as an HTML page: timeline, flame graph, tables"},
    {"doctor", stint_cli_doctor, "check what can be recorded here, and how to fix the rest"},
};

enum { COMMANDS = sizeof s_commands / sizeof s_commands[0] };

static void print_help(FILE *to)
{
    (void)fputs("Usage: stint COMMAND [OPTIONS] ...\n"
                "\n"
                "To profile a program: stint run ./program\n\n",
                to);
    for (size_t i = 0; i < COMMANDS; i++)
        (void)fprintf(to, "  %-8s %s\n", s_commands[i].name, s_commands[i].summary);
    (void)fputs("\n"
                "  -h, --help     show this help; after a command, its options\n"
                "  -V, --version  show the version\n"
                "\n"
                "Manual pages: stint(1), stint-COMMAND(1); stint(7) for concepts and environment\n"
                "variables, stint(3) for the functions and macros.\n",
                to);
}

/* What other profilers call it, and what to type here. */
static const struct {
    const char *word;
    const char *here;
} s_habits[] = {
    {"record", "stint run --sample --store run.stint PROGRAM"},
    {"stat", "stint run PROGRAM, or stint stats FILE"},
    {"profile", "stint run --store run.stint PROGRAM"},
    {"annotate", "stint samples run.stint --source FUNCTION"},
    {"graph", "stint samples run.stint --mode top-down"},
};

static int unknown_option(const char *option)
{
    static const char *const names[] = {"--help", "--version"};
    const char *close = stint_suggest(option, names, sizeof names / sizeof names[0]);
    stint_cli_say("there is no option %s%s%s%s", option, close ? "; did you mean " : "", close ? close : "",
                  close ? "?" : ": options follow a command; stint --help lists the commands");
    return STINT_CLI_USAGE;
}

static int unknown(const char *word)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = s_commands[i].name;
    for (size_t i = 0; i < sizeof s_habits / sizeof s_habits[0]; i++) {
        if (strcmp(word, s_habits[i].word) == 0) {
            stint_cli_say("there is no command \"%s\" here: type %s", word, s_habits[i].here);
            return STINT_CLI_USAGE;
        }
    }
    const char *close = stint_suggest(word, names, COMMANDS);
    if (close)
        stint_cli_say("there is no command \"%s\"; did you mean \"%s\"?", word, close);
    else
        stint_cli_say("there is no command \"%s\"; to run a program: stint run %s ...", word, word);
    return STINT_CLI_USAGE;
}

static int is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* Started through a link of that name, the program is nvprof. */
static int is_nvprof(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "nvprof") == 0;
}

static void go_on(int signal)
{
    (void)signal;
}

/* A file that may not grow is an error. What is run does not inherit this handler. */
static void catch_limit(void)
{
    struct sigaction action = {.sa_handler = go_on}, now;
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        (void)sigaction(SIGXFSZ, &action, NULL);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, s_commands[i].name) == 0)
            return &s_commands[i];
    return NULL;
}

/* `stint help run` is `stint run --help`. */
static int help(char *name)
{
    const struct command *command = name ? find_command(name) : NULL;
    if (command)
        return command->run(2, (char *[]){name, (char[]){"--help"}, NULL});
    if (name)
        return unknown(name);
    print_help(stdout);
    return STINT_CLI_OK;
}

/* Reports leave out what they had no memory for. */
static int run_command(const struct command *command, int count, char **arguments)
{
    int is_of_program = command->run == stint_cli_run || command->run == stint_cli_nvprof; /* so is its exit code */
    if (!is_of_program)
        stint_write_patience_s = INT_MAX;
    int code = command->run(count, arguments);
    if (code != STINT_CLI_OK || !stint_memory_lacked)
        return code;
    stint_cli_say("there was not enough memory, so the output may lack something");
    return is_of_program ? code : STINT_CLI_NO;
}

int stint_cli(int count, char **arguments)
{
    catch_limit();
    if (count && is_nvprof(arguments[0]))
        return stint_cli_nvprof(count, arguments);
    if (count < 2) {
        print_help(stderr);
        return STINT_CLI_USAGE;
    }
    const struct command *command = find_command(arguments[1]);
    if (command)
        return run_command(command, count - 1, arguments + 1);
    if (is_one_of(arguments[1], "-h", "--help", "help"))
        return help(count > 2 ? arguments[2] : NULL);
    if (is_one_of(arguments[1], "-V", "--version", "version")) {
        (void)puts("stint " STINT_CLI_VERSION);
        return STINT_CLI_OK;
    }
    return arguments[1][0] == '-' ? unknown_option(arguments[1]) : unknown(arguments[1]);
}

/* Help, lists and what stint doctor finds. */
static int is_stdout_lost(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    stint_cli_end_if_unread(STDOUT_FILENO, errno);
    stint_cli_say("standard output cannot be written: %s", strerror(errno));
    return 1;
}

/* Weak, because tests of this stage have their own. */
__attribute__((weak)) int main(int count, char **arguments)
{
    int code = stint_cli(count, arguments);
    return is_stdout_lost() && code == STINT_CLI_OK ? STINT_CLI_NO : code;
}
