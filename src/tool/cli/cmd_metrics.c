/* stint metrics - asks running programs what they have recorded, and gives that to Prometheus. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/live.h"
#include "cli/options.h"
#include "formats/formats.h"
#include "http/http_server.h"
#include "stint/snapshot.h"

struct watched {
    long long pid;
    char *folder;  /* in which it listens */
    int is_silent; /* it did not answer in time, */
    int is_told;   /* which has been said */
    struct stint_snapshot *snapshot;
    struct stint_series_memory memory;
};

struct command {
    const char *listen;
    struct stint_listen_address address;
    int wants_all;
    struct watched **watched; /* each at its place for as long as the process answers */
    size_t count, room;
};

static const struct stint_option s_options[] = {
    {"listen", 0, "ADDRESS",
     "where to listen: a port of this machine, such as 127.0.0.1:9464, or the path of a Unix socket", NULL,
     stint_option_text, offsetof(struct command, listen)},
    {"all", 'a', NULL, "all of your processes that stint can reach, including those that start later", NULL,
     stint_option_flag, offsetof(struct command, wants_all)},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {
    .order = "",
    .usage = "Usage: stint metrics --listen ADDRESS [PID... | --all]\n"
             "\n"
             "Serves what running processes have recorded so far at /metrics, for Prometheus.\n"
             "The processes must be yours, and must have been started by stint run or with\n"
             "STINT_CONTROL set.\n",
    .options = s_options,
};

/* -------------------------------------------------------------------------------------------------------- processes */

static void forget(struct watched *watched)
{
    stint_snapshot_free(watched->snapshot);
    stint_series_memory_free(&watched->memory);
    free(watched->folder);
    free(watched);
}

static void watch(void *context, long long pid, const char *folder)
{
    struct command *command = context;
    for (size_t i = 0; i < command->count; i++)
        if (command->watched[i]->pid == pid && strcmp(command->watched[i]->folder, folder) == 0)
            return;
    if (command->count == command->room) {
        size_t room = command->room ? 2 * command->room : 16;
        struct watched **more = realloc(command->watched, room * sizeof(struct watched *));
        if (!more)
            return;
        command->watched = more;
        command->room = room;
    }
    struct watched *watched = calloc(1, sizeof *watched);
    if (!watched)
        return;
    watched->pid = pid;
    watched->folder = strdup(folder);
    if (watched->folder)
        command->watched[command->count++] = watched;
    else
        free(watched);
}

static void forget_ended(struct command *command)
{
    for (size_t i = command->count; i-- > 0;) {
        struct watched *watched = command->watched[i];
        if (kill((pid_t)watched->pid, 0) == 0 || errno != ESRCH)
            continue;
        command->watched[i] = command->watched[--command->count];
        forget(watched);
    }
}

/* Asks all of them. One that is too busy to answer is asked again the next time, and what was said about it is kept.
 * Returns how many have answered: these are in front. */
static size_t ask_all(struct command *command)
{
    size_t answered = 0;
    forget_ended(command);
    if (command->wants_all)
        stint_each_listener(watch, command);
    for (size_t i = 0; i < command->count; i++) {
        struct watched *watched = command->watched[i];
        stint_snapshot_free(watched->snapshot);
        watched->snapshot = stint_ask_snapshot(watched->folder, watched->pid, &watched->is_silent);
        if (watched->is_silent && !watched->is_told)
            stint_cli_say("process %lld does not answer: until it does, its metrics are missing", watched->pid);
        watched->is_told = watched->is_silent;
        if (!watched->snapshot)
            continue;
        command->watched[i] = command->watched[answered];
        command->watched[answered++] = watched;
    }
    return answered;
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static int write_metrics(struct command *command, size_t count, struct stint_http_reply *reply)
{
    struct stint_exposed *all = calloc(count + 1, sizeof *all);
    struct stint_text text;
    if (!all)
        return 500;
    for (size_t i = 0; i < count; i++)
        all[i] = (struct stint_exposed){command->watched[i]->snapshot, &command->watched[i]->memory};
    reply->type = "application/openmetrics-text; version=1.0.0";
    stint_text_begin(&text, stint_http_write, reply);
    stint_expose_processes(&text, all, count);
    free(all);
    return stint_text_end(&text) ? 500 : 200;
}

static int answer(void *context, const struct stint_http_request *request, struct stint_http_reply *reply)
{
    static const char path[] = "/metrics";
    struct command *command = context;
    size_t length = sizeof path - 1;
    if (strncmp(request->target, path, length) != 0 || (request->target[length] && request->target[length] != '?'))
        return 404;
    size_t answered = ask_all(command);
    return answered || command->wants_all ? write_metrics(command, answered, reply) : 503;
}

static int serve(struct command *command)
{
    struct stint_http_server server = {answer, command, "http://localhost/metrics has the metrics"};
    int listener = stint_listen_at(&command->address);
    int error = listener < 0 ? errno : 0;
    if (!error) {
        stint_cli_say("listening on %s; press Ctrl-C to stop", command->listen);
        error = stint_http_run(&server, listener);
    }
    if (!error && command->address.path[0])
        (void)unlink(command->address.path);
    if (error)
        stint_cli_say("--listen %s: %s", command->listen, strerror(error));
    return error ? STINT_CLI_NO : STINT_CLI_OK;
}

/* ---------------------------------------------------------------------------------------------------------- options */

static int check(struct command *command)
{
    char reason[256];
    if (!command->listen)
        stint_cli_say("expected an address to listen on: stint metrics --listen 127.0.0.1:9464");
    else if (stint_listen_address_read(&command->address, command->listen, reason, sizeof reason))
        stint_cli_say("--listen %.256s: %s", command->listen, reason);
    else if (stint_http_missing())
        stint_cli_say("%s", stint_http_missing());
    else
        return 0;
    return -1;
}

int stint_cli_metrics(int count, char **arguments)
{
    struct command command = {.listen = NULL};
    int code = stint_options_read(count, arguments, &s_syntax, &command);
    if (code >= 0)
        return code;
    if (check(&command))
        return STINT_CLI_USAGE;
    code = stint_find_listeners(count, arguments, &command.wants_all, watch, &command);
    if (code == STINT_CLI_OK)
        code = serve(&command);
    for (size_t i = 0; i < command.count; i++)
        forget(command.watched[i]);
    free(command.watched);
    return code;
}
