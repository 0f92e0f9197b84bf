/* nvprof's numbers, and its tables as text and as CSV. Differs where nvprof printed 2.4e+03s for 2400.76 s although
 * there was room for the digits: all digits that fit are printed. */
#include <string.h>

#include "formats/nvprof.h"
#include "report/line.h"

static const struct stint_nvprof_unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
static const struct stint_nvprof_unit sizes[] = {
    {"B", 1}, {"KB", 1024.0}, {"MB", 1048576.0}, {"GB", 1073741824.0}, {"TB", 1099511627776.0}};

enum { TIMES = sizeof times / sizeof times[0], SIZES = sizeof sizes / sizeof sizes[0] };

/* The first unit in which the value is less than 1000. */
static size_t unit_of(double value, const struct stint_nvprof_unit *units, size_t count)
{
    size_t unit = 0;
    while (unit + 1 < count && value / units[unit].size >= 1000)
        unit++;
    return unit;
}

/* "1.8e+10", for values that do not fit. */
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

/* Writes a number with `digits` digits, using what the whole part leaves for decimals; all numbers have the same
 * width. */
static size_t put_digits(char *out, double value, unsigned digits)
{
    unsigned whole = 1;
    for (double limit = 10; value >= limit && whole < digits; limit *= 10)
        whole++;
    size_t length = stint_number_fixed(out, value, digits - whole);
    if (length > digits + 1 && whole < digits) /* rounding added a digit: 9.99996 */
        length = stint_number_fixed(out, value, digits - whole - 1);
    return length > digits + 1 ? put_exponent(out, value) : length;
}

static size_t put_unit(char *out, size_t length, const char *unit)
{
    size_t more = strlen(unit);
    memcpy(out + length, unit, more + 1);
    return length + more;
}

/* Writes the value in the unit that suits it. */
static size_t put_own(char *out, uint64_t value, unsigned digits, const struct stint_nvprof_unit *units, size_t count)
{
    size_t unit = unit_of((double)value, units, count);
    if (units == times && unit + 1 == TIMES && digits == 5)
        digits++; /* the unit's name is one character shorter */
    size_t length = unit ? put_digits(out, (double)value / units[unit].size, digits) : stint_number_u64(out, value);
    return put_unit(out, length, units[unit].name);
}

size_t stint_nvprof_time(char *out, uint64_t ns, unsigned digits)
{
    return put_own(out, ns, digits, times, TIMES);
}

size_t stint_nvprof_size(char *out, uint64_t bytes, unsigned digits)
{
    return put_own(out, bytes, digits, sizes, SIZES);
}

size_t stint_nvprof_rate(char *out, uint64_t bytes, uint64_t ns)
{
    if (!ns)
        return put_unit(out, 0, "-");
    double value = (double)bytes / ((double)ns * 1e-9);
    size_t unit = unit_of(value, sizes, SIZES);
    size_t length = put_digits(out, value / sizes[unit].size, 5);
    return put_unit(out, put_unit(out, length, sizes[unit].name), "/s");
}

/* Number of decimals that a time in this unit needs for nanoseconds. */
static unsigned decimals_of(const struct stint_nvprof_unit *unit)
{
    unsigned decimals = 0;
    for (double size = unit->size; size >= 10; size /= 10)
        decimals++;
    return decimals;
}

/* A name that is too long is cut at the end, but the number is kept, because it distinguishes devices. */
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

static struct stint_nvprof_unit time_unit_of(uint64_t greatest_ns)
{
    return times[unit_of((double)greatest_ns, times, TIMES - 1)];
}

struct stint_nvprof_unit stint_nvprof_column_unit(enum stint_time_unit wanted, uint64_t greatest_ns, int always)
{
    if (stint_unit_wanted(wanted, STINT_UNIT_AUTO))
        return (struct stint_nvprof_unit){stint_unit_name(wanted), (double)stint_unit_ns(wanted)};
    if (wanted == STINT_UNIT_COLUMN || always)
        return time_unit_of(greatest_ns);
    return (struct stint_nvprof_unit){0};
}

struct stint_nvprof_unit stint_nvprof_size_unit(double greatest_bytes)
{
    return sizes[unit_of(greatest_bytes, sizes, SIZES)];
}

/* ----------------------------------------------------------------------------------------------------------- sheets */

/* Six decimals; nine for seconds, which is a precision of nanoseconds. */
static void put_value(char *out, double value, const struct stint_nvprof_unit *unit)
{
    stint_number_fixed(out, value / unit->size, strcmp(unit->name, "s") == 0 ? 9 : 6);
}

void stint_nvprof_put_time(struct stint_sheet *sheet, size_t column, uint64_t ns, unsigned digits,
                           const struct stint_nvprof_unit *unit)
{
    char *out = stint_sheet_text(sheet, column);
    if (sheet->csv)
        put_value(out, (double)ns, unit);
    else if (unit->name)
        put_unit(out, stint_number_fixed(out, (double)ns / unit->size, decimals_of(unit)), unit->name);
    else
        stint_nvprof_time(out, ns, digits);
}

void stint_nvprof_put_size(struct stint_sheet *sheet, size_t column, uint64_t bytes, unsigned digits,
                           const struct stint_nvprof_unit *unit)
{
    char *out = stint_sheet_text(sheet, column);
    if (sheet->csv)
        put_value(out, (double)bytes, unit);
    else
        stint_nvprof_size(out, bytes, digits);
}

void stint_nvprof_put_rate(struct stint_sheet *sheet, size_t column, uint64_t bytes, uint64_t ns,
                           const struct stint_nvprof_unit *unit)
{
    char *out = stint_sheet_text(sheet, column);
    if (!sheet->csv)
        stint_nvprof_rate(out, bytes, ns);
    else if (ns)
        put_value(out, (double)bytes / ((double)ns * 1e-9), unit);
}

void stint_nvprof_put_share(struct stint_sheet *sheet, size_t column, uint64_t part, uint64_t whole)
{
    char *out = stint_sheet_text(sheet, column);
    size_t length = stint_number_fixed(out, whole ? 100.0 * (double)part / (double)whole : 0, sheet->csv ? 6 : 2);
    put_unit(out, length, sheet->csv ? "" : "%");
}

void stint_nvprof_put_device(struct stint_sheet *sheet, size_t column, const struct stint_snapshot *snapshot,
                             uint32_t id, struct stint_line *name)
{
    enum { DEVICE_MOST = 15 };
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, id);
    if (!sheet->csv) {
        stint_nvprof_device(stint_sheet_text(sheet, column), &device, DEVICE_MOST);
        return;
    }
    name->used = 0;
    stint_line_say(name, "%s (%ju)", *device.name ? device.name : "Device", (uintmax_t)device.id);
    stint_sheet_string(sheet, column, name->text);
}

static void put_titles(const struct stint_sheet *sheet, struct stint_text *text, const struct stint_nvprof_unit *units)
{
    for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++)
        stint_csv_quoted(text, sheet->columns[i].key);
    stint_text_string(text, "\n");
    for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++) {
        stint_text_string(text, units[i].name);
        stint_text_string(text, sheet->columns[i].unit == STINT_COLUMN_RATE ? "/s" : "");
    }
    stint_text_string(text, "\n");
}

static void put_csv(struct stint_sheet *sheet, struct stint_text *text, const struct stint_nvprof_unit *units)
{
    sheet->csv = 1;
    put_titles(sheet, text, units);
    for (size_t next = 0; stint_sheet_next(sheet, &next);) {
        for (size_t i = 0, shown = 0; stint_sheet_next_column(sheet, text, &i, &shown); i++) {
            if (sheet->cell[i].label.name)
                stint_csv_quoted(text, sheet->cell[i].label.name);
            else
                stint_text_string(text, sheet->cell[i].text);
        }
        stint_text_string(text, "\n");
    }
}

void stint_nvprof_put_sheet(struct stint_sheet *sheet, struct stint_text *text, int csv,
                            const struct stint_nvprof_unit *units)
{
    struct stint_layout plain = {.columns = 0};
    if (csv) {
        put_csv(sheet, text, units);
        return;
    }
    stint_sheet_fit(sheet, &plain);
    stint_sheet_put(sheet, text);
}
