/* Programs that become others: what they were is reported before. */
#ifndef STINT_INJECT_EXEC_H
#define STINT_INJECT_EXEC_H

/* Has `report` called in front of every execve and its kin that can succeed. When the library is loaded. */
void stint_exec_start(void (*report)(void));

#endif
