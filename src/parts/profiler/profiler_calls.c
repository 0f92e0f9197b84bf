/* The public functions of profiler.h: they start the library, whose log they use, then do their work. The work needs no
 * memory, so it is done even if the start failed. The info of a macro follows the name in the text of its arguments,
 * which is split where the preprocessor would. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "profiler/profiler.h"
#include "runtime/runtime.h"

static const char *or_unnamed(const char *name)
{
    return name && *name ? name : "(unnamed)";
}

int stint_i_profile_begin(const struct stint_i_profile_site *site, const char *name)
{
    struct stint_activation activation = {site->file, (int)site->line, or_unnamed(name), site->arguments, ""};
    (void)stint_runtime_start();
    return stint_activation_begin(&activation) != STINT_ERROR_BUSY;
}

void stint_i_profile_end(int begun)
{
    if (begun)
        (void)stint_activation_end();
}

enum stint_status stint_profiler_start(const char *name, const char *info)
{
    struct stint_activation activation = {STINT_LOG_FILE, __LINE__, or_unnamed(name), NULL, info ? info : ""};
    (void)stint_runtime_start();
    return stint_activation_begin(&activation);
}

enum stint_status stint_profiler_stop(void)
{
    (void)stint_runtime_start();
    return stint_activation_end();
}

enum stint_status stint_profiler_step(void)
{
    (void)stint_runtime_start();
    return stint_activation_step();
}

void stint_profiler_set_window(uint64_t first, uint64_t count)
{
    (void)stint_runtime_start();
    stint_activation_set_window(first, count);
}

enum stint_status stint_profiler_status(void)
{
    return stint_activation_status();
}

int stint_profiler_cuda_code(void)
{
    return stint_activation_cuda_code();
}

/* Returns where the literal that begins here ends. */
static const char *skip_literal(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Splits arguments as the preprocessor does: commas in parentheses and in literals do not separate them. */
const char *stint_activation_info(const char *arguments)
{
    int depth = 0;
    for (const char *at = arguments; *at;) {
        if (*at == '"' || *at == '\'') {
            at = skip_literal(at);
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        if (*at++ == ',' && !depth)
            return at + strspn(at, " ");
    }
    return "";
}

/* Reads and tests ranges of iterations, "first:count", that the profiler's window is given as. */

int stint_window_has(const struct stint_window *window, uint64_t iteration)
{
    return iteration >= window->first && (!window->count || iteration - window->first < window->count);
}

/* Reads digits, without sign or blanks. Returns where they end, or NULL. */
static const char *parse_number(uint64_t *number, const char *text)
{
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno ? NULL : end;
}

int stint_window_parse(struct stint_window *window, const char *text)
{
    struct stint_window parsed = {0};
    const char *at = parse_number(&parsed.first, text);
    if (at && *at == ':')
        at = parse_number(&parsed.count, at + 1);
    if (!at || *at)
        return -1;
    *window = parsed;
    return 0;
}
