"""CuPy: element-wise and reduction kernels that it compiles itself, a raw kernel, a memory pool, two streams."""
import cupy

raw = cupy.RawKernel(r"""
extern "C" __global__ void scale(float *data, float factor, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] *= factor;
}""", "scale")

COUNT = 1 << 20
streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
total = 0.0
for step in range(20):
    with streams[step % 2]:
        data = cupy.arange(COUNT, dtype=cupy.float32)
        raw((COUNT // 256,), (256,), (data, cupy.float32(0.5), cupy.int32(COUNT)))
        total += float((cupy.sqrt(data) + 1).sum().get())
print(f"{total:.6e}")
