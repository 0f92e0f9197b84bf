/* Words for differences: numbers with units, signs and percentages, as reports of all forms have them. */
#include "diff/amount.h"

#include <math.h>
#include <string.h>

static void put_number(struct stint_line *line, double value)
{
    char digits[STINT_NUMBER_SIZE];
    int whole = value <= floor(value);
    stint_line_bytes(line, digits, stint_number_fixed(digits, value, whole ? 0 : 1));
}

static void put_bytes(struct stint_line *line, double bytes)
{
    static const char *const units[] = {" B", " KB", " MB", " GB", " TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1000;
    stint_line_fixed(line, bytes, unit ? 3 : 0);
    stint_line_string(line, units[unit]);
}

static void put_positive(struct stint_line *line, enum stint_metric metric, double value)
{
    switch (stint_metric_unit(metric)) {
    case STINT_METRIC_NS:
        stint_line_time(line, value);
        break;
    case STINT_METRIC_OF_BYTES:
        put_bytes(line, value);
        break;
    default:
        put_number(line, value);
        break;
    }
}

void stint_amount_put(struct stint_line *line, enum stint_metric metric, double value)
{
    if (value < 0)
        stint_line_string(line, "-");
    put_positive(line, metric, fabs(value));
}

void stint_amount_put_change(struct stint_line *line, enum stint_metric metric, double value)
{
    if (!(value < 0))
        stint_line_string(line, "+");
    stint_amount_put(line, metric, value);
}

size_t stint_amount_percent(char *out, double part)
{
    double percent = 100 * part;
    if (!(percent > 0) && !(percent < 0) && !isnan(percent)) {
        memcpy(out, "=", 2);
        return 1;
    }
    out[0] = '+';
    size_t sign = percent > 0;
    unsigned decimals = 1;
    for (double least = 0.1; fabs(percent) < least && decimals < 4; least /= 10)
        decimals++;
    return sign + stint_number_fixed(out + sign, percent, decimals);
}

void stint_amount_put_percent(struct stint_line *line, double part)
{
    char digits[STINT_NUMBER_SIZE];
    if (!isfinite(part)) {
        stint_line_string(line, "from 0");
        return;
    }
    size_t length = stint_amount_percent(digits, part);
    if (digits[0] == '=')
        memcpy(digits, "0", length);
    stint_line_bytes(line, digits, length);
    stint_line_string(line, "%");
}
