NODES = []


def aggregate_origins(node_schedule):
    return NODES
