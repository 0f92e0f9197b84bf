/* Splits what a report writes into lines, as strings of a JSON array, for reports that the page shows as they are. */
#include "html/json_lines.h"

int stint_html_lines_put(void *context, const char *text, size_t length)
{
    struct stint_html_lines *lines = context;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            if (lines->used < sizeof lines->line - 1)
                lines->line[lines->used++] = text[i];
            continue;
        }
        lines->line[lines->used] = '\0';
        stint_json_string(lines->json, lines->line);
        lines->used = 0;
    }
    return 0;
}
