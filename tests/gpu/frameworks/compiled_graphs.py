"""torch.compile with CUDA graphs: a small network, recorded once and replayed."""
import torch

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256)).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
rows = torch.randn(64, 256, device="cuda")
with torch.no_grad():
    for _ in range(30):
        torch.compiler.cudagraph_mark_step_begin()
        out = compiled(rows)
    torch.cuda.synchronize()
    print(f"{out.float().abs().mean().item():.4f}")
