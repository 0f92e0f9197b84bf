"""Two spawned processes that use the GPU, and a parent that does, too; the first child ends with an exit code of 7."""
import multiprocessing
import sys

import torch


def work(rank, queue):
    values = torch.arange(1 << 16, device="cuda") + rank
    for _ in range(50):
        values = values * 3 % 1009
    queue.put((rank, int(values.sum().item())))
    if rank == 0:
        sys.exit(7)


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    children = [context.Process(target=work, args=(rank, queue)) for rank in range(2)]
    for child in children:
        child.start()
    results = sorted(queue.get() for _ in children)
    for child in children:
        child.join()
    print(results, [child.exitcode for child in children], int(torch.ones(1000, device="cuda").sum().item()))
    sys.exit(children[0].exitcode)
