#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void scopes_are_as_they_were(void **state)
{
    check_export(STINT_EXPORT_CTEST, fixture_training(), NULL, "export_ctest_training.txt");
    check_export(STINT_EXPORT_CTEST, fixture_running(), NULL, "export_ctest_running.txt");
}

static void what_devices_did_is_told(void **state)
{
    check_export(STINT_EXPORT_CTEST, fixture_gpu(), NULL, "export_ctest_gpu.txt");
}

static void nasty_names_are_escaped(void **state)
{
    check_export(STINT_EXPORT_CTEST, fixture_nasty(), NULL, "export_ctest_nasty.txt");
}

static int free_fixture(void **state)
{
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_are_as_they_were),
        cmocka_unit_test(what_devices_did_is_told),
        cmocka_unit_test(nasty_names_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}
