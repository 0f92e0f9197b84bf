/* Numbers the texts of a page. */
#include "html/string_table.h"

size_t stint_html_strings_add(struct stint_html_strings *strings, const char *text)
{
    static const struct stint_table_key s_text = STINT_TABLE_KEY_WHOLE(const char *);
    const void *row = stint_table_take(&strings->all, &s_text, strings->arena, &text);
    if (!row)
        strings->failed = 1;
    return row ? stint_table_position(&strings->all, &s_text, row) : 0;
}
