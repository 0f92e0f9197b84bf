/* stint/annotate.h - NVTX annotations from C and C++: ranges, marks and names that Nsight Systems, Nsight Compute and
 * other NVTX tools show.
 *
 *     #include <stint/annotate.h>
 *
 *     enum { LOADING = 1 };
 *     STINT_DOMAIN_DEFINE(s_io, "io");
 *
 *     void step(int batch)
 *     {
 *         STINT_RANGE("step", STINT_COLOR_GREEN);                          // the rest of this block
 *         {
 *             STINT_RANGE_IN(&s_io, "load", STINT_COLOR_ORANGE, LOADING, batch);
 *             load(batch);
 *         }
 *         STINT_MARK("loaded");
 *     }
 *
 * These macros measure nothing: they are for tools that are attached to the process. Timers (timer.h) are shown by such
 * tools anyway, as ranges of the domain "stint", unless STINT_NVTX=off (stint(7)); use these macros for ranges that
 * need a color, a payload or a domain of their own, or that must not be in stint's reports. stint.h does not include
 * this header, because it includes NVTX's own header with all its names.
 *
 * Needs NVTX v3, which is header-only and part of the CUDA toolkit: <nvtx3/nvToolsExt.h> on the include path. Needs no
 * library of stint; with a C library older than glibc 2.34, link with -ldl -lpthread. STINT_HAS_NVTX is 1 if the
 * annotations are compiled in. It is 0 if NVTX's header is not found, STINT_WITH_NVTX is defined as 0, or NVTX_DISABLE
 * is defined; then every macro compiles to nothing: no instruction and no symbol, and arguments that are type-checked
 * but not evaluated.
 *
 * Ranges end by __attribute__((cleanup)) in C and by a destructor in C++: on falling off the block, return, break,
 * continue, goto out of the block, and C++ exceptions. A range that longjmp leaves stays open in the tool.
 *
 * Cost (docs/overhead.md): with no tool attached, a static call site with constant color and category takes a few
 * loads and predictable branches, and no call. The first use of a call site registers its name with the tool. With a
 * tool attached, the cost is that of the tool.
 *
 * Threads: any, at any time; no thread waits for another. Scoped ranges, and push and pop, belong to the thread that
 * executes them.
 */
#ifndef STINT_ANNOTATE_H
#define STINT_ANNOTATE_H

#include <stdint.h>

#include "stint/detail/annotate.h"

/* --------------------------------------------------------------------------------------------------- common parameters
 *
 *   name      const char *, UTF-8. At a static call site (every macro without DYNAMIC in its name) the first name is
 *             registered with the tool and kept, even if the argument changes later. The DYNAMIC forms pass the text
 *             each time; the tool copies it. NULL is taken for "(unnamed)".
 *   color     uint32_t, ARGB: 0xAARRGGBB, STINT_COLOR_..., or STINT_RGB(red, green, blue). With STINT_COLOR_NONE, the
 *             default, the tool chooses.
 *   category  uint32_t, an id that you choose, within the domain; 0, the default, means none. STINT_CATEGORY_NAME
 *             names it.
 *   payload   a value of any arithmetic type. The tool gets a 32-bit integer for types up to int, a 64-bit one for long
 *             and long long, with the type's signedness; a float for float; a double for double and long double.
 *   domain    struct stint_domain *; NULL is the default domain, which the forms without IN use.
 *
 * Color, category and payload may differ at each execution. Each argument is evaluated once per execution, or not at
 * all where annotations are compiled out.
 */

#define STINT_COLOR_NONE UINT32_C(0)
#define STINT_RGB(red, green, blue)                                                                                    \
    (UINT32_C(0xFF000000) | STINT_I_CAST(uint32_t, red) << 16 | STINT_I_CAST(uint32_t, green) << 8 |                   \
     STINT_I_CAST(uint32_t, blue))

#define STINT_COLOR_BLACK UINT32_C(0xFF000000)
#define STINT_COLOR_GRAY UINT32_C(0xFF808080)
#define STINT_COLOR_SILVER UINT32_C(0xFFC0C0C0)
#define STINT_COLOR_WHITE UINT32_C(0xFFFFFFFF)
#define STINT_COLOR_RED UINT32_C(0xFFE53935)
#define STINT_COLOR_MAROON UINT32_C(0xFF8E2420)
#define STINT_COLOR_CORAL UINT32_C(0xFFFF7F50)
#define STINT_COLOR_ORANGE UINT32_C(0xFFFB8C00)
#define STINT_COLOR_AMBER UINT32_C(0xFFFFB300)
#define STINT_COLOR_YELLOW UINT32_C(0xFFFDD835)
#define STINT_COLOR_BROWN UINT32_C(0xFF795548)
#define STINT_COLOR_OLIVE UINT32_C(0xFF808000)
#define STINT_COLOR_LIME UINT32_C(0xFFC0CA33)
#define STINT_COLOR_GREEN UINT32_C(0xFF43A047)
#define STINT_COLOR_MINT UINT32_C(0xFF98E2C6)
#define STINT_COLOR_TEAL UINT32_C(0xFF00897B)
#define STINT_COLOR_CYAN UINT32_C(0xFF00ACC1)
#define STINT_COLOR_SKY UINT32_C(0xFF4FC3F7)
#define STINT_COLOR_BLUE UINT32_C(0xFF1E88E5)
#define STINT_COLOR_NAVY UINT32_C(0xFF1A237E)
#define STINT_COLOR_INDIGO UINT32_C(0xFF3949AB)
#define STINT_COLOR_PURPLE UINT32_C(0xFF8E24AA)
#define STINT_COLOR_LAVENDER UINT32_C(0xFFB39DDB)
#define STINT_COLOR_MAGENTA UINT32_C(0xFFD81B9A)
#define STINT_COLOR_PINK UINT32_C(0xFFF48FB1)
#define STINT_COLOR_NVIDIA UINT32_C(0xFF76B900)

/* -------------------------------------------------------------------------------------------------------------- ranges
 *
 * The scoped ranges are declarations: they need a block, which may contain any number of them, and
 * `if (x) STINT_RANGE("y");` without braces does not compile.
 */

/** STINT_RANGE(name[, color[, category[, payload]]]) - a range from here to the end of the enclosing block. */
#define STINT_RANGE(...) STINT_I_RANGE(__COUNTER__, STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))

/** STINT_RANGE_IN(domain, name[, color[, category[, payload]]]) - STINT_RANGE in a domain. */
#define STINT_RANGE_IN(domain, ...) STINT_I_RANGE(__COUNTER__, domain, STINT_I_LOOK(__VA_ARGS__))

/** STINT_RANGE_DYNAMIC(name[, color[, category[, payload]]]) - STINT_RANGE with a name that may differ at each
 *  execution. */
#define STINT_RANGE_DYNAMIC(...) STINT_I_RANGE_DYNAMIC(__COUNTER__, STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_DYNAMIC_IN(domain, ...) STINT_I_RANGE_DYNAMIC(__COUNTER__, domain, STINT_I_LOOK(__VA_ARGS__))

/** STINT_FUNCTION_RANGE([color[, category[, payload]]]) - STINT_RANGE with the function's name, without its class. */
#define STINT_FUNCTION_RANGE(...) STINT_I_RANGE(__COUNTER__, STINT_I_NULL, STINT_I_FUNCTION_LOOK(__VA_ARGS__))

/** STINT_RANGE_PUSH(name[, color[, category[, payload]]]) - begins a range on this thread, which the matching
 *  STINT_RANGE_POP() ends. An expression without a value. Prefer STINT_RANGE, which always ends. */
#define STINT_RANGE_PUSH(...) STINT_I_PUSH(__COUNTER__, STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_PUSH_IN(domain, ...) STINT_I_PUSH(__COUNTER__, domain, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_PUSH_DYNAMIC(...) STINT_I_PUSH_DYNAMIC(STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_PUSH_DYNAMIC_IN(domain, ...) STINT_I_PUSH_DYNAMIC(domain, STINT_I_LOOK(__VA_ARGS__))

/** STINT_RANGE_POP() - ends the range that was pushed last on this thread in the default domain, or in `domain`. */
#define STINT_RANGE_POP() STINT_I_POP(STINT_I_NULL)
#define STINT_RANGE_POP_IN(domain) STINT_I_POP(domain)

/** STINT_RANGE_START(name[, color[, category[, payload]]]) - begins a range of the process, which may overlap others
 *  and end on another thread. An expression of type uint64_t: an id for STINT_RANGE_END, 0 if no tool wants the
 *  range. */
#define STINT_RANGE_START(...) STINT_I_START(__COUNTER__, STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_START_IN(domain, ...) STINT_I_START(__COUNTER__, domain, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_START_DYNAMIC(...) STINT_I_START_DYNAMIC(STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_RANGE_START_DYNAMIC_IN(domain, ...) STINT_I_START_DYNAMIC(domain, STINT_I_LOOK(__VA_ARGS__))

/** STINT_RANGE_END(id) - ends a range that STINT_RANGE_START began, once, on any thread; 0 does nothing. Use
 *  STINT_RANGE_END_IN for a range that was started in `domain`. */
#define STINT_RANGE_END(id) STINT_I_END(STINT_I_NULL, id)
#define STINT_RANGE_END_IN(domain, id) STINT_I_END(domain, id)

/** STINT_MARK(name[, color[, category[, payload]]]) - marks an instant. An expression without a value. */
#define STINT_MARK(...) STINT_I_MARK(__COUNTER__, STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_MARK_IN(domain, ...) STINT_I_MARK(__COUNTER__, domain, STINT_I_LOOK(__VA_ARGS__))
#define STINT_MARK_DYNAMIC(...) STINT_I_MARK_DYNAMIC(STINT_I_NULL, STINT_I_LOOK(__VA_ARGS__))
#define STINT_MARK_DYNAMIC_IN(domain, ...) STINT_I_MARK_DYNAMIC(domain, STINT_I_LOOK(__VA_ARGS__))

/* ------------------------------------------------------------------------------------------------------------- domains
 *
 * A domain is a namespace in the tool: every range, category and registered string belongs to one. A library should
 * have a domain of its own. Within a program or shared library, equal names mean the same domain. The tool creates a
 * domain at its first use, and keeps it.
 */

/** STINT_DOMAIN_DEFINE(variable, name) - defines `static struct stint_domain variable`, at file scope or in a function,
 *  for use as in STINT_RANGE_IN(&variable, ...). Here and below, `name` is a string literal. */
#define STINT_DOMAIN_DEFINE(variable, name)                                                                            \
    static struct stint_domain variable __attribute__((__unused__)) = {name, STINT_I_NULL, 0}

/** STINT_DOMAIN_INIT(name) - initializes a domain that several files share:
 *      extern struct stint_domain app_domain;                      // in a header
 *      struct stint_domain app_domain = STINT_DOMAIN_INIT("app");  // in one file */
#define STINT_DOMAIN_INIT(name)                                                                                        \
    {                                                                                                                  \
        name, STINT_I_NULL, 0                                                                                          \
    }

/** STINT_DOMAIN(name) - the domain of that name, which is looked up when this line is first executed. An expression of
 *  type struct stint_domain *, NULL where compiled out. */
#define STINT_DOMAIN(name) STINT_I_DOMAIN(__COUNTER__, name)

/* --------------------------------------------------------------------------------------------------------------- names
 *
 * These are expressions without a value, and each is a function call: name things once, not in a loop. A name may be
 * any text; the tool copies it.
 */

/** STINT_CATEGORY_NAME(category, name) - names a category of the default domain, or of `domain`. */
#define STINT_CATEGORY_NAME(category, name) STINT_I_NAME_CATEGORY(STINT_I_NULL, category, name)
#define STINT_CATEGORY_NAME_IN(domain, category, name) STINT_I_NAME_CATEGORY(domain, category, name)

/** STINT_NAME_THREAD(name) - names the calling thread for the tool and for the operating system, which debuggers,
 *  top(1) and stint's reports take it from. The system's name is cut to 15 bytes or less, at the end of a UTF-8
 *  character. On the main thread, it becomes the name of the process. */
#define STINT_NAME_THREAD(name) STINT_I_NAME_THREAD(name)

/** STINT_NAME_CUDA_DEVICE(device, name), _STREAM(stream, name), _EVENT(event, name) - name a device (an int, its
 *  number), a stream (cudaStream_t or CUstream) or an event (cudaEvent_t or CUevent). They compile to nothing if CUDA's
 *  headers are not found. They call no CUDA function and need no CUDA library. */
#define STINT_NAME_CUDA_DEVICE(device, name) STINT_I_NAME_CUDA(stint_i_name_cuda_device, device, name)
#define STINT_NAME_CUDA_STREAM(stream, name) STINT_I_NAME_CUDA(stint_i_name_cuda_stream, stream, name)
#define STINT_NAME_CUDA_EVENT(event, name) STINT_I_NAME_CUDA(stint_i_name_cuda_event, event, name)

#endif
