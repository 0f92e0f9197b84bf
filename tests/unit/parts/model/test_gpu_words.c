#include "model/model.h"

#include "stint_test.h"

TEST(every_direction_is_read_back_from_its_name)
{
    for (int i = 0; i < STINT_GPU_DIRECTIONS; i++) {
        enum stint_gpu_direction direction = (enum stint_gpu_direction)i;
        const char *copy = stint_gpu_name(STINT_GPU_COPY, direction, STINT_GPU_WAIT_UNKNOWN);
        assert_int_equal(stint_gpu_direction_of(STINT_GPU_COPY, copy), direction);
        assert_int_equal(stint_gpu_direction_of(STINT_GPU_UNIFIED, copy), STINT_GPU_DIRECTION_UNKNOWN);
        if (!stint_gpu_direction_words[i].nsys_move)
            continue;
        const char *move = stint_gpu_name(STINT_GPU_UNIFIED, direction, STINT_GPU_WAIT_UNKNOWN);
        assert_int_equal(stint_gpu_direction_of(STINT_GPU_UNIFIED, move), direction);
        assert_int_equal(stint_gpu_direction_of(STINT_GPU_COPY, move), STINT_GPU_DIRECTION_UNKNOWN);
    }
}

TEST(every_wait_is_read_back_from_its_name)
{
    for (int i = 0; i < STINT_GPU_WAITS; i++) {
        enum stint_gpu_wait wait = (enum stint_gpu_wait)i;
        const char *name = stint_gpu_name(STINT_GPU_SYNC, STINT_GPU_DIRECTION_UNKNOWN, wait);
        assert_int_equal(stint_gpu_wait_of(STINT_GPU_SYNC, name), wait);
        assert_int_equal(stint_gpu_wait_of(STINT_GPU_COPY, name), STINT_GPU_WAIT_UNKNOWN);
    }
}

TEST(names_that_nobody_gave_say_nothing)
{
    assert_int_equal(stint_gpu_direction_of(STINT_GPU_COPY, "[CUDA memcpy HtoX]"), STINT_GPU_DIRECTION_UNKNOWN);
    assert_int_equal(stint_gpu_direction_of(STINT_GPU_KERNEL, "[CUDA memcpy HtoD]"), STINT_GPU_DIRECTION_UNKNOWN);
    assert_int_equal(stint_gpu_wait_of(STINT_GPU_SYNC, ""), STINT_GPU_WAIT_UNKNOWN);
    assert_null(stint_gpu_name(STINT_GPU_KERNEL, STINT_GPU_DIRECTION_UNKNOWN, STINT_GPU_WAIT_UNKNOWN));
    assert_string_equal(stint_gpu_memory_name(STINT_GPU_MEMORY_UNKNOWN), "");
    assert_string_equal(stint_gpu_memory_name((enum stint_gpu_memory_kind)99), "");
}
