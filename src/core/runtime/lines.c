/* Cuts output into lines, for logs that take one line at a time, with or without their prefix. */
#include "runtime/runtime.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

/* Returns the length of the line that begins at `bytes`, newline included, or `length` if there is no newline. */
static size_t line_length(const char *bytes, size_t length)
{
    const char *newline = memchr(bytes, '\n', length);
    return newline ? (size_t)(newline - bytes) + 1 : length;
}

static int begin_line(struct stint_prefixer *prefixer)
{
    char prefix[STINT_LOG_PREFIX_SIZE];
    size_t length = stint_log_prefix(prefix, STINT_LOG_INFO, STINT_LOG_FILE, __LINE__);
    return stint_write_fd(&prefixer->fd, prefix, length);
}

int stint_prefixer_write(void *context, const char *bytes, size_t length)
{
    struct stint_prefixer *prefixer = context;
    while (length) {
        size_t part = line_length(bytes, length);
        if (!prefixer->inside && begin_line(prefixer))
            return -1;
        if (stint_write_fd(&prefixer->fd, bytes, part))
            return -1;
        prefixer->inside = bytes[part - 1] != '\n';
        bytes += part;
        length -= part;
    }
    return 0;
}

/* Makes room for `more` bytes and a NUL. The old line stays in the arena. */
static int reserve(struct stint_liner *liner, size_t more)
{
    size_t size = liner->size ? liner->size : 256;
    while (size <= liner->used + more)
        size *= 2;
    if (size == liner->size)
        return 0;
    char *line = stint_arena_alloc(&liner->arena, size);
    if (!line) {
        errno = ENOMEM;
        return -1;
    }
    if (liner->used)
        memcpy(line, liner->line, liner->used);
    liner->line = line;
    liner->size = size;
    return 0;
}

int stint_liner_write(void *context, const char *bytes, size_t length)
{
    struct stint_liner *liner = context;
    while (length) {
        size_t part = line_length(bytes, length);
        if (reserve(liner, part))
            return -1;
        memcpy(liner->line + liner->used, bytes, part);
        liner->used += part;
        if (bytes[part - 1] == '\n') {
            liner->line[liner->used - 1] = '\0';
            stint_log_message(STINT_LOG_INFO, STINT_LOG_FILE, __LINE__, liner->line);
            liner->used = 0;
        }
        bytes += part;
        length -= part;
    }
    return 0;
}

enum stint_status stint_report_log(void (*write)(struct stint_text *text, const struct stint_snapshot *snapshot,
                                                 const char *set, const char *name),
                                   const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    struct stint_liner liner = {{0}, NULL, 0, 0};
    struct stint_text text;
    stint_text_begin(&text, stint_liner_write, &liner);
    write(&text, snapshot, set, name);
    enum stint_status status = stint_text_end(&text);
    stint_arena_free(&liner.arena);
    return status ? STINT_ERROR_NO_MEMORY : STINT_OK;
}
