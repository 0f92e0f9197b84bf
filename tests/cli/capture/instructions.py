"""What instructions of HLO cost, computed by hand: instructions.py FOLDER, with the folder that stint's Python is in."""
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from stint_ops import hlo  # noqa: E402

FUSED = """%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%reduced (p: bf16[6,10], q: bf16[6,10]) -> f32[6] {
  %p = bf16[6,10]{1,0:T(8,128)(2,1)} parameter(0)
  %q = bf16[6,10]{1,0} parameter(1)
  %zero = f32[] constant(0)
  %product = bf16[6,10]{1,0} multiply(%p, %q)
  %exp = bf16[6,10]{1,0} exponential(%product)
  %wide = f32[6,10]{1,0} convert(%exp)
  ROOT %reduce = f32[6]{0} reduce(%wide, %zero), dimensions={1}, to_apply=%add
}

%sliced (stack: f32[100,4,4], x: f32[4,4], at: s32[]) -> f32[4,4] {
  %stack = f32[100,4,4]{2,1,0} parameter(0)
  %x = f32[4,4]{1,0} parameter(1)
  %at = s32[] parameter(2)
  %zero = s32[] constant(0)
  %slice = f32[1,4,4]{2,1,0} dynamic-slice(%stack, %at, %zero, %zero), dynamic_slice_sizes={1,4,4}
  %w = f32[4,4]{1,0} bitcast(%slice)
  ROOT %dot.9 = f32[4,4]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
metadata={op_name="jit(f)/while/body/layer/transpose;jit(f)/other"}
}

%updated (stack: f32[100,4], x: f32[4], at: s32[]) -> f32[100,4] {
  %stack = f32[100,4]{1,0} parameter(0)
  %x = f32[4]{0} parameter(1)
  %at = s32[] parameter(2)
  %zero = s32[] constant(0)
  %row = f32[1,4]{1,0} bitcast(%x)
  ROOT %update = f32[100,4]{1,0} dynamic-update-slice(%stack, %row, %at, %zero)
}

ENTRY %main.3 (p: bf16[6,10]) -> f32[] {
"""

# An instruction, and its FLOPs and bytes; the operands are these.
OPERANDS = {"p": "bf16[6,10]{1,0}", "stack": "f32[100,4,4]{2,1,0}", "rows": "f32[100,4]{1,0}", "x": "f32[4,4]{1,0}",
            "v": "f32[4]{0}", "at": "s32[]", "flags": "pred[7]{0}", "img": "f32[2,8,8,6]{3,2,1,0}",
            "ker": "f32[3,3,3,10]{3,2,1,0}", "dy": "f32[2,8,8,10]{3,2,1,0}", "a": "f16[3,4,5]{2,1,0}",
            "b": "f16[3,5,7]{2,1,0}", "q": "bf16[2,16,4,8]{3,2,1,0}", "k": "bf16[2,32,4,8]{3,2,1,0}",
            "e": "f8e4m3fn[16]{0}"}
ATTENTION = ('custom_call_target="__cudnn$fmhaSoftmax", backend_config={"cudnn_fmha_backend_config":{"mask_type":"%s",'
             '"intermediate_tensor_shape":{"dimensions":["2","4","16","32"]}}}')
WINDOW = "window={size=3x3 pad=1_1x1_1}, feature_group_count=2, dim_labels="
CASES = [
    ("f16[3,4,7]{2,1,0} dot(%a, %b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
     "rhs_contracting_dims={1}", 2 * 3 * 4 * 7 * 5, 2 * (60 + 105 + 84)),
    ("(f16[3,4,7]{2,1,0}, s8[4096]{0}) custom-call(%a, %b), custom_call_target=\"__cublas$gemm\", "
     "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"2\"]}}}",
     2 * 3 * 4 * 7 * 5, 2 * (60 + 105 + 84)),
    ("f32[2,8,8,10]{3,2,1,0} convolution(%img, %ker), " + WINDOW + "b01f_01io->b01f", 2 * 1280 * 27,
     4 * (768 + 270 + 1280)),
    ("(f32[2,8,8,10]{3,2,1,0}, u8[64]{0}) custom-call(%img, %ker), " + WINDOW +
     "b01f_01io->b01f, custom_call_target=\"__cudnn$convForward\"", 2 * 1280 * 27, 4 * (768 + 270 + 1280)),
    ("(f32[2,8,8,6]{3,2,1,0}, u8[64]{0}) custom-call(%dy, %ker), " + WINDOW +
     "b01f_01io->b01f, custom_call_target=\"__cudnn$convBackwardInput\"", 2 * 1280 * 27, 4 * (768 + 270 + 1280)),
    ("(f32[3,3,3,10]{3,2,1,0}, u8[64]{0}) custom-call(%img, %dy), " + WINDOW +
     "b01f_01io->b01f, custom_call_target=\"__cudnn$convBackwardFilter\"", 2 * 1280 * 27, 4 * (768 + 270 + 1280)),
    ("f32[2,16,16,6]{3,2,1,0} convolution(%dy, %ker), window={size=3x3 pad=1_2x1_2 lhs_dilate=2x2}, "
     "dim_labels=b01f_01oi->b01f", 2 * 3072 * 90 // 4, 4 * (1280 + 270 + 3072)),
    ("(bf16[2,16,4,8]{3,2,1,0}, u8[0]{0}) custom-call(%q, %k, %k), " + ATTENTION % "NO_MASK",
     2 * 8 * 16 * 32 * 16, 2 * (1024 + 2 * 2048 + 1024)),
    ("(bf16[2,16,4,8]{3,2,1,0}, u8[0]{0}) custom-call(%q, %k, %k), " + ATTENTION % "CAUSAL",
     2 * 8 * (16 * 17 // 2) * 16, 2 * (1024 + 2 * 2048 + 1024)),
    ("(bf16[2,16,4,8]{3,2,1,0}, u8[0]{0}) custom-call(%q, %k, %k), " + ATTENTION % "PADDING", None,
     2 * (1024 + 2 * 2048 + 1024)),
    ("f32[6]{0} fusion(%p, %p), kind=kLoop, calls=%reduced", 60 + 20 * 60 + 60, 2 * 60 * 2 + 6 * 4),
    ("f32[4,4]{1,0} fusion(%stack, %x, %at), kind=kCustom, calls=%sliced", 2 * 16 * 4, 64 + 64 + 4 + 64),
    ("f32[100,4]{1,0} fusion(%rows, %v, %at), kind=kLoop, calls=%updated", 0, 16 + 4 + 16),
    ("f32[1,4,4]{2,1,0} dynamic-slice(%stack, %at, %at, %at), dynamic_slice_sizes={1,4,4}", 0, 2 * 64 + 12),
    ("f32[4]{0} sort(%v), dimensions={0}, to_apply=%add", 8, 32),
    ("pred[7]{0} not(%flags)", 7, 14),
    ("f8e4m3fn[16]{0} copy(%e)", 0, 32),
    ("f32[4,4]{1,0} all-reduce-start(%x), to_apply=%add", 0, 64 + 64),
    ("(f32[4,4]{1,0}, f32[8,4]{1,0}) all-gather-start(%x), dimensions={0}", 0, 64 + 128),
    ("f32[4,4]{1,0} custom-call(%x), custom_call_target=\"mine\"", None, 128),
]


def check(what, found, expected):
    if found != expected:
        sys.exit("%s: %r, not %r" % (what, found, expected))


lines = ["  %%%s = %s parameter(%d)" % (name, shape, at) for at, (name, shape) in enumerate(OPERANDS.items())]
lines += ["  %%case.%d = %s" % (at, case[0]) for at, case in enumerate(CASES)]
texts = list(hlo.texts_of("HloModule m\n\n" + FUSED + "\n".join(lines) + "\n}\n", "m", 5))
check("instructions", len(texts), len(CASES))
for (instruction, flops, size), text in zip(CASES, texts):
    found = re.search(r"flops = (\d+)", text or "")
    check(instruction, found and int(found.group(1)), flops)
    check(instruction, int(re.search(r"bytes = (\d+)", text).group(1)), size)
check("a text", texts[11], 'stint.xla, op_id = 5, module = "m", op = "case.11", name = "jit(f)/while/body/layer/dot_general", '
      'flops = 128, bytes = 196, matrix = 1, sizes = [[100, 4, 4], [4, 4], []], types = ["float32", "float32", "int32"]')
check("what is cut", list(hlo.texts_of("ENTRY %m (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
                                       "  %b = f32[2]{0} dot(%a), lhs_contracting_dims={4}\n}\n", "m", 1)), [None])
