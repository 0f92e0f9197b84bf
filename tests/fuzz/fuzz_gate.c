/* Takes any text. Either it is refused with a reason and a position in it, or the text that its rules keep can be read
 * again and gives the same rules. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "fuzz.h"

static void check_place(const char *text, const struct stint_gate_error *error)
{
    require(error->reason[0] != '\0', "refused without a reason");
    for (size_t line = 1; line < error->line; line++) {
        text = strchr(text, '\n');
        require(text++ != NULL, "there is no such line");
    }
    require(error->column >= 1 && error->column <= strcspn(text, "\n") + 1, "there is no such column");
}

static void check_rule(const struct stint_gate_rule *rule, struct stint_arena *arena)
{
    struct stint_array again = {0};
    struct stint_gate_error error;
    require(stint_gate_read(&again, arena, rule->text, &error) == 0, "a rule's own text is refused");
    const struct stint_gate_rule *same = again.items;
    require(again.count == 1, "one rule was read as several");
    require(strcmp(same->pattern, rule->pattern) == 0, "the pattern changed");
    require(same->kinds == rule->kinds && same->metric == rule->metric && same->relation == rule->relation &&
                same->limit == rule->limit && same->optional == rule->optional,
            "the rule changed");
    require(memcmp(&same->bound, &rule->bound, sizeof rule->bound) == 0, "the limit changed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_arena arena = {0};
    struct stint_array rules = {0};
    struct stint_gate_error error;
    char *text = copy_text(data, size);
    if (stint_gate_read(&rules, &arena, text, &error))
        check_place(text, &error);
    for (size_t i = 0; i < rules.count; i++)
        check_rule((const struct stint_gate_rule *)rules.items + i, &arena);
    free(text);
    stint_arena_free(&arena);
    return 0;
}
