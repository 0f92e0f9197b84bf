#include "store/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char scratch_path[64];

int scratch_make(void **state)
{
    static char folder[] = "/tmp/stint-scratch-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    (void)snprintf(scratch_path, sizeof scratch_path, "%s/a.sqlite", folder);
    return 0;
}

int scratch_remove(void **state)
{
    return system("rm -rf \"$PWD\"");
}
