/* Finds a folder that temporary files can be made in, which in containers is not always /tmp. */
#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"

/* Containers may have no /tmp, or one that is read-only like all else but /dev/shm. */
const char *stint_temporary_folder(void)
{
    static const char *const usual[] = {"/tmp", "/var/tmp", "/dev/shm", "."};
    const char *named = stint_env_text("TMPDIR");
    for (size_t i = 0; !named && i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], W_OK | X_OK) == 0)
            return usual[i];
    return named ? named : usual[0];
}

int stint_temporary_file(char *path, size_t size)
{
    if (snprintf(path, size, "%s/stint-XXXXXX", stint_temporary_folder()) >= (int)size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkostemp(path, O_CLOEXEC);
}
