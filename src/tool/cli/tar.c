#include "cli/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The head of a file in an archive (POSIX, pax, "ustar Interchange Format"). */
enum {
    BLOCK = 512,
    SIZE_AT = 124,
    SIZE_LENGTH = 12,
    SUM_AT = 148,
    SUM_LENGTH = 8,
    TYPE_AT = 156,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LENGTH = 155,
    NAME_LENGTH = 100
};

enum { LONGEST_NAME = 4096, LONGEST_RECORDS = 65536, MOST_FILES = 100000 };

/* Where in the archive the reader is, and what extended heads say of the next file. */
struct reader {
    struct stint_tar *tar;
    const char *path;
    int file;
    uint64_t at, end;
    char name[LONGEST_NAME]; /* "": its head says it */
    uint64_t size;           /* UINT64_MAX: its head says it */
};

static int fail(struct reader *reader, const char *why)
{
    (void)snprintf(reader->tar->reason, sizeof reader->tar->reason, "%s, at byte %" PRIu64, why, reader->at);
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------- head */

/* The last eight bytes are the number; those before are 0, but for the first bit. */
static uint64_t binary_at(const unsigned char *at, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 1; i < length; i++) {
        if (value >> 56)
            return UINT64_MAX;
        value = value << 8 | at[i];
    }
    return value;
}

/* Returns a number in octal digits, or in binary if it is too large for them; UINT64_MAX if it is none. */
static uint64_t number_at(const unsigned char *at, size_t length)
{
    uint64_t value = 0;
    size_t i = 0;
    if (*at & 0x80)
        return binary_at(at, length);
    while (i < length && at[i] == ' ')
        i++;
    for (; i < length && at[i] >= '0' && at[i] <= '7'; i++)
        value = value << 3 | (uint64_t)(at[i] - '0');
    return i == length || at[i] == ' ' || at[i] == '\0' ? value : UINT64_MAX;
}

/* The sum is of all bytes of the head, with blanks in its own place. */
static int is_sound(const unsigned char *head)
{
    uint64_t sum = SUM_LENGTH * ' ';
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_LENGTH ? 0 : head[i];
    return memcmp(head + MAGIC_AT, "ustar", 5) == 0 && number_at(head + SUM_AT, SUM_LENGTH) == sum;
}

static int is_blank(const unsigned char *block)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (block[i])
            return 0;
    return 1;
}

static int read_bytes(int file, uint64_t at, void *bytes, size_t size)
{
    struct stint_ctf_input whole = {.size = UINT64_MAX};
    return stint_ctf_input_read(&whole, file, at, bytes, size);
}

int stint_tar_is(const char *path)
{
    unsigned char head[BLOCK];
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return 0;
    int is = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && read_bytes(file, 0, head, sizeof head) == 0 &&
             is_sound(head);
    (void)close(file);
    return is;
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* Leaves out "./" and "/" in front. */
static const char *relative(const char *name)
{
    for (;;) {
        if (*name == '/')
            name++;
        else if (name[0] == '.' && name[1] == '/')
            name += 2;
        else
            return name;
    }
}

static int add_file(struct reader *reader, const char *name, uint64_t at, uint64_t size)
{
    struct stint_tar *tar = reader->tar;
    if (tar->files.count == MOST_FILES)
        return fail(reader, "it has more files than recordings have");
    char *copy = stint_arena_copy(&tar->arena, name, strlen(name)), *slash = copy ? strrchr(copy, '/') : NULL;
    struct stint_tar_file *file = copy ? stint_array_add(&tar->files, &tar->arena, sizeof *file) : NULL;
    if (!file)
        return fail(reader, "there is not enough memory");
    file->input =
        (struct stint_ctf_input){.name = slash ? slash + 1 : copy, .path = reader->path, .at = at, .size = size};
    file->folder = slash ? copy : "";
    if (slash)
        *slash = '\0';
    return 0;
}

/* Takes the next file's name and size from records, "LENGTH KEY=VALUE\n", of an extended head. */
static int read_records(struct reader *reader, char *text, size_t length)
{
    static const char path[] = "path=", size[] = "size=", sparse[] = "GNU.sparse.";
    for (size_t at = 0; at < length;) {
        char *key;
        unsigned long long whole = strtoull(text + at, &key, 10);
        if (*key != ' ' || whole <= (size_t)(key - (text + at)) + 1 || whole > length - at ||
            text[at + whole - 1] != '\n')
            return fail(reader, "an extended head is damaged");
        key++;
        text[at + whole - 1] = '\0';
        if (strncmp(key, path, sizeof path - 1) == 0)
            (void)snprintf(reader->name, sizeof reader->name, "%.4095s", key + sizeof path - 1);
        else if (strncmp(key, size, sizeof size - 1) == 0)
            reader->size = strtoull(key + sizeof size - 1, NULL, 10);
        else if (strncmp(key, sparse, sizeof sparse - 1) == 0)
            return fail(reader, "it has sparse files: make it without --sparse");
        at += whole;
    }
    return 0;
}

/* Reads the extended head in front of a file. */
static int read_extended(struct reader *reader, char type, uint64_t at, uint64_t size)
{
    char text[LONGEST_RECORDS + 1];
    if (size > LONGEST_RECORDS || size > reader->end - at || read_bytes(reader->file, at, text, (size_t)size) != 0)
        return fail(reader, "an extended head is too long or cut");
    text[size] = '\0';
    if (type == 'x')
        return read_records(reader, text, (size_t)size);
    (void)snprintf(reader->name, sizeof reader->name, "%.4095s", text);
    return 0;
}

static void name_of(const struct reader *reader, const unsigned char *head, char *name, size_t size)
{
    const char *text = (const char *)head, *prefix = text + PREFIX_AT;
    int has_prefix = head[MAGIC_AT + 5] == '\0' && *prefix; /* not in GNU's own format */
    if (*reader->name)
        (void)snprintf(name, size, "%s", reader->name);
    else
        (void)snprintf(name, size, "%.*s%s%.*s", has_prefix ? PREFIX_LENGTH : 0, prefix, has_prefix ? "/" : "",
                       NAME_LENGTH, text);
}

/* Reads what the head is of. Links, folders and the like have nothing to read. */
static int read_entry(struct reader *reader, const unsigned char *head, uint64_t at, uint64_t size)
{
    char name[LONGEST_NAME], type = (char)head[TYPE_AT];
    switch (type) {
    case 'x':
    case 'L':
        return read_extended(reader, type, at, size);
    case 'S':
        return fail(reader, "it has sparse files: make it without --sparse");
    case '0':
    case '\0':
    case '7':
        name_of(reader, head, name, sizeof name);
        if (size > reader->end - at)
            reader->tar->is_cut = 1;
        if (add_file(reader, relative(name), at, size))
            return -1;
        break;
    default:
        break;
    }
    reader->name[0] = '\0';
    reader->size = UINT64_MAX;
    return 0;
}

/* The end is two blank blocks, of which one is enough. */
static int read_entries(struct reader *reader)
{
    unsigned char head[BLOCK];
    while (reader->end - reader->at >= BLOCK) {
        if (read_bytes(reader->file, reader->at, head, sizeof head) != 0)
            return fail(reader, strerror(errno));
        if (is_blank(head))
            return 0;
        if (!is_sound(head))
            return fail(reader, "the archive is damaged");
        int is_extended = head[TYPE_AT] == 'x' || head[TYPE_AT] == 'L';
        uint64_t at = reader->at + BLOCK, left = reader->end - at,
                 size =
                     !is_extended && reader->size != UINT64_MAX ? reader->size : number_at(head + SIZE_AT, SIZE_LENGTH);
        if (size == UINT64_MAX)
            return fail(reader, "a file's size is damaged");
        if (read_entry(reader, head, at, size))
            return -1;
        if (left < size)
            break;
        uint64_t padding = (BLOCK - size % BLOCK) % BLOCK;
        reader->at = at + size + (padding < left - size ? padding : left - size);
    }
    reader->tar->is_cut = 1;
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- archive */

static int by_name(const void *a, const void *b)
{
    const struct stint_tar_file *x = a, *y = b;
    int folder = strcmp(x->folder, y->folder), name = strcmp(x->input.name, y->input.name);
    if (folder || name)
        return folder ? folder : name;
    return x->input.at < y->input.at ? -1 : x->input.at > y->input.at;
}

/* Of files of one name, as when one was appended again, the last counts. */
static void sort(struct stint_tar *tar)
{
    struct stint_tar_file *files = tar->files.items;
    size_t kept = 0;
    if (tar->files.count)
        qsort(files, tar->files.count, sizeof *files, by_name);
    for (size_t i = 0; i < tar->files.count; i++)
        if (i + 1 == tar->files.count || strcmp(files[i].folder, files[i + 1].folder) != 0 ||
            strcmp(files[i].input.name, files[i + 1].input.name) != 0)
            files[kept++] = files[i];
    tar->files.count = kept;
}

int stint_tar_read(struct stint_tar *tar, const char *path)
{
    struct stat status;
    struct reader reader = {.tar = tar, .size = UINT64_MAX};
    reader.path = stint_arena_copy(&tar->arena, path, strlen(path));
    reader.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (!reader.path || reader.file < 0 || fstat(reader.file, &status) != 0) {
        (void)snprintf(tar->reason, sizeof tar->reason, "%s", strerror(reader.path ? errno : ENOMEM));
        if (reader.file >= 0)
            (void)close(reader.file);
        return -1;
    }
    reader.end = (uint64_t)status.st_size;
    int failed = read_entries(&reader);
    (void)close(reader.file);
    sort(tar);
    return failed;
}

void stint_tar_free(struct stint_tar *tar)
{
    stint_arena_free(&tar->arena);
}
