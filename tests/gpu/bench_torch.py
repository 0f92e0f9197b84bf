"""Runs steps of PyTorch programs when it is told to: a training step of ResNet-50 and of GPT-2, a loop of small
operations, and tokens generated one by one. bench_turns.py tells it, and several such processes, plain and under tools.

    bench_torch.py [--profiler]

Reads lines "CASE SECONDS" from stdin, and answers each with a line: what each step took in ns, as many as SECONDS were
enough for, one at least. With --profiler, they run within torch.profiler, which records what the GPU does. Nothing but
torch is needed; without it, or without a GPU, the exit code is 77.
"""
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit(77)

DEVICE = "cuda"
WARM_STEPS = 2  # of each turn, and of what torch.profiler begins with


# --------------------------------------------------------------------------------------------------------- ResNet-50


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return functional.relu(self.body(x) + self.shortcut(x))


def resnet50_model():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, 2 if block == 0 and width > 64 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


def resnet50():
    model = resnet50_model().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    images = torch.randn(32, 3, 224, 224, device=DEVICE)
    labels = torch.randint(1000, (32,), device=DEVICE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        functional.cross_entropy(model(images), labels).backward()
        optimizer.step()

    return step


# --------------------------------------------------------------------------------------------------------------- GPT


class Block(nn.Module):
    """A transformer block that can keep keys and values of earlier tokens."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.body = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(),
                                  nn.Linear(4 * width, width))

    def forward(self, x, cache=None):
        batch, length, width = x.shape
        parts = self.attention(self.norm(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        if cache is not None:
            keys, values, used = cache
            keys[:, :, used:used + length] = key
            values[:, :, used:used + length] = value
            key, value = keys[:, :, :used + length], values[:, :, :used + length]
        scores = query @ key.transpose(2, 3) * (width // self.heads) ** -0.5
        if cache is None:
            later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(later, float("-inf"))
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width)
        x = x + self.projection(mixed)
        return x + self.body(x)


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, words, length):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, words, bias=False))

    def forward(self, tokens, caches=None, used=0):
        places = torch.arange(used, used + tokens.shape[1], device=tokens.device)
        x = self.words(tokens) + self.places(places)
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else (*caches[i], used))
        return self.head(x)


def gpt2():
    model = Gpt(layers=12, width=768, heads=12, words=50257, length=1024).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    tokens = torch.randint(50257, (4, 513), device=DEVICE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        words = model(tokens[:, :-1])
        functional.cross_entropy(words.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        optimizer.step()

    return step


def tokens():
    length, layers, heads, width = 256, 6, 8, 512
    model = Gpt(layers, width, heads, words=8000, length=length).to(DEVICE).eval()
    shape = (1, heads, length, width // heads)
    caches = [(torch.zeros(shape, device=DEVICE), torch.zeros(shape, device=DEVICE)) for _ in range(layers)]
    state = {"used": 0, "token": torch.zeros(1, 1, dtype=torch.long, device=DEVICE)}

    @torch.no_grad()
    def step():
        if state["used"] == length:
            state["used"] = 0
        words = model(state["token"], caches, state["used"])
        state["token"] = words[:, -1:].argmax(-1)
        state["used"] += 1
        return state["token"].item()  # as a program that looks for the end

    return step


def eager():
    x = torch.randn(1024, device=DEVICE)

    @torch.no_grad()
    def step():
        y = x
        for _ in range(250):
            y = torch.relu(y * 0.5 + x) - 0.25
        return y

    return step


# ------------------------------------------------------------------------------------------------------------- times


def time_steps(step, seconds):
    """Each step ends when the GPU has done its work."""
    spans = []
    for _ in range(WARM_STEPS):
        step()
    torch.cuda.synchronize()
    end = time.perf_counter() + seconds
    while not spans or time.perf_counter() < end:
        began = time.perf_counter_ns()
        step()
        torch.cuda.synchronize()
        spans.append(time.perf_counter_ns() - began)
    return spans


def take_turn(step, seconds, with_profiler):
    if not with_profiler:
        return time_steps(step, seconds)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
        return time_steps(step, seconds)


def main():
    if not torch.cuda.is_available():
        sys.exit(77)
    cases = {case.__name__: case for case in (resnet50, gpt2, eager, tokens)}
    name = step = None
    for line in sys.stdin:
        wanted, seconds = line.split()
        if wanted != name:
            step = None  # frees what the case before has on the GPU
            torch.cuda.empty_cache()
            torch.manual_seed(1)
            name, step = wanted, cases[wanted]()
        print(*take_turn(step, float(seconds), "--profiler" in sys.argv), flush=True)


if __name__ == "__main__":
    main()
