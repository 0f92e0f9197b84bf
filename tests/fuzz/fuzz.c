#include "fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    (void)context;
    (void)text;
    (void)length;
    return 0;
}
