/* Programs that replace themselves by others: what they recorded is reported first. */
#ifndef STINT_INJECT_EXEC_H
#define STINT_INJECT_EXEC_H

/* Calls `report` before every execve or related function that can succeed. To be called when the library is loaded. */
void stint_exec_start(void (*report)(void));

#endif
