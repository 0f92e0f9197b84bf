/* Which call made a node of a CUDA graph: work that a graph launches has the correlation id of the graph's launch only,
 * and it says more which launch was captured. */
#ifndef STINT_GPU_GRAPH_NODES_H
#define STINT_GPU_GRAPH_NODES_H

#include <stdint.h>

/* Allocates the table, once. Returns 0, or -1 without memory; then nothing is noted. */
int stint_graph_nodes_start(void);

/* A node was created by that call, or as a copy of a node. 0 is neither a node nor a call. Without room in the table it
 * is not noted. */
void stint_graph_node_created(uint64_t node, uint32_t correlation);
void stint_graph_node_cloned(uint64_t node, uint64_t original);

/* Returns the correlation id of the call that made the node, or the one that it was copied of; 0: it is not known. */
uint32_t stint_graph_node_call(uint64_t node);

#endif
