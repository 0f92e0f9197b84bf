/* A CUDA library that writes its calls to the file FAKE_CUDA_CALLS, returns from them when this file contains the text
 * FAKE_CUDA_UNTIL, and returns FAKE_CUDA_CODE. The macros START and STOP name the functions that it has; a runtime also
 * has a last error. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint/detail/api.h"

enum { MOST_BYTES = 4096 };

STINT_API int START(void);
STINT_API int STOP(void);

static int s_last_error;

static void wait_until(int file, const char *text)
{
    char calls[MOST_BYTES];
    ssize_t length;
    do {
        usleep(1000);
        length = pread(file, calls, sizeof calls - 1, 0);
        if (length < 0)
            abort();
        calls[length] = '\0';
    } while (!strstr(calls, text));
}

static int act(const char *call)
{
    const char *const code = getenv("FAKE_CUDA_CODE"), *const until = getenv("FAKE_CUDA_UNTIL");
    const int file = open(getenv("FAKE_CUDA_CALLS"), O_RDWR | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, call, strlen(call)) < 0)
        abort();
    if (until)
        wait_until(file, until);
    close(file);
    s_last_error = code ? atoi(code) : 0;
    return s_last_error;
}

int START(void)
{
    return act("start\n");
}

int STOP(void)
{
    return act("stop\n");
}

#ifdef WITH_LAST_ERROR
STINT_API int cudaPeekAtLastError(void);
STINT_API int cudaGetLastError(void);

int cudaPeekAtLastError(void)
{
    return s_last_error;
}

int cudaGetLastError(void)
{
    const int last_error = s_last_error;
    s_last_error = 0;
    return last_error;
}
#endif
