#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    abort();
}

char *copy_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL, "no memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char s_folder[64];
static void (*s_clean)(void);

static void remove_folder(void)
{
    s_clean();
    rmdir(s_folder);
}

const char *make_folder(void (*clean)(void))
{
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    (void)snprintf(s_folder, sizeof s_folder, "%s/stint_fuzz_XXXXXX", parent);
    require(mkdtemp(s_folder) != NULL, "no folder can be made");
    s_clean = clean;
    atexit(remove_folder);
    return s_folder;
}

int keep(void *context, const char *text, size_t length)
{
    struct output *output = context;
    if (output->used + length >= output->room) {
        output->room = 2 * (output->used + length) + 1;
        output->text = realloc(output->text, output->room);
        require(output->text != NULL, "no memory");
    }
    if (length)
        memcpy(output->text + output->used, text, length);
    output->used += length;
    output->text[output->used] = '\0';
    return 0;
}

int discard(void *context, const char *text, size_t length)
{
    return 0;
}
