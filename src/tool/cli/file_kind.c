/* Finds out what kind of recording a file is, by its first bytes or its name, and what it is instead if it is none. */
#include "cli/profile.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "ctf/ctf.h"
#include "kineto/kineto.h"
#include "store/store.h"

/* Whether a regular file has these bytes there. */
static int has_bytes(const char *path, off_t at, const char *bytes, size_t size)
{
    char found[16];
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return 0;
    ssize_t length = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? pread(file, found, size, at) : 0;
    (void)close(file);
    return length == (ssize_t)size && memcmp(found, bytes, size) == 0;
}

static int is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    return has_bytes(path, 0, magic, sizeof magic);
}

static int is_archive(const char *path)
{
    enum { MAGIC_AT = 257 };
    return has_bytes(path, MAGIC_AT, "ustar", 5);
}

int stint_file_say_archive(const char *name)
{
    stint_cli_say("%s is an archive of tar: unpack it (tar xf %s), and name the recording that was in it", name,
                  strcmp(name, STINT_STDIN_NAME) ? name : "-");
    return -1;
}

/* Nsight Systems' own format, which only Nsight Systems can read. */
static int is_of_nsys(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".nsys-rep") == 0 || strcmp(dot, ".qdrep") == 0);
}

/* Names compression by how a file begins; NULL: none. */
static const char *compression_of(const char *path)
{
    static const struct {
        const char *bytes, *command;
    } kinds[] = {
        {"\x1f\x8b", "gzip -dc"}, {"\x28\xb5\x2f\xfd", "zstd -dc"}, {"\xfd\x37zXZ", "xz -dc"}, {"BZh", "bzip2 -dc"}};
    char head[8] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    ssize_t length = pread(file, head, sizeof head - 1, 0);
    (void)close(file);
    for (size_t i = 0; length > 0 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(head, kinds[i].bytes, strlen(kinds[i].bytes)) == 0)
            return kinds[i].command;
    return NULL;
}

static int is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

int stint_file_say_wrong(const char *path, const char *name, const struct stint_import_error *error)
{
    const char *unpack = error->line ? compression_of(path) : NULL;
    if (unpack && (strstr(name, ".tar.") || strstr(name, ".tgz")))
        return stint_file_say_archive(name);
    if (unpack)
        stint_cli_say("%s is compressed: %s %s | stint stats -", name, unpack,
                      strcmp(name, STINT_STDIN_NAME) ? name : "FILE");
    else if (is_empty(path))
        stint_cli_say("%s is empty", name);
    else if (error->line && is_of_nsys(path))
        stint_cli_say("%s cannot be read itself, but its export can: nsys export --type sqlite %s", path, path);
    else if (error->line)
        stint_cli_say("%s, line %zu: %s", name, error->line, error->reason);
    else
        stint_cli_say("%s: %s", name, error->reason);
    return -1;
}

static int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

enum stint_file_kind stint_file_kind(const char *path)
{
    if (stint_ctf_is(path))
        return STINT_FILE_RECORDING;
    if (is_folder(path))
        return STINT_FILE_FOLDER;
    if (is_archive(path))
        return STINT_FILE_ARCHIVE;
    if (is_database(path))
        return stint_store_is(path) ? STINT_FILE_STORE : STINT_FILE_FOREIGN;
    return stint_kineto_is(path) ? STINT_FILE_KINETO : STINT_FILE_REPORT;
}
