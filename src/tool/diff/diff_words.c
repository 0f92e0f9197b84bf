/* Texts that several formats share. */
#include "diff/diff_formats.h"

enum { ENOUGH_FILES = 4 };

void stint_diff_put_noise(struct stint_line *line, const struct stint_diff *diff)
{
    size_t a = diff->side[STINT_DIFF_A].count, b = diff->side[STINT_DIFF_B].count;
    size_t fewest = a < b ? a : b;
    if (stint_noise_of(diff) == STINT_NOISE_WITHIN) {
        stint_line_string(
            line, "noise: with 1 file on a side, estimated only from the spread within the runs, not between runs; "
                  "* marks changes beyond it");
        return;
    }
    stint_line_string(line, "noise: 95 % intervals from ");
    stint_line_u64(line, a);
    stint_line_string(line, " and ");
    stint_line_u64(line, b);
    stint_line_string(line, " runs; * marks changes beyond them");
    if (fewest < ENOUGH_FILES)
        stint_line_string(line, fewest == 2
                                    ? "; with so few, 1 in 3 unchanged rows is marked, too: take 5 runs per side"
                                    : "; with so few, 1 in 10 unchanged rows is marked, too: take 5 runs per side");
}

static void put_part(struct stint_line *line, size_t count, const char *singular, const char *plural)
{
    if (!count)
        return;
    stint_line_string(line, ", ");
    stint_line_u64(line, count);
    stint_line_string(line, count == 1 ? singular : plural);
}

void stint_diff_put_outcome(struct stint_line *line, const struct stint_array *checks)
{
    stint_line_u64(line, stint_checks_count(checks, STINT_OUTCOME_FAIL));
    stint_line_string(line, " of ");
    stint_line_count(line, checks->count, "check", "checks");
    stint_line_string(line, " failed");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_UNSURE), " is inconclusive", " are inconclusive");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_SKIP), " had nothing to compare",
             " had nothing to compare");
    put_part(line, stint_checks_count(checks, STINT_OUTCOME_PASS), " passed", " passed");
}
