"""Data-parallel training over NCCL, one process for each GPU, started by torchrun: ranges as in a program of its own. With
the word `slow`, rank 1 computes more in `forward` from the tenth step on, so that all-reduces of the other rank wait."""
import os
import sys

import torch
import torch.distributed

slow = sys.argv[1:] == ["slow"]
width, hidden, batch, steps = (1024, 4096, 256, 30) if slow else (512, 1024, 128, 10)
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(width, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, width)).cuda()
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
extra = torch.randn(4096, 4096, device="cuda") if slow else None
for step in range(steps):
    rows = torch.randn(batch, width, device="cuda")
    with torch.cuda.nvtx.range("forward"):
        loss = model(rows).square().mean()
        if slow and rank == 1 and step >= 10:
            for _ in range(4):
                torch.mm(extra, extra)
    with torch.cuda.nvtx.range("backward"):
        loss.backward()
    with torch.cuda.nvtx.range("step"):
        optimizer.step()
        optimizer.zero_grad()
torch.cuda.synchronize()
if rank == 0:
    print(f"{loss.item():.3f}")
torch.distributed.destroy_process_group()
