/* Chooses units for times, and writes times in them with as many digits as a reader can use. */
#include "report/line.h"

#include <string.h>

#include "base/text.h"

static const struct {
    char name[8]; /* not a pointer, which would cost a relocation */
    uint64_t ns;
} units[] = {
    [STINT_UNIT_S] = {"s", 1000000000},
    [STINT_UNIT_MS] = {"ms", 1000000},
    [STINT_UNIT_US] = {"us", 1000},
    [STINT_UNIT_NS] = {"ns", 1},
};

/* The greatest value in a column may be up to this many units: five digits before the point are still easy to read. */
static const uint64_t most_units = 100000;

const char *stint_unit_name(enum stint_time_unit unit)
{
    return units[unit].name;
}

uint64_t stint_unit_ns(enum stint_time_unit unit)
{
    return units[unit].ns;
}

enum stint_time_unit stint_unit_wanted(enum stint_time_unit wanted, enum stint_time_unit chosen)
{
    return wanted >= STINT_UNIT_S && wanted <= STINT_UNIT_NS ? wanted : chosen;
}

/* Units are in order, from the largest, S, to the smallest. */
enum stint_time_unit stint_unit_choose(uint64_t least_ns, uint64_t greatest_ns)
{
    enum stint_time_unit unit = STINT_UNIT_S;
    while (unit < STINT_UNIT_NS && greatest_ns < units[unit].ns)
        unit++;
    while (unit < STINT_UNIT_NS && least_ns < units[unit].ns / 10 && greatest_ns / units[unit + 1].ns < most_units)
        unit++;
    return unit;
}

/* Writes `decimals` digits of `value`, leading zeros included. */
static void put_decimals(char *out, uint64_t value, unsigned decimals)
{
    while (decimals--) {
        out[decimals] = (char)('0' + value % 10);
        value /= 10;
    }
}

size_t stint_unit_format(char *out, enum stint_time_unit unit, uint64_t ns)
{
    if (unit == STINT_UNIT_NS)
        return stint_number_u64(out, ns);
    unsigned decimals = 3;
    uint64_t scale = 1000; /* 10^decimals */
    for (; ns && ns < units[unit].ns / scale * 10 && scale < units[unit].ns; scale *= 1000)
        decimals += 3;
    uint64_t step = units[unit].ns / scale;
    uint64_t steps = ns / step + (step > 1 && ns % step >= step / 2);
    size_t length = stint_number_u64(out, steps / scale);
    out[length++] = '.';
    put_decimals(out + length, steps % scale, decimals);
    length += decimals;
    out[length] = '\0';
    return length;
}

/* The decimals that give a number four significant digits, or three for a measured cost of a few ns. */
static unsigned decimals_for(double number, enum stint_time_unit unit)
{
    if (unit == STINT_UNIT_NS)
        return number < 99.95 ? 1 : 0;
    if (number < 9.9995)
        return 3;
    return number < 99.995 ? 2 : 1;
}

size_t stint_time_format(char *out, double ns)
{
    enum stint_time_unit unit = STINT_UNIT_NS;
    /* 999.95 instead of 1000, because from there on the rounded number would have four digits before the point. */
    while (unit > STINT_UNIT_S && ns / (double)units[unit].ns >= 999.95)
        unit--;
    double number = ns / (double)units[unit].ns;
    size_t length = stint_number_fixed(out, number, decimals_for(number, unit));
    out[length++] = ' ';
    size_t name = strlen(units[unit].name);
    memcpy(out + length, units[unit].name, name + 1);
    return length + name;
}

struct stint_time_text stint_time_text(double ns)
{
    struct stint_time_text time;
    (void)stint_time_format(time.text, ns);
    return time;
}
