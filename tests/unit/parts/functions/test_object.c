#include "functions/object.h"

#include <string.h>
#include <unistd.h>

#include "stint_test.h"

static const char *name_at(const void *function)
{
    struct stint_loaded loaded = stint_loaded_at((uintptr_t)function);
    const struct stint_object *object = loaded.path ? stint_object_of(&loaded) : NULL;
    assert_non_null(object);
    return stint_object_function_at(object, (uintptr_t)function);
}

/* Not in the table of dynamic symbols, so that the file has to be read. */
__attribute__((noinline)) static void local_function(void)
{
    __asm__ volatile("");
}

TEST(functions_of_the_program_have_the_linkers_names)
{
    local_function();
    assert_string_equal(name_at((const void *)(uintptr_t)local_function), "local_function");
}

TEST(a_library_is_known_by_its_file)
{
    struct stint_loaded loaded = stint_loaded_at((uintptr_t)getppid);
    assert_int_equal(strncmp(stint_object_name(stint_object_of(&loaded)), "libc.so", 7), 0);
}

TEST(an_object_is_the_same_each_time)
{
    struct stint_loaded loaded = stint_loaded_at((uintptr_t)local_function);
    const struct stint_object *object = stint_object_of(&loaded);
    assert_ptr_equal(stint_object_of(&loaded), object);
    assert_int_equal(stint_object_offset(object, loaded.start + 16), 16);
}

TEST(no_object_is_at_an_address_of_none)
{
    assert_null(stint_loaded_at(8).path);
}

TEST(what_is_gone_is_forgotten)
{
    struct stint_loaded loaded = stint_loaded_at((uintptr_t)local_function);
    struct stint_loaded none = {.start = loaded.start, .end = loaded.start + 1};
    size_t count = 0;
    while (stint_object_start(count))
        count++;
    assert_true(count >= 2);
    assert_int_equal(stint_objects_mark_gone(&loaded), 0); /* it is still there */
    assert_int_equal(stint_objects_mark_gone(&none), 1);
    stint_objects_sweep();
    assert_int_not_equal(stint_object_start(count - 2), 0);
    assert_int_equal(stint_object_start(count - 1), 0);
}
