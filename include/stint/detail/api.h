/* stint/detail/api.h - symbol visibility, linkage, branch hints and relaxed access. Implementation detail of the public
 * headers: like everything in this folder, no interface for programs, but part of what they are compiled with. What may
 * change of it without a new STINT_ABI is said in version.h. */
#ifndef STINT_DETAIL_API_H
#define STINT_DETAIL_API_H

#if !defined(__GNUC__)
#error "stint needs gcc or clang: its C scopes end through __attribute__((cleanup))"
#endif
#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "stint needs a 64-bit little-endian processor, such as x86-64 or aarch64"
#include <the error above> /* is not there, so that the compiler stops instead of reporting what follows from it */
#endif

#define STINT_API __attribute__((__visibility__("default")))

#ifdef __cplusplus
#if __cplusplus < 201103L
#error "stint needs C++11 or later: compile with -std=c++11"
#include <the error above>
#endif
#define STINT_EXTERN_C_BEGIN extern "C" {
#define STINT_EXTERN_C_END }
#define STINT_I_THREAD_LOCAL __thread
#define STINT_I_NULL nullptr
#define STINT_I_CAST(type, value) static_cast<type>(value)
#define STINT_I_ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#else
#if defined(__STRICT_ANSI__) && !defined(__STDC_VERSION__)
#error "stint needs inline functions, which ISO C90 does not have: compile with -std=c99 or -std=gnu90"
#include <the error above>
#endif
#define STINT_EXTERN_C_BEGIN
#define STINT_EXTERN_C_END
#define STINT_I_THREAD_LOCAL _Thread_local
#define STINT_I_NULL NULL
#define STINT_I_CAST(type, value) ((type)(value))
#define STINT_I_ADDRESS(pointer) ((uintptr_t)(pointer))
#endif

/* The name that a linker sees of something that inlined code reads: it ends with the number of the interface, so that
 * code compiled with headers of another number cannot be linked with this library, libstint.a included. */
#define STINT_I_TEXT_(text) #text
#define STINT_I_TEXT(text) STINT_I_TEXT_(text)
#define STINT_I_OF_ABI(name) __asm__(STINT_I_TEXT(name) "_" STINT_I_TEXT(STINT_ABI))

/* For inline functions that enter or leave scopes: files compiled with -finstrument-functions must not time these
 * functions too. */
#define STINT_I_UNSEEN __attribute__((__no_instrument_function__))

/* For a few instructions that the compiler must not turn into a call. */
#define STINT_I_INLINE static inline __attribute__((__always_inline__))

/* For what is too much code to be at every call site. gcc sees that itself. */
#if defined(__clang__)
#define STINT_I_LARGE static inline __attribute__((__noinline__))
#else
#define STINT_I_LARGE static inline
#endif

/* For what hardly ever runs, so that it is not in the way of what does. */
#define STINT_I_RARE static inline __attribute__((__cold__))

/* Of a variable: what is called with its address when it goes out of scope. Attributes have underscores, as a program's
 * macros may have the names without. */
#define STINT_I_CLEANUP(function) __attribute__((__cleanup__(function), __unused__))

#define STINT_I_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define STINT_I_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Makes gcc forget what it knows of the value of `variable`. Of a node that is NULL on one path and not on another it
 * would else make the code in the scope twice, so as not to ask at the end. */
#if defined(__clang__)
#define STINT_I_FORGET(variable) STINT_I_CAST(void, 0)
#else
#define STINT_I_FORGET(variable) __asm__("" : "+r"(variable))
#endif

/* Whether gcc is to add to memory in one instruction, as clang does of itself: of relaxed accesses gcc makes three. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define STINT_I_WHOLE 1
#else
#define STINT_I_WHOLE 0
#endif

/* Access to variables that other threads or signal handlers use too. STINT_I_ADD is for a single writer. */
#define STINT_I_LOAD(address) __atomic_load_n((address), __ATOMIC_RELAXED)
#define STINT_I_STORE(address, value) __atomic_store_n((address), (value), __ATOMIC_RELAXED)
#if STINT_I_WHOLE
#define STINT_I_ADD(address, value)                                                                                    \
    __asm__("add%z0 %1, %0" : "+m"(*(address)) : "er"(STINT_I_CAST(__typeof__(*(address)), value)) : "cc")
#else
#define STINT_I_ADD(address, value) STINT_I_STORE((address), STINT_I_LOAD(address) + (value))
#endif

#define STINT_I_CAT_(a, b) a##b
#define STINT_I_CAT(a, b) STINT_I_CAT_(a, b)

#endif
