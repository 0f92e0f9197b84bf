"""Data-parallel training over NCCL, one process for each GPU, started by torchrun: ranges as in a program of its own."""
import os

import torch
import torch.distributed

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 512)).cuda()
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(10):
    rows = torch.randn(128, 512, device="cuda")
    with torch.cuda.nvtx.range("forward"):
        loss = model(rows).square().mean()
    with torch.cuda.nvtx.range("backward"):
        loss.backward()
    with torch.cuda.nvtx.range("step"):
        optimizer.step()
        optimizer.zero_grad()
torch.cuda.synchronize()
if rank == 0:
    print(f"{loss.item():.3f}")
torch.distributed.destroy_process_group()
