"""Triton: a kernel compiled from Python, launched a few hundred times on PyTorch's tensors."""
import torch
import triton
import triton.language as tl


@triton.jit
def add(left, right, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(out + at, tl.load(left + at, mask=inside) + tl.load(right + at, mask=inside), mask=inside)


COUNT = 1 << 20
left = torch.arange(COUNT, device="cuda", dtype=torch.float32) % 5
right = torch.ones(COUNT, device="cuda")
out = torch.empty_like(left)
for _ in range(300):
    add[(triton.cdiv(COUNT, 1024),)](left, right, out, COUNT, BLOCK=1024)
print(int(out.sum().item()))
