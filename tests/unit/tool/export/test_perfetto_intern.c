#include <string.h>

#include "export/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(name_is_told_once)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    const char *name = packets_of(snapshot, fixture_events(snapshot)).text;
    for (int i = 0; i < 3; i++) { /* as a name, and of the kernel: as it is, and demangled */
        name = strstr(name + 1, "\"first(float*)\"");
        assert_non_null(name);
    }
    assert_null(strstr(name + 1, "\"first(float*)\""));
}
