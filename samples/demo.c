/* stint_demo - PaddlePaddle's testBilinearFwdBwd as a whole job, under scoped timers.
 *
 * Ten samples of 16 zone plates (rings, the usual test image for resampling) are given at 128x128. The job is to find
 * the 64x64 images whose bilinear interpolation comes closest. It is done by gradient descent, so that each iteration
 * is one forward and one backward pass. The main thread does one half of the samples, a second thread the other.
 *
 * Results go to stdout: how far the error fell, and two numerical checks with their tolerances. Exits with 1 if the
 * error did not fall or a check failed. Timers go to stderr: PaddlePaddle's lines by printAllStatus(), then stint's
 * table at exit, because the scope "demo" is still running when printAllStatus() is called and ends after it. */
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <stint/stint.h>

#include "bilinear.h"

enum { SAMPLES = 10, CHANNELS = 16, PLANES = SAMPLES * CHANNELS, ITERATIONS = 20, CHECKED = 64 };
enum { IN_SIZE = 64, OUT_SIZE = 128, IN_PLANE = IN_SIZE * IN_SIZE, OUT_PLANE = OUT_SIZE * OUT_SIZE };

static const struct bilinear s_shape = {IN_SIZE, IN_SIZE, OUT_SIZE, OUT_SIZE};

/* The loss is half the squared error, so its gradient with respect to the output is the error. Interpolating to twice
 * the size multiplies squared lengths by at most about four, so a step of a quarter cannot overshoot. */
static const float s_step = 0.25F;

static float s_target[PLANES * OUT_PLANE];
static float s_image[PLANES * IN_PLANE];
static float s_output[PLANES * OUT_PLANE]; /* the output, replaced by its error */
static float s_gradient[PLANES * IN_PLANE];

/* ------------------------------------------------------------------------------------------------------------ input */

/* Rings that get narrower outwards; every sample has a center of its own, every channel a density of its own. */
static float zone_plate(size_t plane, size_t row, size_t column)
{
    const double pi = 3.14159265358979323846;
    const double center = OUT_SIZE * (0.25 + 0.05 * (double)(plane / CHANNELS));
    const double density = 0.1 + 0.025 * (double)(plane % CHANNELS);
    const double y = (double)row - center, x = (double)column - center;

    return (float)(0.5 + 0.5 * cos(pi * density * (x * x + y * y) / OUT_SIZE));
}

/* Makes the targets, and the images to start from: every second pixel of the targets. */
static void make_input(void)
{
    REGISTER_TIMER("input");

    for (size_t plane = 0; plane < PLANES; ++plane)
        for (size_t row = 0; row < OUT_SIZE; ++row)
            for (size_t column = 0; column < OUT_SIZE; ++column)
                s_target[plane * OUT_PLANE + row * OUT_SIZE + column] = zone_plate(plane, row, column);
    for (size_t plane = 0; plane < PLANES; ++plane)
        for (size_t row = 0; row < IN_SIZE; ++row)
            for (size_t column = 0; column < IN_SIZE; ++column)
                s_image[plane * IN_PLANE + row * IN_SIZE + column] = zone_plate(plane, 2 * row, 2 * column);
}

/* -------------------------------------------------------------------------------------------------------- iteration */

/* One thread's share of the planes, and of the loss. */
struct share {
    size_t first;
    size_t planes;
    double loss;
};

static void forward(const struct share *share)
{
    REGISTER_TIMER("forward");
    bilinear_forward(&s_shape, share->planes, s_image + share->first * IN_PLANE, s_output + share->first * OUT_PLANE);
}

static void loss(struct share *share)
{
    const size_t begin = share->first * OUT_PLANE, end = begin + share->planes * OUT_PLANE;

    REGISTER_TIMER("loss");
    share->loss = 0;
    for (size_t i = begin; i < end; ++i) {
        s_output[i] -= s_target[i];
        share->loss += 0.5 * (double)s_output[i] * (double)s_output[i];
    }
}

static void backward(const struct share *share)
{
    REGISTER_TIMER("backward");
    bilinear_backward(&s_shape, share->planes, s_output + share->first * OUT_PLANE,
                      s_gradient + share->first * IN_PLANE);
}

static void *forward_backward(void *argument)
{
    struct share *const share = argument;

    forward(share);
    loss(share);
    backward(share);
    return NULL;
}

/* Returns the loss, or -1 if a second thread cannot be created. */
static double iterate(void)
{
    struct share here = {0, PLANES / 2, 0}, there = {PLANES / 2, PLANES - PLANES / 2, 0};
    pthread_t thread;

    REGISTER_TIMER_INFO("testBilinearFwdBwd", "numSamples = 10, channels = 16, imgSizeX = 64, imgSizeY = 64");
    if (pthread_create(&thread, NULL, forward_backward, &there))
        return -1;
    forward_backward(&here);
    {
        REGISTER_TIMER("join");
        pthread_join(thread, NULL);
    }
    return here.loss + there.loss;
}

static void update(void)
{
    REGISTER_TIMER("update");

    for (size_t i = 0; i < sizeof s_image / sizeof s_image[0]; ++i)
        s_image[i] -= s_step * s_gradient[i];
}

/* Returns whether the error fell. */
static int train(void)
{
    double first = -1, last = -1;

    for (int i = 0; i < ITERATIONS; ++i) {
        last = iterate();
        if (last < 0)
            return 0;
        if (i == 0)
            first = last;
        if (i + 1 < ITERATIONS)
            update();
    }
    printf("mean squared error: %.5f before, %.5f after %d iterations\n", 2 * first / (PLANES * OUT_PLANE),
           2 * last / (PLANES * OUT_PLANE), ITERATIONS);
    return last < first;
}

/* ----------------------------------------------------------------------------------------------------------- checks */

/* Bilinear interpolation reproduces a + b x + c y + d x y. Returns whether it does so within the rounding of float. */
static int check_forward(void)
{
    const double tolerance = 1e-6;
    double worst = 0;
    float image[IN_PLANE], output[OUT_PLANE];

    REGISTER_TIMER("checkForward");
    for (size_t i = 0; i < IN_PLANE; ++i) {
        const double y = (double)(i / IN_SIZE) / (IN_SIZE - 1), x = (double)(i % IN_SIZE) / (IN_SIZE - 1);

        image[i] = (float)(0.25 + 0.5 * x - 0.75 * y + x * y);
    }
    bilinear_forward(&s_shape, 1, image, output);
    for (size_t i = 0; i < OUT_PLANE; ++i) {
        const double y = (double)(i / OUT_SIZE) / (OUT_SIZE - 1), x = (double)(i % OUT_SIZE) / (OUT_SIZE - 1);

        const double error = fabs((double)output[i] - (0.25 + 0.5 * x - 0.75 * y + x * y));

        if (error > worst) /* gcc 12 for aarch64 crashes on fmax() here */
            worst = error;
    }
    printf("forward check: a surface a + b x + c y + d x y is off by %.1e at most (tolerance %.0e)\n", worst,
           tolerance);
    return worst <= tolerance;
}

static double loss_of_plane(size_t plane)
{
    float output[OUT_PLANE];
    double sum = 0;

    bilinear_forward(&s_shape, 1, s_image + plane * IN_PLANE, output);
    for (size_t i = 0; i < OUT_PLANE; ++i) {
        const double error = (double)output[i] - (double)s_target[plane * OUT_PLANE + i];

        sum += 0.5 * error * error;
    }
    return sum;
}

/* The loss is quadratic in each pixel, so the only error of the central difference is rounding. */
static double central_difference(size_t pixel)
{
    const float step = 0.0625F, value = s_image[pixel];
    double above, below;

    REGISTER_TIMER("centralDifference");
    s_image[pixel] = value + step;
    above = loss_of_plane(pixel / IN_PLANE);
    s_image[pixel] = value - step;
    below = loss_of_plane(pixel / IN_PLANE);
    s_image[pixel] = value;
    return (above - below) / (2 * (double)step);
}

/* Compares the last backward pass with central differences at pixels throughout the samples, including the first and
 * the last corner. Returns whether all agree. */
static int check_gradient(void)
{
    const size_t pixels = sizeof s_image / sizeof s_image[0];
    const double tolerance = 1e-3; /* relative to the largest */
    double worst = 0, largest = 0;

    REGISTER_TIMER("checkGradient");
    for (size_t i = 0; i < CHECKED; ++i) {
        const size_t pixel = i * (pixels - 1) / (CHECKED - 1);
        const double gradient = (double)s_gradient[pixel];

        worst = fmax(worst, fabs(gradient - central_difference(pixel)));
        largest = fmax(largest, fabs(gradient));
    }
    printf("gradient check: %d of %zu values, up to %.4f, are off by %.1e of that at most (tolerance %.0e)\n", CHECKED,
           pixels, largest, worst / largest, tolerance);
    return worst <= tolerance * largest;
}

int main(void)
{
    int good;

    REGISTER_TIMER("demo");
    printf("bilinear interpolation: %d samples, %d channels, %dx%d to %dx%d, 2 threads\n", SAMPLES, CHANNELS, IN_SIZE,
           IN_SIZE, OUT_SIZE, OUT_SIZE);
    make_input();
    good = train();
    good &= check_forward();
    good &= check_gradient();
    puts(good ? "all good" : "FAILED");
    (void)fflush(stdout);
    (void)printAllStatus();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
