"""A network like ResNet, of torch alone, trained in one process: autograd launches the backward pass on its own thread."""
import torch

torch.manual_seed(1)


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(width, width, 3, padding=1, bias=False),
            torch.nn.BatchNorm2d(width),
            torch.nn.ReLU(),
            torch.nn.Conv2d(width, width, 3, padding=1, bias=False),
            torch.nn.BatchNorm2d(width),
        )

    def forward(self, images):
        return torch.nn.functional.relu(images + self.layers(images))


model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 32, 3, padding=1),
    *[Block(32) for _ in range(8)],
    torch.nn.AdaptiveAvgPool2d(1),
    torch.nn.Flatten(),
    torch.nn.Linear(32, 10),
).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(16, 3, 32, 32, device="cuda")
labels = torch.randint(10, (16,), device="cuda")
for _ in range(10):
    with torch.cuda.nvtx.range("forward"):
        loss = torch.nn.functional.cross_entropy(model(images), labels)
    with torch.cuda.nvtx.range("backward"):
        loss.backward()
    with torch.cuda.nvtx.range("step"):
        optimizer.step()
        optimizer.zero_grad()
torch.cuda.synchronize()
print(f"{loss.item():.3f}")
