/* service [REQUESTS [PORT]] - four workers answer three kinds of requests, one of which is slow now and then. With a
 * port, Prometheus can ask the service itself what that took. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <stint/stint.h>

#include "metrics_page.h"

enum { WORKERS = 4, LOOKUP_US = 300, RENDER_US = 150, SLOW_US = 20000, SLOW_EVERY = 50 };

static const char *const s_routes[] = {"GET /", "GET /search", "POST /order"};
static int s_requests; /* for each worker */

static void wait_us(long us)
{
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

static void look_up(int number)
{
    REGISTER_TIMER("look up");
    wait_us(number % SLOW_EVERY ? LOOKUP_US : SLOW_US);
}

static void render(void)
{
    REGISTER_TIMER("render");
    wait_us(RENDER_US);
}

/* The name of a route is known when a request comes, so its timer is a dynamic one. */
static void answer(int number)
{
    REGISTER_TIMER_DYNAMIC(s_routes[number % 3]);
    look_up(number);
    render();
}

static void *work(void *argument)
{
    for (int i = 0; i < s_requests; ++i)
        answer(i);
    return argument;
}

int main(int count, char **arguments)
{
    pthread_t workers[WORKERS];

    s_requests = count > 1 ? atoi(arguments[1]) : 300;
    if (count > 2 && serve_metrics(atoi(arguments[2]))) {
        perror("the metrics cannot be served");
        return 1;
    }
    for (int i = 0; i < WORKERS; ++i)
        if (pthread_create(&workers[i], NULL, work, NULL))
            return 1;
    for (int i = 0; i < WORKERS; ++i)
        pthread_join(workers[i], NULL);
    printf("%d requests were answered\n", WORKERS * s_requests);
    return 0;
}
