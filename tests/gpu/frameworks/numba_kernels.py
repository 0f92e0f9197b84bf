"""Numba: kernels compiled from Python functions, one of them with shared memory, and copies of arrays."""
import numpy

# Numba names functions that NumPy has renamed since.
for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(numpy, old):
        setattr(numpy, old, getattr(numpy, new))

from numba import cuda, float32


@cuda.jit
def add(left, right, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = left[i] + right[i]


@cuda.jit
def sums_of_blocks(values, out):
    part = cuda.shared.array(256, float32)
    lane = cuda.threadIdx.x
    part[lane] = values[cuda.grid(1)]
    cuda.syncthreads()
    width = 128
    while width > 0:
        if lane < width:
            part[lane] += part[lane + width]
        cuda.syncthreads()
        width //= 2
    if lane == 0:
        out[cuda.blockIdx.x] = part[0]


COUNT = 1 << 18
left = cuda.to_device(numpy.arange(COUNT, dtype=numpy.float32) % 7)
right = cuda.to_device(numpy.ones(COUNT, dtype=numpy.float32))
out = cuda.device_array_like(left)
blocks = cuda.device_array(COUNT // 256, dtype=numpy.float32)
for _ in range(10):
    add[COUNT // 256, 256](left, right, out)
    sums_of_blocks[COUNT // 256, 256](out, blocks)
print(int(blocks.copy_to_host().sum()))
