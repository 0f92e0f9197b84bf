"""What `stint run --ops` does within a Python program: it has PyTorch say which operations it runs.

    start.py    waits for `import torch` and `import jax`
    capture.py  turns everything on, once torch is there
    ranges.py   the ranges that PyTorch pushes for its operations
    layers.py   a range for each call of a module, and of a compiled function
    watch.py    lets PyTorch's observer write types, strides and arguments down for a few iterations
    facts.py    what the observer wrote, as texts of ranges
    fused.py    what TorchInductor says of the kernels that it makes of several operations
    calls.py    the program's lines that call operations, if they are asked for
    cost.py     what all this costs
    xla.py      what XLA says of the programs that it compiles for JAX
    hlo.py      what their instructions cost

Ranges go to NVTX, and so into any recording. Nothing here may let a program fail that runs without stint.
"""
