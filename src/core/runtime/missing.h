/* Says which parts a program was linked without (record/part.h). Only libstint.a has this function: libstint.so has all
 * parts. */
#ifndef STINT_RUNTIME_MISSING_H
#define STINT_RUNTIME_MISSING_H

/* Logs that something was asked for, such as a variable's name says, which a part does that was not linked. */
void stint_missing_part_tell(const char *asked, const char *part) __attribute__((weak));

#endif
