"""JAX: a few steps of gradient descent, compiled by XLA, whose ranges carry data in their names. With --window the last
half of them are those to record."""
import ctypes
import sys

import jax
import jax.numpy as jnp


def loss(weights, rows):
    return jnp.mean(jnp.tanh(rows @ weights["first"]) @ weights["second"]) ** 2


@jax.jit
def step(weights, rows):
    return jax.tree.map(lambda weight, slope: weight - 0.1 * slope, weights, jax.grad(loss)(weights, rows))


weights = {"first": jnp.full((256, 512), 0.01), "second": jnp.full((512, 64), 0.02)}
rows = jnp.linspace(-1, 1, 128 * 256).reshape(128, 256)
for i in range(20):
    if i == 10 and "--window" in sys.argv:
        jax.block_until_ready(weights)
        ctypes.CDLL("libcuda.so.1").cuProfilerStart()
    weights = step(weights, rows)
print(f"{float(jnp.sum(weights['second'])):.3f}")
