/* Measures what a program's NVTX calls cost while stint is the tool that receives them. Prints minimum and median over
 * rounds in which all variants take turns, so that a noisy moment affects all of them; limits are in pairs of clock
 * reads.
 *
 *     bench_nvtx [--json] [--rounds N]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nvtx/handler.h"
#include "runtime/runtime.h"
#include "stint/detail/record.h"

enum { LOOPS = 1000000, MAX_ROUNDS = 1000 };

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Keeps the compiler from moving work across, or out of, the measured loop. */
#define FENCE() __asm__ volatile("" ::: "memory")

/* ----------------------------------------------------------------------------------------------------------- client */

/* As in a program, every call goes through a pointer that the tool has set. */
static struct slots {
    const void *(*create)(const char *name);
    const void *(*register_string)(const void *domain, const char *text);
    int (*push)(const void *domain, const struct stint_nvtx_attributes *attributes);
    int (*pop)(const void *domain);
    int (*push_text)(const char *text);
    int (*push_wide)(const wchar_t *text);
    int (*pop_default)(void);
    uint64_t (*start)(const void *domain, const struct stint_nvtx_attributes *attributes);
    void (*end)(const void *domain, uint64_t range);
    void (*mark)(const char *text);
} s_slots;

static int get_module(int module, stint_nvtx_any_fn ***(*table), unsigned *count)
{
    static stint_nvtx_any_fn **core[16], **core2[16];
    core[STINT_NVTX_RANGE_PUSH_A] = (stint_nvtx_any_fn **)&s_slots.push_text;
    core[STINT_NVTX_RANGE_PUSH_W] = (stint_nvtx_any_fn **)&s_slots.push_wide;
    core[STINT_NVTX_RANGE_POP] = (stint_nvtx_any_fn **)&s_slots.pop_default;
    core[STINT_NVTX_MARK_A] = (stint_nvtx_any_fn **)&s_slots.mark;
    core2[STINT_NVTX_DOMAIN_CREATE_A] = (stint_nvtx_any_fn **)&s_slots.create;
    core2[STINT_NVTX_DOMAIN_REGISTER_STRING_A] = (stint_nvtx_any_fn **)&s_slots.register_string;
    core2[STINT_NVTX_DOMAIN_RANGE_PUSH_EX] = (stint_nvtx_any_fn **)&s_slots.push;
    core2[STINT_NVTX_DOMAIN_RANGE_POP] = (stint_nvtx_any_fn **)&s_slots.pop;
    core2[STINT_NVTX_DOMAIN_RANGE_START_EX] = (stint_nvtx_any_fn **)&s_slots.start;
    core2[STINT_NVTX_DOMAIN_RANGE_END] = (stint_nvtx_any_fn **)&s_slots.end;
    *table = module == STINT_NVTX_CORE ? core : core2;
    *count = module == STINT_NVTX_CORE || module == STINT_NVTX_CORE2 ? 16 : 0;
    return *count != 0;
}

static const void *get_table(uint32_t table)
{
    static const struct stint_nvtx_callbacks callbacks = {sizeof callbacks, get_module};
    return table == STINT_NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static const void *s_domain;
static struct stint_nvtx_attributes s_registered, s_payload;

static int attach(void)
{
    if (stint_runtime_start() || !stint_nvtx_attach(get_table))
        return -1;
    s_domain = s_slots.create("bench");
    s_registered = (struct stint_nvtx_attributes){
        .version = STINT_NVTX_VERSION,
        .size = sizeof s_registered,
        .text_type = STINT_NVTX_TEXT_REGISTERED,
        .text.registered = s_slots.register_string(s_domain, "registered"),
    };
    s_payload = s_registered;
    s_payload.payload_type = STINT_NVTX_PAYLOAD_U64;
    return 0;
}

/* -------------------------------------------------------------------------------------- variants: LOOPS events each */

static void empty_loop(void)
{
    for (int i = 0; i < LOOPS; ++i)
        FENCE();
}

static void clock_pair(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < LOOPS; ++i) {
        const uint64_t begin = stint_i_ticks();
        FENCE();
        sum += stint_i_ordered_ticks() - begin;
    }
    __asm__ volatile("" ::"r"(sum));
}

static void registered(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_slots.push(s_domain, &s_registered);
        FENCE();
        s_slots.pop(s_domain);
    }
}

static void text(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_slots.push_text("training step");
        FENCE();
        s_slots.pop_default();
    }
}

static void text_varying(void)
{
    static const char *const names[] = {"aten::convolution", "aten::relu_", "aten::batch_norm", "aten::add_"};
    for (int i = 0; i < LOOPS; ++i) {
        s_slots.push_text(names[i & 3]);
        FENCE();
        s_slots.pop_default();
    }
}

static void text_wide(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_slots.push_wide(L"training step");
        FENCE();
        s_slots.pop_default();
    }
}

static void payload(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_payload.payload.u64 = (uint64_t)i;
        s_slots.push(s_domain, &s_payload);
        FENCE();
        s_slots.pop(s_domain);
    }
}

static void start_end(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        const uint64_t range = s_slots.start(s_domain, &s_registered);
        FENCE();
        s_slots.end(s_domain, range);
    }
}

static void mark(void)
{
    for (int i = 0; i < LOOPS; ++i) {
        s_slots.mark("mark");
        FENCE();
    }
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static struct variant {
    const char *key;
    void (*run)(void);
    double limit; /* in pairs of clock reads; 0: none */
    double ns[MAX_ROUNDS];
} s_variants[] = {
    {"empty_loop_ns", empty_loop, 0, {0}},
    {"clock_pair_ns", clock_pair, 0, {0}},
    {"nvtx_registered_ns", registered, 1.5, {0}},
    {"nvtx_text_ns", text, 2.5, {0}},
    {"nvtx_text_varying_ns", text_varying, 2.5, {0}},
    {"nvtx_wide_ns", text_wide, 0, {0}},
    {"nvtx_payload_ns", payload, 0, {0}},
    {"nvtx_start_end_ns", start_end, 0, {0}},
    {"nvtx_mark_ns", mark, 0, {0}},
};

enum { VARIANTS = sizeof s_variants / sizeof s_variants[0], PAIR = 1 };

static double time_variant(const struct variant *variant)
{
    const uint64_t begin = now_ns();
    variant->run();
    return (double)(now_ns() - begin) / LOOPS;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_rounds(int rounds)
{
    for (int round = -1; round < rounds; ++round) /* the first round warms up */
        for (int i = 0; i < VARIANTS; ++i)
            s_variants[i].ns[round < 0 ? 0 : round] = time_variant(&s_variants[i]);
    for (int i = 0; i < VARIANTS; ++i)
        qsort(s_variants[i].ns, (size_t)rounds, sizeof(double), compare);
}

/* ----------------------------------------------------------------------------------------------------------- output */

static void print_json(int rounds)
{
    printf("{\n");
    for (int i = 0; i < VARIANTS; ++i)
        printf("  \"%s\": %.3f,\n", s_variants[i].key, s_variants[i].ns[0]);
    printf("  \"rounds\": %d,\n  \"median\": {", rounds);
    for (int i = 0; i < VARIANTS; ++i)
        printf("%s\"%s\": %.3f", i ? ", " : "", s_variants[i].key, s_variants[i].ns[rounds / 2]);
    printf("}\n}\n");
}

static void print_table(int rounds)
{
    const struct variant *pair = &s_variants[PAIR];
    printf("%-22s %9s %9s %9s %9s %7s   %d rounds of %d\n", "", "min", "median", "pairs", "median", "limit", rounds,
           LOOPS);
    for (int i = 0; i < VARIANTS; ++i) {
        const struct variant *variant = &s_variants[i];
        printf("%-22s %9.3f %9.3f %9.3f %9.3f", variant->key, variant->ns[0], variant->ns[rounds / 2],
               variant->ns[0] / pair->ns[0], variant->ns[rounds / 2] / pair->ns[rounds / 2]);
        if (variant->limit > 0)
            printf(" %7.2f", variant->limit);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    int rounds = 25, json = 0;
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "--json")) {
            json = 1;
        } else if (!strcmp(argv[i], "--rounds") && i + 1 < argc && atoi(argv[i + 1]) >= 9 &&
                   atoi(argv[i + 1]) <= MAX_ROUNDS) {
            rounds = atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: bench_nvtx [--json] [--rounds N]   N from 9 to %d\n", MAX_ROUNDS);
            return 2;
        }
    }
    if (attach()) {
        fprintf(stderr, "bench_nvtx: stint does not start\n");
        return 1;
    }
    run_rounds(rounds);
    (json ? print_json : print_table)(rounds);
    return 0;
}
