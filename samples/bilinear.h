/* Bilinear interpolation of image planes, forward and backward. Corners map to corners: output row r lies at input row
 * r * (in_rows - 1) / (out_rows - 1), and the same holds for columns. Planes are stored one after the other, row by
 * row. */
#ifndef SAMPLES_BILINEAR_H
#define SAMPLES_BILINEAR_H

#include <stddef.h>

/* All four at least 2. */
struct bilinear {
    size_t in_rows;
    size_t in_columns;
    size_t out_rows;
    size_t out_columns;
};

/* Interpolates this many planes. */
void bilinear_forward(const struct bilinear *shape, size_t planes, const float *input, float *output);

/* Computes the gradient with respect to the input from the gradient with respect to the output. */
void bilinear_backward(const struct bilinear *shape, size_t planes, const float *output_gradient,
                       float *input_gradient);

#endif
