/* A merge sort: scopes within scopes, and a scope that calls itself. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <stint/stint.h>

enum { SORTS = 1000, VALUES = 512, FEW = 64 };

static void insert(uint32_t *values, int count)
{
    REGISTER_TIMER("insert");

    for (int i = 1; i < count; ++i) {
        const uint32_t value = values[i];
        int at = i;

        for (; at > 0 && values[at - 1] > value; --at)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void merge(uint32_t *values, int count)
{
    uint32_t left[VALUES / 2];
    const int half = count / 2;
    int from_left = 0, from_right = half, to = 0;

    REGISTER_TIMER("merge");
    memcpy(left, values, (size_t)half * sizeof *values);
    while (from_left < half)
        if (from_right < count && values[from_right] < left[from_left])
            values[to++] = values[from_right++];
        else
            values[to++] = left[from_left++];
}

static void sort(uint32_t *values, int count)
{
    REGISTER_TIMER("sort");

    if (count <= FEW) {
        insert(values, count);
        return;
    }
    sort(values, count / 2);
    sort(values + count / 2, count - count / 2);
    merge(values, count);
}

static int is_sorted(const uint32_t *values)
{
    REGISTER_TIMER("check");

    for (int i = 1; i < VALUES; ++i)
        if (values[i - 1] > values[i])
            return 0;
    return 1;
}

int main(void)
{
    uint32_t values[VALUES], state = 1;
    int good = 0;

    for (int i = 0; i < SORTS; ++i) {
        for (int k = 0; k < VALUES; ++k)
            values[k] = (state = state * 1664525U + 1013904223U) >> 8;
        sort(values, VALUES);
        good += is_sorted(values);
    }
    printf("%d of %d sorted\n", good, SORTS);
    (void)fflush(stdout);
    stint_report_print(STINT_FORMAT_TREE);  /* who called: one row per calling context */
    stint_report_print(STINT_FORMAT_TABLE); /* totals: one row per name */
    return good != SORTS;
}
