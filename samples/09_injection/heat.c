/* Heats a rod at one end until its temperatures settle. The program uses NVTX and knows nothing of stint. */
#include <math.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

enum { POINTS = 1000, CHECK_EVERY = 100, MOST_STEPS = 2000 };

static double s_old[POINTS], s_new[POINTS];

static void step(void)
{
    nvtxRangePushA("step");
    for (int i = 1; i < POINTS - 1; i++)
        s_new[i] = s_old[i] + 0.25 * (s_old[i - 1] - 2 * s_old[i] + s_old[i + 1]);
    nvtxRangePushA("copy");
    for (int i = 1; i < POINTS - 1; i++)
        s_old[i] = s_new[i];
    nvtxRangePop();
    nvtxRangePop();
}

static double total(void)
{
    double sum = 0;
    nvtxRangePushA("total");
    for (int i = 0; i < POINTS; i++)
        sum += s_old[i];
    nvtxRangePop();
    return sum;
}

int main(void)
{
    double before = 0, now = 0;
    int steps = 0;
    s_old[0] = s_new[0] = 100;
    for (; steps < MOST_STEPS && (steps == 0 || fabs(now - before) > 1); steps += CHECK_EVERY) {
        before = now;
        for (int i = 0; i < CHECK_EVERY; i++)
            step();
        now = total();
        nvtxMarkA("checked");
    }
    printf("%d steps, %.1f degrees in all\n", steps, now);
    return 0;
}
