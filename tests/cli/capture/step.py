"""Runs a program of the jax in the folder `fake`: a product of matrices, twice under other numbers, its tanh and what is
known by its kernel's name only; and before that what XLA tries."""
import jax

STEP = """HloModule jit_step, is_scheduled=true

%fused (param_0: f32[4,8]) -> f32[4,8] {
  %param_0 = f32[4,8]{1,0} parameter(0)
  ROOT %tanh.1 = f32[4,8]{1,0} tanh(%param_0), metadata={op_name="jit(step)/jvp(first)/tanh"}
}

ENTRY %main (x: f32[4,16], w: f32[16,8]) -> f32[4,8] {
  %x = f32[4,16]{1,0} parameter(0), metadata={op_name="x"}
  %w = f32[16,8]{1,0} parameter(1), metadata={op_name="w['first']"}
  %custom-call.1 = (f32[4,8]{1,0}, s8[1024]{0}) custom-call(%x, %w), custom_call_target="__cublas$lt$matmul", \
metadata={op_name="jit(step)/transpose(jvp(first))/transpose"}, \
backend_config={"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}}
  %copy.7 = f32[4,8]{0,1} copy(%custom-call.1#0)
  ROOT %loop_tanh.2 = f32[4,8]{1,0} fusion(%copy.7), kind=kLoop, calls=%fused, \
metadata={op_name="jit(step)/jvp(first)/tanh"}
}
"""

jax.run("gemm.1", [("hlo_op=gemm.1", "gemm_1")])
assert jax.jit(STEP, 3313).hlo_modules()
jax.jit(STEP.replace("[4,", "[2,"), 70000)
for program in 3313, 70000:
    jax.run("jit_step,program_id=%d" % program,
            [("name=jit(step),hlo_op=custom-call.1,unique_hlo_op_id=1", "cutlass"),
             ("hlo_op=command_buffer_1", "loop_tanh_2"), ("hlo_op=command_buffer_1", "copy_7")])
