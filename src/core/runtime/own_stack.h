/* A stack for what runs when the process ends: the program's may be small. */
#ifndef STINT_RUNTIME_OWN_STACK_H
#define STINT_RUNTIME_OWN_STACK_H

/* Calls function(argument) on a stack that is mapped for this call, or on the present one if there is no memory. Takes
 * less than 1 KiB of the present one. May be called in a signal handler. */
void stint_on_own_stack(void (*function)(void *argument), void *argument);

#endif
