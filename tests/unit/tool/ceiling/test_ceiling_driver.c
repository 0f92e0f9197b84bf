/* The kernels that measure a device, as text; that a driver compiles them, tests/gpu says. */
#include <string.h>

#include "ceiling/ceiling_driver.h"
#include "stint_test.h"

TEST(every_kernel_is_a_whole_text_for_its_devices)
{
    static char text[STINT_CODE_SIZE];
    const struct stint_code *code;
    size_t count = 0;
    for (; (code = stint_code_at(count)); count++) {
        stint_code_write(code, text);
        assert_true(strlen(text) < STINT_CODE_SIZE - 1);
        assert_non_null(strstr(text, ".entry " STINT_CODE_ENTRY "("));
        assert_string_equal(text + strlen(text) - 7, "ret;\n}\n");
        assert_true(code->least <= code->most || !code->most);
        assert_true(code->block && code->blocks && code->amount > 0);
    }
    assert_true(count > 1);
    assert_null(stint_code_at(count + 1));
}
