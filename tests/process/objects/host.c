/* A program that knows nothing of stint, and loads a plugin that does: host PLUGIN. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/objects/plugin.h"

static pthread_barrier_t s_loaded;
static void (*s_run)(unsigned count);

/* This thread is older than the plugin, and than stint's thread-local variables. */
static void *run_there(void *argument)
{
    pthread_barrier_wait(&s_loaded);
    s_run(7);
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *plugin;

    pthread_barrier_init(&s_loaded, NULL, 2);
    pthread_create(&thread, NULL, run_there, NULL);
    plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&s_run = dlsym(plugin, "plugin_run");
    pthread_barrier_wait(&s_loaded);
    s_run(5);
    pthread_join(thread, NULL);
    if (dlclose(plugin))
        return 1;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return waitpid(child, NULL, 0) == child ? 13 : 1;
}
