"""The same lesson in Numba, as many met it: convolution.py [VERSION [SIDE]]

VERSION is double, float or shared, or all. Numba makes the sum of the first a double, because it begins as the integer 0.
The program knows nothing of stint: run it by `stint run --counters all python3 convolution.py`. Exits with 77 if Numba or a
GPU is missing."""
import sys

try:
    import numpy

    # Numba names functions that NumPy has renamed since.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(numpy, old):
            setattr(numpy, old, getattr(numpy, new))
    from numba import cuda, float32
except ImportError as error:
    print("skipped: %s" % error)
    sys.exit(77)

MASK, BLOCK = 13, 32
REACH, STRIP = MASK // 2, BLOCK + MASK - 1


@cuda.jit
def convolve(result, mask, image):
    i, j = cuda.grid(2)
    rows, columns = image.shape
    if i >= rows or j >= columns:
        return
    total = 0
    for k in range(mask.shape[0]):
        for l in range(mask.shape[1]):
            row, column = i - k + REACH, j - l + REACH
            if 0 <= row < rows and 0 <= column < columns:
                total += mask[k, l] * image[row, column]
    result[i, j] = total


@cuda.jit
def convolve_float(result, mask, image):
    i, j = cuda.grid(2)
    rows, columns = image.shape
    if i >= rows or j >= columns:
        return
    total = float32(0)
    for k in range(mask.shape[0]):
        for l in range(mask.shape[1]):
            row, column = i - k + REACH, j - l + REACH
            if 0 <= row < rows and 0 <= column < columns:
                total += mask[k, l] * image[row, column]
    result[i, j] = total


@cuda.jit
def convolve_shared(result, mask, image):
    """Neighboring threads take neighbors in a row; a block keeps its part of the image, and the mask."""
    part = cuda.shared.array((STRIP, STRIP), float32)
    kept = cuda.shared.array((MASK, MASK), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * BLOCK, cuda.blockIdx.y * BLOCK
    rows, columns = image.shape
    if y < MASK and x < MASK:
        kept[y, x] = mask[y, x]
    for k in range(y, STRIP, BLOCK):
        for l in range(x, STRIP, BLOCK):
            row, column = top + k - REACH, left + l - REACH
            if 0 <= row < rows and 0 <= column < columns:
                part[k, l] = image[row, column]
            else:
                part[k, l] = float32(0)
    cuda.syncthreads()
    total = float32(0)
    for k in range(MASK):
        for l in range(MASK):
            total += kept[k, l] * part[y + MASK - 1 - k, x + MASK - 1 - l]
    if top + y < rows and left + x < columns:
        result[top + y, left + x] = total


KERNELS = {"double": convolve, "float": convolve_float, "shared": convolve_shared}


def expected(mask, image):
    """On the CPU, in double precision."""
    side = image.shape[0]
    padded = numpy.pad(image.astype(numpy.float64), REACH)
    total = numpy.zeros(image.shape)
    for k in range(MASK):
        for l in range(MASK):
            total += mask[k, l] * padded[2 * REACH - k:2 * REACH - k + side, 2 * REACH - l:2 * REACH - l + side]
    return total


def main(version="all", side="200"):
    if not cuda.is_available():
        print("skipped: Numba finds no GPU")
        return 77
    side, random = int(side), numpy.random.default_rng(1)
    image = random.random((side, side), dtype=numpy.float32)
    mask = random.random((MASK, MASK), dtype=numpy.float32)
    mask /= mask.sum()
    right, grid, failed = expected(mask, image), (-(-side // BLOCK),) * 2, False
    for name in KERNELS if version == "all" else [version]:
        result = numpy.zeros_like(image)
        KERNELS[name][grid, (BLOCK, BLOCK)](result, mask, image)
        error = numpy.max(numpy.abs(result - right) / numpy.abs(right))
        print("%s %d x %d: greatest relative error %.1e" % (name, side, side, error))
        failed |= bool(error > 1e-5)
    print("wrong" if failed else "all good")
    return failed


sys.exit(main(*sys.argv[1:]))
