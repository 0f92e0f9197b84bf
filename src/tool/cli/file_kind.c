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
    stint_cli_say("%s is a tar archive: unpack it (tar xf %s), and name the recording in it", name,
                  strcmp(name, STINT_STDIN_NAME) ? name : "-");
    return -1;
}

/* Nsight Systems' own format, which only Nsight Systems can read. */
static int is_of_nsys(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".nsys-rep") == 0 || strcmp(dot, ".qdrep") == 0);
}

/* What is not read, by how it begins. */
struct other {
    const char *bytes;
    size_t size;
    const char *is;
    const char *command; /* makes of the file what can be read; NULL: nothing does */
};

#define BEGINS(bytes) bytes, sizeof(bytes) - 1

static const struct other s_others[] = {
    {BEGINS("\x1f\x8b"), "is compressed", "gzip -dc"},
    {BEGINS("\x28\xb5\x2f\xfd"), "is compressed", "zstd -dc"},
    {BEGINS("\xfd\x37zXZ"), "is compressed", "xz -dc"},
    {BEGINS("BZh"), "is compressed", "bzip2 -dc"},
    {BEGINS("\xff\xfe"), "is UTF-16 text", "iconv -f UTF-16 -t UTF-8"},
    {BEGINS("\xfe\xff"), "is UTF-16 text", "iconv -f UTF-16 -t UTF-8"},
    {BEGINS("{\0"), "is UTF-16 text", "iconv -f UTF-16LE -t UTF-8"},
    {BEGINS("[\0"), "is UTF-16 text", "iconv -f UTF-16LE -t UTF-8"},
    {BEGINS("\0{"), "is UTF-16 text", "iconv -f UTF-16BE -t UTF-8"},
    {BEGINS("\0["), "is UTF-16 text", "iconv -f UTF-16BE -t UTF-8"},
    {BEGINS("PERFILE2"), "is a recording of perf: read it with perf report. stint run --store FILE makes one for stint",
     NULL},
    {BEGINS("\x7f"
            "ELF"),
     "is a program or library, not a recording; stint run --store FILE PROGRAM makes one", NULL},
    {BEGINS("=="), "looks like printed output of nvprof: stint reads the file that nvprof -o writes", NULL},
};

/* Returns what the file is instead; NULL: that is not known. */
static const struct other *other_of(const char *path)
{
    for (size_t i = 0; i < sizeof s_others / sizeof s_others[0]; i++)
        if (has_bytes(path, 0, s_others[i].bytes, s_others[i].size))
            return &s_others[i];
    return NULL;
}

/* What is not read, by how its name ends. */
static const char *named_other_of(const char *name)
{
    static const struct {
        const char *end, *is;
    } others[] = {
        {".pftrace",
         "is a Perfetto trace: open it at ui.perfetto.dev. stint reads the recording that it was exported from"},
        {".perfetto-trace", "is a Perfetto trace: open it at ui.perfetto.dev"},
        {".pprof", "is a profile for pprof: open it with pprof. stint reads the recording that it was exported from"},
        {".collapsed",
         "has collapsed stacks, for flamegraph.pl. stint reads the recording that they were exported from"},
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof others[0]; i++)
        if (strcmp(dot, others[i].end) == 0)
            return others[i].is;
    return NULL;
}

/* Whether a file begins with letters, which no format does that is not a text. */
static int is_text(const char *path)
{
    enum { LETTERS = 3 };
    char found[LETTERS + 1];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = file < 0 ? 0 : read(file, found, LETTERS);
    if (file >= 0)
        (void)close(file);
    found[length > 0 ? length : 0] = '\0';
    return length > 0 && strspn(found, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ#/ \r\n") == (size_t)length;
}

static int is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

int stint_file_say_wrong(const char *path, const char *name, const struct stint_import_error *error)
{
    const struct other *other = error->line ? other_of(path) : NULL;
    if (other && other->command && (strstr(name, ".tar.") || strstr(name, ".tgz")))
        return stint_file_say_archive(name);
    if (other && other->command)
        stint_cli_say("%s %s: %s %s | stint stats -", name, other->is, other->command,
                      strcmp(name, STINT_STDIN_NAME) ? name : "FILE");
    else if (other || (error->line && named_other_of(name)))
        stint_cli_say("%s %s", name, other ? other->is : named_other_of(name));
    else if (is_empty(path))
        stint_cli_say("%s is empty", name);
    else if (error->line && is_of_nsys(path))
        stint_cli_say("%s can be read only as an export: nsys export --type sqlite %s", path, path);
    else if (error->line)
        stint_cli_say("%s:%zu: %s%s", name, error->line, error->reason,
                      has_bytes(path, 0, "{", 1) ? ""
                      : is_text(path)            ? ": this is a text file, not a recording"
                                                 : ": this is not a recording");
    else
        stint_cli_say("%s: %s", name, error->reason);
    return -1;
}

static int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* As stint writes it, which is found out first, since there may be very many. */
static int is_own_report(const char *path)
{
    static const char beginning[] = "{\"format\":\"stint";
    return has_bytes(path, 0, beginning, sizeof beginning - 1);
}

enum stint_file_kind stint_file_kind(const char *path)
{
    if (is_own_report(path))
        return STINT_FILE_REPORT;
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
