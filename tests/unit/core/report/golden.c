#include "report/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

/* What captures have written. It is needed until the program ends: no test has to free it. */
static char **s_texts;
static size_t s_text_count;

int capture_write(void *context, const char *bytes, size_t length)
{
    struct capture *capture = context;
    if (!capture->text) {
        char **texts = realloc(s_texts, (s_text_count + 1) * sizeof *texts);
        if (!texts)
            return -1;
        s_texts = texts;
        s_texts[s_text_count] = NULL;
        capture->number = s_text_count++;
    }
    char *text = realloc(capture->text, capture->length + length + 1);
    if (!text)
        return -1;
    memcpy(text + capture->length, bytes, length);
    s_texts[capture->number] = capture->text = text;
    capture->length += length;
    text[capture->length] = '\0';
    return 0;
}

/* Returns where the character at `text` ends, and adds its columns: none for an escape sequence. */
static const char *skip_character(const char *text, size_t *columns)
{
    if (*text == '\033')
        return text + strcspn(text, "m") + 1;
    uint32_t code;
    size_t length = stint_utf8_read(text, &code);
    *columns += code == STINT_UTF8_INVALID ? 1 : stint_utf8_columns(code);
    return text + length;
}

size_t capture_width(const struct capture *capture)
{
    size_t widest = 0, columns = 0;
    for (const char *at = capture->text; at && *at;) {
        if (*at == '\n') {
            columns = 0;
            at++;
            continue;
        }
        at = skip_character(at, &columns);
        if (columns > widest)
            widest = columns;
    }
    return widest;
}

void assert_only_colors(const struct capture *plain, const struct capture *color)
{
    const char *at = plain->text;
    assert_null(strchr(plain->text, '\033'));
    for (const char *from = color->text; *from; from++) {
        if (*from == '\033')
            from = strchr(from, 'm');
        else
            assert_int_equal(*from, *at++);
    }
    assert_int_equal(*at, '\0');
}

/* ----------------------------------------------------------------------------------------------------------- golden */

static void open_golden(FILE **stream, const char *file, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", STINT_GOLDEN_DIR, file);
    *stream = fopen(path, mode);
    if (!*stream)
        fail_msg("%s: cannot be opened; record it with STINT_RECORD_GOLDEN=1", path);
}

static struct capture read_golden(const char *file)
{
    struct capture golden = {0};
    char piece[4096];
    FILE *stream;
    open_golden(&stream, file, "rb");
    for (size_t length; (length = fread(piece, 1, sizeof piece, stream)) > 0;)
        assert_int_equal(capture_write(&golden, piece, length), 0);
    fclose(stream);
    return golden;
}

static void record(const struct capture *capture, const char *file)
{
    FILE *stream;
    open_golden(&stream, file, "wb");
    assert_int_equal(fwrite(capture->text, 1, capture->length, stream), capture->length);
    assert_int_equal(fclose(stream), 0);
    print_message("recorded %s\n", file);
}

static size_t line_length(const char *text)
{
    return strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
}

/* Prints the lines that differ, side by side in number: enough to see what changed, without a real diff. */
static void print_difference(const char *expected, const char *actual)
{
    for (size_t line = 1; *expected || *actual; line++) {
        size_t expected_length = line_length(expected), actual_length = line_length(actual);
        int same = expected_length == actual_length && memcmp(expected, actual, actual_length) == 0;
        if (!same) {
            print_error("@@ line %zu\n-%.*s%s", line, (int)expected_length, expected, expected_length ? "" : "\n");
            print_error("+%.*s%s", (int)actual_length, actual, actual_length ? "" : "\n");
        }
        expected += expected_length;
        actual += actual_length;
    }
}

void assert_golden(struct capture capture, const char *file)
{
    const char *recording = getenv("STINT_RECORD_GOLDEN");
    assert_non_null(capture.text);
    if (recording && strcmp(recording, "1") == 0) {
        record(&capture, file);
        return;
    }
    struct capture golden = read_golden(file);
    int same = golden.length == capture.length && memcmp(golden.text, capture.text, golden.length) == 0;
    if (!same)
        print_difference(golden.text ? golden.text : "", capture.text);
    if (!same)
        fail_msg("differs from tests/golden/%s (-golden +now); record with STINT_RECORD_GOLDEN=1", file);
}

struct capture capture_report(const struct stint_snapshot *snapshot, enum stint_format format,
                              const struct stint_layout *layout)
{
    struct capture out = {0};
    assert_int_equal(stint_report_write(snapshot, format, layout, capture_write, &out), STINT_OK);
    assert_non_null(out.text);
    return out;
}

void assert_report(const struct stint_snapshot *snapshot, enum stint_format format, unsigned columns, const char *file)
{
    struct capture out = capture_report(snapshot, format, &(struct stint_layout){.columns = columns});
    assert_golden(out, file);
}

size_t count_words(const char *text, const char *word)
{
    size_t found = 0;
    for (; (text = strstr(text, word)); text++)
        found++;
    return found;
}

struct capture write_table(const struct stint_snapshot *snapshot, unsigned columns, int color)
{
    return capture_report(snapshot, STINT_FORMAT_TABLE, &(struct stint_layout){.columns = columns, .color = color});
}
