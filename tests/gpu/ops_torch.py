"""A PyTorch program whose operations ops.sh looks at, alone, under stint run --ops, in torch.profiler, and under ncu:

    ops_torch.py CASE[:TYPE][,CASE[:TYPE]...] [--steps N] [--trace FILE] [--window]

CASE is resnet50 or gpt, training steps; gemm, products of matrices of 8192 x 8192, which also prints what CUDA events
say of them; small, a network with a bit of everything; compiled, graphs and loader, which are what their names say. TYPE
is fp32, tf32, fp16, with autocast, or bf16. With --trace all of it is within torch.profiler, whose trace is FILE; with
--window the last step of each case is between cudaProfilerStart and Stop. Without torch, or a GPU, the exit code is 77."""
import argparse
import contextlib
import sys

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit(77)

from bench_torch import resnet50_model

DEVICE = "cuda"


class Training:
    """A step of training: half precision by autocast with scaled gradients for fp16, and by the network's own for bf16."""

    def __init__(self, net, optimizer, inputs, wanted, kind):
        self.net, self.inputs, self.wanted, self.kind = net.to(DEVICE), inputs, wanted, kind
        if kind == "bf16":
            self.net.to(torch.bfloat16)
            self.inputs = inputs.to(torch.bfloat16) if inputs.is_floating_point() else inputs
        self.optimizer = optimizer(self.net.parameters())
        self.loss = nn.CrossEntropyLoss()
        self.scaler = torch.amp.GradScaler(enabled=kind == "fp16")

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(DEVICE, torch.float16, enabled=self.kind == "fp16"):
            result = self.net(self.inputs)
            loss = self.loss(result.flatten(0, -2), self.wanted)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


# ---------------------------------------------------------------------------------------------------------- networks


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, words, length):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places.weight[:tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.block = Block(64, 4)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.norm(self.conv1(x))), 2)
        x = torch.tanh(self.conv2(x))
        return self.head(self.block(x.flatten(2)))


def resnet50(kind, batch=32):
    images, labels = torch.randn(batch, 3, 224, 224, device=DEVICE), torch.randint(1000, (batch,), device=DEVICE)
    return Training(resnet50_model(), lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9), images, labels, kind)


def gpt(kind, batch=4, length=512, words=50257):
    tokens = torch.randint(words, (batch, length + 1), device=DEVICE)
    net = Gpt(4, 768, 12, words, 1024)
    return Training(net, lambda p: torch.optim.AdamW(p, lr=1e-4), tokens[:, :-1], tokens[:, 1:].flatten(), kind)


def small(kind):
    net, labels = Small(), torch.randint(10, (4 * 16,), device=DEVICE)
    return Training(net, lambda p: torch.optim.Adam(p), torch.randn(4, 3, 32, 32, device=DEVICE), labels, kind)


def compiled(kind):
    training = small(kind)
    training.net = torch.compile(training.net, fullgraph=True)
    return training


class Gemm:
    def __init__(self, kind, size=8192):
        kinds = {"fp16": torch.float16, "bf16": torch.bfloat16}
        self.a, self.b = (torch.randn(size, size, device=DEVICE, dtype=kinds.get(kind, torch.float32)) for _ in range(2))

    def step(self):
        for _ in range(10):
            torch.mm(self.a, self.b)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(20):
            torch.mm(self.a, self.b)
        end.record()
        end.synchronize()
        print("events %.4f ms" % (begin.elapsed_time(end) / 20), flush=True)


class Graphs:
    """A network whose forward pass is captured once, and replayed."""

    def __init__(self, kind):
        self.net = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 256)).to(DEVICE)
        self.x = torch.randn(64, 256, device=DEVICE)
        with torch.no_grad():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                self.net(self.x)
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.y = self.net(self.x)

    def step(self):
        self.graph.replay()


class Pictures(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((3, 32, 32), float(index))


class Loader:
    """Pictures that forked processes make, and a program that uses torch.profiler and emit_nvtx itself."""

    def __init__(self, kind):
        self.net = Small().to(DEVICE)
        self.loader = torch.utils.data.DataLoader(Pictures(), batch_size=4, num_workers=2)

    def step(self):
        for pictures in self.loader:
            self.net(pictures.to(DEVICE)).sum().backward()
        with torch.profiler.profile() as found:
            self.net(pictures.to(DEVICE))
        print("torch.profiler saw", sum(row.count for row in found.key_averages() if row.key == "aten::conv2d"))
        with torch.autograd.profiler.emit_nvtx():
            self.net(pictures.to(DEVICE))


CASES = {"resnet50": resnet50, "gpt": gpt, "small": small, "compiled": compiled, "gemm": Gemm, "graphs": Graphs,
         "loader": Loader}


def profiled():
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    return torch.profiler.profile(activities=kinds, record_shapes=True)


def run(name, steps, has_window):
    name, _, kind = name.partition(":")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = kind == "tf32"
    case = CASES[name](kind or "fp32")
    for step in range(steps):
        if has_window and step == steps - 1:
            torch.cuda.synchronize()
            torch.cuda.profiler.start()
        case.step()
    torch.cuda.synchronize()
    if has_window:
        torch.cuda.profiler.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--trace")
    parser.add_argument("--window", action="store_true")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit(77)
    with profiled() if options.trace else contextlib.nullcontext() as profile:
        for name in options.cases.split(","):
            run(name, options.steps, options.window)
    if options.trace:
        profile.export_chrome_trace(options.trace)


main()
