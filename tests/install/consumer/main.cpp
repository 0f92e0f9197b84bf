#include <stint/stint.h>

#include <iostream>

static void work()
{
    REGISTER_TIMER("scope");
    REGISTER_TIMER_INFO("layer", "conv1");
    std::cout << "done" << std::endl;
}

int main()
{
    struct stint_timer timer = STINT_TIMER_INIT;
    stint_timer_start(&timer, "request", nullptr);
    work();
    return stint_timer_stop(&timer) != STINT_OK;
}
