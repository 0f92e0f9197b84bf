/* What a wrapper of a function of the C library needs: the function itself, and the stint that records its calls. */
#ifndef STINT_OSRT_WRAP_H
#define STINT_OSRT_WRAP_H

#include "osrt/os_call_list.h"
#include "record/os_call.h"
#include "stint/detail/api.h"

#define STINT_OS_PLAIN_NUMBER(result, name, shown, parameters, arguments) STINT_OS_##name,
#define STINT_OS_LOCK_NUMBER(name, try, parameters, arguments) STINT_OS_##name,
#define STINT_OS_OTHER_NUMBER(name) STINT_OS_##name,

enum stint_os_number {
    STINT_OS_CALLS(STINT_OS_PLAIN_NUMBER, STINT_OS_LOCK_NUMBER, STINT_OS_OTHER_NUMBER) STINT_OS_FUTEX,
    STINT_OS_NUMBERS
};

/* Returns the function of the C library, or of the next library that wraps it. NULL: this C library does not have it;
 * then a program can have found only the wrapper, by dlsym. */
typedef void stint_os_fn(void);
stint_os_fn *stint_os_real(enum stint_os_number number);

#define STINT_OS_REAL(result, name, parameters) ((result(*) parameters)stint_os_real(STINT_OS_##name))

/* Begin and end a call. The first returns 0 if it is not recorded; then there is nothing to end. Neither changes errno.
 * Nothing is held between the two: the call may never return. */
int stint_os_begin(struct stint_os_call *call);
void stint_os_end(const struct stint_os_call *call, enum stint_os_number number);

/* Hides stint's handler of a fatal signal, which there is from before main on. */
struct sigaction;
void stint_os_hide_handler(struct sigaction *seen);

/* Ends a call that was about to wait, however soon it returned. */
void stint_os_end_wait(const struct stint_os_call *call, enum stint_os_number number);

/* Defines the function `name` of the C library, which headers may have declared as a macro or with other types, under a
 * name of its own for the compiler. */
#define STINT_OS_DEFINE(result, name, parameters)                                                                      \
    STINT_API result stint_os_##name parameters __asm__(#name);                                                        \
    result stint_os_##name parameters

#endif
