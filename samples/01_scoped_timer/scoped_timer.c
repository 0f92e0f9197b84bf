#include <stdio.h>
#include <stint/stint.h>

static int divisors(int n)
{
    REGISTER_TIMER("divisors"); // times the rest of this block
    int count = 0;
    for (int d = 1; d <= n; ++d)
        count += n % d == 0;
    return count;
}

int main(void)
{
    REGISTER_TIMER_INFO("sum", "1001 to 6000"); // the info is for a line that is logged if this takes 10 s
    int sum = 0;
    for (int n = 1001; n <= 6000; ++n)
        sum += divisors(n);
    printf("%d divisors\n", sum);
}
