/* Takes any bytes as the packets of a recording, and writes what can be read as a file of each format for other tools
 * and as a page. They are well-formed, and no name gets out of its place in the page. */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu/cpu_profile.h"
#include "ctf/ctf.h"
#include "fuzz.h"
#include "html/overview.h"
#include "recording.h"

enum { BLOCKS = 1000 };

static void check_format(enum stint_export_format format, const struct output *output)
{
    switch (format) {
    case STINT_EXPORT_CHROME:
        check_json(output);
        break;
    case STINT_EXPORT_PERFETTO:
    case STINT_EXPORT_PPROF:
        check_protobuf(output);
        break;
    default: /* lines of text */
        break;
    }
}

static void write_format(struct stint_ctf *ctf, const struct stint_cpu_stacks *samples, enum stint_export_format format)
{
    struct output output = {0};
    char reason[256] = "";
    if (stint_export_write(&(struct stint_export_input){.snapshot = stint_ctf_snapshot(ctf),
                                                        .events = stint_ctf_events(ctf),
                                                        .samples = &samples->stacks},
                           format, keep, &output, reason, sizeof reason))
        require(reason[0], "failed without a reason");
    else
        check_format(format, &output);
    free(output.text);
}

/* The page has as many elements of these kinds as any other. */
static void check_page(const struct output *page)
{
    static const char *const texts[] = {"<script", "</script", "<style", "</style", "<title", "</title", "<!--"};
    static size_t s_counts[sizeof texts / sizeof texts[0]];
    static int s_counted;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t count = count_of(page, texts[i]);
        require(!s_counted || count == s_counts[i], "a name became part of the page");
        s_counts[i] = count;
    }
    s_counted = 1;
    require(page->used == strlen(page->text), "the page has a NUL");
}

static void write_page(struct stint_ctf *ctf)
{
    struct stint_overview *overview = malloc(sizeof *overview);
    struct stint_html html = {.snapshot = stint_ctf_snapshot(ctf), .overview = overview};
    struct stint_export_input input = {.snapshot = stint_ctf_snapshot(ctf)};
    struct stint_functions functions;
    struct output page = {0};
    require(overview != NULL && stint_functions_begin(&functions, &input) == 0, "no memory");
    if (stint_overview_read(overview, stint_ctf_events(ctf), &functions, BLOCKS) == 0) {
        require(stint_html_write(&html, keep, &page) == STINT_OK, "the page cannot be written");
        check_page(&page);
    }
    stint_overview_free(overview);
    stint_functions_free(&functions);
    free(overview);
    free(page.text);
}

static void write_all(const char *folder)
{
    char reason[256];
    struct stint_ctf *ctf = stint_ctf_open(folder, reason, sizeof reason);
    struct stint_cpu_profile profile;
    if (!ctf)
        return;
    require(!stint_cpu_profile_make(&profile, stint_ctf_snapshot(ctf), &(struct stint_cpu_options){0}), "no samples");
    struct stint_cpu_stacks samples = stint_cpu_stacks(&profile);
    for (int format = 0; stint_export_name(format); format++)
        write_format(ctf, &samples, (enum stint_export_format)format);
    write_page(ctf);
    stint_cpu_profile_free(&profile);
    stint_ctf_close(ctf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    write_all(recording_write_repaired(data, size));
    return 0;
}
