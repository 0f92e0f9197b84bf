/* A program and a library that both use NVTX, and a child that it forks: the ranges of program and library share a
 * stack. */
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int s_wrong;

#define EXPECT(condition) (s_wrong |= !(condition))

static int call(void *library, const char *name)
{
    void *const symbol = dlsym(library, name);
    int (*function)(void);
    memcpy(&function, &symbol, sizeof function);
    return function ? function() : -100;
}

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int status = 1;
    if (!library)
        return 1;
    EXPECT(nvtxRangePushA("of the program") == 0);
    EXPECT(call(library, "plugin_push") == 1);
    EXPECT(nvtxRangePop() == 1);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(nvtxRangePushA("of the child") == 1);
        EXPECT(nvtxRangePop() == 1);
        return s_wrong;
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    EXPECT(call(library, "plugin_pop") == 0);
    return s_wrong;
}
