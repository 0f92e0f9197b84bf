#include "cli/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

static int say(const struct stint_outfile *out, int error)
{
    stint_cli_say("%.512s cannot be written: %s", out->path ? out->path : "stdout", strerror(error));
    return -1;
}

/* Devices and pipes are what they are: nothing may be put in their place. */
static int is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

int stint_outfile_open(struct stint_outfile *out, const char *path)
{
    *out = (struct stint_outfile){.file = STDOUT_FILENO, .path = path};
    if (!path)
        return 0;
    if (is_regular(path)) {
        int length = snprintf(out->beside, sizeof out->beside, "%s.%ld", path, (long)getpid());
        if (length < 0 || (size_t)length >= sizeof out->beside)
            return say(out, ENAMETOOLONG);
    }
    out->file = open(*out->beside ? out->beside : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return out->file < 0 ? say(out, errno) : 0;
}

int stint_outfile_close(struct stint_outfile *out, int failed)
{
    int error = failed ? errno : 0;
    if (out->path && close(out->file) && !error)
        error = errno;
    if (*out->beside && !error && rename(out->beside, out->path))
        error = errno;
    if (*out->beside && error)
        (void)unlink(out->beside);
    return error ? say(out, error) : 0;
}
