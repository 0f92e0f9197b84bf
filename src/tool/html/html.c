/* Puts a page together: the fixed parts of HTML, style and script, with the recording's JSON between them. Until the
 * page is small enough, the timeline is made coarser. */
#include "html/overview.h"

#include <string.h>

#include "base/text.h"
#include "html/data.h"
#include "html/page_json.h"

/* If the data have more bytes than this, the timeline is made coarser. */
enum { PAGE_MOST = 2500000, PART_MOST = 1000000 };

/* ------------------------------------------------------------------------------------------------------------ title */

/* The command of several recordings begins with their number. */
static const char *first_of(const char *command)
{
    static const char words[] = " recordings: ";
    const char *after = command + strspn(command, "0123456789");
    return after > command && strncmp(after, words, sizeof words - 1) == 0 ? after + sizeof words - 1 : command;
}

/* The program without its folder and arguments. */
static size_t program_of(const char *command, const char **begin)
{
    command = first_of(command);
    size_t length = strcspn(command, " ");
    *begin = command;
    for (size_t i = 0; i < length; i++)
        if (command[i] == '/')
            *begin = command + i + 1;
    return (size_t)(command + length - *begin);
}

static void put_title(struct stint_text *text, const struct stint_html *html)
{
    const char *at = html->title;
    size_t length = at ? strlen(at) : program_of(html->snapshot->process.command, &at);
    for (const char *end = at + length; at < end;) {
        char escape[STINT_ESCAPE_SIZE];
        size_t taken, escaped = stint_escape_xml(escape, at, &taken);
        stint_text_put(text, escaped ? escape : at, escaped ? escaped : taken);
        at += taken;
    }
    if (!length)
        stint_text_string(text, "stint report");
}

/* ------------------------------------------------------------------------------------------------------------- data */

static int count_bytes(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
    return 0;
}

static enum stint_status put_data(struct stint_page_data *data, stint_write_fn *write, void *context)
{
    struct stint_script script = {.write = write, .context = context};
    struct stint_text text;
    struct stint_json json = {.text = &text};
    stint_text_begin(&text, stint_script_write, &script);
    stint_data_put(data, &json);
    stint_text_string(&text, "\n");
    return stint_text_end(&text);
}

/* Makes the timeline coarser until the data are small enough, or it cannot become any coarser. */
static void fit(struct stint_page_data *data, struct stint_overview *overview)
{
    size_t most = data->is_part ? PART_MOST : PAGE_MOST;
    for (size_t before = SIZE_MAX; overview->count < before;) {
        size_t bytes = 0;
        (void)put_data(data, count_bytes, &bytes);
        if (bytes <= most)
            return;
        before = overview->count;
        stint_overview_coarsen(overview, (size_t)((double)before * (double)most / (double)bytes));
    }
}

/* ------------------------------------------------------------------------------------------------------------- page */

static void put_part(struct stint_text *text, int part)
{
    stint_text_put(text, stint_template_parts[part], stint_template_lengths[part]);
}

static enum stint_status put_page(const struct stint_html *html, struct stint_page_data *data, stint_write_fn *write,
                                  void *context)
{
    struct stint_text text;
    stint_text_begin(&text, write, context);
    put_part(&text, 0);
    stint_text_string(&text, html->is_served ? "; connect-src 'self'" : "");
    put_part(&text, 1);
    put_title(&text, html);
    put_part(&text, 2);
    if (stint_text_end(&text) || put_data(data, write, context))
        return STINT_ERROR_IO;
    put_part(&text, 3);
    return stint_text_end(&text);
}

static enum stint_status write_all(const struct stint_html *html, int is_part, stint_write_fn *write, void *context)
{
    struct stint_arena arena = {0};
    struct stint_page_data data = {.snapshot = html->snapshot,
                                   .overview = html->overview,
                                   .remarks = html->remarks,
                                   .from_ns = html->from_ns,
                                   .is_served = html->is_served,
                                   .is_part = is_part,
                                   .strings = {.arena = &arena}};
    enum stint_status status = STINT_ERROR_NO_MEMORY;
    if (stint_html_contexts_choose(&data.contexts, html->snapshot, STINT_HTML_CONTEXTS_MOST, &arena) == 0 &&
        stint_html_operations_make(&data.operations, is_part ? NULL : html->operations) == 0 &&
        (is_part || stint_html_samples_make(&data.samples, html->snapshot, &data.contexts, html->source_path) == 0)) {
        fit(&data, html->overview);
        status = is_part ? put_data(&data, write, context) : put_page(html, &data, write, context);
    }
    if (data.strings.failed)
        status = STINT_ERROR_NO_MEMORY;
    stint_html_operations_free(&data.operations);
    stint_html_samples_free(&data.samples);
    stint_arena_free(&arena);
    return status;
}

enum stint_status stint_html_write(const struct stint_html *html, stint_write_fn *write, void *context)
{
    return write_all(html, 0, write, context);
}

enum stint_status stint_html_write_timeline(const struct stint_html *html, stint_write_fn *write, void *context)
{
    return write_all(html, 1, write, context);
}
