#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"

const char *stint_temporary_folder(void)
{
    const char *named = stint_env_text("TMPDIR");
    return named ? named : "/tmp";
}

int stint_temporary_file(char *path, size_t size)
{
    if (snprintf(path, size, "%s/stint-XXXXXX", stint_temporary_folder()) >= (int)size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkostemp(path, O_CLOEXEC);
}
