"""Data-parallel training over NCCL, one process for each GPU, started by torchrun, in which rank 1 is slow on purpose:
from the tenth step on it computes more in `forward`, so that the other rank's all-reduces wait for it."""
import os

import torch
import torch.distributed

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(1024, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 1024)).cuda()
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
extra = torch.randn(4096, 4096, device="cuda")
for step in range(30):
    rows = torch.randn(256, 1024, device="cuda")
    with torch.cuda.nvtx.range("forward"):
        loss = model(rows).square().mean()
        if rank == 1 and step >= 10:
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
