/* A program that knows nothing of stint, and loads plugins that do, one after the other: host PLUGIN... With ROUNDS in
 * its environment, it uses each of them so often. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t s_loaded, s_used;
static void (*s_run)(unsigned count);
static int s_rounds = 1;

static void use(unsigned count)
{
    for (int i = 0; i < s_rounds; i++)
        s_run(count);
}

/* This thread is older than the plugins, and than stint's thread-local variables. */
static void *use_there(void *argument)
{
    for (;;) {
        pthread_barrier_wait(&s_loaded);
        if (!s_run)
            return argument;
        use(7);
        pthread_barrier_wait(&s_used);
    }
}

static int run_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return -1;
    }
    *(void **)&s_run = dlsym(plugin, "plugin_run");
    pthread_barrier_wait(&s_loaded);
    use(5);
    pthread_barrier_wait(&s_used);
    return dlclose(plugin);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (getenv("ROUNDS"))
        s_rounds = atoi(getenv("ROUNDS"));
    pthread_barrier_init(&s_loaded, NULL, 2);
    pthread_barrier_init(&s_used, NULL, 2);
    pthread_create(&thread, NULL, use_there, NULL);
    for (int i = 1; i < argc; i++)
        if (run_plugin(argv[i]))
            return 1;
    s_run = NULL;
    pthread_barrier_wait(&s_loaded);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return argc > 1 && waitpid(child, NULL, 0) == child ? 13 : 1;
}
