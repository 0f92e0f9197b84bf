/* Work that is charged to a scope of another thread, which waits for it: while a program runs (contexts/adopt.h), and
 * when a file of another tool is read (replay/open.h). */
#ifndef STINT_SUPPORT_ADOPT_RULE_H
#define STINT_SUPPORT_ADOPT_RULE_H

/* Whose work is adopted without being handed over. */
enum stint_adopt_rule {
    STINT_ADOPT_NOTHING,
    STINT_ADOPT_AUTOGRAD, /* PyTorch's threads for backward passes; launches and scopes */
    STINT_ADOPT_LAUNCHES, /* also launches of all other threads, by the main thread's scope */
    STINT_ADOPT_ALL       /* also their scopes */
};

/* Returns what STINT_ADOPT asks for. */
enum stint_adopt_rule stint_adopt_rule_asked(void);

/* Whether a thread of this name runs backward passes of PyTorch: "pt_autograd_0", with the device's number. The thread
 * that called backward() waits for them. */
int stint_is_autograd(const char *name);

#endif
