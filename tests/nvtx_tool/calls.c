/* Every macro of annotate.h, as C and as C++: tests/golden/nvtx_calls.txt has the calls that a tool gets. Not linked
 * with any library of stint. */
#include <stint/annotate.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define NOTHING nullptr
#define CAST(type, value) static_cast<type>(value)
#else
#define NOTHING NULL
#define CAST(type, value) ((type)(value))
#endif

enum { NETWORK = 1, DISK = 2 };

STINT_DOMAIN_DEFINE(s_io, "io");
STINT_DOMAIN_DEFINE(s_io_again, "io"); /* as in another file: the same domain */
STINT_DOMAIN_DEFINE(s_never_used, "never used");

static void section(const char *name)
{
    STINT_MARK_DYNAMIC(name, STINT_COLOR_WHITE);
}

/* The second time, strings are registered already. */
static void scoped(void)
{
    for (int i = 0; i < 2; ++i) {
        STINT_RANGE("outer");
        {
            STINT_RANGE("inner", STINT_COLOR_GREEN);
            STINT_RANGE("with category", STINT_COLOR_RED, NETWORK);
        }
        STINT_RANGE("with payload", STINT_RGB(1, 2, 3), DISK, i);
    }
}

static void in_domains(void)
{
    struct stint_domain *const domains[] = {&s_io, NOTHING, &s_io_again, STINT_DOMAIN("by name")};
    for (int i = 0; i < 2; ++i) {
        STINT_RANGE_IN(&s_io, "read");
        STINT_RANGE_IN(&s_io, "read all", STINT_COLOR_BLUE, DISK, i);
        STINT_RANGE_IN(&s_io_again, "read again", STINT_COLOR_BLUE);
        STINT_RANGE_IN(STINT_DOMAIN("io"), "write", STINT_COLOR_BLUE, DISK);
        STINT_RANGE_IN(NOTHING, "anywhere");
    }
    for (int i = 0; i < 4; ++i) {
        STINT_RANGE_IN(domains[i], "one site, many domains", STINT_COLOR_NAVY);
    }
}

static void varying_look(void)
{
    static const uint32_t colors[] = {STINT_COLOR_NONE, STINT_COLOR_ORANGE};
    for (uint32_t i = 0; i < 2; ++i) {
        STINT_RANGE("varying", colors[i]);
        STINT_RANGE("varying", STINT_COLOR_BLUE, i);
        STINT_RANGE("varying", colors[1 - i], 1 - i, i);
    }
}

static void function_range(void)
{
    STINT_FUNCTION_RANGE();
    STINT_FUNCTION_RANGE(STINT_COLOR_TEAL);
    STINT_FUNCTION_RANGE(STINT_COLOR_TEAL, DISK);
    STINT_FUNCTION_RANGE(STINT_COLOR_TEAL, DISK, 3);
}

static void dynamic(void)
{
    char text[] = "layer 0";
    for (int i = 0; i < 2; ++i) {
        text[6] = CAST(char, '0' + i);
        STINT_RANGE_DYNAMIC(text);
        STINT_RANGE_DYNAMIC_IN(&s_io, text, STINT_COLOR_PINK, NETWORK, i);
        STINT_RANGE(text); /* keeps the first value */
    }
    STINT_MARK(NOTHING);
    STINT_MARK_DYNAMIC(NOTHING);
    STINT_MARK("grüße, 世界 \xF0\x9F\x9A\x80");
}

static void push_and_pop(void)
{
    STINT_RANGE_PUSH("pushed");
    STINT_RANGE_PUSH("pushed", STINT_COLOR_RED, NETWORK, 1);
    STINT_RANGE_PUSH_IN(&s_io, "pushed", STINT_COLOR_RED);
    STINT_RANGE_PUSH_DYNAMIC("pushed", STINT_COLOR_RED, NETWORK);
    STINT_RANGE_PUSH_DYNAMIC_IN(&s_io, "pushed", STINT_COLOR_RED, NETWORK);
    STINT_RANGE_POP();
    STINT_RANGE_POP();
    STINT_RANGE_POP_IN(&s_io);
    STINT_RANGE_POP_IN(&s_io_again);
    STINT_RANGE_POP();
}

struct request {
    uint64_t plain;
    uint64_t in_io;
};

static void *answer(void *argument)
{
    const struct request *const request = CAST(const struct request *, argument);
    STINT_RANGE_END_IN(&s_io, request->in_io);
    STINT_RANGE_END(request->plain);
    STINT_MARK("answered");
    STINT_NAME_THREAD("a worker with a long name");
    return NOTHING;
}

static void start_and_end(void)
{
    struct request request;
    uint64_t dynamic_id, dynamic_io_id;
    pthread_t thread;
    request.plain = STINT_RANGE_START("request", STINT_COLOR_LIME, NETWORK, 7);
    request.in_io = STINT_RANGE_START_IN(&s_io, "request");
    dynamic_id = STINT_RANGE_START_DYNAMIC("request", STINT_COLOR_LIME);
    dynamic_io_id = STINT_RANGE_START_DYNAMIC_IN(&s_io, "request", STINT_COLOR_LIME);
    if (pthread_create(&thread, NOTHING, answer, &request) || pthread_join(thread, NOTHING))
        return;
    STINT_RANGE_END(dynamic_id);
    STINT_RANGE_END_IN(&s_io, dynamic_io_id);
    STINT_RANGE_END(0);
    STINT_RANGE_END_IN(&s_io, 0);
}

static void marks(void)
{
    STINT_MARK("mark");
    STINT_MARK("mark", STINT_COLOR_RED);
    STINT_MARK_IN(&s_io, "mark", STINT_COLOR_RED, NETWORK);
    STINT_MARK_DYNAMIC("mark", STINT_COLOR_RED, NETWORK, 1);
    STINT_MARK_DYNAMIC_IN(&s_io, "mark", STINT_COLOR_RED, NETWORK);
}

static void payloads(void)
{
    const bool boolean = true;
    const signed char signed_char = -128;
    const unsigned char unsigned_char = 255;
    const short short_int = -32768;
    const unsigned short unsigned_short = 65535;
    int evaluated = 0;
    STINT_MARK("bool", 0, 0, boolean);
    STINT_MARK("char", 0, 0, CAST(char, 'A'));
    STINT_MARK("signed char", 0, 0, signed_char);
    STINT_MARK("unsigned char", 0, 0, unsigned_char);
    STINT_MARK("short", 0, 0, short_int);
    STINT_MARK("unsigned short", 0, 0, unsigned_short);
    STINT_MARK("int", 0, 0, -2147483647 - 1);
    STINT_MARK("unsigned", 0, 0, 4294967295U);
    STINT_MARK("long", 0, 0, -9223372036854775807L - 1);
    STINT_MARK("unsigned long", 0, 0, 18446744073709551615UL);
    STINT_MARK("long long", 0, 0, -9223372036854775807LL - 1);
    STINT_MARK("unsigned long long", 0, 0, 18446744073709551615ULL);
    STINT_MARK("float", 0, 0, 0.1F);
    STINT_MARK("double", 0, 0, -1e-300);
    STINT_MARK("long double", 0, 0, 0.5L);
    STINT_MARK("once", 0, 0, ++evaluated);
    STINT_MARK("once", 0, 0, ++evaluated);
}

static void names(void)
{
    STINT_CATEGORY_NAME(NETWORK, "network");
    STINT_CATEGORY_NAME_IN(&s_io, DISK, "disk");
    STINT_NAME_THREAD("main");
    STINT_NAME_CUDA_DEVICE(3, "fast one");
    STINT_NAME_CUDA_STREAM(NOTHING, "default stream");
    STINT_NAME_CUDA_EVENT(NOTHING, "no event");
}

static int leaves_by(int way)
{
    for (int i = 0; i < 2; ++i) {
        STINT_RANGE("body", 0, 0, way);
        STINT_RANGE_DYNAMIC_IN(&s_io, "body");
        if (way == 0)
            return 1;
        if (way == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3)
            goto out;
    }
    return 0;
out:
    return 2;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } sections[] = {
        {"scoped", scoped},
        {"in domains", in_domains},
        {"varying look", varying_look},
        {"function", function_range},
        {"dynamic", dynamic},
        {"push and pop", push_and_pop},
        {"start and end", start_and_end},
        {"marks", marks},
        {"payloads", payloads},
        {"names", names},
    };

    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        section(sections[i].name);
        sections[i].run();
    }
    section("ways out");
    for (int way = 0; way < 4; ++way)
        leaves_by(way);
    return 0;
}
