#include "ceiling/ceilings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "stint_test.h"

static char s_folder[64];

static int begin(void **state)
{
    (void)snprintf(s_folder, sizeof s_folder, "ceilings-XXXXXX");
    char *folder = mkdtemp(s_folder);
    return !folder || setenv("XDG_STATE_HOME", folder, 1);
}

static int end(void **state)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/stint/ceilings.tsv", s_folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/stint", s_folder);
    (void)rmdir(path);
    return rmdir(s_folder);
}

static void keep(const char *device, int driver, enum stint_ceiling ceiling, double per_s)
{
    struct stint_ceilings ceilings = {.driver = driver};
    (void)snprintf(ceilings.device, sizeof ceilings.device, "%s", device);
    ceilings.per_s[ceiling] = per_s;
    assert_int_equal(stint_ceilings_write(&ceilings), 0);
}

TEST_EACH(begin, end)

TEST(what_was_measured_last_is_found)
{
    struct stint_ceilings ceilings;
    assert_int_equal(stint_ceilings_read(&ceilings, "A"), -1);
    keep("A", 13000, STINT_CEILING_COPY, 1e12);
    keep("A B", 13000, STINT_CEILING_COPY, 2e12);
    keep("A", 13010, STINT_CEILING_FP32, 3e12);
    assert_int_equal(stint_ceilings_read(&ceilings, "A"), 0);
    assert_int_equal(ceilings.driver, 13010);
    assert_true(ceilings.per_s[STINT_CEILING_COPY] == 0);
    assert_true(ceilings.per_s[STINT_CEILING_FP32] == 3e12);
    keep("A", 13000, STINT_CEILING_COPY, 4e12);
    assert_int_equal(stint_ceilings_read(&ceilings, "A"), 0);
    assert_true(ceilings.per_s[STINT_CEILING_COPY] == 4e12);
    assert_true(ceilings.per_s[STINT_CEILING_FP32] == 0);
    assert_int_equal(stint_ceilings_read(&ceilings, "A B"), 0);
    assert_true(ceilings.per_s[STINT_CEILING_COPY] == 2e12);
}

TEST(other_text_is_passed_over)
{
    struct stint_ceilings ceilings;
    char path[128];
    keep("A", 13000, STINT_CEILING_COPY, 1e12);
    (void)snprintf(path, sizeof path, "%s/stint/ceilings.tsv", s_folder);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    (void)fprintf(file, "\nA\nA\t13000\tweight\t7\nA\t13000\tfp32\t-1\nA\t13000\tfp64\tnan\nA\t13000\tfp16\t5");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stint_ceilings_read(&ceilings, "A"), 0);
    assert_true(ceilings.per_s[STINT_CEILING_COPY] == 1e12);
    assert_true(ceilings.per_s[STINT_CEILING_FP32] == 0);
    assert_true(ceilings.per_s[STINT_CEILING_FP64] == 0);
    assert_true(ceilings.per_s[STINT_CEILING_FP16] == 5);
}
