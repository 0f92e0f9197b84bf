#include <stint/stint.h>

#include <stdio.h>

static void work(void)
{
    REGISTER_TIMER("scope");
    REGISTER_TIMER_INFO("layer", "conv1");
    puts("done");
}

int main(void)
{
    struct stint_timer timer = STINT_TIMER_INIT;
    stint_timer_start(&timer, "request", NULL);
    work();
    return stint_timer_stop(&timer) != STINT_OK;
}
