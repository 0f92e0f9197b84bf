/* Handlers of signals. Recording starts before main, and with it come handlers of the signals that end processes. Many
 * programs install their own only where they find the default action, as Python does for SIGINT: they are told of that.
 */
#include <signal.h>

#include "osrt/wrap.h"

STINT_OS_DEFINE(int, sigaction, (int signal, const struct sigaction *action, struct sigaction *before))
{
    int result =
        STINT_OS_REAL(int, sigaction, (int, const struct sigaction *, struct sigaction *))(signal, action, before);

    if (!result && before)
        stint_os_hide_handler(before);
    return result;
}

typedef void handler_fn(int signal);

STINT_OS_DEFINE(handler_fn *, signal, (int signal, handler_fn *handler))
{
    struct sigaction before;

    if (stint_os_sigaction(signal, NULL, &before))
        return SIG_ERR;
    if (STINT_OS_REAL(handler_fn *, signal, (int, handler_fn *))(signal, handler) == SIG_ERR)
        return SIG_ERR;
    return before.sa_handler;
}
