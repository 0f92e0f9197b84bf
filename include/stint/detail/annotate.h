/* stint/detail/annotate.h - what the macros of annotate.h expand to. Implementation detail.
 *
 * A static call site keeps the attributes of its event, with the registered string in place of the text. An event
 * without a payload then only checks whether the site is ready and whether a tool listens, and passes a pointer. All
 * other events fill attributes of their own on the stack. No thread waits: while one thread registers a site, others
 * send plain text.
 *
 * Events of the default domain go through NVTX's older functions, which have no domain parameter, because some tools
 * do not see calls of the newer functions with a NULL domain. */
#ifndef STINT_DETAIL_ANNOTATE_H
#define STINT_DETAIL_ANNOTATE_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/detail/scope.h"
#include "stint/detail/unevaluated.h"

#ifndef STINT_WITH_NVTX
#define STINT_WITH_NVTX 1
#endif

#if STINT_WITH_NVTX && !defined(NVTX_DISABLE) && defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define STINT_HAS_NVTX 1
#if __has_include(<cuda.h>) && __has_include(<driver_types.h>) && __has_include(<nvtx3/nvToolsExtCudaRt.h>)
#define STINT_I_HAS_NVTX_CUDA 1
#endif
#endif
#endif
#ifndef STINT_HAS_NVTX
#define STINT_HAS_NVTX 0
#endif
#ifndef STINT_I_HAS_NVTX_CUDA
#define STINT_I_HAS_NVTX_CUDA 0
#endif

/* A domain. It has the same layout with and without NVTX, so that it may be a member of the user's own structs. */
struct stint_domain {
    const char *name;
    void *handle;  /* NULL before the first use, and if no tool gave one */
    uint32_t open; /* 1: handle is final */
};

/* ---------------------------------------------------------------------------------------------------------- payload */

/* A number as NVTX takes it: its type, and its bytes at the beginning of `bits`. */
struct stint_i_payload {
    int32_t type; /* NVTX_PAYLOAD_TYPE_...; 0: none */
    uint64_t bits;
};

#define STINT_I_DEFINE_PAYLOAD(function, c_type, nvtx_type)                                                            \
    static inline struct stint_i_payload function(c_type value)                                                        \
    {                                                                                                                  \
        struct stint_i_payload payload = {nvtx_type, 0};                                                               \
                                                                                                                       \
        __builtin_memcpy(&payload.bits, &value, sizeof value);                                                         \
        return payload;                                                                                                \
    }

STINT_EXTERN_C_BEGIN

STINT_I_DEFINE_PAYLOAD(stint_i_payload_u64, uint64_t, 1)
STINT_I_DEFINE_PAYLOAD(stint_i_payload_i64, int64_t, 2)
STINT_I_DEFINE_PAYLOAD(stint_i_payload_f64, double, 3)
STINT_I_DEFINE_PAYLOAD(stint_i_payload_u32, uint32_t, 4)
STINT_I_DEFINE_PAYLOAD(stint_i_payload_i32, int32_t, 5)
STINT_I_DEFINE_PAYLOAD(stint_i_payload_f32, float, 6)

static inline struct stint_i_payload stint_i_no_payload(void)
{
    const struct stint_i_payload none = {0, 0};

    return none;
}

/* NVTX has no type for long double: it is passed as a double. */
static inline struct stint_i_payload stint_i_payload_long_double(long double value)
{
    return stint_i_payload_f64(STINT_I_CAST(double, value));
}

STINT_EXTERN_C_END

#ifdef __cplusplus

namespace stint {
namespace detail {

/* clang-format off */
inline stint_i_payload payload(bool value) { return stint_i_payload_u32(value); }
inline stint_i_payload payload(char value) { return stint_i_payload_i32(value); }
inline stint_i_payload payload(signed char value) { return stint_i_payload_i32(value); }
inline stint_i_payload payload(unsigned char value) { return stint_i_payload_u32(value); }
inline stint_i_payload payload(short value) { return stint_i_payload_i32(value); }
inline stint_i_payload payload(unsigned short value) { return stint_i_payload_u32(value); }
inline stint_i_payload payload(int value) { return stint_i_payload_i32(value); }
inline stint_i_payload payload(unsigned value) { return stint_i_payload_u32(value); }
inline stint_i_payload payload(long value) { return stint_i_payload_i64(value); }
inline stint_i_payload payload(unsigned long value) { return stint_i_payload_u64(value); }
inline stint_i_payload payload(long long value) { return stint_i_payload_i64(value); }
inline stint_i_payload payload(unsigned long long value) { return stint_i_payload_u64(value); }
inline stint_i_payload payload(float value) { return stint_i_payload_f32(value); }
inline stint_i_payload payload(double value) { return stint_i_payload_f64(value); }
inline stint_i_payload payload(long double value) { return stint_i_payload_long_double(value); }
template <typename Type> stint_i_payload payload(Type *) = delete; // rather than a bool
/* clang-format on */

} // namespace detail
} // namespace stint

#define STINT_I_PAYLOAD(value) ::stint::detail::payload(value)

#else

/* clang-format off */
#define STINT_I_PAYLOAD(value)                                                                                         \
    _Generic((value),                                                                                                  \
        _Bool: stint_i_payload_u32,                                                                                    \
        char: stint_i_payload_i32,                                                                                     \
        signed char: stint_i_payload_i32,                                                                              \
        unsigned char: stint_i_payload_u32,                                                                            \
        short: stint_i_payload_i32,                                                                                    \
        unsigned short: stint_i_payload_u32,                                                                           \
        int: stint_i_payload_i32,                                                                                      \
        unsigned: stint_i_payload_u32,                                                                                 \
        long: stint_i_payload_i64,                                                                                     \
        unsigned long: stint_i_payload_u64,                                                                            \
        long long: stint_i_payload_i64,                                                                                \
        unsigned long long: stint_i_payload_u64,                                                                       \
        float: stint_i_payload_f32,                                                                                    \
        double: stint_i_payload_f64,                                                                                   \
        long double: stint_i_payload_long_double)(value)
/* clang-format on */

#endif

/* ------------------------------------------------------------------------------------------------------------- look */

/* STINT_I_LOOK_n(...) -> name, color, category, fixed, payload: the last arguments of every function below. `fixed`
 * says which of them cannot differ from one execution of the site to the next. */
enum { STINT_I_LITERAL = 1 /* the name */, STINT_I_CONSTANT = 2 /* color and category */ };

#define STINT_I_FIXED_NAME(name) (__builtin_constant_p(name) ? STINT_I_LITERAL : 0)
#define STINT_I_FIXED_LOOK(color, category)                                                                            \
    (__builtin_constant_p(color) && __builtin_constant_p(category) ? STINT_I_CONSTANT : 0)

#define STINT_I_LOOK_1(name) name, 0u, 0u, STINT_I_FIXED_NAME(name) | STINT_I_CONSTANT, stint_i_no_payload()
#define STINT_I_LOOK_2(name, color)                                                                                    \
    name, color, 0u, STINT_I_FIXED_NAME(name) | STINT_I_FIXED_LOOK(color, 0), stint_i_no_payload()
#define STINT_I_LOOK_3(name, color, category)                                                                          \
    name, color, category, STINT_I_FIXED_NAME(name) | STINT_I_FIXED_LOOK(color, category), stint_i_no_payload()
#define STINT_I_LOOK_4(name, color, category, payload)                                                                 \
    name, color, category, STINT_I_FIXED_NAME(name) | STINT_I_FIXED_LOOK(color, category), STINT_I_PAYLOAD(payload)
#define STINT_I_LOOK(...) STINT_I_SELECT(STINT_I_LOOK_, __VA_ARGS__)

/* The same for __func__, which not every compiler treats as a literal. `color` may be empty: it then expands to +
 * 0u. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define STINT_I_FUNCTION_LOOK_1(color)                                                                                 \
    __func__, color + 0u, 0u, STINT_I_LITERAL | STINT_I_FIXED_LOOK(color + 0u, 0), stint_i_no_payload()
/* NOLINTEND(bugprone-macro-parentheses) */
#define STINT_I_FUNCTION_LOOK_2(color, category)                                                                       \
    __func__, color, category, STINT_I_LITERAL | STINT_I_FIXED_LOOK(color, category), stint_i_no_payload()
#define STINT_I_FUNCTION_LOOK_3(color, category, payload)                                                              \
    __func__, color, category, STINT_I_LITERAL | STINT_I_FIXED_LOOK(color, category), STINT_I_PAYLOAD(payload)
#define STINT_I_FUNCTION_LOOK(...) STINT_I_SELECT(STINT_I_FUNCTION_LOOK_, __VA_ARGS__)

#if STINT_HAS_NVTX

/* The user must not see warnings about NVTX's own code, such as gcc's for dlsym in ISO C. */
#ifndef NVTX_AS_SYSTEM_HEADER
#define NVTX_AS_SYSTEM_HEADER
#define STINT_I_NVTX_AS_SYSTEM_HEADER
#endif
#include <nvtx3/nvToolsExt.h>
#if STINT_I_HAS_NVTX_CUDA
#include <nvtx3/nvToolsExtCudaRt.h>
#endif
#ifdef STINT_I_NVTX_AS_SYSTEM_HEADER
#undef NVTX_AS_SYSTEM_HEADER
#undef STINT_I_NVTX_AS_SYSTEM_HEADER
#endif

#include <pthread.h>
#include <sys/syscall.h>

STINT_I_ASSERT(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 == 1 && NVTX_PAYLOAD_TYPE_INT64 == 2);
STINT_I_ASSERT(NVTX_PAYLOAD_TYPE_DOUBLE == 3 && NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 == 4);
STINT_I_ASSERT(NVTX_PAYLOAD_TYPE_INT32 == 5 && NVTX_PAYLOAD_TYPE_FLOAT == 6);

#define STINT_I_COLD __attribute__((__noinline__, __cold__, __unused__))

STINT_EXTERN_C_BEGIN

/* ---------------------------------------------------------------------------------------------------------- domains */

static inline const char *stint_i_text(const char *text)
{
    return text ? text : "(unnamed)";
}

enum { STINT_I_DOMAINS = 64 };

/* One domain for each name, shared by all files of a program or shared library, as NVTX itself is. Slots are taken in
 * order. When all are taken, each further domain is known only to the variable that defines it. */
extern struct stint_domain stint_i_domains[STINT_I_DOMAINS];
__attribute__((__weak__, __visibility__("hidden"))) struct stint_domain stint_i_domains[STINT_I_DOMAINS];

/* Returns the slot of that name, or NULL if all are taken. The slot keeps the pointer `name`. */
static STINT_I_COLD struct stint_domain *stint_i_find_domain(const char *name)
{
    for (int i = 0; i < STINT_I_DOMAINS; ++i) {
        struct stint_domain *const slot = &stint_i_domains[i];
        const char *taken = STINT_I_NULL;

        if (__atomic_compare_exchange_n(&slot->name, &taken, name, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
            !__builtin_strcmp(taken, name))
            return slot;
    }
    return STINT_I_NULL;
}

/* Sets the handle unless another thread has set it already. Returns the handle that is set. */
static STINT_I_COLD void *stint_i_set_handle(struct stint_domain *domain, void *handle)
{
    void *expected = STINT_I_NULL;

    if (!__atomic_compare_exchange_n(&domain->handle, &expected, handle, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        handle = expected;
    __atomic_store_n(&domain->open, 1u, __ATOMIC_RELEASE);
    return handle;
}

static STINT_I_COLD void *stint_i_open_domain(struct stint_domain *domain)
{
    const char *const name = stint_i_text(__atomic_load_n(&domain->name, __ATOMIC_RELAXED));
    struct stint_domain *const slot = stint_i_find_domain(name);

    if (!slot)
        return stint_i_set_handle(domain, nvtxDomainCreateA(name));
    if (!__atomic_load_n(&slot->open, __ATOMIC_ACQUIRE))
        stint_i_set_handle(slot, nvtxDomainCreateA(name));
    return stint_i_set_handle(domain, __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE));
}

static inline struct stint_domain *stint_i_named_domain(struct stint_domain *domain, const char *name)
{
    if (STINT_I_UNLIKELY(!__atomic_load_n(&domain->name, __ATOMIC_RELAXED)))
        __atomic_store_n(&domain->name, name, __ATOMIC_RELAXED);
    return domain;
}

/* Returns NULL for the default domain, and if there is no tool. */
static inline nvtxDomainHandle_t stint_i_domain_handle(struct stint_domain *domain)
{
    if (!domain)
        return STINT_I_NULL;
    if (STINT_I_LIKELY(__atomic_load_n(&domain->open, __ATOMIC_ACQUIRE)))
        return STINT_I_CAST(nvtxDomainHandle_t, __atomic_load_n(&domain->handle, __ATOMIC_RELAXED));
    return STINT_I_CAST(nvtxDomainHandle_t, stint_i_open_domain(domain));
}

/* ----------------------------------------------------------------------------------------------------------- events */

enum { STINT_I_FRESH, STINT_I_BUSY, STINT_I_READY };

/* A static call site. */
struct stint_i_event {
    uint32_t state;
    struct stint_domain *domain; /* the attributes are valid only in this domain */
    nvtxEventAttributes_t attributes;
};

static inline nvtxEventAttributes_t stint_i_attributes(const char *name, uint32_t color, uint32_t category,
                                                       struct stint_i_payload payload)
{
    nvtxEventAttributes_t attributes;

    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.category = category;
    attributes.colorType = color ? NVTX_COLOR_ARGB : NVTX_COLOR_UNKNOWN;
    attributes.color = color;
    attributes.payloadType = payload.type;
    attributes.reserved0 = 0;
    attributes.payload.ullValue = payload.bits;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = stint_i_text(name);
    return attributes;
}

/* Makes a fresh site ready. If the text can neither be registered nor is sure to live on, the site never becomes ready:
 * then each event passes its own text. */
static STINT_I_COLD void stint_i_register(struct stint_i_event *site, struct stint_domain *domain, const char *name,
                                          uint32_t color, uint32_t category, int fixed)
{
    uint32_t state = STINT_I_FRESH;
    nvtxStringHandle_t string;

    if (!__atomic_compare_exchange_n(&site->state, &state, STINT_I_BUSY, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    string = nvtxDomainRegisterStringA(stint_i_domain_handle(domain), stint_i_text(name));
    if (!string && !(fixed & STINT_I_LITERAL))
        return;
    site->domain = domain;
    site->attributes = stint_i_attributes(name, color, category, stint_i_no_payload());
    if (string) {
        site->attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        site->attributes.message.registered = string;
    }
    __atomic_store_n(&site->state, STINT_I_READY, __ATOMIC_RELEASE);
}

static inline int stint_i_is_ready(const struct stint_i_event *site, const struct stint_domain *domain)
{
    return __atomic_load_n(&site->state, __ATOMIC_ACQUIRE) == STINT_I_READY && site->domain == domain;
}

/* Returns the attributes for one execution of the site: those of the site, or `own`, which it then fills. */
static inline const nvtxEventAttributes_t *stint_i_look(struct stint_i_event *site, nvtxEventAttributes_t *own,
                                                        struct stint_domain *domain, const char *name, uint32_t color,
                                                        uint32_t category, int fixed, struct stint_i_payload payload)
{
    if (STINT_I_UNLIKELY(!stint_i_is_ready(site, domain))) {
        stint_i_register(site, domain, name, color, category, fixed);
        *own = stint_i_attributes(name, color, category, payload);
        if (!stint_i_is_ready(site, domain))
            return own;
    } else if ((fixed & STINT_I_CONSTANT) && !payload.type) {
        return &site->attributes;
    }
    *own = stint_i_attributes(STINT_I_NULL, color, category, payload);
    own->messageType = site->attributes.messageType;
    own->message = site->attributes.message;
    return own;
}

/* One function for each kind of event. `handle` is NULL for the default domain. */

static inline void stint_i_nvtx_push(nvtxDomainHandle_t handle, const nvtxEventAttributes_t *attributes)
{
    if (handle)
        nvtxDomainRangePushEx(handle, attributes);
    else
        nvtxRangePushEx(attributes);
}

static inline void stint_i_nvtx_pop(nvtxDomainHandle_t handle)
{
    if (handle)
        nvtxDomainRangePop(handle);
    else
        nvtxRangePop();
}

static inline uint64_t stint_i_nvtx_start(nvtxDomainHandle_t handle, const nvtxEventAttributes_t *attributes)
{
    return handle ? nvtxDomainRangeStartEx(handle, attributes) : nvtxRangeStartEx(attributes);
}

static inline void stint_i_nvtx_mark(nvtxDomainHandle_t handle, const nvtxEventAttributes_t *attributes)
{
    if (handle)
        nvtxDomainMarkEx(handle, attributes);
    else
        nvtxMarkEx(attributes);
}

/* Events of a static site. */

static inline nvtxDomainHandle_t stint_i_push(struct stint_i_event *site, struct stint_domain *domain, const char *name,
                                              uint32_t color, uint32_t category, int fixed,
                                              struct stint_i_payload payload)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);
    nvtxEventAttributes_t own;

    stint_i_nvtx_push(handle, stint_i_look(site, &own, domain, name, color, category, fixed, payload));
    return handle;
}

static inline uint64_t stint_i_start(struct stint_i_event *site, struct stint_domain *domain, const char *name,
                                     uint32_t color, uint32_t category, int fixed, struct stint_i_payload payload)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);
    nvtxEventAttributes_t own;

    return stint_i_nvtx_start(handle, stint_i_look(site, &own, domain, name, color, category, fixed, payload));
}

static inline void stint_i_mark(struct stint_i_event *site, struct stint_domain *domain, const char *name,
                                uint32_t color, uint32_t category, int fixed, struct stint_i_payload payload)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);
    nvtxEventAttributes_t own;

    stint_i_nvtx_mark(handle, stint_i_look(site, &own, domain, name, color, category, fixed, payload));
}

/* Events whose text may differ from one execution to the next. */

static inline nvtxDomainHandle_t stint_i_push_dynamic(struct stint_domain *domain, const char *name, uint32_t color,
                                                      uint32_t category, int fixed, struct stint_i_payload payload)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);
    const nvtxEventAttributes_t attributes = stint_i_attributes(name, color, category, payload);

    STINT_I_CAST(void, fixed);
    stint_i_nvtx_push(handle, &attributes);
    return handle;
}

static inline uint64_t stint_i_start_dynamic(struct stint_domain *domain, const char *name, uint32_t color,
                                             uint32_t category, int fixed, struct stint_i_payload payload)
{
    const nvtxEventAttributes_t attributes = stint_i_attributes(name, color, category, payload);

    STINT_I_CAST(void, fixed);
    return stint_i_nvtx_start(stint_i_domain_handle(domain), &attributes);
}

static inline void stint_i_mark_dynamic(struct stint_domain *domain, const char *name, uint32_t color,
                                        uint32_t category, int fixed, struct stint_i_payload payload)
{
    const nvtxEventAttributes_t attributes = stint_i_attributes(name, color, category, payload);

    STINT_I_CAST(void, fixed);
    stint_i_nvtx_mark(stint_i_domain_handle(domain), &attributes);
}

static inline void stint_i_pop(struct stint_domain *domain)
{
    stint_i_nvtx_pop(stint_i_domain_handle(domain));
}

static inline void stint_i_end_range(struct stint_domain *domain, uint64_t id)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);

    if (!id)
        return;
    if (handle)
        nvtxDomainRangeEnd(handle, id);
    else
        nvtxRangeEnd(id);
}

static inline void stint_i_clean_range(const nvtxDomainHandle_t *handle)
{
    stint_i_nvtx_pop(*handle);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static STINT_I_COLD void stint_i_name_category(struct stint_domain *domain, uint32_t category, const char *name)
{
    nvtxDomainHandle_t handle = stint_i_domain_handle(domain);

    if (handle)
        nvtxDomainNameCategoryA(handle, category, stint_i_text(name));
    else
        nvtxNameCategoryA(category, stint_i_text(name));
}

/* libc declares these functions under its own names only where GNU extensions are asked for. */
int stint_i_pthread_setname_np(pthread_t thread, const char *name) __asm__("pthread_setname_np");
long stint_i_syscall(long number, ...) __asm__("syscall");

/* The system takes at most 15 bytes; no character is cut in two. */
static STINT_I_COLD void stint_i_name_thread(const char *name)
{
    enum { ROOM = 15 };
    char cut[ROOM + 1] = "";
    size_t length = __builtin_strlen(name = stint_i_text(name));

    if (length > ROOM) {
        length = ROOM;
        while (length && (STINT_I_CAST(unsigned char, name[length]) & 0xC0) == 0x80)
            --length;
    }
    __builtin_memcpy(cut, name, length);
    stint_i_pthread_setname_np(pthread_self(), cut);
    nvtxNameOsThreadA(STINT_I_CAST(uint32_t, stint_i_syscall(SYS_gettid)), name);
}

#if STINT_I_HAS_NVTX_CUDA

static STINT_I_COLD void stint_i_name_cuda_device(int device, const char *name)
{
    nvtxNameCudaDeviceA(device, stint_i_text(name));
}

static STINT_I_COLD void stint_i_name_cuda_stream(cudaStream_t stream, const char *name)
{
    nvtxNameCudaStreamA(stream, stint_i_text(name));
}

static STINT_I_COLD void stint_i_name_cuda_event(cudaEvent_t event, const char *name)
{
    nvtxNameCudaEventA(event, stint_i_text(name));
}

#endif

STINT_EXTERN_C_END

/* ----------------------------------------------------------------------------------------------------------- macros */

#define STINT_I_EVENT(uid) STINT_I_CAT(stint_event_, uid)
#define STINT_I_RANGE_TYPE(uid) STINT_I_CAT(stint_range_type_, uid)
#define STINT_I_RANGE_VARIABLE(uid) STINT_I_CAT(stint_range_, uid)

#ifdef __cplusplus

namespace stint {
namespace detail {

class range {
public:
    explicit range(nvtxDomainHandle_t handle) noexcept : handle_(handle) {}
    ~range() { stint_i_nvtx_pop(handle_); }
    range(const range &) = delete;
    range &operator=(const range &) = delete;

private:
    nvtxDomainHandle_t handle_;
};

} // namespace detail
} // namespace stint

#define STINT_I_DEFINE_RANGE_TYPE(uid) typedef ::stint::detail::range STINT_I_RANGE_TYPE(uid)
#define STINT_I_DEFINE_RANGE(uid, handle) const STINT_I_RANGE_TYPE(uid) STINT_I_RANGE_VARIABLE(uid)(handle)

#else

#define STINT_I_DEFINE_RANGE_TYPE(uid) typedef nvtxDomainHandle_t STINT_I_RANGE_TYPE(uid)
#define STINT_I_DEFINE_RANGE(uid, handle)                                                                              \
    const STINT_I_RANGE_TYPE(uid) STINT_I_RANGE_VARIABLE(uid) STINT_I_CLEANUP(stint_i_clean_range) = handle

#endif

/* These are several declarations, the last of which uses the first, for the reason given in scope.h. */
#define STINT_I_RANGE(uid, domain, ...)                                                                                \
    STINT_I_DEFINE_RANGE_TYPE(uid);                                                                                    \
    static struct stint_i_event STINT_I_EVENT(uid);                                                                    \
    STINT_I_DEFINE_RANGE(uid, stint_i_push(&STINT_I_EVENT(uid), domain, __VA_ARGS__))
#define STINT_I_RANGE_DYNAMIC(uid, domain, ...)                                                                        \
    STINT_I_DEFINE_RANGE_TYPE(uid);                                                                                    \
    STINT_I_DEFINE_RANGE(uid, stint_i_push_dynamic(domain, __VA_ARGS__))

/* function(&site, ...) as an expression, with a static site of its own. */
#define STINT_I_AT_SITE(uid, function, ...)                                                                            \
    __extension__({                                                                                                    \
        static struct stint_i_event STINT_I_EVENT(uid);                                                                \
        function(&STINT_I_EVENT(uid), __VA_ARGS__);                                                                    \
    })

#define STINT_I_PUSH(uid, ...) STINT_I_CAST(void, STINT_I_AT_SITE(uid, stint_i_push, __VA_ARGS__))
#define STINT_I_PUSH_DYNAMIC(...) STINT_I_CAST(void, stint_i_push_dynamic(__VA_ARGS__))
#define STINT_I_POP(domain) stint_i_pop(domain)
#define STINT_I_START(uid, ...) STINT_I_AT_SITE(uid, stint_i_start, __VA_ARGS__)
#define STINT_I_START_DYNAMIC(...) stint_i_start_dynamic(__VA_ARGS__)
#define STINT_I_END(domain, id) stint_i_end_range(domain, id)
#define STINT_I_MARK(uid, ...) STINT_I_AT_SITE(uid, stint_i_mark, __VA_ARGS__)
#define STINT_I_MARK_DYNAMIC(...) stint_i_mark_dynamic(__VA_ARGS__)
#define STINT_I_NAME_CATEGORY(domain, category, name) stint_i_name_category(domain, category, name)
#define STINT_I_NAME_THREAD(name) stint_i_name_thread(name)
/* The domain gets its name when it is used, because clang 14 drops the initializer of a static variable here if the
 * whole expression is in an initializer list. */
#define STINT_I_DOMAIN(uid, name)                                                                                      \
    __extension__({                                                                                                    \
        static struct stint_domain STINT_I_CAT(stint_domain_, uid);                                                    \
        stint_i_named_domain(&STINT_I_CAT(stint_domain_, uid), name);                                                  \
    })

#else

STINT_EXTERN_C_BEGIN

/* Never defined and never called: the macros check the types of their arguments against these. */
int stint_i_accept_event(struct stint_domain *domain, const char *name, uint32_t color, uint32_t category, int fixed,
                         struct stint_i_payload payload);
int stint_i_accept_end(struct stint_domain *domain, uint64_t id);
int stint_i_accept_category(struct stint_domain *domain, uint32_t category, const char *name);
int stint_i_accept_text(const char *name);

STINT_EXTERN_C_END

/* An expression without a value. For nvcc see unevaluated.h. */
#ifdef __NVCC__
#define STINT_I_IGNORED(call) static_cast<void>(false && call)
#else
#define STINT_I_IGNORED(call) STINT_I_CAST(void, sizeof(call))
#endif

#define STINT_I_RANGE(uid, ...) STINT_I_CHECKED(uid, stint_i_accept_event(__VA_ARGS__))
#define STINT_I_RANGE_DYNAMIC(uid, ...) STINT_I_CHECKED(uid, stint_i_accept_event(__VA_ARGS__))
#define STINT_I_PUSH(uid, ...) STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__))
#define STINT_I_PUSH_DYNAMIC(...) STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__))
#define STINT_I_POP(domain) STINT_I_IGNORED(stint_i_accept_end(domain, 0))
#define STINT_I_START(uid, ...) (STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__)), UINT64_C(0))
#define STINT_I_START_DYNAMIC(...) (STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__)), UINT64_C(0))
#define STINT_I_END(domain, id) STINT_I_IGNORED(stint_i_accept_end(domain, id))
#define STINT_I_MARK(uid, ...) STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__))
#define STINT_I_MARK_DYNAMIC(...) STINT_I_IGNORED(stint_i_accept_event(__VA_ARGS__))
#define STINT_I_NAME_CATEGORY(domain, category, name) STINT_I_IGNORED(stint_i_accept_category(domain, category, name))
#define STINT_I_NAME_THREAD(name) STINT_I_IGNORED(stint_i_accept_text(name))
#define STINT_I_DOMAIN(uid, name)                                                                                      \
    (STINT_I_IGNORED(stint_i_accept_text(name)), STINT_I_CAST(struct stint_domain *, STINT_I_NULL))

#endif

/* Without CUDA's headers the types of the named objects are unknown. */
#if STINT_I_HAS_NVTX_CUDA
#define STINT_I_NAME_CUDA(function, what, name) function(what, name)
#elif STINT_HAS_NVTX
#define STINT_I_NAME_CUDA(function, what, name) STINT_I_CAST(void, sizeof(what) + sizeof(stint_i_text(name)))
#else
#define STINT_I_NAME_CUDA(function, what, name) STINT_I_CAST(void, sizeof(what) + sizeof(stint_i_accept_text(name)))
#endif

#endif
