#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <atomic>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>
#endif

/* Words that common headers define as macros. Qt: emit, signals, slots, foreach. X11: None, Bool, Status, Success.
 * curses: OK, ERR, timeout. Windows' and MIDL's: near, far, small, interface. gcc itself, outside strict modes: unix,
 * linux. AltiVec: vector, pixel. complex.h: I. sysmacros.h in sys: major, minor. Programs of kernel style: likely,
 * noinline, unused. */
#define emit
#define signals public
#define slots
#define forever for (;;)
#define foreach(variable, container) for (variable; container;)
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define Always 2
#define True 1
#define False 0
#define OK 0
#define ERR (-1)
#define timeout(delay) wtimeout(0, delay)
#define near
#define far
#define huge
#define small char
#define interface struct
#define unix 1
#define linux 1
#define i386 1
#define vector __vector
#define pixel __pixel
#define I _Complex_I
#define _(text) text
#define N_(text) text
#define T 1
#define N 1
#define E 1
#define major(device) (device)
#define minor(device) (device)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(a) ((a) < 0 ? -(a) : (a))
#define check(condition) ((void)(condition))
#define verify(condition) ((void)(condition))
#define require(condition, label) ((void)(condition))
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#define noinline __attribute__((__noinline__))
#define always_inline inline __attribute__((__always_inline__))
#define unused __attribute__((__unused__))
#define used __attribute__((__used__))
#define cleanup(function) __attribute__((__cleanup__(function)))
#define visibility(kind) __attribute__((__visibility__(kind)))
#define cold __attribute__((__cold__))
#define hot __attribute__((__hot__))
#define weak __attribute__((__weak__))
#define packed __attribute__((__packed__))
#define aligned(bytes) __attribute__((__aligned__(bytes)))
#define deprecated __attribute__((__deprecated__))
#define format(...)
#define printf printf_of_theirs
#define MIN min
#define MAX max
#define ERROR 0
#define VERBOSE 1
#define DEBUG 1
#define SIZE 64
#define NAME "x"
#define VERSION "1"
#define PACKED
#define INLINE
#define UNUSED
#define ALIGN(x) (x)
#define CONCAT(a, b) a##b
#define STR(x) #x
#define B0 0
#define ECHO 8
#define CurrentTime 0L
