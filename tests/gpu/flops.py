"""Operations whose FLOPs PyTorch's own counter and stint count, for ops.sh: runs each once under the counter, and once in a
layer that is called as the case is, with what was computed by hand:

    case sdpa_flash_causal counter 939524096 forward 134742016 backward 269484032

Products, convolutions and attention are 2 for each product that is added up; what is skipped, as half of the scores of
causal attention, is not counted. Without torch, or a GPU, the exit code is 77."""
import sys

try:
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils.flop_counter import FlopCounterMode
except ImportError:
    sys.exit(77)

DEVICE = "cuda"
BATCH, HEADS, LENGTH, WIDTH = 2, 8, 256, 64
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION}


def random(*shape, dtype=torch.float32):
    return torch.randn(shape, device=DEVICE, dtype=dtype, requires_grad=dtype in (torch.float32, torch.bfloat16))


def attention(backend, heads, is_causal, is_compiled):
    """Forward 2 (D + E) for each pair of a query and a key; backward twice that."""

    def attend(query, key, value):
        return functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal, enable_gqa=heads != HEADS)

    def run():
        query = random(BATCH, HEADS, LENGTH, WIDTH, dtype=torch.bfloat16)
        key, value = (random(BATCH, heads, LENGTH, WIDTH, dtype=torch.bfloat16) for _ in range(2))
        with sdpa_kernel(backend):
            (torch.compile(attend) if is_compiled else attend)(query, key, value).sum().backward()

    pairs = LENGTH * (LENGTH + 1) // 2 if is_causal else LENGTH * LENGTH
    return run, 4 * BATCH * HEADS * pairs * WIDTH, 8 * BATCH * HEADS * pairs * WIDTH


def packed_attention():
    query = torch.randn(512, HEADS, WIDTH, device=DEVICE, dtype=torch.bfloat16)
    ends = torch.tensor([0, 128, 256, 384, 512], device=DEVICE, dtype=torch.int32)
    torch.ops.aten._flash_attention_forward(query, query, query, ends, ends, 128, 128, 0.0, True, False)


def fp8_product():
    left, right = (torch.randn(rows, 512, device=DEVICE).to(torch.float8_e4m3fn) for rows in (256, 128))
    one = torch.ones((), device=DEVICE)
    torch._scaled_mm(left, right.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def int8_product():
    torch._int_mm(*(torch.ones(shape, device=DEVICE, dtype=torch.int8) for shape in ((64, 128), (128, 64))))


def experts():
    rows = torch.randn(256, 512, device=DEVICE, dtype=torch.bfloat16)
    weights = torch.randn(4, 128, 512, device=DEVICE, dtype=torch.bfloat16).transpose(-2, -1)
    torch._grouped_mm(rows, weights, offs=torch.tensor([64, 128, 192, 256], device=DEVICE, dtype=torch.int32))


def transposed_convolution():
    layer = nn.ConvTranspose2d(16, 32, 3, stride=2, padding=1, output_padding=1, bias=False).to(DEVICE)
    layer(random(4, 16, 28, 28)).sum().backward()


def recurrent(kind):
    """Two layers of both directions: the weights' elements, for each of 20 steps of 8 sequences."""

    def run():
        kind(64, 128, 2, bidirectional=True).to(DEVICE)(random(20, 8, 64))[0].sum().backward()

    gates = {nn.RNN: 1, nn.GRU: 3, nn.LSTM: 4}[kind]
    forward = 2 * 20 * 8 * 2 * gates * 128 * ((64 + 128) + (256 + 128))
    return run, forward, 2 * forward


def bags():
    words = torch.randint(1000, (512,), device=DEVICE)
    nn.EmbeddingBag(1000, 64, mode="sum").to(DEVICE)(words, torch.arange(0, 512, 8, device=DEVICE)).sum().backward()


def all_cases():
    for name, backend in BACKENDS.items():
        for heads in (HEADS, 2) if name != "efficient" else (HEADS,):
            for is_causal in (False, True):
                kind = ("" if heads == HEADS else "_gqa") + ("_causal" if is_causal else "")
                yield ("sdpa_%s%s" % (name, kind),) + attention(backend, heads, is_causal, False)
        yield ("compiled_%s_causal" % name,) + attention(backend, HEADS, True, True)
    yield "packed_causal", packed_attention, 4 * 4 * HEADS * (128 * 129 // 2) * WIDTH, 0
    yield "fp8_product", fp8_product, 2 * 256 * 128 * 512, 0
    yield "int8_product", int8_product, 2 * 64 * 64 * 128, 0
    yield "experts", experts, 2 * 256 * 128 * 512, 0
    convolution = 2 * 4 * 16 * 28 * 28 * 32 * 9
    yield "transposed_convolution", transposed_convolution, convolution, 2 * convolution
    for kind in (nn.RNN, nn.GRU, nn.LSTM):
        yield (kind.__name__.lower(),) + recurrent(kind)
    yield "bags", bags, 512 * 64, 512 * 64


class Case(nn.Module):
    def __init__(self, run):
        super().__init__()
        self.run = run

    def forward(self, x):
        self.run()
        return x


def counted(run):
    counter = FlopCounterMode(display=False)
    try:
        with counter:
            run()
    except AssertionError:  # of grouped queries
        return "error"
    return counter.get_total_flops()


def main():
    if not torch.cuda.is_available():
        sys.exit(77)
    for name, run, forward, backward in all_cases():
        torch.compiler.reset()
        print("case %s counter %s forward %d backward %d" % (name, counted(run), forward, backward), flush=True)
        torch.compiler.reset()
        torch.cuda.nvtx.range_push("layer:" + name)
        Case(run)(torch.zeros(1))
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()


main()
