#include "op/op_roofline.h"

#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "op/op_peak.h"
#include "op/op_sum.h"
#include "report/gpu_sum.h"

/* The image, and the margins of the field within. */
enum { WIDTH = 860, HEIGHT = 500, LEFT = 64, RIGHT = 16, TOP = 28, BOTTOM = 60, ROOFS = 16, LABELS = 12 };

struct roof {
    enum stint_op_type type;
    enum stint_op_tensor_cores use;
    double flops_per_s;
};

/* Where a label is; others are not put over it. */
struct box {
    double left, right, y;
};

struct roofline {
    struct stint_text *text;
    struct stint_op_sums sums;
    struct stint_gpu_device device;
    struct roof roofs[ROOFS];
    size_t roof_count;
    double bandwidth;             /* bytes for each second; 0: unknown */
    int left, right, bottom, top; /* powers of 10 of the axes */
    struct box labels[LABELS];
    size_t label_count;
    char name[STINT_NUMBER_SIZE * 4]; /* of an operation */
};

/* ----------------------------------------------------------------------------------------------------------- points */

/* FLOPs for each byte, and for each second; only of operations that have both, and a thousandth of the time. */
static int has_point(const struct roofline *line, const struct stint_op_sum *sum)
{
    return sum->both_flops > 0 && sum->both_bytes > 0 && sum->both_ns && sum->ns >= line->sums.ns / 1000;
}

static double intensity_of(const struct stint_op_sum *sum)
{
    return sum->both_flops / sum->both_bytes;
}

static double rate_of(const struct stint_op_sum *sum)
{
    return sum->both_flops / (double)sum->both_ns * 1e9;
}

/* ------------------------------------------------------------------------------------------------------------ roofs */

static void add_roof(struct roofline *line, const struct stint_op_row *row)
{
    struct roof roof = {(enum stint_op_type)row->type, (enum stint_op_tensor_cores)row->tensor_cores, 0};
    if (roof.use == STINT_OP_TC_NONE) /* the same units */
        roof.use = STINT_OP_TC_UNUSED;
    for (size_t i = 0; i < line->roof_count; i++)
        if (line->roofs[i].type == roof.type && line->roofs[i].use == roof.use)
            return;
    roof.flops_per_s = stint_op_peak(&line->device, roof.type, roof.use);
    if (roof.flops_per_s > 0 && line->roof_count < ROOFS)
        line->roofs[line->roof_count++] = roof;
}

static void find_roofs(struct roofline *line, const struct stint_op_rows *rows)
{
    if (!rows->count)
        return;
    line->device = stint_gpu_device_of(rows->join->snapshot, rows->rows[0].kernel->device);
    line->bandwidth = (double)line->device.memory_bytes_per_s;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].is_main && !rows->rows[i].cost.flops.state && rows->rows[i].cost.flops.value)
            add_roof(line, &rows->rows[i]);
}

/* ------------------------------------------------------------------------------------------------------------- axes */

static void widen(int *least, int *most, double value)
{
    int below = (int)floor(log10(value)), above = (int)ceil(log10(value));
    if (below < *least)
        *least = below;
    if (above > *most)
        *most = above;
}

/* Chooses powers of 10 that have room for all points and for the corners of the roofs. */
static void fit(struct roofline *line)
{
    line->left = line->bottom = 100;
    line->right = line->top = -100;
    for (size_t at = 0; (at = stint_op_sum_after(&line->sums, at)) != 0;) {
        const struct stint_op_sum *sum = stint_op_sum_at(&line->sums, at);
        if (!has_point(line, sum))
            continue;
        widen(&line->left, &line->right, intensity_of(sum));
        widen(&line->bottom, &line->top, rate_of(sum));
    }
    for (size_t i = 0; i < line->roof_count; i++) {
        widen(&line->bottom, &line->top, line->roofs[i].flops_per_s);
        if (line->bandwidth > 0)
            widen(&line->left, &line->right, line->roofs[i].flops_per_s / line->bandwidth);
    }
    if (line->left >= line->right)
        line->left = line->left > 99 ? 0 : line->left - 1, line->right = line->left + 2;
    if (line->bottom >= line->top)
        line->bottom = line->bottom > 99 ? 9 : line->bottom - 1, line->top = line->bottom + 2;
}

static double x_of(const struct roofline *line, double intensity)
{
    return LEFT + (log10(intensity) - line->left) / (line->right - line->left) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct roofline *line, double rate)
{
    return HEIGHT - BOTTOM - (log10(rate) - line->bottom) / (line->top - line->bottom) * (HEIGHT - TOP - BOTTOM);
}

/* ---------------------------------------------------------------------------------------------------------- drawing */

static void put(struct roofline *line, const char *words)
{
    stint_text_string(line->text, words);
}

static void put_number(struct roofline *line, const char *before, double value, unsigned decimals)
{
    char number[STINT_NUMBER_SIZE];
    (void)stint_number_fixed(number, value, decimals);
    put(line, before);
    put(line, number);
}

static void begin_text(struct roofline *line, double x, double y, const char *anchor)
{
    put_number(line, "<text x=\"", x, 1);
    put_number(line, "\" y=\"", y, 1);
    put(line, "\" text-anchor=\"");
    put(line, anchor);
    put(line, "\">");
}

static void put_line(struct roofline *line, const char *kind, double x1, double y1, double x2, double y2)
{
    put(line, "<line class=\"");
    put(line, kind);
    put(line, strcmp(kind, "roof") == 0 ? "\" stroke=\"#555\" stroke-width=\"1.5\"" : "\" stroke=\"#ddd\"");
    put_number(line, " x1=\"", x1, 1);
    put_number(line, "\" y1=\"", y1, 1);
    put_number(line, "\" x2=\"", x2, 1);
    put_number(line, "\" y2=\"", y2, 1);
    put(line, "\"/>\n");
}

/* "0.01", "100"; of large powers "1e5". */
static void put_power(struct roofline *line, int power)
{
    char number[STINT_NUMBER_SIZE];
    (void)stint_number_general(number, pow(10, power));
    put(line, number);
    put(line, "</text>\n");
}

static void put_axes(struct roofline *line)
{
    for (int power = line->left; power <= line->right; power++) {
        double x = x_of(line, pow(10, power));
        put_line(line, "grid", x, TOP, x, HEIGHT - BOTTOM);
        begin_text(line, x, HEIGHT - BOTTOM + 16, "middle");
        put_power(line, power);
    }
    for (int power = line->bottom; power <= line->top; power++) {
        double y = y_of(line, pow(10, power));
        put_line(line, "grid", LEFT, y, WIDTH - RIGHT, y);
        begin_text(line, LEFT - 6, y + 4, "end");
        put_power(line, power - 12);
    }
    begin_text(line, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - BOTTOM + 34, "middle");
    put(line, "FLOP for each byte</text>\n");
    begin_text(line, 6, 12, "start");
    put(line, "TFLOP/s</text>\n");
}

/* The memory's roof goes up to the highest of the others. */
static void put_memory_roof(struct roofline *line)
{
    double highest = line->roof_count ? 0 : pow(10, line->top), lowest = pow(10, line->left);
    for (size_t i = 0; i < line->roof_count; i++)
        highest = fmax(highest, line->roofs[i].flops_per_s);
    double from = fmax(lowest, pow(10, line->bottom) / line->bandwidth);
    double to = fmin(highest / line->bandwidth, pow(10, line->right));
    if (from >= to)
        return;
    put_line(line, "roof", x_of(line, from), y_of(line, from * line->bandwidth), x_of(line, to),
             y_of(line, to * line->bandwidth));
    double middle = sqrt(from * to);
    begin_text(line, x_of(line, middle) - 6, y_of(line, middle * line->bandwidth) - 6, "end");
    put_number(line, "", line->bandwidth / 1e9, 0);
    put(line, " GB/s</text>\n");
}

static void put_roofs(struct roofline *line)
{
    for (size_t i = 0; i < line->roof_count; i++) {
        const struct roof *roof = &line->roofs[i];
        double from = pow(10, line->left), y = y_of(line, roof->flops_per_s);
        if (line->bandwidth > 0)
            from = fmax(from, roof->flops_per_s / line->bandwidth);
        put_line(line, "roof", x_of(line, from), y, WIDTH - RIGHT, y);
        begin_text(line, WIDTH - RIGHT, y - 4, "end");
        put(line, stint_op_type_name(roof->type));
        put(line, roof->use == STINT_OP_TC_USED ? ", Tensor Cores: " : ": ");
        put_number(line, "", roof->flops_per_s / 1e12, 1);
        put(line, " TFLOP/s</text>\n");
    }
    if (line->bandwidth > 0)
        put_memory_roof(line);
}

static const char *color_of(const char *bound)
{
    if (!bound)
        return "#888888";
    return strcmp(bound, "memory") == 0 ? "#2a78d6" : strcmp(bound, "compute") == 0 ? "#eb6834" : "#8a63c9";
}

static const char *escape_name(struct roofline *line, const struct stint_op_sum *sum)
{
    size_t length = sum->name.length < sizeof line->name ? sum->name.length : sizeof line->name - 1;
    memcpy(line->name, sum->name.text, length);
    line->name[length] = '\0';
    return line->name;
}

/* Puts the name beside a circle, unless there is another name. */
static void put_label(struct roofline *line, double x, double y, double radius, const char *name)
{
    enum { LETTER = 7, LINE = 12 };
    double width = (double)(LETTER * strlen(name));
    int is_right = x > WIDTH * 0.75; /* there is more room to the left */
    struct box box = {is_right ? x - radius - 3 - width : x + radius + 3, 0, y + 4};
    box.right = box.left + width;
    for (size_t i = 0; i < line->label_count; i++)
        if (fabs(line->labels[i].y - box.y) < LINE && line->labels[i].left < box.right &&
            line->labels[i].right > box.left)
            return;
    if (line->label_count == LABELS)
        return;
    line->labels[line->label_count++] = box;
    begin_text(line, is_right ? x - radius - 3 : box.left, box.y, is_right ? "end" : "start");
    (void)stint_escape_put(line->text, stint_escape_xml, name);
    put(line, "</text>\n");
}

static void put_point(struct roofline *line, const struct stint_op_sum *sum)
{
    const char *bound = stint_op_sum_bound(sum), *name = escape_name(line, sum);
    double share = (double)sum->ns / (double)line->sums.ns, radius = 2 + 18 * sqrt(share);
    double x = x_of(line, intensity_of(sum)), y = y_of(line, rate_of(sum));
    put(line, "<circle fill-opacity=\"0.6\" fill=\"");
    put(line, color_of(bound));
    put_number(line, "\" cx=\"", x, 1);
    put_number(line, "\" cy=\"", y, 1);
    put_number(line, "\" r=\"", radius, 1);
    put(line, "\"><title>");
    (void)stint_escape_put(line->text, stint_escape_xml, name);
    put_number(line, ": ", 100 * share, 2);
    put_number(line, " % of the time, ", intensity_of(sum), 2);
    put_number(line, " FLOP/B, ", rate_of(sum) / 1e12, 3);
    put(line, " TFLOP/s");
    if (bound) {
        put(line, ", bound by ");
        put(line, bound);
    }
    put(line, "</title></circle>\n");
    put_label(line, x, y, radius, name);
}

/* The most expensive ones come first, so that they are behind the others, and have labels. */
static void put_points(struct roofline *line)
{
    int has_any = 0;
    for (size_t at = 0; (at = stint_op_sum_after(&line->sums, at)) != 0;)
        if (has_point(line, stint_op_sum_at(&line->sums, at))) {
            put_point(line, stint_op_sum_at(&line->sums, at));
            has_any = 1;
        }
    if (has_any)
        return;
    begin_text(line, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT / 2.0, "middle");
    put(line, "of no operation FLOPs and bytes are both known: its types are needed</text>\n");
}

static void put_legend(struct roofline *line)
{
    static const char *const bounds[] = {"memory", "compute", "launch", NULL};
    double x = LEFT;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++, x += 150) {
        put(line, "<circle fill-opacity=\"0.6\" r=\"5\" fill=\"");
        put(line, color_of(bounds[i]));
        put_number(line, "\" cx=\"", x, 1);
        put_number(line, "\" cy=\"", HEIGHT - 12, 1);
        put(line, "\"/>");
        begin_text(line, x + 10, HEIGHT - 8, "start");
        put(line, bounds[i] ? "bound by " : "not known");
        put(line, bounds[i] ? bounds[i] : "");
        put(line, "</text>\n");
    }
}

int stint_op_roofline_put(const struct stint_op_rows *rows, struct stint_text *text)
{
    struct roofline line = {.text = text};
    int failed = stint_op_sums_make(&line.sums, rows, STINT_OP_BY_OP);
    if (!failed) {
        find_roofs(&line, rows);
        fit(&line);
        put_number(&line, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"roofline\" viewBox=\"0 0 ", WIDTH, 0);
        put_number(&line, " ", HEIGHT, 0);
        put(&line, "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n<title>Roofline</title>\n"
                   "<rect class=\"back\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        put_axes(&line);
        put_roofs(&line);
        put_points(&line);
        put_legend(&line);
        put(&line, "</svg>\n");
    }
    stint_op_sums_free(&line.sums);
    return failed;
}
