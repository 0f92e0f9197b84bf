/* Draws a roofline as an SVG image. */
#include "op/op_roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The image, and the margins of the field within. */
enum { WIDTH = 860, HEIGHT = 500, LEFT = 64, RIGHT = 16, TOP = 28, BOTTOM = 60, LABELS = 12 };

/* Where a label is; others are not put over it. */
struct box {
    double left, right, y;
};

struct roofline {
    struct stint_text *text;
    const struct stint_roof_plot *plot;
    double bandwidth;
    int left, right, bottom, top; /* powers of 10 of the axes */
    struct box labels[LABELS];
    size_t label_count;
};

/* ------------------------------------------------------------------------------------------------------------- axes */

static void widen(int *least, int *most, double value)
{
    int below = (int)floor(log10(value)), above = (int)ceil(log10(value));
    if (below < *least)
        *least = below;
    if (above > *most)
        *most = above;
}

static const struct stint_roof_point *point_at(const struct roofline *line, size_t at)
{
    return (const struct stint_roof_point *)line->plot->points.items + at;
}

/* Chooses powers of 10 that have room for all points and for the corners of the roofs. */
static void fit(struct roofline *line)
{
    line->left = line->bottom = 100;
    line->right = line->top = -100;
    for (size_t i = 0; i < line->plot->points.count; i++) {
        const struct stint_roof_point *point = point_at(line, i);
        widen(&line->left, &line->right, point->intensity);
        widen(&line->bottom, &line->top, point->rate);
        if (point->least_rate > 0) {
            widen(&line->left, &line->right, point->least_intensity);
            widen(&line->bottom, &line->top, point->least_rate);
        }
    }
    for (size_t i = 0; i < line->plot->roof_count; i++) {
        widen(&line->bottom, &line->top, line->plot->roofs[i].flops_per_s);
        if (line->bandwidth > 0)
            widen(&line->left, &line->right, line->plot->roofs[i].flops_per_s / line->bandwidth);
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

static void begin_text(struct roofline *line, double x, double y, const char *anchor)
{
    stint_text_say(line->text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
}

static void put_line(struct roofline *line, const char *kind, double x1, double y1, double x2, double y2)
{
    const char *stroke = strcmp(kind, "roof") == 0    ? "\"#555\" stroke-width=\"1.5\""
                         : strcmp(kind, "least") == 0 ? "\"#555\" stroke-dasharray=\"3\""
                                                      : "\"#ddd\"";
    stint_text_say(line->text, "<line class=\"%s\" stroke=%s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind,
                   stroke, x1, y1, x2, y2);
}

/* "0.01", "100"; of large powers "1e5". */
static void put_power(struct roofline *line, int power)
{
    char number[STINT_NUMBER_SIZE];
    (void)stint_number_general(number, pow(10, power));
    stint_text_say(line->text, "%s</text>\n", number);
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
    put(line, "FLOP/byte</text>\n");
    begin_text(line, 6, 12, "start");
    put(line, "TFLOP/s</text>\n");
}

/* The memory's roof goes up to the highest of the others. */
static void put_memory_roof(struct roofline *line)
{
    double highest = line->plot->roof_count ? 0 : pow(10, line->top), lowest = pow(10, line->left);
    for (size_t i = 0; i < line->plot->roof_count; i++)
        highest = fmax(highest, line->plot->roofs[i].flops_per_s);
    double from = fmax(lowest, pow(10, line->bottom) / line->bandwidth);
    double to = fmin(highest / line->bandwidth, pow(10, line->right));
    if (from >= to)
        return;
    put_line(line, "roof", x_of(line, from), y_of(line, from * line->bandwidth), x_of(line, to),
             y_of(line, to * line->bandwidth));
    double middle = sqrt(from * to);
    begin_text(line, x_of(line, middle) - 6, y_of(line, middle * line->bandwidth) - 6, "end");
    stint_text_say(line->text, "%.0f GB/s%s</text>\n", line->bandwidth / 1e9,
                   line->plot->is_bandwidth_measured ? ", measured" : "");
}

static void put_roofs(struct roofline *line)
{
    for (size_t i = 0; i < line->plot->roof_count; i++) {
        const struct stint_roof *roof = &line->plot->roofs[i];
        double from = pow(10, line->left), y = y_of(line, roof->flops_per_s);
        if (line->bandwidth > 0)
            from = fmax(from, roof->flops_per_s / line->bandwidth);
        put_line(line, "roof", x_of(line, from), y, WIDTH - RIGHT, y);
        begin_text(line, WIDTH - RIGHT, y - 4, "end");
        stint_text_say(line->text, "%s%s: %.1f TFLOP/s%s</text>\n", roof->type, roof->is_tensor ? ", Tensor Cores" : "",
                       roof->flops_per_s / 1e12, roof->is_measured ? ", measured" : "");
    }
    if (line->bandwidth > 0)
        put_memory_roof(line);
}

static const struct {
    const char *bound, *color;
} s_bounds[] = {
    {"memory", "#2a78d6"}, {"compute", "#eb6834"}, {"launch", "#8a63c9"}, {"latency", "#3a9a5b"}, {NULL, "#888888"}};

enum { BOUNDS = sizeof s_bounds / sizeof s_bounds[0] };

static const char *color_of(const char *bound)
{
    size_t i = 0;
    while (i < BOUNDS - 1 && (!bound || strcmp(bound, s_bounds[i].bound) != 0))
        i++;
    return s_bounds[i].color;
}

/* How many bytes of a text are at most so many, without a part of a character in UTF-8. */
static size_t whole_characters(const char *text, size_t most)
{
    size_t used = strlen(text);
    if (used > most)
        used = most;
    while (used && ((unsigned char)text[used] & 0xC0) == 0x80)
        used--;
    return used;
}

/* Puts the name beside a circle, its beginning if it is long, unless there is another name. */
static void put_label(struct roofline *line, double x, double y, double radius, const char *whole_name)
{
    enum { LETTER = 7, LINE = 12, LONGEST = 32 };
    char name[LONGEST + sizeof "…"];
    size_t used = whole_characters(whole_name, LONGEST);
    (void)snprintf(name, sizeof name, "%.*s%s", (int)used, whole_name, whole_name[used] ? "…" : "");
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

/* From what is computed and moved at least to what is. */
static void put_least(struct roofline *line, const struct stint_roof_point *point, double x, double y)
{
    double least_x = x_of(line, point->least_intensity), least_y = y_of(line, point->least_rate);
    put_line(line, "least", least_x, least_y, x, y);
    stint_text_say(line->text,
                   "<circle class=\"least\" fill=\"none\" stroke=\"#555\" r=\"4\" cx=\"%.1f\" cy=\"%.1f\"/>\n", least_x,
                   least_y);
}

static void put_title(struct roofline *line, const struct stint_roof_point *point)
{
    (void)stint_escape_put(line->text, stint_escape_xml, point->name);
    stint_text_say(line->text, ": %.2f %% of the time, %.2f FLOP/B, %.3f TFLOP/s", 100 * point->share, point->intensity,
                   point->rate / 1e12);
    if (point->why || point->bound)
        stint_text_say(line->text, ", bound by %s", point->why ? point->why : point->bound);
    if (point->excess > 0)
        stint_text_say(line->text, ", moves %.1f x the bytes it must", point->excess);
    put(line, "</title></circle>\n");
}

static void put_point(struct roofline *line, const struct stint_roof_point *point)
{
    double radius = 2 + 18 * sqrt(point->share);
    double x = x_of(line, point->intensity), y = y_of(line, point->rate);
    if (point->least_rate > 0)
        put_least(line, point, x, y);
    stint_text_say(line->text, "<circle fill-opacity=\"0.6\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
                   color_of(point->bound), x, y, radius);
    put_title(line, point);
    put_label(line, x, y, radius, point->name);
}

/* The most expensive ones come first, so that they are behind the others, and have labels. */
static void put_points(struct roofline *line)
{
    for (size_t i = 0; i < line->plot->points.count; i++)
        put_point(line, point_at(line, i));
    if (line->plot->points.count)
        return;
    begin_text(line, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT / 2.0, "middle");
    stint_text_say(line->text, "%s</text>\n", line->plot->without);
}

static void put_legend(struct roofline *line)
{
    double x = LEFT;
    for (size_t i = 0; i < BOUNDS; i++, x += 135) {
        stint_text_say(line->text, "<circle fill-opacity=\"0.6\" r=\"5\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"/>",
                       s_bounds[i].color, x, HEIGHT - 12.0);
        begin_text(line, x + 10, HEIGHT - 8, "start");
        stint_text_say(line->text, "%s%s</text>\n", s_bounds[i].bound ? "bound by " : "not known",
                       s_bounds[i].bound ? s_bounds[i].bound : "");
    }
}

void stint_roof_plot_put(const struct stint_roof_plot *plot, struct stint_text *text)
{
    struct roofline line = {.text = text, .plot = plot, .bandwidth = plot->bandwidth};
    fit(&line);
    stint_text_say(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"roofline\" viewBox=\"0 0 %.0f %.0f\"",
                   (double)WIDTH, (double)HEIGHT);
    put(&line, " font-family=\"sans-serif\" font-size=\"12\" fill=\"#222222\">\n<title>Roofline</title>\n"
               "<rect class=\"back\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    put_axes(&line);
    put_roofs(&line);
    put_points(&line);
    put_legend(&line);
    put(&line, "</svg>\n");
}
