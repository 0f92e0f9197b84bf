/* nvprof's numbers. Where it printed 2.4e+03s for 2400.76 s, which has room for its digits, these have them. */
#include <string.h>

#include "formats/nvprof.h"
#include "report/units.h"

static const struct stint_nvprof_unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static const struct stint_nvprof_unit sizes[] = {
    {"B", 1}, {"KB", 1024.0}, {"MB", 1048576.0}, {"GB", 1073741824.0}, {"TB", 1099511627776.0}};

enum { TIMES = sizeof times / sizeof times[0], SIZES = sizeof sizes / sizeof sizes[0] };

/* The first unit in which there are less than 1000. */
static size_t unit_of(double value, const struct stint_nvprof_unit *units, size_t count)
{
    size_t unit = 0;
    while (unit + 1 < count && value / units[unit].size >= 1000)
        unit++;
    return unit;
}

/* "1.8e+10", for what has no room. */
static size_t put_exponent(char *out, double value)
{
    unsigned exponent = 0;
    for (; value >= 9.95; value /= 10)
        exponent++;
    size_t length = stint_number_fixed(out, value, 1);
    memcpy(out + length, "e+0", 3);
    length += exponent < 10 ? 3 : 2;
    return length + stint_number_u64(out + length, exponent);
}

/* Writes a number in `digits` digits, as many of them decimals as there is room for, all of them in as many columns. */
static size_t put_digits(char *out, double value, unsigned digits)
{
    unsigned whole = 1;
    for (double limit = 10; value >= limit && whole < digits; limit *= 10)
        whole++;
    size_t length = stint_number_fixed(out, value, digits - whole);
    if (length > digits + 1 && whole < digits) /* rounded up to one more: 9.99996 */
        length = stint_number_fixed(out, value, digits - whole - 1);
    return length > digits + 1 ? put_exponent(out, value) : length;
}

static size_t put_unit(char *out, size_t length, const char *unit)
{
    size_t more = strlen(unit);
    memcpy(out + length, unit, more + 1);
    return length + more;
}

size_t stint_nvprof_time(char *out, uint64_t ns, unsigned digits)
{
    double value = (double)ns;
    size_t unit = unit_of(value, times, TIMES);
    if (unit == 0)
        return put_unit(out, stint_number_u64(out, ns), times[0].name);
    if (unit + 1 == TIMES && digits == 5)
        digits++; /* the name of the unit is one shorter */
    return put_unit(out, put_digits(out, value / times[unit].size, digits), times[unit].name);
}

/* Decimals that a time in this unit has to its nanoseconds. */
static unsigned decimals_of(const struct stint_nvprof_unit *unit)
{
    unsigned decimals = 0;
    for (double size = unit->size; size >= 10; size /= 10)
        decimals++;
    return decimals;
}

size_t stint_nvprof_time_in(char *out, uint64_t ns, unsigned digits, const struct stint_nvprof_unit *unit)
{
    if (!unit->name)
        return stint_nvprof_time(out, ns, digits);
    return put_unit(out, stint_number_fixed(out, (double)ns / unit->size, decimals_of(unit)), unit->name);
}

size_t stint_nvprof_size(char *out, uint64_t bytes, unsigned digits)
{
    double value = (double)bytes;
    size_t unit = unit_of(value, sizes, SIZES);
    if (unit == 0)
        return put_unit(out, stint_number_u64(out, bytes), sizes[0].name);
    return put_unit(out, put_digits(out, value / sizes[unit].size, digits), sizes[unit].name);
}

size_t stint_nvprof_rate(char *out, uint64_t bytes, uint64_t ns)
{
    if (!ns)
        return put_unit(out, 0, "-");
    double value = (double)bytes / ((double)ns * 1e-9);
    size_t unit = unit_of(value, sizes, SIZES);
    size_t length = put_digits(out, value / sizes[unit].size, 5);
    length = put_unit(out, length, sizes[unit].name);
    return put_unit(out, length, "/s");
}

size_t stint_nvprof_share(char *out, uint64_t part, uint64_t whole)
{
    size_t length = stint_number_fixed(out, whole ? 100.0 * (double)part / (double)whole : 0, 2);
    return put_unit(out, length, "%");
}

/* Of a name that is too long the end goes, but the number stays, which tells devices apart. */
size_t stint_nvprof_device(char *out, const struct stint_gpu_device *device, size_t most)
{
    char id[STINT_NUMBER_SIZE];
    const char *name = *device->name ? device->name : "Device";
    size_t digits = stint_number_u64(id, device->id);
    size_t room = most > digits + 3 ? most - digits - 3 : 1;
    size_t length = strlen(name);
    while (length > room || (length && length < strlen(name) && name[length - 1] == ' '))
        length--;
    memcpy(out, name, length);
    memcpy(out + length, " (", 2);
    memcpy(out + length + 2, id, digits);
    return put_unit(out, length + 2 + digits, ")");
}

/* --------------------------------------------------------------------------------------------------------------- CSV */

struct stint_nvprof_unit stint_nvprof_time_unit(uint64_t greatest_ns)
{
    return times[unit_of((double)greatest_ns, times, TIMES - 1)];
}

struct stint_nvprof_unit stint_nvprof_column_unit(enum stint_time_unit wanted, uint64_t greatest_ns, int always)
{
    if (stint_unit_wanted(wanted, STINT_UNIT_AUTO))
        return (struct stint_nvprof_unit){stint_unit_name(wanted), (double)stint_unit_ns(wanted)};
    if (wanted == STINT_UNIT_COLUMN || always)
        return stint_nvprof_time_unit(greatest_ns);
    return (struct stint_nvprof_unit){0};
}

struct stint_nvprof_unit stint_nvprof_size_unit(double greatest_bytes)
{
    return sizes[unit_of(greatest_bytes, sizes, SIZES)];
}

void stint_nvprof_value(struct stint_text *text, double value, struct stint_nvprof_unit unit)
{
    char number[STINT_NUMBER_SIZE];
    unsigned decimals = strcmp(unit.name, "s") == 0 ? 9 : 6;
    stint_text_put(text, number, stint_number_fixed(number, value / unit.size, decimals));
}

void stint_nvprof_number(struct stint_text *text, double value, struct stint_nvprof_unit unit)
{
    stint_text_string(text, ",");
    stint_nvprof_value(text, value, unit);
}
