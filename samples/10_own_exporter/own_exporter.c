/* A server that answers questions about prime numbers, and exports what that costs to Prometheus after every
 * hundred. */
#include <stdint.h>
#include <stdio.h>

#include <stint/stint.h>

#include "prometheus.h"

enum { QUESTIONS = 500, SAVE_EVERY = 100 };

static struct stint_statset *s_server;

static int is_prime(unsigned number)
{
    REGISTER_TIMER("is \"prime\""); /* a name that has to be escaped */

    for (unsigned i = 2; i * i <= number; ++i)
        if (number % i == 0)
            return 0;
    return number > 1;
}

static unsigned count_primes(unsigned from, unsigned to)
{
    unsigned primes = 0;

    REGISTER_TIMER("answer", UINT64_MAX, s_server);
    for (unsigned i = from; i < to; ++i)
        primes += (unsigned)is_prime(i);
    return primes;
}

static int print_file(const char *path)
{
    FILE *const file = fopen(path, "r");
    char line[512];

    if (!file)
        return -1;
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    return fclose(file);
}

int main(int count, char **arguments)
{
    const char *const path = count > 1 ? arguments[1] : "own_exporter.prom";
    unsigned primes = 0;

    s_server = stint_statset_get("Server");
    for (unsigned i = 0; i < QUESTIONS; ++i) {
        primes += count_primes(100 * i, 100 * i + 100);
        if ((i + 1) % SAVE_EVERY == 0 && prometheus_save(path)) {
            perror(path);
            return 1;
        }
    }
    printf("%u primes below %d\n", primes, 100 * QUESTIONS);
    return print_file(path) ? 1 : 0;
}
