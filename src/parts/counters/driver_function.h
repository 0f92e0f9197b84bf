/* Functions of the CUDA driver that the program has loaded. */
#ifndef STINT_COUNTERS_DRIVER_FUNCTION_H
#define STINT_COUNTERS_DRIVER_FUNCTION_H

/* Writes the function's address into a pointer to such functions, or NULL if there is none. */
void stint_driver_function(const char *name, void *pointer);

#endif
