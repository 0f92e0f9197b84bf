/* Runs small programs with and without recording, each in a process of its own, and compares what recording added with
 * what the report's footer says, in CPU time of the whole process: what other threads do costs time only where no
 * processor is free. Programs take turns in rounds; the medians over the rounds are printed.
 *
 *     bench_overhead [--rounds N]
 */
#include <unistd.h>

#include "bench.h"
#include "stint/annotate.h"
#include "stint/stint.h"

/* -------------------------------------------------------------------------------- a dictionary, as servers have one */

enum { KEYS = 65536, KEY_SIZE = 24 };

struct entry {
    struct entry *next;
    char key[KEY_SIZE];
    uint32_t value;
};

static struct entry *s_entries, **s_chains;
static uint32_t s_mask;
static char s_keys[KEYS][KEY_SIZE];

static uint32_t hash(const char *key)
{
    uint32_t value = 2166136261u;
    for (; *key; key++)
        value = (value ^ (unsigned char)*key) * 16777619u;
    return value ^ value >> 15;
}

static void fill(uint32_t count)
{
    uint32_t random = 1;
    for (s_mask = 1; s_mask < count; s_mask *= 2)
        continue;
    s_entries = calloc(count, sizeof *s_entries);
    s_chains = calloc(s_mask--, sizeof *s_chains);
    if (!s_entries || !s_chains)
        exit(1);
    for (uint32_t i = 0; i < count; i++) {

        snprintf(s_entries[i].key, KEY_SIZE, "user:%u", i);
        struct entry **chain = &s_chains[hash(s_entries[i].key) & s_mask];
        s_entries[i].value = i;
        s_entries[i].next = *chain;
        *chain = &s_entries[i];
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        random = random * 1664525u + 1013904223u;
        snprintf(s_keys[i], KEY_SIZE, "user:%u", (random >> 8) % count);
    }
}

__attribute__((noinline)) static uint32_t look_up(const char *key)
{
    const struct entry *entry = s_chains[hash(key) & s_mask];
    while (strcmp(entry->key, key) != 0)
        entry = entry->next;
    return entry->value;
}

/* --------------------------------------------------------------------------------------------------------- programs */

enum { LOOPS = 2000000 };

#define LOOK_UPS(name, before, after)                                                                                  \
    static uint32_t name(void)                                                                                         \
    {                                                                                                                  \
        uint32_t found = 0;                                                                                            \
                                                                                                                       \
        for (uint32_t i = 0; i < LOOPS; i++) {                                                                         \
            before;                                                                                                    \
            found += look_up(s_keys[i % KEYS]);                                                                        \
            after;                                                                                                     \
        }                                                                                                              \
        return found;                                                                                                  \
    }

LOOK_UPS(look_ups, , )
LOOK_UPS(look_ups_in_scopes, STINT_SCOPE("look-up"), )
#ifdef NVTX_VERSION
LOOK_UPS(look_ups_in_ranges, nvtxRangePushA("dictionary look-up"), nvtxRangePop())
#else
LOOK_UPS(look_ups_in_ranges, , )
#endif

LOOK_UPS(look_ups_with_samples, , stint_statset_add(NULL, "look-up", 1000 + i % 1024))

/* What a server does with a request, "GET key": takes it apart, looks up the key, and writes the answer. */
#define REQUESTS(name, scope)                                                                                          \
    static uint32_t name(void)                                                                                         \
    {                                                                                                                  \
        char request[64], key[64], answer[64];                                                                         \
        uint32_t size = 0;                                                                                             \
                                                                                                                       \
        for (uint32_t i = 0; i < LOOPS / 4; i++) {                                                                     \
            scope;                                                                                                     \
            snprintf(request, sizeof request, "GET %s\r\n", s_keys[i % KEYS]);                                         \
            if (sscanf(request, "GET %63s", key) != 1)                                                                 \
                return 0;                                                                                              \
            size += (uint32_t)snprintf(answer, sizeof answer, ":%u\r\n", look_up(key));                                \
        }                                                                                                              \
        return size;                                                                                                   \
    }

REQUESTS(requests, )
REQUESTS(requests_in_scopes, STINT_SCOPE("request"))

/* In files of their own. */
uint32_t bench_plain_matches(void);
uint32_t bench_hooked_matches(void);
uint32_t bench_mock_launches(void);
uint32_t bench_mock_launches_alone(void);

struct program {
    const char *name;
    uint32_t keys;
    uint32_t (*plain)(void);
    uint32_t (*recorded)(void);
    const char *environment[3]; /* of what is recorded */
};

static const struct program s_programs[] = {
    {"scopes, look-ups", 1000, look_ups, look_ups_in_scopes, {NULL}},
    {"scopes, requests", 500000, requests, requests_in_scopes, {NULL}},
    {"scopes, look-ups, cache misses", 500000, look_ups, look_ups_in_scopes, {NULL}},
    {"samples added, look-ups", 1000, look_ups, look_ups_with_samples, {NULL}},
    {"ranges, look-ups", 1000, look_ups, look_ups_in_ranges, {"NVTX_INJECTION64_PATH=" INJECTION, NULL}},
    {"functions", 1000, bench_plain_matches, bench_hooked_matches, {"STINT_FUNCTIONS=all", NULL}},
    {"functions, left out", 1000, bench_plain_matches, bench_hooked_matches, {"STINT_FUNCTIONS=!*", NULL}},
    {"launches",
     1000,
     bench_mock_launches_alone,
     bench_mock_launches,
     {"STINT_GPU=kernels", "STINT_CUPTI_PATH=" CUPTI, NULL}},
    {"launches and calls",
     1000,
     bench_mock_launches_alone,
     bench_mock_launches,
     {"STINT_GPU=on", "STINT_CUPTI_PATH=" CUPTI, NULL}},
};

enum { PROGRAMS = sizeof s_programs / sizeof s_programs[0], ROUNDS = 99 };

/* -------------------------------------------------------------------------------------------------------- processes */

struct text {
    char *bytes;
    size_t size;
};

static int add_text(void *context, const char *bytes, size_t size)
{
    struct text *text = context;
    char *longer = realloc(text->bytes, text->size + size + 1);
    if (!longer)
        return -1;
    memcpy(longer + text->size, bytes, size);
    text->bytes = longer;
    text->size += size;
    longer[text->size] = '\0';
    return 0;
}

/* Returns what the report's footer says that recording cost in all, in ns. */
static double said_ns(void)
{
    struct stint_snapshot *snapshot;
    struct text text = {NULL, 0};
    const char *at = NULL;
    if (!stint_snapshot_take(&snapshot)) {
        if (!stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, add_text, &text))
            at = strstr(text.bytes, "\"overhead\":");
        stint_snapshot_free(snapshot);
    }
    at = at ? strstr(at, "\"total_ns\":") : NULL;
    double ns = at ? strtod(at + strlen("\"total_ns\":"), NULL) : 0;
    free(text.bytes);
    return ns;
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Prints how long the program took, and what recording is said to have cost. */
static int run(const struct program *program, int recorded)
{
    fill(program->keys);
    uint64_t begin = cpu_ns();
    uint32_t result = recorded ? program->recorded() : program->plain();
    uint64_t took = cpu_ns() - begin;

    __asm__ volatile("" : : "r"(result));
    printf("%llu %.0f\n", (unsigned long long)took, recorded ? said_ns() : 0);
    return 0;
}

struct times {
    double took;
    double said;
};

static struct times start(int number, int recorded)
{
    const struct program *program = &s_programs[number];
    char command[64];
    struct times times = {0, 0};
    for (int i = 0; i < 2 && program->environment[i]; i++)
        if (recorded)
            putenv((char *)program->environment[i]);
    snprintf(command, sizeof command, "exec /proc/%d/exe %d %d", (int)getpid(), number, recorded);
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%lf %lf", &times.took, &times.said) != 2 || pclose(pipe) != 0) {
        fprintf(stderr, "bench_overhead: %s failed\n", program->name);
        exit(1);
    }
    for (int i = 0; i < 2 && program->environment[i]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(program->environment[i], "="), program->environment[i]);
        unsetenv(name);
    }
    return times;
}

/* ------------------------------------------------------------------------------------------------------------- main */

static double s_plain[PROGRAMS][ROUNDS], s_recorded[PROGRAMS][ROUNDS], s_true[PROGRAMS][ROUNDS],
    s_said[PROGRAMS][ROUNDS];

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return values[count / 2];
}

static void compare(int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < PROGRAMS; i++) {
            struct times times = start(i, 1);
            s_plain[i][round] = start(i, 0).took / 1e6;
            s_recorded[i][round] = times.took / 1e6;
            s_true[i][round] = 100 * (1 - s_plain[i][round] / s_recorded[i][round]);
            s_said[i][round] = 100 * times.said / times.took;
        }
    printf("%-34s %9s %9s %9s %9s\n", "", "plain", "recorded", "overhead", "said");
    for (int i = 0; i < PROGRAMS; i++)
        printf("%-34s %6.1f ms %6.1f ms %7.1f %% %7.1f %%\n", s_programs[i].name, median(s_plain[i], rounds),
               median(s_recorded[i], rounds), median(s_true[i], rounds), median(s_said[i], rounds));
}

int main(int argc, char **argv)
{
    int rounds = 9;
    if (argc == 3 && strspn(argv[1], "0123456789") == strlen(argv[1]) && atoi(argv[1]) < PROGRAMS)
        return run(&s_programs[atoi(argv[1])], atoi(argv[2]));
    if (argc == 3 && !strcmp(argv[1], "--rounds"))
        rounds = atoi(argv[2]);
    if (argc == 2 || argc > 3 || rounds < 1 || rounds > ROUNDS) {
        fprintf(stderr, "usage: bench_overhead [--rounds N]   N from 1 to %d\n", (int)ROUNDS);
        return 2;
    }
    setenv("STINT_REPORT", "off", 1);
    compare(rounds);
    return 0;
}
