#include <stdio.h>
#include <string.h>

#include "failing_arena.h"
#include "op_fixture.h"
#include "op_recording.h"
#include "stint_test.h"

TEST_EACH(NULL, op_forget)

/* What becomes of a text of XLA's; valid until the next call. */
static const char *read_as(const char *text)
{
    static struct stint_op_xla xla;
    static char read[512];
    struct stint_piece piece = {text, strlen(text)};
    assert_int_equal(stint_op_xla_read(&xla, &piece), 0);
    (void)snprintf(read, sizeof read, "%.*s", (int)piece.length, piece.text);
    stint_arena_free(&xla.arena);
    xla = (struct stint_op_xla){.text = {0}};
    return read;
}

TEST(paths_become_operations_layers_and_directions)
{
    static const struct {
        const char *path, *hlo_op, *op, *place;
    } texts[] = {
        {"jit(step)/second/dot_general", "gemm.2", "dot_general", "\"fprop\", layer = \"jit(step)/second\""},
        {"jit(step)/jvp(second)/dot_general", "gemm.2", "dot_general", "\"fprop\", layer = \"jit(step)/second\""},
        {"jit(step)/transpose(jvp(second))/dot_general", "gemm.8", "dot_general",
         "\"bprop\", layer = \"jit(step)/second\""},
        {"jit(f)/transpose(jvp(jit(g)))/mul", "x", "mul", "\"bprop\", layer = \"jit(f)/jit(g)\""},
        {"jit(<lambda>)/vmap(BTNH,BSNH->BNTS)/dot_general", "x", "dot_general",
         "\"fprop\", layer = \"jit(<lambda>)/BTNH,BSNH->BNTS\""},
        {"jit(f)/transpose(jvp())/mul;jit(f)/other/add", "x", "mul", "\"bprop\", layer = \"jit(f)\""},
        {"jit(f)/transpose(jvp(checkpoint))/rematted_computation/sin", "x", "sin",
         "\"bprop\", layer = \"jit(f)/checkpoint\""},
        {"jit(f)/vmap(transpose(jvp(a/b)))/block(1)/tanh", "x", "tanh", "\"bprop\", layer = \"jit(f)/a/b/block(1)\""},
        {"jit(f)/say \"\\\"/neg", "x", "neg", "\"fprop\", layer = \"jit(f)/say \\\"\\\\\\\"\""},
        {"jit(f)/transpose", "wrapped_transpose", "transpose", "\"fprop\", layer = \"jit(f)\""},
        /* What is in common has no operation. */
        {"jit(step)", "gemm_fusion_dot.8", "gemm_fusion_dot", "\"fprop\", layer = \"jit(step)\""},
        {"jit(step)/jvp(second)", "loop_add_fusion.12", "loop_add_fusion", "\"fprop\", layer = \"jit(step)/second\""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[256], expected[256];
        (void)snprintf(text, sizeof text, "Thunk:#name=%s,hlo_op=%s,unique_hlo_op_id=4294967300#", texts[i].path,
                       texts[i].hlo_op);
        (void)snprintf(expected, sizeof expected, "%s, op_id = 0, hlo_op = \"%s\", direction = %s", texts[i].op,
                       texts[i].hlo_op, texts[i].place);
        assert_string_equal(read_as(text), expected);
        assert_int_equal(op_read_text(expected), STINT_OP_CALL);
        assert_int_equal(op_read.is_cut, 0);
        assert_int_equal(op_read.hlo_op.length, strlen(texts[i].hlo_op));
    }
    (void)op_read_forget(NULL);
}

TEST(parameters_and_nameless_operations_are_called_as_the_instruction)
{
    assert_string_equal(read_as("Thunk:#name=ker,hlo_op=wrapped_transpose,unique_hlo_op_id=8#"),
                        "wrapped_transpose, op_id = 0, hlo_op = \"wrapped_transpose\"");
    assert_string_equal(read_as("Thunk:#hlo_op=copy.1,unique_hlo_op_id=4#"), "copy, op_id = 0, hlo_op = \"copy.1\"");
    assert_string_equal(read_as("Thunk:#hlo_op=.1#"), ".1, op_id = 0, hlo_op = \".1\"");
}

TEST(modules_are_programs_or_tried)
{
    assert_string_equal(read_as("XlaModule:#hlo_module=jit_step,program_id=3313#"),
                        "jit_step, op_id = 0, program = 3313, direction = \"fprop\", layer = \"jit(step)\"");
    assert_string_equal(read_as("XlaModule:#prefix=jit(f)/a,hlo_module=pmap_f,program_id=0#"),
                        "pmap_f, op_id = 0, program = 0, direction = \"fprop\", layer = \"pmap(f)\"");
    assert_string_equal(read_as("XlaModule:#hlo_module=main.5,program_id=7#"),
                        "main.5, op_id = 0, program = 7, direction = \"fprop\", layer = \"main.5\"");
    assert_string_equal(read_as("XlaModule:#hlo_module=jit_step#"),
                        "jit_step, op_id = 0, direction = \"fprop\", layer = \"jit(step)\"");
    assert_string_equal(read_as("XlaModule:#hlo_module=gemm_fusion_dot.2#"), "layer:(autotuning)");
}

TEST(other_texts_stay)
{
    static const char *const texts[] = {"",
                                        "Thunk:#",
                                        "Thunk:##",
                                        "Thunk:#name=jit(f)/add,hlo_op=add.1",
                                        "Thunk:#name=jit(f)/add#",
                                        "Thunk:#hlo_op=#",
                                        "XlaModule:#program_id=3#",
                                        "XlaModule:#hlo_module=,program_id=3#",
                                        "XlaPass:#name=dce,module=jit_step,program_id=3#",
                                        "aten::mm, op_id = 3"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(read_as(texts[i]), texts[i]);
}

/* A program's run at this time, on a thread that is in a layer of its own: two operations, and a kernel behind them. */
static void run_step(uint64_t at)
{
    op_range(7, at, at + 90, "layer:train");
    op_range(7, at + 1, at + 80, "XlaModule:#hlo_module=jit_step,program_id=3313#");
    op_range(7, at + 10, at + 20, "Thunk:#name=jit(step)/jvp(first)/tanh,hlo_op=wrapped_tanh,unique_hlo_op_id=1#");
    op_call(7, at + 11, at);
    op_range(7, at + 30, at + 40, "Thunk:#name=jit(step)/transpose(jvp(first))/mul,hlo_op=mul.1,unique_hlo_op_id=2#");
    op_call(7, at + 31, at + 1);
    op_range(7, at + 50, at + 55, "Thunk:#hlo_op=copy.3,unique_hlo_op_id=3#");
    op_call(7, at + 51, at + 2);
    op_call(7, at + 61, at + 3);
    for (uint64_t i = 0; i < 4; i++)
        op_kernel(at + 100 + i, 1, at + i, "kernel");
}

TEST(kernels_have_the_operations_of_xla_and_their_layers)
{
    run_step(1000);
    op_joined();
    assert_string_equal(op_name_of(0), "tanh");
    assert_string_equal(op_layer_of(0), "train:jit(step)/first");
    assert_int_equal(op_rows.rows[0].frame->direction, STINT_OP_FORWARD);
    assert_string_equal(op_name_of(1), "mul");
    assert_string_equal(op_layer_of(1), "train:jit(step)/first");
    assert_int_equal(op_rows.rows[1].frame->direction, STINT_OP_BACKWARD);
    assert_string_equal(op_name_of(2), "copy");
    assert_string_equal(op_layer_of(2), "train:jit(step)");
    assert_string_equal(op_name_of(3), "jit_step");
    assert_string_equal(op_layer_of(3), "train:jit(step)");
    assert_int_equal(op_join.unparsed, 0);
}

TEST(what_xla_tries_is_apart)
{
    op_range(8, 10, 90, "XlaModule:#hlo_module=gemm_fusion_dot.2#");
    op_range(8, 20, 30, "Thunk:#hlo_op=gemm_fusion_dot.2#");
    op_call(8, 21, 1);
    op_call(8, 41, 2);
    op_call(8, 95, 3);
    op_call(8, 96, 4);
    op_kernel(100, 1, 1, "gemm_fusion_dot_2");
    op_kernel(110, 1, 2, "_ZN15stream_executor3gpu12_GLOBAL__N_111DelayKernelEPVNS0_17GpuSemaphoreStateES2_");
    op_kernel(120, 1, 3, "stream_executor::gpu::RedzoneAllocatorKernelImpl(unsigned char*)");
    op_kernel(130, 1, 4, "mine");
    op_joined();
    assert_string_equal(op_name_of(0), "gemm_fusion_dot");
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(op_layer_of(i), "(autotuning)");
    assert_null(op_rows.rows[3].frame);
}

/* ----------------------------------------------------------------------------------------------------------- known */

#define KNOWN(program, op, name, cost)                                                                                 \
    "stint.xla, op_id = " program ", module = \"jit_step\", op = \"" op "\", name = \"" name "\"" cost                 \
    ", matrix = 1, sizes = [[4, 16], [16, 8]], types = [\"float32\", \"float32\"]"

/* A kernel of an operation of the program. */
static void run_thunk(uint64_t at, const char *program, const char *thunk, const char *kernel)
{
    op_range(7, at, at + 50, program);
    op_range(7, at + 10, at + 40, thunk);
    op_call(7, at + 20, at);
    op_kernel(at + 60, 5, at, kernel);
}

static uint64_t flops_at(size_t row)
{
    return op_rows.rows[row].cost.flops.state ? 0 : op_rows.rows[row].cost.flops.value;
}

#define STEP(program) "XlaModule:#hlo_module=jit_step,program_id=" program "#"

/* XLA's range has only what the paths of all that was fused have in common. */
TEST(what_xla_says_is_true_of_that_instruction_of_that_program)
{
    run_thunk(100, STEP("3"), "Thunk:#name=jit(step),hlo_op=gemm.8,unique_hlo_op_id=1#", "a");
    op_range(8, 160, 161,
             KNOWN("3", "gemm.8", "jit(step)/transpose(jvp(one))/dot_general", ", flops = 1024, bytes = 896"));
    op_range(8, 162, 163, KNOWN("4", "gemm.8", "jit(step)/two/dot_general", ", bytes = 5"));
    run_thunk(200, STEP("4"), "Thunk:#name=jit(step),hlo_op=gemm.8,unique_hlo_op_id=1#", "b");
    run_thunk(300, STEP("3"), "Thunk:#name=jit(step),hlo_op=gemm.9,unique_hlo_op_id=1#", "c");
    op_joined();
    assert_string_equal(op_name_of(0), "dot_general");
    assert_string_equal(op_layer_of(0), "jit(step)/one");
    assert_int_equal(op_rows.rows[0].frame->direction, STINT_OP_BACKWARD);
    assert_int_equal(flops_at(0), 1024);
    assert_int_equal(op_rows.rows[0].cost.bytes.value, 896);
    assert_int_equal(op_rows.rows[0].type, STINT_OP_FP32);
    assert_string_equal(op_layer_of(1), "jit(step)/two");
    assert_int_equal(op_rows.rows[1].cost.flops.state, STINT_OP_IS_UNKNOWN);
    assert_int_equal(op_rows.rows[1].cost.bytes.value, 5);
    assert_string_equal(op_name_of(2), "gemm");
    assert_int_equal(op_rows.rows[2].cost.bytes.state, STINT_OP_IS_UNKNOWN);
    assert_int_equal(op_join.unparsed, 0);
}

/* Where XLA is a plugin, JAX has numbers of its own; what it has from a cache was not compiled. */
TEST(what_was_compiled_before_on_the_thread_says_the_number)
{
    op_range(7, 10, 20, "XlaPass:#name=dce,module=jit_step,program_id=70#");
    op_range(7, 21, 22, KNOWN("1", "gemm.8", "jit(step)/one/dot_general", ", flops = 1024"));
    op_range(7, 30, 40, "XlaPass:#name=dce,module=jit_step,program_id=80#");
    op_range(9, 41, 42, "XlaEmitLlvmIr:#module=gemm.8,program_id=90#");
    op_range(7, 43, 44, KNOWN("2", "gemm.8", "jit(step)/two/dot_general", ", flops = 512"));
    op_range(7, 45, 46, KNOWN("2", "add.1", "jit(step)/two/add", ", flops = 4"));
    op_range(7, 47, 48, KNOWN("3", "gemm.8", "jit(step)/cached/dot_general", ", flops = 256"));
    run_thunk(100, STEP("70"), "Thunk:#hlo_op=gemm.8#", "a");
    run_thunk(200, STEP("80"), "Thunk:#hlo_op=gemm.8#", "b");
    run_thunk(300, STEP("80"), "Thunk:#hlo_op=add.1#", "c");
    run_thunk(400, "XlaModule:#hlo_module=jit_other,program_id=3#", "Thunk:#hlo_op=gemm.8#", "d");
    op_joined();
    assert_int_equal(flops_at(0), 1024);
    assert_int_equal(flops_at(1), 512);
    assert_int_equal(flops_at(2), 4);
    assert_int_equal(op_rows.rows[3].cost.flops.state, STINT_OP_IS_UNKNOWN);
    assert_int_equal(op_join.unparsed, 0);
}

/* Nothing is compiled, so that no range says which number is whose. For other arguments there is another program. */
TEST(what_comes_from_jaxs_cache_is_known_where_all_programs_of_the_name_agree)
{
    static const char *const told[] = {
        KNOWN("1", "gemm.8", "jit(step)/one/dot_general", ", flops = 1024"),
        KNOWN("4", "gemm.8", "jit(step)/one/dot_general", ", flops = 1024"),
        KNOWN("1", "add.1", "jit(step)/one/add", ", flops = 5"),
        KNOWN("4", "add.1", "jit(step)/one/add", ", flops = 6"),
        KNOWN("1", "add.1", "jit(step)/one/add", ", flops = 5"),
    };
    for (size_t i = 0; i < TEST_COUNT(told); i++)
        op_range(7, 10 + 2 * i, 11 + 2 * i, told[i]);
    run_thunk(100, STEP("70"), "Thunk:#hlo_op=gemm.8#", "a");
    run_thunk(200, STEP("70"), "Thunk:#hlo_op=command_buffer_1#", "gemm_8");
    run_thunk(300, STEP("71"), "Thunk:#hlo_op=gemm.8#", "a");
    run_thunk(400, STEP("71"), "Thunk:#hlo_op=add.1#", "b");
    op_joined();
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(flops_at(i), 1024);
    assert_string_equal(op_layer_of(0), "jit(step)/one");
    assert_int_equal(op_rows.rows[3].cost.flops.state, STINT_OP_IS_UNKNOWN);
    assert_int_equal(op_join.unparsed, 0);
}

/* Of a graph, kernels have names of their instructions, unless several would have the same. */
TEST(kernels_of_graphs_are_known_by_their_names)
{
    static const char graph[] = "Thunk:#hlo_op=command_buffer_1#";
    op_range(8, 10, 11, KNOWN("3", "loop-add.2", "jit(step)/one/add", ", flops = 7, bytes = 8"));
    op_range(8, 12, 13, KNOWN("3", "a.1", "jit(step)/one/mul", ", flops = 9, bytes = 8"));
    op_range(8, 14, 15, KNOWN("3", "a_1", "jit(step)/one/sub", ", flops = 11, bytes = 8"));
    run_thunk(100, STEP("3"), graph, "loop_add_2");
    run_thunk(200, STEP("3"), graph, "a_1");
    run_thunk(300, STEP("3"), graph, "cutlass");
    run_thunk(400, STEP("4"), graph, "loop_add_2");
    op_joined();
    assert_string_equal(op_name_of(0), "add");
    assert_string_equal(op_layer_of(0), "jit(step)/one");
    assert_int_equal(flops_at(0), 7);
    for (size_t i = 1; i < 4; i++)
        assert_string_equal(op_name_of(i), "command_buffer_1");
}

TEST(what_is_damaged_is_counted)
{
    op_range(7, 10, 11, "stint.xla, op_id = 3, module = \"m\", op = \"a\", name = \"\", flops = 1, bytes");
    op_range(7, 12, 13, "stint.xla, op_id = 3, module = \"m\", op = \"\", name = \"\", matrix = 0");
    op_range(7, 14, 15, "stint.xla, op_id = 3, module = \"m\", op = \"a");
    op_range(7, 16, 17, "stint.xla, op_id = 99999999999999999999, module = \"m\", op = \"a\", name = \"\", matrix = 0");
    op_range(7, 18, 19, "stint.xla, op_id = 3, op = \"a\", name = \"\", flops = 1");
    op_range(7, 20, 21, "stint.xla, op_id = 3, module = \"m\", name = \"\", flops = 1");
    run_thunk(100, STEP("3"), "Thunk:#hlo_op=a#", "a");
    op_joined();
    assert_int_equal(op_join.unparsed, 6);
    assert_int_equal(op_rows.rows[0].cost.flops.state, STINT_OP_IS_UNKNOWN);
}

/* What was compiled before says nothing of another module's number, nor does what does not say what it was. */
TEST(compilations_of_others_say_nothing)
{
    static const char *const texts[] = {"XlaPass:",
                                        "XlaPass:#",
                                        "XlaPass:##",
                                        "XlaPass:#name=dce,module=jit_step,program_id=70",
                                        "XlaPass:#name=dce,module=jit_step#",
                                        "XlaPass:#name=dce,program_id=70#",
                                        "XlaPass:#name=dce,module=,program_id=70#",
                                        "XlaPass:#name=dce,module=jit_step,program_id=x#",
                                        "XlaPass:#name=dce,module=jit_other,program_id=70#"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++)
        op_range(7, 10 + 2 * i, 11 + 2 * i, texts[i]);
    op_range(7, 90, 91, KNOWN("3", "gemm.8", "jit(step)/one/dot_general", ", flops = 1024"));
    run_thunk(100, STEP("3"), "Thunk:#hlo_op=gemm.8#", "a");
    op_joined();
    assert_int_equal(flops_at(0), 1024);
    assert_int_equal(op_join.unparsed, 0);
}

/* Thunks run on the host, too, but what they say is not what the host computes. */
TEST(without_kernels_nothing_of_xla_is_a_line)
{
    op_range(7, 1, 80, "XlaModule:#hlo_module=jit_step,program_id=3313#");
    op_range(7, 10, 20, "Thunk:#name=jit(step)/tanh,hlo_op=wrapped_tanh,unique_hlo_op_id=1#");
    op_joined();
    assert_int_equal(op_rows.count, 0);
}

/* --------------------------------------------------------------------------------------------------- without memory */

/* Whichever call gets no memory, which the program says: costs may be unknown, and are never other ones. */
TEST(without_memory_no_cost_is_made_up)
{
    op_range(7, 10, 20, "XlaPass:#name=dce,module=jit_step,program_id=70#");
    op_range(7, 21, 22, KNOWN("1", "gemm.8", "jit(step)/one/dot_general", ", flops = 1024"));
    op_range(9, 41, 42, "XlaEmitLlvmIr:#module=gemm.8,program_id=90#");
    run_thunk(100, STEP("70"), "Thunk:#hlo_op=gemm.8#", "a");
    op_range(8, 160, 190, "XlaModule:#hlo_module=gemm_fusion_dot.2#");
    op_range(7, 200, 290, "layer:net.conv");
    op_range(7, 210, 250, "aten::mm, op_id = 10, sizes = [[2, 3], [3, 4]], input_op_ids = [(0,-1), (0,-1)]");
    op_call(7, 220, 2000);
    op_range(7, 260, 280, "aten::sum, op_id = 11, sizes = [[2, 4]], input_op_ids = [(10,0)]");
    op_call(7, 270, 2001);
    op_range(7, 291, 292,
             "stint.facts, op_id = 10, op_ids = [10], text = aten::mm, op_id = 0, sizes = [[2, 3], [3, 4]]");
    op_kernel(3000, 10, 2000, "b");
    op_kernel(3010, 10, 2001, "c");
    op_joined();
    enum { ROWS = 3 };
    const uint64_t flops[ROWS] = {flops_at(0), flops_at(1), flops_at(2)};
    size_t rows = op_rows.count;
    int is_told = 0;
    assert_int_equal(rows, ROWS);
    assert_true(flops[0] == 1024 && flops[1] == 2 * 2 * 3 * 4);
    for (s_fails_at = 0;; s_fails_at++) {
        s_calls = 0;
        int failed = op_join_again();
        if (s_calls <= s_fails_at)
            break;
        for (size_t i = 0; !failed && i < rows; i++)
            if (op_rows.count != rows || (flops_at(i) && flops_at(i) != flops[i]))
                fail_msg("call %ld of memory fails: %zu kernels, of %llu FLOP", s_fails_at, op_rows.count,
                         (unsigned long long)flops_at(i));
        is_told |= failed;
    }
    assert_true(is_told);
    assert_int_equal(op_rows.count, rows);
    s_fails_at = -1;
}

/* Of all lengths, so that the room for them ends within each of their parts. */
TEST(without_memory_no_text_is_cut)
{
    enum { LENGTHS = 600, SIZE = 4 * LENGTHS };
    static const char *const forms[] = {"XlaModule:#hlo_module=jit_%.*s,program_id=3#",
                                        "XlaModule:#hlo_module=%.*s,program_id=3#",
                                        "XlaModule:#hlo_module=%.*s#",
                                        "Thunk:#name=jit(f)/transpose(jvp(%.*s))/b/c\"\\d/add,hlo_op=add.1#",
                                        "Thunk:#name=jit(f)/%.*s,hlo_op=\"add.1#",
                                        "Thunk:#hlo_op=%.*s.1#"};
    char name[LENGTHS], text[SIZE];
    memset(name, 'n', sizeof name);
    for (size_t i = 0; i < TEST_COUNT(forms) * LENGTHS; i++) {
        int length = snprintf(text, sizeof text, forms[i / LENGTHS], (int)(i % LENGTHS) + 1, name);
        int failed = 0;
        for (s_fails_at = 100; s_fails_at >= 0; s_fails_at = s_fails_at == 100 ? s_calls - 1 : s_fails_at - 1) {
            struct stint_op_xla xla = {.text = {0}};
            struct stint_piece piece = {text, (size_t)length};
            s_calls = 0;
            failed = stint_op_xla_read(&xla, &piece);
            assert_int_equal(failed, s_fails_at < s_calls ? -1 : 0);
            assert_true(failed || piece.text != text);
            stint_arena_free(&xla.arena);
        }
        assert_int_equal(failed, -1);
    }
    s_fails_at = -1;
}
