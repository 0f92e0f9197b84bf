#include "bilinear.h"

#include <string.h>

/* An output position lies between two neighboring input positions: `low`, with weight 1 - `high_weight`, and the
 * next. */
struct position {
    size_t low;
    float high_weight;
};

static struct position position_of(size_t out, size_t out_size, size_t in_size)
{
    const size_t numerator = out * (in_size - 1), denominator = out_size - 1;
    size_t low = numerator / denominator;

    if (low == in_size - 1) /* the last has no next one: take the one before, and its next with full weight */
        --low;
    return (struct position){low, (float)(numerator - low * denominator) / (float)denominator};
}

static void forward_plane(const struct bilinear *shape, const float *input, float *output)
{
    for (size_t r = 0; r < shape->out_rows; ++r) {
        const struct position row = position_of(r, shape->out_rows, shape->in_rows);
        const float *const above = input + row.low * shape->in_columns;
        const float *const below = above + shape->in_columns;

        for (size_t c = 0; c < shape->out_columns; ++c) {
            const struct position column = position_of(c, shape->out_columns, shape->in_columns);
            const float right = column.high_weight, left = 1 - right;
            const float top = left * above[column.low] + right * above[column.low + 1];
            const float bottom = left * below[column.low] + right * below[column.low + 1];

            *output++ = (1 - row.high_weight) * top + row.high_weight * bottom;
        }
    }
}

/* Each output value passes its gradient on to the four inputs that it was computed from, with the same weights. */
static void backward_plane(const struct bilinear *shape, const float *output_gradient, float *input_gradient)
{
    memset(input_gradient, 0, shape->in_rows * shape->in_columns * sizeof *input_gradient);
    for (size_t r = 0; r < shape->out_rows; ++r) {
        const struct position row = position_of(r, shape->out_rows, shape->in_rows);
        float *const above = input_gradient + row.low * shape->in_columns;
        float *const below = above + shape->in_columns;

        for (size_t c = 0; c < shape->out_columns; ++c) {
            const struct position column = position_of(c, shape->out_columns, shape->in_columns);
            const float right = column.high_weight, left = 1 - right;
            const float bottom = row.high_weight * *output_gradient, top = *output_gradient - bottom;

            above[column.low] += left * top;
            above[column.low + 1] += right * top;
            below[column.low] += left * bottom;
            below[column.low + 1] += right * bottom;
            ++output_gradient;
        }
    }
}

void bilinear_forward(const struct bilinear *shape, size_t planes, const float *input, float *output)
{
    for (size_t i = 0; i < planes; ++i) {
        forward_plane(shape, input, output);
        input += shape->in_rows * shape->in_columns;
        output += shape->out_rows * shape->out_columns;
    }
}

void bilinear_backward(const struct bilinear *shape, size_t planes, const float *output_gradient, float *input_gradient)
{
    for (size_t i = 0; i < planes; ++i) {
        backward_plane(shape, output_gradient, input_gradient);
        output_gradient += shape->out_rows * shape->out_columns;
        input_gradient += shape->in_rows * shape->in_columns;
    }
}
