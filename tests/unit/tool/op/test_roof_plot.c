#include <string.h>

#include "op/op_roofline.h"
#include "report/golden.h"
#include "stint_test.h"

static struct capture draw(const struct stint_roof_plot *plot)
{
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_roof_plot_put(plot, &text);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_memory_equal(out.text, "<svg xmlns=", 11);
    assert_string_equal(out.text + out.length - 7, "</svg>\n");
    return out;
}

TEST(plot_without_points_says_why)
{
    struct capture out = draw(&(struct stint_roof_plot){.without = "nothing was counted"});
    assert_non_null(strstr(out.text, ">nothing was counted</text>\n"));
    assert_null(strstr(out.text, "class=\"roof\""));
}

TEST(roofs_have_their_numbers)
{
    const struct stint_roof_plot plot = {
        .roofs = {{"fp32", 0, 0, 60e12}, {"fp16", 1, 1, 900e12}},
        .roof_count = 2,
        .bandwidth = 3e12,
        .is_bandwidth_measured = 1,
        .without = "",
    };
    struct capture out = draw(&plot);
    assert_non_null(strstr(out.text, ">fp32: 60.0 TFLOP/s</text>\n"));
    assert_non_null(strstr(out.text, ">fp16, Tensor Cores: 900.0 TFLOP/s, measured</text>\n"));
    assert_non_null(strstr(out.text, ">3000 GB/s, measured</text>\n"));
    assert_int_equal(count_words(out.text, "class=\"roof\""), 3);
}

TEST(points_have_a_title_and_what_they_need_at_least)
{
    struct stint_roof_point point = {.name = "a<b>",
                                     .intensity = 10,
                                     .rate = 2e12,
                                     .share = 0.25,
                                     .bound = "memory",
                                     .least_intensity = 20,
                                     .least_rate = 2e12,
                                     .excess = 2};
    const struct stint_roof_plot plot = {.points = {.items = &point, .count = 1}, .without = ""};
    struct capture out = draw(&plot);
    assert_non_null(strstr(out.text,
                           "<title>a&lt;b&gt;: 25.00 % of the time, 10.00 FLOP/B, 2.000 TFLOP/s, bound by memory, "
                           "moves 2.0 x the bytes it must</title>"));
    assert_int_equal(count_words(out.text, "<circle class=\"least\""), 1);
    assert_non_null(strstr(out.text, "fill=\"#2a78d6\" cx="));
}
