#ifndef STINT_TESTS_PROCESS_OBJECTS_PLUGIN_H
#define STINT_TESTS_PROCESS_OBJECTS_PLUGIN_H

/* Runs `count` scopes called "shared", and as many called "only in a" or "only in b". */
__attribute__((visibility("default"))) void plugin_run(unsigned count);

#endif
