/* Functions at addresses of this program. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "stint_test.h"
#include "symbols/symbols.h"

enum { MOST = 8 };

/* inlined.cpp calls this within a function that is inlined into others. */
void note_call(const void *returns_to, int line);
void call_all(void);

static const char *s_addresses[MOST];
static size_t s_count;
static int s_line;

void note_call(const void *returns_to, int line)
{
    assert_true(s_count < MOST);
    s_addresses[s_count++] = (const char *)returns_to - 1;
    s_line = line;
}

static uint64_t address_in_file(const char *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    assert_true(dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP));
    return (uint64_t)((uintptr_t)address - map->l_addr);
}

TEST(what_is_inlined_is_found_wherever_the_function_around_it_stands)
{
    static const char *const around[] = {"in_namespace", "in_nameless", "in_class", "in_function", "operator()"};
#ifndef STINT_HAS_LIBDW
    skip();
#endif
    struct stint_arena arena = {0};
    enum stint_code_state how;
    struct stint_code_file *code = stint_code_file_open("/proc/self/exe", "", &how);
    assert_int_equal(how, STINT_CODE_FOUND);
    call_all();
    assert_int_equal(s_count, TEST_COUNT(around));
    for (size_t i = 0; i < s_count; i++) {
        struct stint_symbol found[MOST] = {{0}};
        assert_int_equal(stint_code_file_find(code, address_in_file(s_addresses[i]), &arena, found, MOST), 2);
        assert_non_null(strstr(found[0].function, "inlined"));
        assert_non_null(strstr(found[1].function, around[i]));
        assert_non_null(strstr(found[0].file, "symbols/inlined.cpp"));
        assert_non_null(strstr(found[1].file, "symbols/inlined.cpp"));
        assert_int_equal(found[0].line, s_line);
        assert_true(found[1].line > s_line);
    }
    assert_int_equal(stint_code_file_find(code, 1, &arena, &(struct stint_symbol){0}, 1), 0);
    stint_code_file_close(code);
    stint_arena_free(&arena);
}
