/* Reports by name and by public format: which there are, and who writes them. */
#include "report/report.h"

#include <string.h>
#include <strings.h>

#define NOTHING(...)

/* The names one after another, ended by an empty one: an array of pointers would have to be relocated in every
 * process. */
#define NAME(id, writer, name, ...) name "\0"
#define NSYS_NAME(id, name, title) name "\0"
static const char s_names[] = STINT_REPORT_LIST(NAME, NAME, NAME, NSYS_NAME);

struct form {
    unsigned char csv; /* the report that is written as CSV */
    unsigned char wants_events;
};

#define FORM(id, writer, name, csv, help) {STINT_REPORT_##csv, 0},
#define FORMS(id, writer, name, events, help) {STINT_REPORT_##id, events},
#define TEXT_FORM(id, ...) {STINT_REPORT_NONE, 0},
#define NSYS_FORM(id, ...) {STINT_REPORT_##id, 1},
static const struct form s_forms[] = {STINT_REPORT_LIST(FORM, FORMS, TEXT_FORM, NSYS_FORM)};

/* The public formats. */
#define FORMAT(id, ...) [STINT_FORMAT_##id] = {STINT_REPORT_##id, 0},
#define FORMAT_PAIR(id, ...) FORMAT(id, __VA_ARGS__)[STINT_FORMAT_##id##_CSV] = {STINT_REPORT_##id, 1},
static const struct {
    unsigned char report;
    unsigned char csv;
} s_formats[] = {STINT_REPORT_LIST(FORMAT, FORMAT_PAIR, FORMAT, NOTHING)};

enum { FORMATS = sizeof s_formats / sizeof s_formats[0] };

#define WRITER(id, writer, ...) [STINT_REPORT_##id] = stint_report_##writer,
static void (*const s_writers[])(struct stint_text *text, const struct stint_snapshot *snapshot,
                                 const struct stint_layout *layout) = {
    STINT_REPORT_LIST(WRITER, NOTHING, NOTHING, NOTHING)};

enum { WRITERS = sizeof s_writers / sizeof s_writers[0] };

const char *stint_report_name_at(size_t index)
{
    const char *name = s_names;
    for (; index && *name; index--)
        name += strlen(name) + 1;
    return *name ? name : NULL;
}

static enum stint_report find_report(const char *name, size_t length)
{
    size_t report = 0;
    for (const char *at; (at = stint_report_name_at(report)); report++)
        if (strlen(at) == length && strncasecmp(at, name, length) == 0)
            break;
    return (enum stint_report)report;
}

static int read_name(struct stint_report_form *form, const char *name, size_t length, int csv)
{
    enum stint_report report = find_report(name, length);
    if (report != STINT_REPORT_NONE && csv)
        report = (enum stint_report)s_forms[report].csv;
    *form = (struct stint_report_form){.report = report, .csv = csv};
    return report == STINT_REPORT_NONE ? -1 : 0;
}

int stint_report_form_read(struct stint_report_form *form, const char *text, size_t length)
{
    static const char suffix[] = ":csv";
    size_t name = length < sizeof suffix - 1 ? 0 : length - (sizeof suffix - 1);
    if (name && strncasecmp(text + name, suffix, sizeof suffix - 1) == 0)
        return read_name(form, text, name, 1);
    return read_name(form, text, length, 0);
}

struct stint_report_form stint_report_form_of(enum stint_format format)
{
    if ((int)format < 0 || (int)format >= FORMATS)
        return (struct stint_report_form){.report = STINT_REPORT_NONE};
    return (struct stint_report_form){.report = (enum stint_report)s_formats[format].report,
                                      .csv = s_formats[format].csv};
}

int stint_report_form_is_core(const struct stint_report_form *form)
{
    return (int)form->report < WRITERS && s_writers[form->report];
}

int stint_report_form_ends_blank(const struct stint_report_form *form)
{
    return form->report >= STINT_REPORT_NSYS && !form->csv;
}

int stint_report_form_wants_events(const struct stint_report_form *form)
{
    return s_forms[form->report].wants_events;
}

enum stint_status stint_report_form_write(const struct stint_snapshot *snapshot, const struct stint_report_form *form,
                                          const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    static const struct stint_layout plain = {0};
    if (!snapshot || !write || form->report == STINT_REPORT_NONE)
        return STINT_ERROR_INVALID_ARGUMENT;
    if (!layout)
        layout = &plain;
    if (!stint_report_form_is_core(form))
        return stint_report_write_other ? stint_report_write_other(snapshot, form, layout, write, context)
                                        : STINT_ERROR_UNAVAILABLE;
    struct stint_text text;
    stint_text_begin(&text, write, context);
    s_writers[form->report](&text, snapshot, layout);
    return stint_text_end(&text);
}

enum stint_status stint_report_write(const struct stint_snapshot *snapshot, enum stint_format format,
                                     const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    struct stint_report_form form = stint_report_form_of(format);
    return stint_report_form_write(snapshot, &form, layout, write, context);
}

enum stint_status stint_report_named(const struct stint_snapshot *snapshot, const char *name, int csv,
                                     const struct stint_layout *layout, stint_write_fn *write, void *context)
{
    struct stint_report_form form;
    if (!name || read_name(&form, name, strlen(name), csv))
        return STINT_ERROR_INVALID_ARGUMENT;
    return stint_report_form_write(snapshot, &form, layout, write, context);
}
