/* Takes any text. Either it is refused with a reason, or it gives a snapshot from which every report can be written,
 * and whose JSON can be read and written again without a change, except for rounding the first time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "import/import.h"
#include "stint/report.h"

static struct output write_report(const struct stint_snapshot *snapshot, enum stint_format format, unsigned columns)
{
    struct output output = {0};
    struct stint_layout layout = {.columns = columns};
    require(!stint_report_write(snapshot, format, &layout, keep, &output), "a report cannot be written");
    return output;
}

static struct stint_snapshot *read_text(const char *text, size_t length)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_import_json(text, length, &snapshot, &error);
    require(!status == !!snapshot, "status and snapshot disagree");
    require(!status || error.reason[0], "refused without a reason");
    return snapshot;
}

/* Returns what is written once `text` has been read. */
static struct output rewrite(const struct output *text)
{
    struct stint_snapshot *read = read_text(text->text, text->used);
    require(read != NULL, "what was written cannot be read");
    struct output output = write_report(read, STINT_FORMAT_JSON, 0);
    stint_snapshot_free(read);
    return output;
}

/* The first text may be rounded, because its numbers may have more decimals than durations have. */
static void check_json(const struct stint_snapshot *snapshot)
{
    struct output first = write_report(snapshot, STINT_FORMAT_JSON, 0);
    struct output second = rewrite(&first), third = rewrite(&second);
    require(second.used == third.used && memcmp(second.text, third.text, second.used) == 0, "JSON changed");
    free(first.text);
    free(second.text);
    free(third.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_text(data, size);
    struct stint_snapshot *snapshot = read_text(text, size);
    free(text);
    if (!snapshot)
        return 0;
    for (int format = STINT_FORMAT_TABLE; format <= (int)STINT_FORMAT_GPU; format++) {
        struct output output = write_report(snapshot, (enum stint_format)format, 80);
        free(output.text);
    }
    check_json(snapshot);
    stint_snapshot_free(snapshot);
    return 0;
}
