/* Opens the place that --output names, and closes it so that a file is there as a whole, or as it was. */
#include "cli/outfile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

static int say(const struct stint_outfile *out, int error)
{
    if (!error)
        return 0;
    if (!out->path)
        stint_cli_end_if_unread(STDOUT_FILENO, error);
    stint_cli_say("%.512s cannot be written: %s", out->path ? out->path : "stdout", strerror(error));
    return -1;
}

int stint_outfile_open(struct stint_outfile *out, const char *path)
{
    *out = (struct stint_outfile){.file.fd = STDOUT_FILENO, .path = path};
    return path ? say(out, stint_whole_file_open(&out->file, path, 1)) : 0;
}

int stint_outfile_close(struct stint_outfile *out, int failed)
{
    if (out->path)
        return say(out, stint_whole_file_close(&out->file, failed));
    if (!failed)
        return 0;
    return say(out, out->file.error ? out->file.error : EIO);
}
